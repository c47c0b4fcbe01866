"""Stage 4/8 · fetch. A Url in, a Response, Refused or Failed out.

One call of `fetch` is one request and never more. File by file:

    http         the request goes out with the url exactly as it is spelled; the answer's head is read up to a cap, and an
                 answer of a content type that nobody wants is dropped right there
    question     the request is written, and the head of its answer waited for, over aiohttp's connections
    connect      a port that belongs to mail, files or chat is refused, as browsers refuse it; names are looked up, or
                 remembered from the last five minutes, with a few addresses each; each address is shown to the guard in
                 the moment a socket is opened to it; connections are kept for the next question
    descriptors  how many connections fit below the limit of open files
    exchange     one answer for each question: wrong lengths are read as browsers read them, and what nobody asked for
                 closes the connection
    body         the body is unpacked while it comes, up to a cap, and bombs are given up
    private      what is sent to some hosts alone and kept nowhere: headers, logins, and the cookies of
    cookies      a jar, where one was asked for, by the browsers' rules, filled from
    cookie_file  a file in Netscape's format
    proxies      which proxy a host goes by, and which are passed over for a while
    socks        connections through a SOCKS proxy
    secure_hosts hosts that want https alone (HSTS): an http url of theirs is a redirect without a request
    failures     whatever goes wrong on the way has a name in one table, and is never raised

A complete answer of whatever status is a `Response`. A redirect is an answer too and is not followed: its target must
first pass scope, robots.txt and the host's calendar, like any other url.
"""

from thresher.fetch.http import HttpFetcher

__all__ = ["HttpFetcher"]
