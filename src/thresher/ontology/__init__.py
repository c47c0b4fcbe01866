"""Ontologies: concepts, their names, and which is more general than which.

In comes a name (`wordnet`, `mondo`, `hpo`), a file or a folder; out comes an `Ontology` that answers questions: what can this label mean,
what is above, below and beside a concept, how alike are two concepts.

    readers/             one format a file: a path in, a stream of concepts out
    concept.py           what they give: `Concept` and `ConceptLabel`
    build.py             a stream of concepts becomes columns: numbers for ids, both directions, depths, and no circles
    packed_arrays.py     the columns: strings, rows and keys in plain arrays, without an object for each value
    table.py             `Ontology`: the columns, and the questions they answer
    places.py            where WordNet and UMLS lie on this machine
    known_ontologies.py  the list of ontologies that have a name; `open_ontology` opens them and all others, and keeps them compiled
    information.py       information content: how much is said by meaning a concept
    similarity.py        six measures of how alike two concepts are, with NLTK's conventions
    lemmas.py            the dictionary form of an English word, by WordNet's rules

An ontology never changes once it is built. A source is read once: its compiled form loads in milliseconds, and is made anew when the
source or the code that reads it changes. A circle in the hierarchy is cut open and noted; an id that leads nowhere is left out; an id
that two concepts have is `BadInput`.
"""
