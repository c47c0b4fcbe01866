"""A UMLS release of a few concepts in the real column layout; names and ids are made up around Lokman's example."""

from collections.abc import Iterable
from pathlib import Path

CONCEPTS = [
    # CUI, LAT, TS, STT, ISPREF, AUI, SAB, TTY, STR, SUPPRESS
    "C0000010 ENG P PF Y A0000010 MSH MH Urination Disorders|N",
    "C0000010 ENG S PF Y A0000011 SNOMEDCT_US PT Disorder of micturition|N",
    "C0000010 GER P PF Y A0000012 MSHGER MH Miktionsstörungen|N",
    "C0000020 ENG P PF Y A0000020 MSH MH Enuresis|N",
    "C0000020 ENG S PF Y A0000021 SNOMEDCT_US PT Urinary incontinence of childhood|N",
    "C0000030 ENG P PF Y A0000030 MSH MH Urinary Incontinence|N",
    "C0000040 ENG P PF Y A0000040 MSH MH Diurnal Enuresis|N",
    "C0000040 ENG S PF Y A0000041 SNOMEDCT_US PT Daytime wetting|N",
    "C0270327 ENG S PF Y A0000050 SNOMEDCT_US SY Bedwetting|N",
    "C0270327 ENG S VC Y A0000051 SNOMEDCT_US SY bedwetting|N",
    "C0270327 ENG P PF Y A0000052 SNOMEDCT_US PT Nocturnal enuresis|N",
    "C0270327 ENG P VO Y A0000053 SNOMEDCT_US FN Nocturnal enuresis (finding)|N",
    "C0270327 ENG S PF Y A0000054 SNOMEDCT_US SY Nocturnal incontinence of urine|N",
    "C0270327 ENG S PF Y A0000055 SNOMEDCT_US SY Nocturnal enuresis, old name|O",
    "C0270327 ENG S PF Y A0000056 MSH EN Enuresis, Nocturnal|N",
    "C0270327 FRE P PF Y A0000057 MSHFRE MH Énurésie nocturne|N",
    "C0270327 GER P PF Y A0000058 MSHGER MH Nächtliches Einnässen|N",
    "C0424123 ENG P PF Y A0000060 SNOMEDCT_US PT Wets bed|N",
    "C0424123 ENG S PF Y A0000061 SNOMEDCT_US SY Wets the bed|N",
    "C0554811 ENG P PF Y A0000070 SNOMEDCT_US PT Primary nocturnal enuresis|N",
    "C0900001 ENG P PF Y A0000080 ICD10 PT Nonorganic enuresis|N",
    "C0900002 GER P PF Y A0000090 MSHGER MH Windel|N",
]
# CUI2 is REL of CUI1; each relation stands twice, in both directions, but for the last two.
RELATIONS = [
    "C0000020 PAR C0000010 MSH",
    "C0000010 CHD C0000020 MSH",
    "C0270327 PAR C0000020 SNOMEDCT_US",
    "C0000020 CHD C0270327 SNOMEDCT_US",
    "C0000040 PAR C0000020 SNOMEDCT_US",
    "C0000020 CHD C0000040 SNOMEDCT_US",
    "C0270327 SY C0424123 SNOMEDCT_US",
    "C0424123 SY C0270327 SNOMEDCT_US",
    "C0270327 SY C0270327 SNOMEDCT_US",
    "C0270327 RO C0000030 SNOMEDCT_US",
    "C0000030 RO C0270327 SNOMEDCT_US",
    "C0270327 PAR C0900001 ICD10",
    "C0270327 CHD C0554811 SNOMEDCT_US",
    "C0000030 RB C0000010 SNOMEDCT_US",
]
HIERARCHY = [
    "C0000010 A0000010 1  MSH",
    "C0000020 A0000020 1 A0000010 MSH",
    "C0000040 A0000041 1 A0000021 SNOMEDCT_US",
    "C0270327 A0000052 1 A0000021 SNOMEDCT_US",
    "C0554811 A0000070 1 A0000052 SNOMEDCT_US",
    "C0554811 A0000070 2 A9999999 SNOMEDCT_US",
]
TYPES = ["C0000020 T046 Pathologic Function", "C0270327 T047 Disease or Syndrome", "C0270327 T184 Sign or Symptom"]
DEFINITIONS = [
    "C0270327 MSH Involuntary discharge of urine during sleep at night.",
    "C0270327 MSHSPA Emisión involuntaria de orina durante el sueño.",
]


def release(folder: Path, *without: str) -> Path:
    """All five files, but for those named."""
    tables = {
        "MRCONSO": map(name_row, CONCEPTS),
        "MRREL": map(relation_row, RELATIONS),
        "MRHIER": map(hierarchy_row, HIERARCHY),
        "MRSTY": map(type_row, TYPES),
        "MRDEF": map(definition_row, DEFINITIONS),
    }
    for name, lines in tables.items():
        if name not in without:
            write(folder / f"{name}.RRF", lines)
    return folder


def write(path: Path, lines: Iterable[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def name_row(short: str) -> str:
    cui, lat, ts, stt, ispref, aui, sab, tty, rest = short.split(" ", 8)
    string, suppress = rest.split("|")
    return f"{cui}|{lat}|{ts}|L0000001|{stt}|S0000001|{ispref}|{aui}||100|D1|{sab}|{tty}|100|{string}|0|{suppress}|256|"


def relation_row(short: str) -> str:
    one, rel, other, sab = short.split()
    return f"{one}|A1|SCUI|{rel}|{other}|A2|SCUI||R1||{sab}|{sab}|||N||"


def hierarchy_row(short: str) -> str:
    cui, aui, context, parent, sab = short.split(" ")
    return f"{cui}|{aui}|{context}|{parent}|{sab}||A0000001.{parent}|||"


def type_row(short: str) -> str:
    cui, tui, name = short.split(" ", 2)
    return f"{cui}|{tui}|B2.2.1.2.1|{name}|AT1|256|"


def definition_row(short: str) -> str:
    cui, sab, definition = short.split(" ", 2)
    return f"{cui}|A1|AT1||{sab}|{definition}|N||"
