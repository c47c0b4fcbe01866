// The list of pages. AG Grid asks here for rows, a hundred at a time; the address of the page always says what is shown.
// Text of the web becomes text nodes, and nothing else.
window.thresherPages = (() => {
  const say = (id, text) => {
    const place = document.getElementById(id);
    if (place && place.textContent !== text) place.textContent = text;
  };
  const added = (parent, kind, text, look) => {
    const element = document.createElement(kind);
    element.textContent = text;
    if (look) element.className = look;
    parent.append(element);
    return element;
  };
  const asked = (context, sort) => {
    const parts = new URLSearchParams(context.question);
    if (sort) {
      parts.set("sort", sort.colId);
      if (sort.sort === "asc") parts.set("way", "up");
    }
    return parts;
  };
  const shown = { parts: new URLSearchParams() };

  const datasource = {
    async getRows(request) {
      const parts = asked(request.context, request.sortModel[0]);
      shown.parts = new URLSearchParams(parts);
      history.replaceState(history.state, "", parts.size ? `?${parts}` : location.pathname);
      parts.set("start", request.startRow);
      parts.set("end", request.endRow);
      parts.set("as_of", request.context.as_of);
      try {
        const answer = await (await fetch(`${request.context.address}/rows?${parts}`)).json();
        say("pages-counted", answer.counted || "");
        say("pages-note", answer.trouble || answer.note || "");
        request.successCallback(answer.rows, answer.last);
      } catch {
        say("pages-note", "The window does not answer: is `thresher view` still running?");
        request.failCallback();
      }
    },
  };

  const address = (row, place, context) => {
    const parts = new URLSearchParams(shown.parts);
    parts.set("at", place);
    parts.set("as_of", context.as_of);
    return `${context.address}/page/${Number(row.number)}?${parts}`;
  };
  const open = (event) => {
    if (!event.data || getSelection().toString()) return;
    location.href = address(event.data, event.rowIndex ?? event.node.rowIndex, event.context);
  };

  return {
    datasource,
    open,
    openByKey: (event) => event.event.key === "Enter" && open(event),
    page(cell) {
      const whole = document.createElement("div");
      whole.className = "page-cell";
      if (!cell.data) {
        added(whole, "span", "…", "soft");
        return whole;
      }
      const link = added(whole, "a", cell.data.title || cell.data.url, "page-title");
      link.href = address(cell.data, cell.node.rowIndex, cell.context);
      link.tabIndex = -1; // arrows move in the list, and Enter opens
      link.dir = "auto";
      const second = added(whole, "div", "", "page-url");
      if (cell.data.copy) added(second, "span", "copy", "chip");
      if (cell.data.gone) added(second, "span", `gone ${cell.data.gone}`, "chip");
      if (cell.data.title) added(second, "bdi", cell.data.url);
      return whole;
    },
    relevance(cell) {
      const whole = document.createElement("div");
      const value = cell.value;
      if (typeof value !== "number") return whole;
      whole.className = cell.data.relevant ? "bar-cell relevant" : "bar-cell";
      added(whole, "span", value.toFixed(2));
      added(whole, "span", "", "bar").style.setProperty("--part", `${Math.round(100 * Math.min(1, Math.max(0, value)))}%`);
      return whole;
    },
    count: (cell) => (typeof cell.value === "number" ? cell.value.toLocaleString("en") : ""),
    kept: (cell) => (typeof cell.value === "number" && cell.value ? `${Math.max(1, Math.round(cell.value / 1000)).toLocaleString("en")} kB` : ""),
    labelled: (cell) => (cell.value === "relevant" ? "label-yes" : cell.value ? "label-no" : ""),
    begin(event) {
      const place = Number(event.context.at);
      if (place > 0) event.api.ensureIndexVisible(place, "middle");
    },
  };
})();
