// The list of pages: AG Grid, which asks the window for rows, a hundred at a time, as somebody scrolls.
// The address of the page always says what is shown. Text of the web becomes text nodes, and nothing else.
import * as AgGrid from "nicegui-aggrid";

const UNSORTED = new Set(["reason", "anchor", "label"]);

function added(parent, kind, text, look) {
  const element = document.createElement(kind);
  element.textContent = text;
  if (look) element.className = look;
  parent.append(element);
  return element;
}

function say(id, text) {
  const place = document.getElementById(id);
  if (place && place.textContent !== text) place.textContent = text;
}

function relevanceCell(cell) {
  const whole = document.createElement("div");
  if (typeof cell.value !== "number") return whole;
  whole.className = cell.data.relevant ? "bar-cell relevant" : "bar-cell";
  added(whole, "span", cell.value.toFixed(2));
  const part = Math.round(100 * Math.min(1, Math.max(0, cell.value)));
  added(whole, "span", "", "bar").style.setProperty("--part", `${part}%`);
  return whole;
}

function pageCell(cell) {
  const whole = document.createElement("div");
  whole.className = "page-cell";
  if (!cell.data) {
    added(whole, "span", "…", "soft");
    return whole;
  }
  const link = added(whole, "a", cell.data.title || cell.data.url, "page-title");
  link.href = cell.context.addressOf(cell.data, cell.node.rowIndex);
  link.tabIndex = -1; // arrows move in the list, and Enter opens
  link.dir = "auto";
  const second = added(whole, "div", "", "page-url");
  if (cell.data.copy) added(second, "span", "copy", "chip");
  if (cell.data.gone) added(second, "span", `gone ${cell.data.gone}`, "chip");
  if (cell.data.title) added(second, "bdi", cell.data.url);
  return whole;
}

const counted = (cell) => (typeof cell.value === "number" ? cell.value.toLocaleString("en") : "");
const kilobytes = (cell) => (cell.value ? `${Math.max(1, Math.round(cell.value / 1000)).toLocaleString("en")} kB` : "");
const labelled = (cell) => (cell.value === "relevant" ? "label-yes" : cell.value ? "label-no" : "");
const number = { type: "rightAligned" };

const COLUMNS = [
  { field: "relevance", headerName: "Relevance", width: 122, cellRenderer: relevanceCell },
  { field: "title", headerName: "Page", flex: 4, minWidth: 260, cellRenderer: pageCell },
  { field: "reason", headerName: "Strongest reason", flex: 2, minWidth: 140, tooltipField: "reason" },
  { field: "anchor", headerName: "Link that led to it", flex: 2, minWidth: 140, tooltipField: "anchor" },
  { field: "label", headerName: "Label", width: 112, cellClass: labelled },
  { field: "host", headerName: "Host", width: 150, tooltipField: "host" },
  { field: "outcome", headerName: "Outcome", width: 112 },
  { field: "at", colId: "time", headerName: "When", width: 150 },
  { field: "depth", headerName: "Depth", width: 92, ...number },
  { field: "bytes", headerName: "Size", width: 92, valueFormatter: kilobytes, ...number },
  { field: "number", headerName: "Visit", width: 96, valueFormatter: counted, ...number },
];

