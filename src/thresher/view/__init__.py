"""A window on crawls: watch them, steer them, read them, in a browser on this machine.

In come folders: crawls that run or have stopped, folders of several, results of the lab. Out comes a page that NiceGUI draws, and orders
to crawls, which go through their inboxes.

`server.py`         makes the page reachable: the socket, the token in its address, until Ctrl-C
`access.py`         who may see it: everything that is asked passes here first, sockets too
`shown_folders.py`  which crawls and which results of the lab there are, by the name in their address
`frame.py`          what every page has: header, chapters, and the way to ask a crawl without keeping others waiting
`routes.py`         the addresses, and which chapter draws each

Promised: no request leaves this machine. Text of the web is shown as text, never as HTML. The window writes nothing into a crawl's
files while the crawl runs. What takes time is asked in a thread, so that one slow question keeps no other page waiting.
"""
