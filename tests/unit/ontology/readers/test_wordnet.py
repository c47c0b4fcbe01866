import re

import pytest

from thresher.errors import BadInput
from thresher.install_hint import install_hint
from thresher.ontology import places
from thresher.ontology.information import from_counts
from thresher.ontology.known_ontologies import KNOWN, open_ontology
from thresher.ontology.readers import wordnet as reader
from thresher.ontology.readers.wordnet import offsets, read
from thresher.ontology.table import Ontology

LICENCE = "  1 This is where the licence stands  \n"
NOUNS = """\
00000100 03 n 01 entity 0 000 | that which is
00000200 03 n 02 organ 0 body_part 1 001 @ 00000100 n 0000 | a part of a body
00000300 08 n 01 Iris 0 003 @ 00000200 n 0000 #p 00000500 n 0000 ! 00000100 n 0101 | the coloured part; "her irises were green"
00000400 20 n 02 iris 0 flag 0 001 @ 00000100 n 0000 | a plant
00000500 08 n 01 eye 0 002 @ 00000200 n 0000 %p 00000300 n 0000 | what sees
00000600 15 n 01 Lady_Iris 0 002 @i 00000100 n 0000 @ 00009999 n 0000 | a goddess
"""
NOUN_INDEX = """\
body_part n 1 1 @ 1 0 00000200
entity n 1 0 1 0 00000100
eye n 1 2 @ %p 1 0 00000500
flag n 1 1 @ 1 0 00000400
iris n 2 2 @ #p 2 1 00000400 00000300
lady_iris n 1 1 @i 1 0 00000600
organ n 1 1 @ 1 0 00000200
"""
ADJECTIVES = """\
00000010 00 a 01 large 0 001 & 00000020 a 0000 | big
00000020 00 s 01 galore(ip) 0 002 & 00000010 a 0000 = 00000500 n 0000 | in great numbers
"""
ADJECTIVE_INDEX = "galore a 1 1 & 1 0 00000020\nlarge a 1 1 & 1 0 00000010\n"
COUNTS = "iris%1:08:00:: 2 3\niris%1:20:00:: 1 7\ngalore%5:00:00:large:00 1 2\n"


@pytest.fixture
def folder(tmp_path):
    texts = {"data.noun": LICENCE + NOUNS, "index.noun": LICENCE + NOUN_INDEX, "cntlist.rev": COUNTS}
    texts |= {"data.adj": LICENCE + ADJECTIVES, "index.adj": LICENCE + ADJECTIVE_INDEX}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def change(folder, name, old, new):
    file = folder / name
    file.write_bytes(file.read_bytes().replace(old, new))
    return folder


def test_a_synset_is_a_concept_called_after_its_first_word_and_sense(folder):
    concepts = {concept.id: concept for concept in read(folder)}
    assert list(concepts)[:4] == ["entity.n.01", "organ.n.01", "iris.n.02", "iris.n.01"]
    iris = concepts["iris.n.02"]
    assert iris.gloss == 'the coloured part; "her irises were green"'
    assert (iris.broader, iris.related, iris.kind) == (("organ.n.01",), ("eye.n.01",), "noun")


def test_two_spellings_of_a_word_in_one_synset_are_counted_once(folder):
    change(folder, "data.noun", b"08 n 01 Iris 0 003", b"08 n 02 Iris 0 iris 0 003")
    (iris,) = (concept for concept in read(folder) if concept.id == "iris.n.02")
    assert [(label.text, label.count) for label in iris.labels] == [("Iris", 3), ("iris", 0)]


def test_labels_have_their_rank_count_and_spaces(folder):
    concepts = {concept.id: concept for concept in read(folder)}
    assert [tuple(label) for label in concepts["organ.n.01"].labels] == [
        ("organ", "en", "preferred", 0, 0),
        ("body part", "en", "exact", 0, 0),
    ]
    assert concepts["iris.n.02"].labels[0][3:] == (1, 3)
    assert concepts["iris.n.01"].labels[0][3:] == (0, 7)


def test_senses_come_in_their_order_not_in_that_of_the_file(folder):
    found = Ontology.of("w", read(folder)).concepts("IRIS")
    assert [concept.id for concept in found] == ["iris.n.01", "iris.n.02"]


def test_an_instance_is_below_its_class_and_a_pointer_into_nothing_is_left_out(folder):
    concepts = {concept.id: concept for concept in read(folder)}
    assert concepts["lady_iris.n.01"].broader == ("entity.n.01",)


def test_adjectives_that_lean_on_others_are_found_and_lose_their_mark(folder):
    galore = {concept.id: concept for concept in read(folder)}["galore.s.01"]
    assert (galore.label, galore.labels[0].count, galore.kind) == ("galore", 2, "adjective")
    assert galore.related == ("large.a.01", "eye.n.01")


