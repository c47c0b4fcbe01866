"""What a reader process is asked and answers: MessagePack behind its length, decoded by type, as with hands."""

import msgspec


class ReadOrder(msgspec.Struct, array_like=True):
    """Read this document."""

    kind: str
    body: bytes
    content_type: str


class ReadAnswer(msgspec.Struct, array_like=True):
    """What came of it: a page, or the name of an outcome and why."""

    html: bytes
    why: str = ""
    detail: str = ""


decode_answer = msgspec.msgpack.Decoder(ReadAnswer).decode
decode_order = msgspec.msgpack.Decoder(ReadOrder).decode
