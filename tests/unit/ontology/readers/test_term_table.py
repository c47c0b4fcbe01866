import gzip
from pathlib import Path

import pytest

from thresher.errors import BadInput
from thresher.ontology.concept import Concept, ConceptLabel
from thresher.ontology.readers.term_table import TableTerm, read, terms
from thresher.ontology.table import Ontology

HERE = Path(__file__).parent
TOML = """
language = "en"
bedwetting = 15

[[term]]
label = "nocturnal  enuresis"
relation = "synonym"
weight = 12.5

[[term]]
label = "बिस्तर गीला करना"
relation = "synonym"
language = "hi-IN"

[[term]]
label = "enuresis"
relation = "broader"

[[term]]
label = "sleepwalking"
relation = "context"

[[term]]
label = "monosymptomatic enuresis"
relation = "narrower"

[[term]]
label = "diaper"
relation = "related"
"""


@pytest.fixture
def table(tmp_path):
    def written(text, name="t.toml"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return written


@pytest.mark.parametrize("name", ["importance.toml", "importance.csv"])
def test_table_1_of_kumar_and_vig_is_a_table_of_terms(name):
    assert {term.label: term.weight for term in terms(HERE / name)} == {
        "Comp. Sc. And Engg.": 1.0,
        "Comp. Engg.": 0.9,
        "Comp. Sc.": 0.8,
        "Information Tech.": 0.5,
        "Computer": 0.4,
        "Engineering": 0.3,
    }


def test_a_term_says_its_relation_weight_and_language_or_leaves_them_out(table):
    assert terms(table(TOML))[:4] == (
        TableTerm("bedwetting", "exact", 15, "en"),
        TableTerm("nocturnal enuresis", "synonym", 12.5, "en"),
        TableTerm("बिस्तर गीला करना", "synonym", None, "hi"),
        TableTerm("enuresis", "broader", None, "en"),
    )


def test_a_table_is_an_ontology_too(table):
    assert list(read(table(TOML))) == [
        Concept(
            "bedwetting",
            (
                ConceptLabel("bedwetting", "en", "preferred"),
                ConceptLabel("nocturnal enuresis", "en", "exact"),
                ConceptLabel("बिस्तर गीला करना", "hi", "exact"),
            ),
            broader=("enuresis",),
            related=("sleepwalking", "diaper"),
        ),
        Concept("enuresis", (ConceptLabel("enuresis", "en", "preferred"),)),
        Concept("sleepwalking", (ConceptLabel("sleepwalking", "en", "preferred"),)),
        Concept(
            "monosymptomatic enuresis",
            (ConceptLabel("monosymptomatic enuresis", "en", "preferred"),),
            broader=("bedwetting",),
        ),
        Concept("diaper", (ConceptLabel("diaper", "en", "preferred"),)),
    ]


def test_one_word_in_two_languages_is_two_concepts(table):
    text = "label,relation,language\nflu,exact,en\nvirus,broader,en\nVirus,broader,de\n"
    ontology = Ontology.of("flu", read(table(text, "t.csv")))
    assert ontology["flu"].broader == ("virus", "Virus@de")


@pytest.mark.parametrize(
    "text",
    [
        'Label;Weight;Language\n"iris; eye";0,8;de\n\n;;\n',
        "label\tweight\tlanguage\niris; eye\t0.8\tde\n",
        'language, weight ,label\nde,0.8,"iris; eye"\n',
        "\ufefflanguage,weight,label\r\nde , 0.8, iris; eye\r\n",
    ],
)
def test_a_csv_may_come_from_any_spreadsheet(table, text):
    assert terms(table(text, "t.csv")) == (TableTerm("iris; eye", "exact", 0.8, "de"),)


def test_a_packed_table_reads_the_same(table):
    assert terms(table(gzip.compress(TOML.encode()), "t.toml.gz")) == terms(table(TOML))


COLUMNS = "choose from label, relation, weight, language"
RELATIONS = "choose from exact, synonym, broader, context, narrower, related"


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        (
            "t.toml",
            'a = 1\n[[term]]\nlabel = "b"\n[[term]]\nlable = "c"',
            f"line 4: there is no 'lable' (did you mean 'label'?); {COLUMNS}",
        ),
        ("t.toml", '[[term]]\nlabel = "b"\nrelation = "sibling"', f"line 1: 'sibling' is no relation; {RELATIONS}"),
        ("t.toml", 'b = 1\n"a b" = "much"', "line 2: the weight 'much' is no number"),
        ("t.toml", "a = true", "line 1: the weight 'True' is no number"),
        ("t.toml", "a = nan", "line 1: the weight 'nan' is no number"),
        ("t.toml", "a = -1", "line 1: the weight '-1' is no number from 0 up"),
        ("t.toml", f"a = 1{'0' * 400}", "line 1: the weight '1000"),
        ("t.toml", "computer science = 1", "line 1: Expected '=' after a key"),
        ("t.toml", "\nterm = 3", "line 2: write each term as a table of its own"),
        ("t.toml", "[[term]]\nweight = 3", "line 1: a term without a label"),
        ("t.toml", "[[term]]\nlabel = 3", "line 1: '3' is no text"),
        ("t.toml", 'Flu = 1\n[[term]]\nlabel = "flu"', "line 2: 'flu' was given before"),
        ("t.toml", "", "no terms in it"),
        ("t.csv", "", "line 1: the first line must name the columns"),
        ("t.csv", "iris,exact\neye,exact", "line 1: the first line must name the columns"),
        ("t.csv", "label,wieght\niris,3", "line 2: there is no 'wieght' (did you mean 'weight'?)"),
        ("t.csv", "label,relation\niris,exact\neye,part", "line 3: 'part' is no relation"),
        ("t.csv", "label\niris,exact", "line 2: 2 values for 1 columns"),
        ("t.csv", 'label\n"iris" eye', "line 2: "),
        ("t.csv", 'label\niris\n"eye', "line 3: "),
        ("t.csv", "label,weight\niris,heavy", "line 2: the weight 'heavy' is no number"),
        ("t.csv", "label,weight\n,3", "line 2: a term without a label"),
        ("t.xlsx", "PK", "a table of terms ends in .toml, .csv, .tsv"),
    ],
)
def test_a_broken_table_is_refused_with_line_reason_and_choices(table, name, text, complaint):
    with pytest.raises(BadInput, match=name.replace(".", r"\.")) as error:
        terms(table(text, name))
    assert complaint in str(error.value)


