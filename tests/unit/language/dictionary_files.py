"""Dictionaries as they lie on a disk, made for tests."""

import gzip
from pathlib import Path

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def base64(number: int) -> str:
    digits = ""
    while number or not digits:
        number, digit = divmod(number, 64)
        digits = LETTERS[digit] + digits
    return digits


def dictd(folder: Path, texts: dict[str, str], name: str = "eng-hin", *, packed: bool = True) -> Path:
    """An index sorted by word and a text in the order given."""
    folder.mkdir(parents=True, exist_ok=True)
    offset, lines, whole = 0, [], b""
    for word, text in texts.items():
        passage = text.encode()
        lines.append(f"{word}\t{base64(offset)}\t{base64(len(passage))}\n")
        offset += len(passage)
        whole += passage
    index = folder / f"{name}.index"
    index.write_text("".join(sorted(lines)))
    if packed:
        (folder / f"{name}.dict.dz").write_bytes(gzip.compress(whole))
    else:
        (folder / f"{name}.dict").write_bytes(whole)
    return index


def stardict(
    folder: Path,
    texts: dict[str, bytes],
    *,
    kinds: str = "m",
    wide: bool = False,
    packed: bool = False,
    name: str = "hin-eng",
) -> Path:
    """The three files of a StarDict dictionary."""
    folder.mkdir(parents=True, exist_ok=True)
    index, whole = b"", b""
    for word, text in texts.items():
        index += word.encode() + b"\0" + len(whole).to_bytes(8 if wide else 4) + len(text).to_bytes(4)
        whole += text
    ifo = folder / f"{name}.ifo"
    bits = "idxoffsetbits=64\n" if wide else ""
    sequence = f"sametypesequence={kinds}\n" if kinds else ""
    ifo.write_text(f"StarDict's dict ifo file\nversion=3.0.0\nwordcount={len(texts)}\n{bits}bookname=A\n{sequence}")
    if packed:
        (folder / f"{name}.idx.gz").write_bytes(gzip.compress(index))
        (folder / f"{name}.dict.dz").write_bytes(gzip.compress(whole))
    else:
        (folder / f"{name}.idx").write_bytes(index)
        (folder / f"{name}.dict").write_bytes(whole)
    return ifo