export default {
  template: "<div></div>",
  props: { address: String, question: Object, asOf: Number, at: Number, sort: String, descending: Boolean, name: String },
  mounted() {
    AgGrid.ModuleRegistry.registerModules([AgGrid.AllCommunityModule]);
    this.shown = new URLSearchParams();
    this.api = AgGrid.createGrid(this.$el, this.options());
    this.api.setGridAriaProperty("label", this.name);
    this.letTabIn();
    const dark = () => this.$el.setAttribute("data-ag-theme-mode", document.body.classList.contains("body--dark") ? "dark" : "light");
    this.observer = new MutationObserver(dark);
    this.observer.observe(document.body, { attributes: true, attributeFilter: ["class"] });
    dark();
  },
  unmounted() {
    this.observer.disconnect();
    this.api.destroy();
  },
  watch: {
    question(now, before) {
      if ((now.words || "") !== (before.words || "")) {
        // The best match first; without words, the most relevant.
        const state = now.words ? [] : [{ colId: "relevance", sort: "desc" }];
        this.api.applyColumnState({ state, defaultState: { sort: null } });
      }
      this.reload();
    },
    asOf() {
      this.reload();
    },
  },
  methods: {
    options() {
      const columnDefs = COLUMNS.map((column) => {
        const colId = column.colId || column.field;
        const sort = colId === this.sort ? (this.descending ? "desc" : "asc") : undefined;
        return { ...column, colId, sort, sortable: !UNSORTED.has(colId) };
      });
      return {
        columnDefs,
        defaultColDef: { resizable: true, suppressHeaderMenuButton: true, sortingOrder: ["desc", "asc"] },
        theme: AgGrid.themeQuartz.withPart(AgGrid.colorSchemeVariable),
        context: { addressOf: this.addressOf },
        rowModelType: "infinite",
        datasource: { getRows: this.rows },
        cacheBlockSize: 100,
        maxBlocksInCache: 20,
        blockLoadDebounceMillis: 60,
        maxConcurrentDatasourceRequests: 1,
        infiniteInitialRowCount: this.at + 1,
        rowHeight: 52,
        suppressColumnVirtualisation: true,
        enableCellTextSelection: true,
        // Arrows move in the list; Tab leaves it, and Shift-Tab goes up to the headings. A million rows would be no way out.
        tabToNextCell: ({ backwards, previousCellPosition: { column } }) => (backwards ? { rowIndex: -1, rowPinned: null, column } : false),
        processRowPostCreate: ({ eRow }) => eRow.setAttribute("tabindex", "-1"),
        onRowClicked: this.open,
        onCellKeyDown: (event) => event.event.key === "Enter" && this.open(event),
        onFirstDataRendered: () => this.at > 0 && this.api.ensureIndexVisible(this.at, "middle"),
      };
    },
    async rows(request) {
      const [sort] = request.sortModel;
      const parts = new URLSearchParams(this.question);
      if (sort) parts.set("sort", sort.colId);
      if (sort && sort.sort === "asc") parts.set("way", "up");
      this.shown = new URLSearchParams(parts);
      history.replaceState(history.state, "", parts.size ? `?${parts}` : location.pathname);
      for (const [name, value] of [["start", request.startRow], ["end", request.endRow], ["as_of", this.asOf]]) parts.set(name, value);
      try {
        const answer = await (await fetch(`${this.address}/rows?${parts}`)).json();
        say("pages-counted", answer.counted || "");
        say("pages-note", answer.trouble || answer.note || "");
        request.successCallback(answer.rows, answer.last);
      } catch {
        say("pages-note", "The window does not answer: is `thresher view` still running?");
        request.failCallback();
      }
    },
    letTabIn() {
      // Tab comes from the headings to the rows once, and arrows do the rest.
      const rows = this.$el.querySelector(".ag-center-cols-viewport");
      rows.setAttribute("tabindex", "0");
      rows.addEventListener("focus", () => this.api.setFocusedCell(Math.max(0, this.api.getFirstDisplayedRowIndex()), "title"));
    },
    addressOf(row, place) {
      const parts = new URLSearchParams(this.shown);
      parts.set("at", place);
      parts.set("as_of", this.asOf);
      return `${this.address}/page/${Number(row.number)}?${parts}`;
    },
    open(event) {
      if (!event.data || getSelection().toString()) return;
      // The way back leads to this place in the list.
      const parts = new URLSearchParams(this.shown);
      parts.set("at", event.node.rowIndex);
      history.replaceState(history.state, "", `?${parts}`);
      location.href = this.addressOf(event.data, event.node.rowIndex);
    },
    reload() {
      if (this.api.getDisplayedRowCount()) this.api.ensureIndexVisible(0);
      this.api.purgeInfiniteCache();
    },
  },
};
