"""WARC files: the bytes of the web, as they came.

What comes in is a response; what goes out is its place, a file with an offset and a length, and later the same response again.

    format            a response as WARC 1.1 records: one gzip member for the request, one for the answer
    growing_file      a file that is being written: records are gathered, and go out together
    writer            appends them to the newest file of a crawl, just before the commit that names them
    files             the table `warc`: which files there are, and how much of each is committed; after a kill or a power cut,
                      files and rows are made to agree
    reader            a record, by its place or as bytes, whoever wrote it → the HTTP message in it
    moved_files       the files of a crawl that moves, copied where they are wanted
    record_stream     a file as unpacked bytes, record after record
    scan              once through a file, whoever wrote it → where each HTTP answer stands
    recording_index   url → place, for a recorded web; made once, beside the recording

Where several workers share a crawl:

    file_places       a folder of a machine, or a part of a store (s3://), and whether it is there
    shared_files      the table `warc` in PostgreSQL; a file of it, to be read wherever it lies
    shared_writer     the files of one worker; for a store they wait in a folder of its machine
    uploads           moves files that are complete from there into the store
    worker_locks      which workers are alive
    shared_recovery   what a killed worker left is put in order; rows whose files are lost for good are marked

What is promised: a file may be longer than what is committed, never shorter while the machine stays up; a body is kept once, and later
copies are revisit records that refer to it; a damaged file costs its damaged records and no others; memory does not grow with a file.

The room owns the table `warc` of a crawl, and the SQLite file of a recording's index. Which rows of other tables name
records it does not know: their owners hand them in (`files.RecordRows`, `shared_recovery.FileRows`).
"""
