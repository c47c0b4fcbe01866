"""Files that a user got from somewhere: lists of urls, ontologies, tables, dictionaries; with the constructs that they are grown from."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from tests.growth.growing import NUMBER, Constructs, Reader, pieces
from tests.growth.pages import PLAIN
from tests.unit.language.dictionary_files import base64

from thresher.classify.link_rules import InterclassRules
from thresher.errors import BadInput
from thresher.language.dictionaries import dictd, stardict, tsv
from thresher.ontology.readers import mesh, mondo, obo, rdf, term_table, umls_kss, umls_rrf
from thresher.parse.xml_lists import listed_in
from thresher.seed.listed_files import bookmarks_in, kind_of
from thresher.seed.named_urls import seeds_in, usable
from thresher.settings import read_crawl_file
from thresher.taxonomy.classed_urls import classed_urls
from thresher.taxonomy.example_urls import ExampleOptions, drawn
from thresher.topic_list import read_topics

LISTS = Constructs(
    (
        *pieces(
            "<url><loc>¦</loc></url>¦<url><loc>http://a.test/№</loc></url>¦<sitemap><loc>¦</loc></sitemap>¦",
            "<item><link>¦</link></item>¦<item>¦",
            "<item><guid>http://a.test/№</guid></item>¦<entry><link href='http://a.test/№'/></entry>¦<entry>¦<x>¦</x>¦<x№>¦<x a№='b'>¦",
            "<!--¦-->¦<![CDATA[¦]]>¦<?x ¦?>¦<!DOCTYPE x [¦]>¦<!ENTITY e№ 'x'>¦&amp;¦&e1;¦&#65;¦xmlns:a='b' ¦",
            "http://a.test/↵¦http://a.test/№↵¦",
            "# x↵¦<!DOCTYPE NETSCAPE-Bookmark-file-1>¦<DT><A HREF='http://a.test/'>¦<DL><p>¦sitemap: http://a.test/↵",
        ),
        *PLAIN,
    ),
    (
        ("", ""),
        ("<urlset>", "</urlset>"),
        ("<sitemapindex>", "</sitemapindex>"),
        ("<rss><channel>", "</channel></rss>"),
        ("<feed>", "</feed>"),
        ("<!DOCTYPE NETSCAPE-Bookmark-file-1>", ""),
        ("<!--", ""),
        ("<?xml version='1.0'?><urlset>", "</urlset>"),
    ),
)
OBO = Constructs(
    (
        *pieces(
            '[Term]↵¦id: X:№↵¦name: n№↵¦synonym: "x" EXACT []↵¦synonym: "¦def: "x" []↵¦def: "¦is_a: X:1↵¦is_a: X:№ ! note↵¦',
            'relationship: part_of X:1↵¦is_obsolete: true↵¦name: ¦ ! ¦ {a="b"}¦{=¦\\¦\\"¦[',
        ),
        *PLAIN,
    ),
    (
        ("format-version: 1.2\n\n[Term]\nid: X:0\nname: n", "\n"),
        ("[Term]\nid: X:0\nname: x\n", ""),
        ('[Term]\nid: X:0\ndef: "', '" []\n'),
    ),
)
_PREFIXES = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
TURTLE = Constructs(
    (
        *pieces(
            "<x:№> a skos:Concept ; skos:prefLabel 'n№'@en .↵¦<x:№> skos:broader <x:№1> .↵¦<x:1> a owl:Class .↵¦<x:1> skos:altLabel ¦",
            "'a'@en , ¦'''¦[ ¦] ¦( ¦) ¦; ¦. ¦<x:1> ¦a ¦skos:Concept ¦_:b ¦@prefix ",
        ),
        *PLAIN,
    ),
    (
        (_PREFIXES, ""),
        (_PREFIXES + "<x:1> a skos:Concept ; skos:prefLabel '", "' ."),
        (_PREFIXES + "<x:1> a skos:Concept ; skos:altLabel ", " ."),
    ),
)
_W3 = "http://www.w3.org"
_RDF = f'<rdf:RDF xmlns:rdf="{_W3}/1999/02/22-rdf-syntax-ns#" xmlns:owl="{_W3}/2002/07/owl#" xmlns:rdfs="{_W3}/2000/01/rdf-schema#">'
RDF_XML = Constructs(
    (
        *pieces(
            '<owl:Class rdf:about="x:№"><rdfs:label>n№</rdfs:label></owl:Class>¦<owl:Class rdf:about="x:1">¦',
            "</owl:Class>¦<rdfs:subClassOf>¦",
            '<rdfs:subClassOf rdf:resource="x:№"/>¦</rdfs:subClassOf>¦<rdfs:label>¦</rdfs:label>¦<rdf:Description>¦</rdf:Description>¦',
            '<!--¦-->¦<![CDATA[¦]]>¦ a№="b"¦&amp;',
        ),
        *PLAIN,
    ),
    ((_RDF, "</rdf:RDF>"), (f"<?xml version='1.0'?><!DOCTYPE rdf:RDF [<!ENTITY e 'x'>]>{_RDF}", "</rdf:RDF>")),
)
_DESCRIPTOR = (
    "<DescriptorRecord><DescriptorUI>D{0}</DescriptorUI><DescriptorName><String>n{0}</String></DescriptorName>"
)
_MEANING = "<ConceptList><Concept PreferredConceptYN='Y'><ConceptUI>M{0}</ConceptUI><TermList><Term><String>t{0}</String></Term></TermList>"
MESH = Constructs(
    (
        *(_DESCRIPTOR.format(NUMBER), _DESCRIPTOR.format(1), _MEANING.format(NUMBER)),
        *pieces(
            "</DescriptorRecord>¦</Concept></ConceptList>¦<ConceptList>¦<TreeNumberList><TreeNumber>A№</TreeNumber></TreeNumberList>¦",
            "<TreeNumberList><TreeNumber>A01.001</TreeNumber></TreeNumberList>¦<ConceptRelationList><ConceptRelation RelationName='NRW'>",
            "<Concept1UI>M1</Concept1UI><Concept2UI>M№</Concept2UI></ConceptRelation></ConceptRelationList>¦",
            "<TermList><Term><String>t№</String></Term></TermList>¦<ScopeNote>¦</ScopeNote>¦<!--¦-->¦&amp;",
        ),
        *PLAIN,
    ),
    (
        ("<DescriptorRecordSet>", "</DescriptorRecordSet>"),
        (
            f"<DescriptorRecordSet>{_DESCRIPTOR.format(0)}{_MEANING.format(0)}",
            "</Concept></ConceptList></DescriptorRecord></DescriptorRecordSet>",
        ),
    ),
)
RRF = Constructs(
    (
        *pieces(
            "C0000010|ENG|P|L1|PF|S1|Y|A0000010||||MSH|MH|D1|name|0|N||↵¦C0000010|ENG|P|L1|PF|S1|Y|A№||||MSH|MH|D1|name №|0|N||↵¦",
            "C0000010|ENG|S|L1|PF|S1|Y|A0000010||||MSH|FN|D1|name (finding)|0|N||↵¦C0000010¦|¦ENG¦name (¦)",
        ),
        *PLAIN,
    ),
    (("", ""), ("C0000010|ENG|P|L1|PF|S1|Y|A0000010||||MSH|FN|D1|", "|0|N||\n")),
)
TOML = Constructs(
    (
        *pieces(
            "\"w№\" = 0.5↵¦w№ = 1↵¦[[term]]↵¦[[term]]↵label = 'w№'↵¦[a№]↵¦[a№.b]↵¦label = 'x'↵¦weight = 1↵¦a.¦a№.¦'a'.¦a№.a№ = 1↵¦",
            "[¦]¦{a = ¦{a№ = 1, ¦}¦'''¦\"\"\"¦= ¦\\u0041¦1_¦1e¦# x↵¦language = 'hi'↵",
        ),
        *PLAIN,
    ),
    (('"x" = 1\n', ""), ('"x" = 1\n', "\n"), ('"x', '" = 1\n'), ("x = ", "\n"), ("", " = 1\n"), ("[", "]\n")),
)
CSV = Constructs(
    (*pieces('w№,exact,1,en↵¦w№↵¦"w№"↵¦"¦""¦,¦;¦w,narrower↵¦w№,narrower↵'), *PLAIN),
    (
        ("label,relation,weight,language\nx,exact,1,en\n", ""),
        ("label\n", ""),
        ('label\n"', '"\n'),
        ("label;weight\n", "\n"),
    ),
)
MONDO = Constructs(
    (
        *pieces(
            ', "X:№": {"label": "n№", "ancestors": {}}¦',
            ', "X:1": {"label": "n", "synonyms": ["a", "b"], "ancestors": {"X:0": 1}}¦{"a": ¦}¦[¦]¦',
            '"¦", "¦\\¦\\u0041¦, ¦: ¦null',
        ),
        *PLAIN,
    ),
    (
        ('{"X:0": {"label": "n", "ancestors": {}}', "}"),
        ('{"X:0": {"label": "', '", "ancestors": {}}}'),
        ('{"X:0": {"label": "n", "synonyms": [', '"x"], "ancestors": {}}}'),
    ),
)
DEFINITION = Constructs(
    (
        *pieces(
            "<k>¦</k>¦<ex>¦</ex>¦<i>¦<br>¦<b>¦</b>¦<k¦&amp;¦&lt¦&#65;¦1. ¦a) ¦sth ¦to ¦see: ¦(n) ¦[x] ¦{m} ¦<f> ¦",
            "/x/ ¦~¦t№, ¦t№↵¦   x↵¦ · ",
        ),
        *PLAIN,
    ),
    (("", ""), ("word\n", ""), ("word /wɜːd/ <n>\n1. ", "")),
)
TSV = Constructs((*pieces("w№\tt№↵¦w\tt↵¦\t¦# x↵"), *PLAIN), (("", ""), ("w\t", "\n")))
_ODP = '<RDF xmlns:r="x" xmlns:d="y" xmlns="z">'
CLASSES = Constructs(
    (
        *pieces(
            "Science/a№,http://a.test/№↵¦a/,¦/¦a,http://a.test/↵¦<DT><H3>a№</H3><DL><p>¦<DL>¦</DL>¦<H3>¦<div>¦",
            "<DT><A HREF='http://a.test/№'>¦</A>¦<ExternalPage about='http://a.test/№'><topic>Top/a№</topic></ExternalPage>¦",
            "<ExternalPage about='http://a.test/'>¦</ExternalPage>¦<topic>Top/¦<topic>¦</topic>¦<x>¦</x>¦<!--¦-->¦&amp;¦&#1;",
        ),
        *PLAIN,
    ),
    (
        ("class,url\n", "\n"),
        ("<!DOCTYPE NETSCAPE-Bookmark-file-1>", ""),
        (_ODP, "</RDF>"),
        (f"{_ODP}<ExternalPage about='http://a.test/'><topic>Top/", "</topic></ExternalPage></RDF>"),
    ),
)
TOPICS = Constructs((*pieces("iris№ | iris.n.№↵¦iris | ¦iris, ¦ # ¦#¦↵¦ ↵"), *PLAIN))


KSS = Constructs(
    (
        *pieces(
            "<cn>n№</cn>¦<cn>n</cn>¦<rel>PAR</rel>¦<x><cn>n№</cn><rel>SY</rel></x>¦<cxs>c№</cxs>¦<rank>0</rank>¦<x><cxs>c</cxs><rank>0</rank></x>¦",
            "<cui>C№</cui>¦<tn>t</tn>¦<x>¦</x>¦<query>¦</query>¦<searchTerm>s№</searchTerm>¦",
            "<?xml version='1.0'?>¦<?xml version='1.0'?><a/>¦<!--¦-->¦&amp;",
        ),
        *PLAIN,
    ),
    (("<r>", "</r>"), ("<r><x><x><x><x>", "</x></x></x></x></r>"), ("", "")),
)


def _file(name: str, read: Callable[[Path], Iterable[object]]) -> Callable[[bytes, Path], None]:
    def read_file(body: bytes, folder: Path) -> None:
        (folder / name).write_bytes(body)
        with suppress(BadInput):
            for _ in read(folder / name):
                pass

    return read_file


def _lists(body: bytes, _: Path) -> None:
    kind = kind_of(body)
    with suppress(BadInput):
        if kind == "listed":
            usable(listed_in(body, "s.xml").urls)
        elif kind == "bookmarks":
            usable(bookmarks_in(body))
        else:
            seeds_in(body, "seeds.txt")


def _dictd(body: bytes, folder: Path) -> None:
    (folder / "a.dict").write_bytes(body)
    (folder / "a.index").write_text(f"word\tA\t{base64(len(body))}\n")
    with suppress(BadInput):
        list(dictd.read(folder / "a.index"))


def _stardict(body: bytes, folder: Path) -> None:
    (folder / "a.ifo").write_text("StarDict's dict ifo file\nversion=3.0.0\nsametypesequence=h\n")
    (folder / "a.idx").write_bytes(b"word\0" + bytes(4) + len(body).to_bytes(4))
    (folder / "a.dict").write_bytes(body)
    with suppress(BadInput):
        list(stardict.read(folder / "a.ifo"))


def _rules(path: Path) -> Iterable[object]:
    InterclassRules.load(path)
    return ()


def _classes(path: Path) -> Iterable[object]:
    return drawn(classed_urls(path), ExampleOptions(least=1)).classes


READERS = {
    "lists": Reader(_lists, LISTS, floor=0.1),
    "obo": Reader(_file("a.obo", obo.read), OBO, floor=0.1),
    "turtle": Reader(_file("a.ttl", rdf.read), TURTLE, floor=0.1),
    "rdf-xml": Reader(_file("a.rdf", rdf.read), RDF_XML, floor=0.1),
    "mesh": Reader(_file("desc.xml", mesh.read), MESH, floor=0.1),
    "kss": Reader(_file("a.kss", umls_kss.read), KSS, floor=0.1),
    "rrf": Reader(_file("MRCONSO.RRF", umls_rrf.read), RRF, floor=0.1),
    "terms.toml": Reader(_file("a.toml", term_table.read), TOML, floor=0.1),
    "terms.csv": Reader(_file("a.csv", term_table.read), CSV, floor=0.1),
    "rules.toml": Reader(_file("rules.toml", _rules), TOML, floor=0.1),
    "mondo": Reader(_file("a.json", mondo.read), MONDO, floor=0.1),
    "dictd": Reader(_dictd, DEFINITION, floor=0.1),
    "stardict": Reader(_stardict, DEFINITION, floor=0.1),
    "tsv": Reader(_file("a.tsv", tsv.read), TSV, floor=0.1),
    "classes": Reader(_file("classes", _classes), CLASSES, floor=0.1),
    "topics": Reader(_file("topics.txt", read_topics), TOPICS),
    "crawl.toml": Reader(_file("crawl.toml", read_crawl_file), TOML, floor=0.1),
}
