"""The names that encodings go by, and the Python codec of each.

The first table has every label of the Encoding Standard, as browsers read it: `iso-8859-1` means windows-1252, `gb2312`
means gb18030. Left out are the labels that browsers refuse to decode (`hz-gb-2312`, `iso-2022-kr`, …): a page under one
of them is guessed. The second table has names that pages, servers and detectors use although no browser knows them.
"""

WESTERN = "windows-1252"
LONGEST_NAME = 32

_STANDARD = {
    "utf-8": "utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8",
    "utf-16-le": "utf-16 utf-16le ucs-2 unicode unicodefeff csunicode iso-10646-ucs-2",
    "utf-16-be": "utf-16be unicodefffe",
    WESTERN: "windows-1252 cp1252 x-cp1252 iso-8859-1 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 iso-ir-100 latin1 l1"
    " csisolatin1 ibm819 cp819 ascii us-ascii ansi_x3.4-1968 x-user-defined",
    "windows-1250": "windows-1250 cp1250 x-cp1250",
    "windows-1251": "windows-1251 cp1251 x-cp1251",
    "windows-1253": "windows-1253 cp1253 x-cp1253",
    "windows-1254": "windows-1254 cp1254 x-cp1254 iso-8859-9 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 iso-ir-148"
    " latin5 l5 csisolatin5",
    "windows-1255": "windows-1255 cp1255 x-cp1255",
    "windows-1256": "windows-1256 cp1256 x-cp1256",
    "windows-1257": "windows-1257 cp1257 x-cp1257",
    "windows-1258": "windows-1258 cp1258 x-cp1258",
    "cp874": "windows-874 dos-874 tis-620 iso-8859-11 iso8859-11 iso885911",
    "iso-8859-2": "iso-8859-2 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 iso-ir-101 latin2 l2 csisolatin2",
    "iso-8859-3": "iso-8859-3 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 iso-ir-109 latin3 l3 csisolatin3",
    "iso-8859-4": "iso-8859-4 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 iso-ir-110 latin4 l4 csisolatin4",
    "iso-8859-5": "iso-8859-5 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988 iso-ir-144 cyrillic csisolatincyrillic",
    "iso-8859-6": "iso-8859-6 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987 iso-ir-127 iso-8859-6-e iso-8859-6-i arabic"
    " asmo-708 ecma-114 csisolatinarabic csiso88596e csiso88596i",
    "iso-8859-7": "iso-8859-7 iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 iso-ir-126 greek greek8 ecma-118 elot_928"
    " sun_eu_greek csisolatingreek",
    "iso-8859-8": "iso-8859-8 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 iso-ir-138 iso-8859-8-e iso-8859-8-i hebrew"
    " logical visual csisolatinhebrew csiso88598e csiso88598i",
    "iso-8859-10": "iso-8859-10 iso8859-10 iso885910 iso-ir-157 latin6 l6 csisolatin6",
    "iso-8859-13": "iso-8859-13 iso8859-13 iso885913",
    "iso-8859-14": "iso-8859-14 iso8859-14 iso885914",
    "iso-8859-15": "iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9 csisolatin9",
    "iso-8859-16": "iso-8859-16",
    "koi8-r": "koi8-r koi8 koi koi8_r cskoi8r",
    "koi8-u": "koi8-u koi8-ru",
    "cp866": "ibm866 cp866 866 csibm866",
    "mac-roman": "macintosh mac x-mac-roman csmacintosh",
    "mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "gb18030": "gb18030 gbk x-gbk gb2312 gb_2312 gb_2312-80 iso-ir-58 chinese csgb2312 csiso58gb231280",
    "big5hkscs": "big5 big5-hkscs cn-big5 x-x-big5 csbig5",
    "cp932": "shift_jis shift-jis sjis x-sjis ms_kanji windows-31j ms932 csshiftjis",
    "euc_jp": "euc-jp x-euc-jp cseucpkdfmtjapanese",
    "iso2022_jp": "iso-2022-jp csiso2022jp",
    "cp949": "euc-kr ks_c_5601-1987 ks_c_5601-1989 iso-ir-149 korean ksc5601 ksc_5601 windows-949 cseuckr csksc56011987",
}
_ALSO_SEEN = {
    "utf-16-le": "utf16",
    WESTERN: "latin-1 ansi",
    "windows-1251": "win-1251 cp-1251",
    "cp874": "cp874",
    "iso-8859-15": "latin9",
    "gb18030": "euc-cn",
    "cp932": "cp932",
    "cp949": "euc_kr uhc cp949",
    "johab": "johab",
}
_NAMES = {name: codec for table in (_STANDARD, _ALSO_SEEN) for codec, names in table.items() for name in names.split()}


def codec_of(label: str) -> str | None:
    """The codec that a label means, whatever its case and the blanks around it; None for a name that nobody knows."""
    name = label.strip("\t\n\f\r ")
    return _NAMES.get(name.lower()) if len(name) <= LONGEST_NAME else None
