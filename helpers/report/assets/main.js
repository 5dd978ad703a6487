// Ties it together: draws what the address selects, and keeps the address in step with the controls.

const copyText = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages from a disk may have no clipboard: the old way.
    const area = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    return copied;
  }
};

const start = (report) => {
  const rows = document.getElementById("rows");
  const search = () => document.getElementById("search");
  const buttons = () => [...rows.querySelectorAll(".row")].filter((row) => row.offsetParent);
  let drawn = "";

  const close = () => {
    rows.querySelectorAll(".detail").forEach((detail) => detail.remove());
    rows.querySelectorAll(".row[aria-expanded=true]").forEach((row) => row.setAttribute("aria-expanded", "false"));
  };

  const open = (name, jump) => {
    close();
    const button = [...rows.querySelectorAll(".row")].find((row) => row.dataset.name === name);
    if (!button) return;
    const chosen = selection();
    const columns = shownColumns(report, chosen);
    const detail = document.createElement("div");
    const requirement = report.requirements.find((row) => row.name === name);
    detail.className = `detail ${requirement ? CLASS(overall(report, requirement, columns)) : ""}`;
    detail.innerHTML = requirement
      ? drawRequirement(report, requirement, columns)
      : columns.map((column) => [column, report.scenarios.get(name).columns[column.index]]).filter(([, one]) => one)
          .map(([column, one]) => `<h3>${escape(column.label)}</h3>${drawScenario(one, true, column)}`).join("");
    button.setAttribute("aria-expanded", "true");
    button.after(detail);
    for (let outer = button.closest("details"); outer; outer = outer.parentElement.closest("details")) outer.open = true;
    if (jump) { button.focus({ preventScroll: true }); button.scrollIntoView({ block: "start" }); }
  };

  const draw = (jump) => {
    const chosen = selection();
    const columns = shownColumns(report, chosen);
    const { rq, ...filter } = chosen;
    if (address(filter) !== drawn) {
      drawn = address(filter);
      rows.style.setProperty("--columns", columns.length);
      rows.classList.toggle("compact", columns.length > 4);
      rows.classList.toggle("sabotaged", sabotaged(columns));
      rows.innerHTML = (chosen.view === "scenarios" ? drawScenarios : drawRequirements)(report, chosen, columns)
        || '<p class="empty">Nothing fits this selection. <a href="#view=requirements">Show everything</a></p>';
      if (search().value !== chosen.q) search().value = chosen.q;
      document.querySelectorAll("#bar select").forEach((select) => (select.value = chosen[select.dataset.key]));
    }
    if (rq) open(rq, jump);
    else {
      close();
      if (jump && location.hash) document.getElementById("list").scrollIntoView({ block: "start" });
    }
  };

  const go = (changes) => { location.hash = address({ ...selection(), rq: "", ...changes }); };
  const replace = (changes) => {
    history.replaceState(null, "", address({ ...selection(), ...changes }));
    draw(false);
  };
  // Opening is a step that Back takes back, with the focus where it was.
  const push = (changes) => {
    history.pushState(null, "", address({ ...selection(), ...changes }));
    draw(false);
  };

  drawTop(report);
  drawHoles(report);
  drawSpecifications(report);
  drawBar(report);
  draw(true);

  addEventListener("popstate", () => {
    const open = rows.querySelector(".row[aria-expanded=true]");
    if (!open || selection().rq === open.dataset.name) return;
    draw(false);
    const row = [...rows.querySelectorAll(".row")].find((element) => element.dataset.name === (selection().rq || open.dataset.name));
    row?.focus();
  });
  addEventListener("hashchange", () => {
    const opened = rows.querySelector(".row[aria-expanded=true]")?.dataset.name ?? "";
    if (address({ ...selection(), rq: "" }) === drawn && selection().rq === opened && document.activeElement?.closest(".row")) return;
    draw(!document.activeElement?.closest("#bar"));
  });
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    document.getElementById("list").scrollIntoView({ block: "start" });
    document.getElementById("list").focus({ preventScroll: true });
  });
  document.getElementById("bar").addEventListener("input", (event) => {
    if (event.target.id === "search") replace({ q: event.target.value, rq: "" });
    else go({ [event.target.dataset.key]: event.target.value });
  });
  document.getElementById("chips").addEventListener("click", (event) => {
    const { state, drop, clear } = event.target.closest("button")?.dataset ?? {};
    const pressed = selection().state.split(",").filter(Boolean);
    if (state) go({ state: (pressed.includes(state) ? pressed.filter((other) => other !== state) : [...pressed, state]).join(",") });
    else if (drop) go({ [drop]: "" });
    else if (clear !== undefined) location.hash = "#view=requirements";
    if (state) document.querySelector(`#chips [data-state="${state}"]`)?.focus();
  });
  rows.addEventListener("click", async (event) => {
    const copy = event.target.closest(".copy");
    if (copy) {
      const copied = await copyText(copy.dataset.copy);
      copy.textContent = copied ? "copied" : "select and copy by hand";
      setTimeout(() => (copy.textContent = "copy"), 2000);
      return;
    }
    const button = event.target.closest(".row");
    if (button) push({ rq: button.getAttribute("aria-expanded") === "true" ? "" : button.dataset.name });
  });

  const step = (by) => {
    const all = buttons();
    const next = all[Math.min(all.length - 1, Math.max(0, all.indexOf(document.activeElement) + by))];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.matches("input, select, textarea");
    const onRow = event.target.matches(".row");
    if (event.key === "Escape") {
      const chosen = selection();
      if (chosen.rq) replace({ rq: "" });
      else if (typing && chosen.q) replace({ q: "" });
      else if (typing) event.target.blur();
      else if (location.hash) replace(Object.fromEntries(KEYS.map((key) => [key, ""])));
    } else if (typing) {
      if (event.key === "ArrowDown" && event.target.id === "search") { event.preventDefault(); step(1); }
    } else if (event.key === "/") { event.preventDefault(); search().focus(); search().select(); }
    else if (event.key === "j" || (onRow && event.key === "ArrowDown")) { event.preventDefault(); step(1); }
    else if (event.key === "k" || (onRow && event.key === "ArrowUp")) { event.preventDefault(); step(-1); }
  });
};

try {
  start(prepare(await unpack()));
} catch (problem) {
  document.getElementById("top").innerHTML =
    `<h1>Requirements coverage</h1><p class="note" role="alert">This browser cannot show the page (${escape(problem)}). The same is in coverage.md and coverage.json.</p>`;
}
