"""A window on crawls: watch them, steer them, read them, in a browser on this machine.

In come folders: crawls that run or have stopped, folders of several, results of the lab; and addresses of crawls in PostgreSQL. Out comes
a page that NiceGUI draws, and orders to crawls, which go through their inboxes.

`server.py`         makes the page reachable: the socket, the token in its address, until Ctrl-C
`access.py`         who may see it: everything that is asked passes here first, sockets too
`shown_folders.py`  which crawls and which results of the lab there are, by the name in their address
`frame.py`          what every page has: header, chapters, and the way to ask a crawl without keeping others waiting
`routes.py`         the addresses, and which chapter draws each
`home.py`, `side_by_side.py`  the list of crawls, and several of them in one chart and one table
`new_crawl.py`      starts a crawl from a word: `preparation.py` asks and tells, `chosen_parts.py` draws senses, concepts and seeds
`processes.py`      crawls as processes of their own, which outlive the window
`steering.py`       in each header: pause, go on, stop, more, leave, first; `export_dialog.py` exports with a click
`parts.py`          headings, lines of trouble, tables, dialogs, small curves, and names for those who listen to a page
`now_page.py`, `map_page.py`, `trouble_page.py`, `topic_page.py`, `lab_results.py`  chapters that are watched, drawn with
                    `chart_pieces.py`, the map with `host_tree.py`; `watching.py` remembers what was counted, so that nothing is
                    counted twice
`pages.py`, `page_lists.py`   all visits as one long list, whose rows the browser asks for; `page_sheet.py` one of them whole,
                    with `page_way.py`, the way to it and its links
`labelling.py`      a person says whether pages are relevant, one at a time

Promised: no request leaves this machine but to the PostgreSQL of a crawl that is shown, and its password is in no page, address or log.
Text of the web is shown as text, never as HTML. The window writes nothing into a crawl's files while the crawl runs. What takes time is
asked in a thread, so that one slow question keeps no other page waiting.
"""