OPERATIONS = """\
00000100 04 n 02 vasectomy 0 the_cut 0 002 + 00000900 v 0101 + 00000910 v 0202 | an operation
00000110 18 n 01 vasectomist 0 001 + 00000920 v 0101 | who does it
00000120 04 n 01 cut 0 000 | a wound
"""
OPERATION_INDEX = "cut n 1 0 1 0 00000120\nthe_cut n 1 1 + 1 0 00000100\nvasectomist n 1 1 + 1 0 00000110\nvasectomy n 1 1 + 1 0 00000100\n"
DEEDS = """\
00000900 29 v 02 vasectomize 0 sterilize 0 001 + 00000100 n 0101 01 + 09 00 | remove it
00000910 29 v 02 sever 0 cut 0 002 + 00000100 n 0202 + 00000110 n 0101 01 + 09 00 | part
00000920 29 v 01 cut_off 0 002 + 00000110 n 0101 + 00000100 n 0102 01 + 09 00 | part for good
00000930 29 v 01 cut_off 0 001 ! 00000900 v 0101 01 + 09 00 | isolate
"""
DEED_INDEX = """\
cut v 1 1 + 1 0 00000910
cut_off v 2 1 + 2 0 00000920 00000930
sever v 1 1 + 1 0 00000910
sterilize v 1 0 1 0 00000900
vasectomize v 1 1 + 1 0 00000900
"""


@pytest.fixture
def families(tmp_path):
    texts = {"data.noun": OPERATIONS, "index.noun": OPERATION_INDEX, "data.verb": DEEDS, "index.verb": DEED_INDEX}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def derived(folder):
    return {concept.id: concept.derived for concept in read(folder) if concept.derived}


def test_a_noun_has_the_verbs_that_speak_of_nothing_else(families):
    assert derived(families) == {"vasectomy.n.01": ("vasectomize",)}


def test_a_derived_word_is_the_one_that_points_and_no_other_of_its_synset(families):
    change(families, "data.verb", b"+ 00000100 n 0101", b"+ 00000100 n 0201")
    assert derived(families) == {"vasectomy.n.01": ("sterilize",)}


def test_a_verb_that_can_mean_something_else_too_is_not_derived_until_that_is_tied_as_well(families):
    change(families, "data.verb", b"! 00000900 v 0101", b"+ 00000100 n 0101")
    assert derived(families) == {"vasectomy.n.01": ("vasectomize", "cut off")}


def test_a_verb_that_means_something_else_as_a_noun_is_not_derived(families):
    change(families, "index.noun", b"cut n 1 0 1 0 00000120\n", b"wound n 1 0 1 0 00000120\n")
    change(families, "data.noun", b"n 01 cut", b"n 01 wound")
    assert derived(families) == {"vasectomy.n.01": ("vasectomize", "cut")}


def test_what_persons_do_is_not_what_they_are(families):
    assert "vasectomist.n.01" not in derived(families)
    change(families, "data.noun", b"00000110 18 n", b"00000110 04 n")
    assert derived(families)["vasectomist.n.01"] == ("sever",)


def test_derived_words_come_back_from_the_cache(families, monkeypatch, tmp_path):
    monkeypatch.setenv("THRESHER_CACHE", str(tmp_path / "kept"))
    monkeypatch.setenv("WNSEARCHDIR", str(families))
    assert list(open_ontology("wordnet")) == list(open_ontology("wordnet")) == list(read(families))


def test_derived_words_are_no_labels_and_find_nothing(families):
    with_them = Ontology.of("w", read(families))
    without = Ontology.of("w", (concept._replace(derived=()) for concept in read(families)))
    assert [concept.id for concept in with_them.concepts("vasectomize")] == ["vasectomize.v.01"]
    assert list(with_them.labels()) == list(without.labels())
    assert from_counts(with_them).values == from_counts(without).values


def test_a_pointer_from_a_word_that_is_not_there_is_refused(families):
    change(families, "data.verb", b"+ 00000100 n 0101", b"+ 00000100 n 0901")
    with pytest.raises(BadInput, match=r"data\.verb, line 1: not a synset"):
        list(read(families))


def test_files_with_the_line_ends_of_windows_are_read_alike(folder):
    unix = list(read(folder))
    for file in folder.iterdir():
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert list(read(folder)) == unix


def test_counts_may_come_from_the_sense_index_or_be_missing(folder):
    (folder / "cntlist.rev").unlink()
    assert sum(label.count for concept in read(folder) for label in concept.labels) == 0
    (folder / "index.sense").write_text("iris%1:08:00:: 00000300 2 3\niris%1:20:00:: 00000400 1 0\n")
    assert sum(label.count for concept in read(folder) for label in concept.labels) == 3


def test_counts_are_those_of_the_sense_index_where_a_list_of_another_release_lies_beside_it(folder):
    (folder / "index.sense").write_text("iris%1:08:00:: 00000300 2 3\n")
    (folder / "cntlist.rev").write_text("iris%1:08:00:: 1 7\n")
    counted = {concept.id: label.count for concept in read(folder) for label in concept.labels if label.count}
    assert counted == {"iris.n.02": 3}


def test_files_about_synsets_name_them_in_the_order_of_reading(folder):
    assert list(offsets(folder)) == ["100n", "200n", "300n", "400n", "500n", "600n", "10a", "20a"]
    assert len(list(read(folder))) == 8


