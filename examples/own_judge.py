"""A judge of your own: only long pages on the eye count. python examples/own_judge.py"""

import tempfile

import thresher
from thresher.lab.webs.local_web import LocalWeb

TOPIC = thresher.Topic.of("iris eye pupil")


class LongReads:
    """A page that names the eye three times is the more relevant, the longer it is; 300 words are enough."""

    def judge(self, page: thresher.Page) -> thresher.Judgement:
        words = page.main.lower().split()
        named = sum(words.count(word) for word in ("eye", "pupil"))
        relevance = min(1.0, len(words) / 300) if named >= 3 else 0.0
        why = thresher.Evidence(f"{len(words)} words, {named} of them about the eye", "text", relevance)
        return thresher.Judgement(relevance, relevance >= 0.5, (why,))


with LocalWeb() as web:
    crawl = thresher.Crawl.start(
        TOPIC, seeds=web.seed, judge=LongReads(), pages=60, into=tempfile.mkdtemp(), workers=1, **web.settings
    )
    crawl.run()
best = sorted(crawl.harvest.pages(relevant=True, text=False), key=lambda page: -page.relevance)
print(f"{crawl.tally.relevant} relevant pages of {crawl.tally.fetched}; the longest:")
for page in best[:3]:
    print(f"{page.relevance:.2f}  {page.title}: {page.evidence[0].what}")
