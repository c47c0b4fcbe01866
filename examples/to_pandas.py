"""The harvest as a table, written to Parquet and read back: python examples/to_pandas.py (needs the extras export and pandas)"""

import tempfile
from pathlib import Path

import pandas as pd

import thresher
from thresher.lab.webs.local_web import LocalWeb

folder = Path(tempfile.mkdtemp())
with LocalWeb() as web:
    crawl = thresher.Crawl.start(
        thresher.Topic.of("iris eye pupil"), seeds=web.seed, pages=60, into=folder / "iris", workers=1, **web.settings
    )
    crawl.run()

pages = crawl.harvest.to_pandas(text=False)
hosts = pages.groupby("host").agg(pages=("url", "count"), relevant=("relevant", "sum"), best=("relevance", "max"))
print(hosts.sort_values("relevant", ascending=False).head(5).round(2))

crawl.harvest.export("parquet", folder / "iris.parquet", relevant=True)
table = pd.read_parquet(folder / "iris.parquet")
print(
    f"\n{len(table)} rows, {len(table.columns)} columns; the median text has {table.text.str.len().median():.0f} letters"
)
