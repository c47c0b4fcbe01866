"""What a crawl is about, and how much of it is in a text. Used by judge/ and strategy/.

In comes what the user gives: a phrase, the sense of a word, ontologies, a table of terms, or example texts. Out comes a `Topic`: labels
with weights. Then texts come in, pages or what is said around links, and numbers come out.

    topic.py           `Topic` and `Term`: labels, each with a weight, a tier (exact, synonym, broader, context) and a source
    sense_choice.py    which meaning of a word is meant: all meanings of a phrase, and those the user chose
    likeliest_sense.py which meaning is taken where nobody can be asked
    ontology_choice.py which of several ontologies knows the topic best
    build_topic.py     a topic made of a phrase and ontologies, of a table, or of example texts; Kumar and Vig's table of importance
    matching.py        finds the labels in a text, all at once, as whole words in any script
    word_places.py     where the words of a topic stand in a text, in any form, and where those of a phrase stand together
    link_text.py       what is said about links: anchors, words of the address, windows and contexts, for all links of a page at once
    scoring.py         how much a text says about the topic: weights added up, or the cosine of term frequencies
    sense_scoring.py   which sense of the topic's word a text means, by Lin's measure and by definitions

Nothing here waits, reads a page or asks the network: plain functions over plain values. What is computed for one link is computed for all
links of a page in one batch. Whatever is remembered (stems, words met) has a limit, so that the web cannot fill the memory.
"""

from thresher.topic.topic import Topic

__all__ = ["Topic"]
