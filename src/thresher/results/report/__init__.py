"""A crawl as one page of HTML, to be read without a server, printed, and sent to a colleague.

In comes an archive; out comes a file that needs nothing else: no script, no picture from elsewhere, no request.

1. `report_facts.py` gathers what is told, as values: figures, the curve, best pages, hosts, trouble, what waits, the topic, rights. Of a
   crawl of a million pages as much as of one of a thousand.
2. `found_hosts.py` is the map as values: how pages were found, as a tree of hosts.
3. `html_pieces.py` has the pieces of HTML: text and links that are safe whoever wrote them, tables, and the frame of the page.
4. `sections.py`, `method.py` and `host_map.py` make the sections of these, `charts.py` the curves.
5. `report_file.py` puts it together and writes the file; it never replaces a file that is no earlier report. `comparison_page.py` is the
   same for two crawls.

Promised: whatever comes from the web is shown as text, cut and without marks of direction, and only http and https become links. A
Content-Security-Policy forbids scripts all the same. No key, no password and no path of this machine is told.
"""