def test_a_folder_without_nouns_is_not_wordnet(tmp_path):
    with pytest.raises(BadInput, match=r"there is no data\.noun in it"):
        list(read(tmp_path))


@pytest.mark.parametrize(
    ("name", "old", "new", "complaint"),
    [
        ("data.noun", b"n 02 organ", b"n zz organ", r"data\.noun, line 3: not a synset \(invalid literal"),
        ("data.noun", b"n 02 organ", b"n ff organ", r"data\.noun, line 3: not a synset"),
        ("data.noun", b"00000200 03 n 02 organ 0", b"00000200", r"data\.noun, line 3: not a synset"),
        ("data.noun", b"eye 0 002", b"eye 0 009", r"data\.noun, line 6: not a synset \(9 pointers announced, 2 there"),
        ("data.noun", b"01 eye", b"01 ear", r"data\.noun, line 6: not a synset \(the index has no word 'ear'"),
        ("index.noun", b"0 00000500", b"0 00000501", r"data\.noun, line 6: .*does not know this sense of 'eye'"),
        ("index.noun", b"eye n 1", b"eye n x", r"index\.noun, line 4: not a word with its senses"),
        ("index.noun", b"eye n 1 2 @ %p 1 0 00000500", b"eye", r"index\.noun, line 4: not a word with its senses"),
        ("cntlist.rev", b"2 3", b"2 many", r"cntlist\.rev, line 1: not a sense with its count"),
        ("cntlist.rev", b"iris%1:20", b"iris%9:20", r"cntlist\.rev, line 2: not a sense with its count"),
        ("data.noun", b"a plant", b"a pl\xe4nt", r"data\.noun, line 5: not UTF-8"),
    ],
)
def test_a_broken_file_is_refused_with_its_line_and_reason(folder, name, old, new, complaint):
    with pytest.raises(BadInput, match=complaint):
        list(read(change(folder, name, old, new)))


def test_a_line_without_end_is_refused_before_it_fills_the_memory(folder):
    with (folder / "data.noun").open("ab") as file:
        file.write(b"0" * (reader.MOST_LINE + 10))
    with pytest.raises(BadInput, match=r"data\.noun, line 8: longer than"):
        list(read(folder))


def test_a_circle_of_synsets_is_cut_open(folder):
    change(folder, "data.noun", b"entity 0 000", b"entity 0 001 @ 00000200 n 0000")
    circle = Ontology.of("w", read(folder))
    assert len(circle.notes) == 1
    assert "entity.n.01" in circle.ancestors("eye.n.01") or "eye.n.01" in circle


def test_two_synsets_of_one_number_are_refused(folder):
    change(folder, "data.noun", b"00000500 08 n 01 eye", b"00000200 08 n 01 organ")
    with pytest.raises(BadInput, match="two concepts have the id"):
        Ontology.of("w", read(folder))


def test_a_folder_is_compiled_once(folder, monkeypatch, tmp_path):
    monkeypatch.setenv("THRESHER_CACHE", str(tmp_path / "kept"))
    monkeypatch.setenv("WNSEARCHDIR", str(folder))
    first = open_ontology("wordnet")
    assert (first.name, len(first)) == ("wordnet", 8)
    assert list(open_ontology("wordnet")) == list(first)
    assert len(list((tmp_path / "kept").iterdir())) == 1


def test_wordnet_is_looked_for_where_its_own_programs_look(folder, monkeypatch):
    monkeypatch.setenv("WNSEARCHDIR", str(folder))
    assert places.wordnet() == folder


def test_where_no_wordnet_is_installed_the_user_is_told_how():
    nowhere = KNOWN[0]._replace(find=lambda: None)
    with pytest.raises(BadInput, match=re.escape(f"'wordnet' is not installed: {install_hint('wordnet')}")):
        nowhere.open()


def test_all_of_the_installed_wordnet_is_there(wordnet):
    assert len(wordnet) > 117_000
    assert wordnet.notes == ()
    assert [concept.id for concept in wordnet.concepts("iris")] == ["iris.n.01", "iris.n.02", "iris.n.03"]
    assert wordnet["iris.n.02"].gloss.startswith("muscular diaphragm")
    assert wordnet.depth("entity.n.01") == 0
    assert {concept.kind for concept in wordnet} == {"noun", "verb", "adjective", "adverb"}


def test_lokmans_bedwetting_is_found_as_wordnet_spells_it(wordnet):
    assert [concept.label for concept in wordnet.concepts("bed wetting")] == ["bed-wetting"]
    assert "enuresis.n.01" in wordnet.ancestors("bed-wetting.n.01")


def test_the_installed_wordnet_derives_what_is_near_and_leaves_what_is_far(wordnet):
    assert wordnet["vasectomy.n.01"].derived == ("vasectomize",)
    assert wordnet["atherosclerosis.n.01"].derived == ("atherosclerotic",)
    # Musicians, teaching, the deaf and crawling are something else.
    far = ("music.n.01", "teacher.n.01", "deafness.n.01", "crawler.n.02", "course.n.01", "database.n.01")
    assert [wordnet[each].derived for each in far] == [()] * len(far)
    assert [each.id for each in wordnet.concepts("vasectomize")] == ["vasectomize.v.01"]
