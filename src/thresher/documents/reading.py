"""Bytes of a document in, its page out; whatever is wrong with it is a `DocumentFault` with a name."""

from thresher.documents.document import DocumentFault, Draft, EnoughRead, broken, too_large


def page_of_document(kind: str, body: bytes, content_type: str = "") -> bytes:
    """A document as HTML in UTF-8."""
    draft = Draft()
    try:
        _read(kind, body, content_type, draft)
    except EnoughRead:
        pass  # the beginning is what is read of a very long one
    except DocumentFault:
        raise
    except MemoryError as error:
        raise too_large("it takes too much memory to read") from error
    except Exception as error:  # a file can make a library raise anything
        raise broken(f"{type(error).__name__}: {error}") from error
    return draft.html()


def _read(kind: str, body: bytes, content_type: str, draft: Draft) -> None:
    """Have its reader read it. Imported when it is needed: PDFium alone takes some megabytes."""
    match kind:
        case "pdf":
            from thresher.documents.pdf import read_pdf  # noqa: PLC0415

            read_pdf(body, draft)
        case "docx":
            from thresher.documents.office import read_docx  # noqa: PLC0415

            read_docx(body, draft)
        case "odt":
            from thresher.documents.office import read_odt  # noqa: PLC0415

            read_odt(body, draft)
        case "epub":
            from thresher.documents.epub import read_epub  # noqa: PLC0415

            read_epub(body, draft)
        case "rtf":
            from thresher.documents.rtf import read_rtf  # noqa: PLC0415

            read_rtf(body, draft)
        case "md":
            from thresher.documents.markdown import read_markdown  # noqa: PLC0415
            from thresher.parse.encoding import utf8  # noqa: PLC0415

            read_markdown(utf8(body, content_type).decode("utf-8", "replace"), draft)
        case _:
            raise broken(f"there is no reader of {kind}")
