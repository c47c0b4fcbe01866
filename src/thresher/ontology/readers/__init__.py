"""Readers: where the knowledge of an ontology comes from, one format a file.

In comes a path; out comes a stream of concepts, in the order of the file. Every reader has the same shape: `read(path, …)` gives the
concepts, and a reader of folders also has `files(path)`, which names what it reads of a folder.

    wordnet.py          WordNet's own files: words, senses, glosses and counts
    mondo.py, hpo.py    diseases, and signs and symptoms, as two Python packages carry them
    obo.py              the OBO flat file format
    mesh.py             Medical Subject Headings, NLM's XML
    umls_rrf.py         a licensed UMLS release on disk; `rrf_tables.py` reads its files
    umls_kss.py         answers of the UMLS Knowledge Source Server, as Lokman had them
    rdf.py              SKOS, OWL and RDFS in Turtle, RDF/XML, JSON-LD …; `rdf_statements.py` makes concepts of what triples say
    term_table.py       tables of terms written by hand, in TOML or CSV
    knowledge_file.py   what all share: opening plain and packed files, numbered lines, tidy names

A reader takes nothing on trust: lines, files and nesting have limits, XML is guarded, nothing is fetched. Whatever is wrong is `BadInput`
with the file and the line. `known_ontologies.py`, one folder up, says which reader opens what, and keeps what was read in compiled form.
"""
