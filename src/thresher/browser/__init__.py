"""A browser for pages that are empty without scripts. A Response in, the same Response with a Rendition out.

The browser is a Chromium or Chrome that is installed on this machine, driven by Playwright (extra `browser`). **It never touches the
network.** Whatever a page asks for is answered by the crawl's own fetcher, with its guard of addresses, robots.txt and pauses. Behind
that stands a second wall: Chromium is started so that it finds no name and no proxy, and what slips past the first wall fails.

The life of a page, file by file:

    options     the `[browser]` table: when to render, limits, and where a browser is installed
    fetcher     `BrowserFetcher` wraps the fetcher of pages: it fetches, looks whether the page is a shell, and has it rendered
    chromium    one running Chromium: how it is started and stopped, how much memory its processes hold, which of them is killed
    crew        keeps a Chromium at hand: starts it when the first page needs it, and another when it died or is worn
    rendering   one page in a context of its own: until it is quiet or its time is over; then its DOM is taken
    requests    what the page asks for meanwhile: answered, counted, or refused
    answers     scripts and data that were fetched for pages, so that an application's bundle is fetched once

A page that cannot be rendered is never lost: it is taken as it came, with a note of why (`too-slow`, `too-large`, `crashed`, `busy`,
`no-browser`), which becomes a fact of the page. A browser that died is started again, and the page is tried once more.
"""

from thresher.browser.options import BrowserOptions, find_browser

__all__ = ["BrowserOptions", "find_browser"]
