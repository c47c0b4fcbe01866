"""Stage 5/8 · parse. A Response in, a Page out.

The life of a page, file by file:

    encoding   its bytes become UTF-8, by the declared encoding, unless the bytes contradict it
    guard      what is made to hurt a parser is made harmless; then Lexbor builds the tree that a browser would build
    elements   of which kind each element of HTML is, as the walk sees it
    walk       one walk over the tree collects what is said, and where links, headings and regions begin and end
    text       the pieces become one text, and everything else offsets into it
    layout     the page's own words are told from its menus: by tag, by class, id or role, or by how it looks
    metadata   title, language, base, and what the page asks of robots and readers
    shells     of pages with little text: what their data say, and whether they are empty without scripts
    facts      author, date, licence, and what reserves text and data mining
    missing_pages  answers that look like pages and are none: soft 404s, parked domains
    html       all of it becomes a `Page`, whose links are joined to urls, one for each target

What is not for people:

    linked_data    JSON-LD as plain objects
    link_header    the header `Link`
    hidden_links   the links that no person can click, each with its kind
    xml_lists      what a sitemap, an index or a feed in XML lists; seeds are read from such files too
    lists          a feed or a sitemap becomes a `Page` of that form

Nothing here waits, remembers or raises: the same bytes always give the same page, and any bytes give one.
"""
