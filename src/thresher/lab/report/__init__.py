"""The report of an experiment: rows and fetches come in, `report.html`, `report.md` and pictures go out.

- `findings.py`: results → every strategy's figures by task, compared with the baseline; all other chapters ask it.
- `headline.py`: the first lines and the table of tests: who is better than the baseline, and how sure that is.
- `figures.py`: AUC by strategy and task, and every strategy's means.
- `pictures.py`: harvest curves, means with their intervals, and a legend, as SVG.
- `discoveries.py`: the hardest tasks, what only one strategy found, what two share, who stopped early.
- `document.py`: the blocks that a report is made of, and how they become Markdown and HTML (`report.css`).
- `report_writer.py`: puts the chapters together and writes the files; the summary for the terminal.
- `comparison.py`: two experiments, run by run: what became better, what worse.

Promises: the same results give the same bytes. Nothing is claimed from fewer than ten tasks, nor from a difference that chance explains
after Holm's correction. The HTML is one file without scripts, and names from the web are always escaped.
"""
