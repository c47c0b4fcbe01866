"""Stage 5/8 · parse. A Response in, a Page out.

The life of a page: its bytes become UTF-8, by what they are rather than by what they say (`encoding`). What is made to
hurt a parser is made harmless (`guard`). Lexbor builds the tree that a browser would build. One walk over it collects
what is said, and where links, headings and regions begin and end (`walk`); what the walker meets is named by its tag
or, failing that, by its class, id or role (`hints`). The pieces become one text, and everything else offsets into it
(`text`). Then the page's own words are told from its menus (`layout`), what it asks of robots and readers is noted
(`orders`), and its links are joined to urls, one a target (`html`).

Nothing here waits, remembers or raises: the same bytes always give the same page, and any bytes give one.
"""
