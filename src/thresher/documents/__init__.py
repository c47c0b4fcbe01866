"""Documents: PDF, DOCX, ODT, EPUB, RTF and Markdown become pages. A Response in; the same with a Rendition, or a Failed out.

The life of a document:

1. `DocumentFetcher` (`document_fetcher.py`) stands around what fetches pages. It knows a document by its content type, or by its first
   bytes where the server does not say (`kinds.py`).
2. It hands the bytes to a process of its own (`page_maker.py`; between them `page_orders.py`). That process has a limit of CPU time and
   of memory. One that is over it is ended by the system and replaced; the document has failed, under a name.
3. In the process a reader of the format makes a `Draft` (`draft.py`): title, author, date, language, and blocks of text with their
   links. It takes a million characters and no more, so that what is read of a document is bounded.
4. The draft is written as HTML, where all that a stranger wrote is escaped. That is the rendition. From there on a document is a page
   like any other: parsed, judged, followed, kept, searched, exported.

The readers: `pdf.py`; `office.py` for DOCX and ODT, and `epub.py`, both over `zipped.py`, which bounds what a zip unpacks to; `rtf.py`;
`markdown.py`. Plain text needs none.

Where the extra is not installed, `unread.py` notes the documents that relevant pages link to; a crawl that goes on with the extra takes
them up.
"""
