"""Export with a click: choose a form, watch it being written, then take the file."""

import asyncio
from pathlib import Path

from fastapi import HTTPException
from fastapi.responses import FileResponse
from nicegui import ui

from thresher.disk.folder import CrawlFolder
from thresher.errors import ThresherError
from thresher.results.export.exporter import FORMS, Choice, export
from thresher.results.export.summary import ExportSummary
from thresher.view.frame import OpenCrawl
from thresher.view.parts import dialog

_LOOK = 0.3


class ExportDialog:
    """Asks for a form and writes the pages, in a thread. Nothing but an earlier export is replaced."""

    def __init__(self, crawl: OpenCrawl) -> None:
        """Make the dialog; it is shown by `open`."""
        self._crawl = crawl
        self._done, self._total, self._writing = 0, 0, False
        with dialog("Export the pages") as self._shown:
            self._form = ui.select(list(FORMS), value="jsonl", label="Form").props("outlined")
            self._relevant = ui.checkbox("Only relevant pages", value=True)
            self._go = ui.button("Export", on_click=self._export).props("unelevated no-caps")
            self._said = ui.label().classes("soft said").props('role="status"')
            self._link = ui.link("Download", "").props("download")
            self._link.set_visibility(False)
        self.open = self._shown.open
        ui.timer(_LOOK, self._tell)

    def _tell(self) -> None:
        if self._writing:
            self._said.set_text(f"writing: {self._done:,} of {self._total:,} pages")

    def _watch(self, done: int, total: int) -> None:
        self._done, self._total = done, total

    async def _export(self) -> None:
        self._go.disable()
        self._link.set_visibility(False)
        self._writing = True
        try:
            self._show(await asyncio.to_thread(self._written, self._form.value, Choice(relevant=self._relevant.value)))
        except ThresherError as error:
            self._writing = False
            self._said.set_text(str(error))
        finally:
            self._go.enable()

    def _written(self, form: str, choice: Choice) -> ExportSummary:
        # Whoever opens a table with a click opens it in a spreadsheet, which takes some cells for formulas.
        place = export_place(self._crawl, form)
        return export(
            self._crawl.home.path, form, choice, place, force=True, spreadsheet=form == "csv", watch=self._watch
        )

    def _show(self, summary: ExportSummary) -> None:
        self._writing = False
        self._said.set_text(f"{summary.pages:,} pages are in {summary.out}")
        if FORMS[summary.form].ending:
            self._link.props["href"] = self._crawl.address("export", summary.form)
            self._link.update()
            self._link.set_visibility(True)


def export_place(crawl: OpenCrawl, form: str) -> Path:
    """The folder of an export: beside the crawl; of one in a database, in the folder in which the window was opened."""
    if isinstance(crawl.home, CrawlFolder):
        return crawl.home.path.with_name(f"{crawl.home.path.name}-{form}")
    return Path(f"{crawl.name}-{form}").absolute()


def exported_file(crawl: OpenCrawl | None, form: str) -> FileResponse:
    """The file of an export, to be kept by whoever asked for it."""
    ending = FORMS[form].ending if form in FORMS else ""
    if crawl is not None and ending and (path := export_place(crawl, form) / f"pages{ending}").is_file():
        return FileResponse(path, media_type="application/octet-stream", filename=f"{crawl.home.name}{ending}")
    raise HTTPException(404, "There is no such export: make it by a click on Export.")
