"""A crawl in ten lines: python examples/ten_lines.py URL"""

import sys

import thresher

if len(sys.argv) != 2:
    print("usage: python examples/ten_lines.py URL", file=sys.stderr)
    sys.exit(2)
crawl = thresher.Crawl.start("iris eye", seeds=[sys.argv[1]], pages=50, into="iris-crawl")
stop = crawl.run()
print(f"{crawl.tally.fetched} fetched, {crawl.tally.relevant} relevant: {stop.message}")
