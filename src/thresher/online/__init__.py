"""Knowledge that lives on other machines: the UMLS service and search engines.

In come a few phrases or words; out come concepts for a topic (UMLS), or urls for seeds (search engines).

    json_client.py   asks a JSON API politely: our name, a pause between requests, limited sizes, retries, answers kept on disk
    uts.py           the questions that the REST API of the National Library of Medicine answers
    umls.py          puts those answers together: phrases in, the same concepts out that a reader of files gives
    umls_topics.py   the same as the ontology `umls` of a topic, asked once and then kept
    keys.py          where the user's API keys are: in the environment or the system's keyring
    engines/         search engines, one a file

What is promised:

- One way to ask. Every JSON answer comes through `JsonClient`, so that keys, sizes, redirects and pauses are treated alike.
- A key goes to the machine it belongs to, encrypted, and nowhere else. No message, log or file holds one.
- A question to UMLS goes out once a day: its answer is kept on disk. A machine that is busy is asked again, as late as it wants.
- A question that stays unanswered is an error (`NoAnswer`), unlike in the crawl, which meets failures all day: without its answer there
  is no topic, and no seed.
"""
