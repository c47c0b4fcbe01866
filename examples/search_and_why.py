"""Search what was kept, and ask how the crawl came to a page: python examples/search_and_why.py"""

import tempfile

import thresher
from thresher.lab.webs.local_web import LocalWeb

with LocalWeb() as web:
    folder = tempfile.mkdtemp()
    thresher.Crawl.start(
        thresher.Topic.of("iris eye pupil"), seeds=web.seed, pages=60, into=folder, workers=1, **web.settings
    ).run()

harvest = thresher.open(folder)  # days later, in another program
found = list(harvest.search("pupil light", limit=3))
for hit in found:
    print(f"{hit.relevance:.2f}  {hit.snippet.title.text}\n      {hit.snippet.text.text[:88]} …")

why = harvest.why(found[0].url)
print(f"\n{why}")
for step in why.way[1:]:
    strongest = sorted(step.parts.evidence, key=lambda each: -each.amount)[:2]
    reasons = ", ".join(f"{each.what} {each.amount:.2f}" for each in strongest)
    print(f"  “{step.candidate.anchor}”  priority {step.candidate.priority:.2f}: {reasons} …")
