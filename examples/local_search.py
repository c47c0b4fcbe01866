"""A small web on two kinds of iris, and a SearXNG for it, on this machine alone: python examples/local_search.py 8888"""

import argparse

from thresher.lab.webs.generated import generate
from thresher.lab.webs.local_web import SearchedWeb
from thresher.lab.webs.serve import serve_until_stopped

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", type=int, help="where to listen; 0 for any port that is free")
    serve_until_stopped(SearchedWeb(generate()), parser.parse_args().port)
