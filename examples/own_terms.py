"""What you look for as a table of words with weights, such as you may have already: python examples/own_terms.py"""

import tempfile
from collections import Counter
from pathlib import Path

import thresher
from thresher.lab.webs.local_web import LocalWeb

TERMS = str(Path(__file__).with_name("terms.csv"))

with LocalWeb() as web:
    crawl = thresher.Crawl.start(
        "iris",
        seeds=web.seed,
        judge="concepts",
        strategy="lokman",
        knowledge={"terms": TERMS},
        pages=60,
        into=tempfile.mkdtemp(),
        workers=1,
        **web.settings,
    )
    crawl.run()
print(f"{crawl.tally.relevant} relevant pages of {crawl.tally.fetched}, for these reasons:")
spoke = Counter(reason.what for page in crawl.harvest.pages(relevant=True) for reason in page.evidence)
for word, pages in spoke.most_common(6):
    print(f"{pages:4} times: {word}")