def test_a_table_about_nothing_is_no_ontology(table):
    with pytest.raises(BadInput, match="no term is `exact`"):
        list(read(table('[[term]]\nlabel = "a"\nrelation = "broader"')))


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("t.toml", b"a = 1\n\xff = 2", "line 2: not UTF-8"),
        ("t.csv", b"label\niris\n\xff", "line 3: not UTF-8"),
        ("t.csv", "label\niris\0", "line 2: a NUL character"),
        ("t.toml", 'a = 1\n[[term]]\nlabel = "b\\u0000"\nweight = "\\u0000"', "line 2: the weight"),
        ("t.toml", "a = " + "[" * 100_000, "nested too deep"),
        ("t.toml", f'"{"a" * 10_000_000}" = 1', "line 1: longer than"),
        ("t.csv", "label\n" + "a" * 10_000_000, "line 2: longer than"),
        ("t.csv", "label\n" + "a" * 500_000, "line 2: field larger than field limit"),
        ("t.toml", "# note\n" * 3_000_000, "hardly written by hand"),
        ("t.toml", f"a = {'1' * 5_000}", "Exceeds the limit"),
    ],
)
def test_a_hostile_table_is_refused_with_a_clear_word(table, name, text, complaint):
    with pytest.raises(BadInput, match=name.replace(".", r"\.")) as error:
        terms(table(text, name))
    assert complaint in str(error.value)


def test_a_folder_is_said_so(tmp_path):
    folder = tmp_path / "t.toml"
    folder.mkdir()
    with pytest.raises(BadInput, match="Is a directory"):
        terms(folder)
