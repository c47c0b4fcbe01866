"""WARC files: the bytes of the web, as they came.

What comes in is a response; what goes out is its place, a file with an offset and a length, and later the same response again.

    format            a response as WARC 1.1 records: one gzip member for the request, one for the answer
    writer            appends them to the newest file of a crawl, just before the commit that names them
    files             the table `warc`: which files there are, and how much of each is committed; after a kill or a power cut,
                      files and rows are made to agree
    reader            a record, by its place or as bytes, whoever wrote it → the HTTP message in it
    record_stream     a file as unpacked bytes, record after record
    scan              once through a file, whoever wrote it → where each HTTP answer stands
    recording_index   url → place, for a recorded web; made once, beside the recording

What is promised: a file may be longer than what is committed, never shorter while the machine stays up; a body is kept once, and later
copies are revisit records that refer to it; a damaged file costs its damaged records and no others; memory does not grow with a file.

The room owns the table `warc` in the crawl's SQLite file, and the SQLite file of a recording's index. Which rows of other tables name
records it does not know: their owners hand them in (`files.RecordRows`).
"""
