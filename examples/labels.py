"""Say yourself which pages are relevant, then go on: the crawl learns from it. python examples/labels.py"""

import tempfile

import thresher
from thresher.lab.webs.local_web import LocalWeb

FOLDER = tempfile.mkdtemp()
TOPIC = thresher.Topic.of("iris")  # the flower and the part of the eye; only the eye is wanted


def crawl(pages: int) -> thresher.Harvest:
    with LocalWeb() as web:
        started = thresher.Crawl.start(TOPIC, seeds=web.seed, pages=pages, into=FOLDER, workers=1, **web.settings)
        started.run()
        return started.harvest


harvest = crawl(60)
print(f"the judge calls {harvest.counts.relevant} of 60 pages relevant")
for page in list(harvest.pages(relevant=True)):
    harvest.labels[page.url] = "pupil" in page.text  # here a rule; elsewhere a person, or `thresher label`
print(harvest.labels)

harvest = crawl(120)
later = [page for page in harvest.pages() if page.number > 60 and page.relevant]
right = sum("pupil" in page.text for page in later)
print(f"of the next 60 it calls {len(later)} relevant, and {right} of those are about the eye")
