"""See each page as soon as it is kept, and stop when you have enough: python examples/watch.py"""

import asyncio
import tempfile

import thresher
from thresher.lab.webs.local_web import LocalWeb

TOPIC = thresher.Topic.of("iris eye pupil")


async def main() -> None:
    found = 0
    with LocalWeb() as web:
        crawl = thresher.Crawl.start(TOPIC, seeds=web.seed, into=tempfile.mkdtemp(), workers=1, **web.settings)
        async for visit in crawl:
            if visit.page and visit.judgement and visit.judgement.relevant:
                found += 1
                print(f"{visit.number:3}  {visit.judgement.relevance:.2f}  {visit.page.title}")
            if found == 8:
                break
    print(f"{found} relevant pages in {visit.number} visits; the crawl is kept and can go on")


asyncio.run(main())
