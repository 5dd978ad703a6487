// The list: requirements in the tree of their sections, or scenarios, each opening in place.

const drawBar = (report) => {
  const option = (value, label) => `<option value="${escape(value)}">${escape(label)}</option>`;
  const select = (key, label, options) =>
    `<select data-key="${key}" aria-label="${label}">${option("", label)}${options.join("")}</select>`;
  const environments = [...new Set(report.columns.map((column) => column.environment))];
  document.getElementById("bar").innerHTML = `<div class="controls">
    <input type="search" id="search" placeholder="Search names, texts, reasons, scenarios  ( / )" aria-label="Search">
    ${select("spec", "all specifications", report.specifications.map((one) => option(one.name, `${one.name} ${one.title}`)))}
    ${select("env", "all environments", environments.map((one) => option(one, one)))}
    ${select("run", "all runs", report.columns.map((column) => option(column.id, column.label)))}
    </div><div class="chips" id="chips"></div>`;
};

const drawChips = (report, chosen, counts, total, what) => {
  const pressed = chosen.state.split(",");
  const chips = Object.keys(counts).concat(pressed.filter((state) => state && !counts[state])).map((state) =>
    `<button type="button" class="${CLASS(state)}" data-state="${escape(state)}" aria-pressed="${pressed.includes(state)}">${SYMBOLS[state] ?? ""} ${escape(state)} ${counts[state] ?? 0}</button>`);
  const also = ["section", "result", "mutants"].filter((key) => chosen[key]).map((key) =>
    `<button type="button" data-drop="${key}" aria-label="drop ${key}" aria-pressed="true">${key === "mutants" ? "mutants: " : ""}${escape(chosen[key])} ×</button>`);
  const clear = KEYS.some((key) => chosen[key] && key !== "rq") ? '<button type="button" class="clear" data-clear>clear</button>' : "";
  document.getElementById("chips").innerHTML = `${chips.join("")}${also.join("")}${clear}<span id="count" role="status">${total} ${what}</span>`;
};

const drawRow = (name, label, cells, columns, mutants) =>
  `<li><button type="button" class="row" data-name="${escape(name)}" aria-expanded="false"><span class="name">${label}</span>${columns.map((column) => `<span class="cell">${columns.length > 1 || sabotaged(columns) ? `<span class="narrow">${escape(column.label)} </span>` : ""}${cells[column.index] ?? '<span class="soft" title="not in this run">–</span>'}</span>`).join("")}${sabotaged(columns) ? `<span class="cell mutants-cell"><span class="narrow">mutants </span>${mutants}</span>` : ""}</button></li>`;

// What a heading counts is within the selection, so its links keep the selection.
const within = (entries, chosen) => {
  const verified = entries.filter(({ state }) => state === "verified").length;
  const here = { ...chosen, rq: "" };
  return `<span class="share soft">${chosen.state ? number(entries.length, here, `${entries.length} requirements`) : share({ verified }, entries.length, here)}</span>`;
};

const drawTree = (report, rows, columns, chosen, path = []) => {
  const own = rows.filter(({ row }) => row.section.length === path.length);
  const deeper = new Map();
  for (const entry of rows) {
    if (entry.row.section.length === path.length) continue;
    const title = entry.row.section[path.length];
    if (!deeper.has(title)) deeper.set(title, []);
    deeper.get(title).push(entry);
  }
  const list = own.map(({ row }) =>
    drawRow(row.name, shortened(row), row.columns.map((cell) => cell && pill(cell.state, cell.reason)), columns, verdictPill(overallVerdict(report, row, columns))));
  const sections = [...deeper].map(([title, entries]) => {
    const below = [...path, title];
    return `<details open><summary><span class="title">${escape(title)}</span></summary>${within(entries, { ...chosen, section: below.join(PATH) })}${drawTree(report, entries, columns, chosen, below)}</details>`;
  });
  return (list.length ? `<ul class="rows">${list.join("")}</ul>` : "") + sections.join("");
};

const labels = (columns) =>
  columns.length > 1 || sabotaged(columns)
    ? `<div class="labels"><span></span>${columns.map((column) => `<span>${escape(column.label)}</span>`).join("")}${sabotaged(columns) ? "<span>mutants</span>" : ""}</div>` : "";

const drawRequirements = (report, chosen, columns) => {
  const found = candidates(report, chosen, columns);
  const counts = {};
  for (const state of report.order) {
    const count = found.filter((entry) => entry.state === state).length;
    if (count) counts[state] = count;
  }
  const states = chosen.state.split(",").filter(Boolean);
  const rows = states.length ? found.filter((entry) => states.includes(entry.state)) : found;
  drawChips(report, chosen, counts, rows.length, rows.length === 1 ? "requirement" : "requirements");
  return report.specifications
    .map((one) => [one, rows.filter(({ row }) => row.specification === one.name)])
    .filter(([, own]) => own.length)
    .map(([one, own]) =>
      `<details open><summary><span class="title">${escape(one.name)} ${escape(one.title)}</span></summary>${within(own, { ...chosen, spec: one.name })}${labels(columns)}${drawTree(report, own, columns, { ...chosen, spec: one.name })}</details>`)
    .join("");
};

const drawScenarios = (report, chosen, columns) => {
  const found = chosenScenarios(report, chosen, columns);
  drawChips(report, chosen, {}, found.length, found.length === 1 ? "scenario" : "scenarios");
  const rows = found.map((scenario) =>
    drawRow(scenario.name, escape(scenario.name), scenario.columns.map((one) => one && pill(RESULT_STATE[one.result], one.reason, one.result)), columns, sightPill(scenario.name, columns)));
  return rows.length ? `<details open><summary><span class="title">Scenarios</span></summary>${labels(columns)}<ul class="rows">${rows.join("")}</ul></details>` : "";
};

const told = (pairs) => `<dl>${pairs.filter(([, value]) => value).map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join("")}</dl>`;

// What is pasted into a terminal must not be orders to it: ClickHouse's escapes mean the same in a literal.
const pasteable = (text) => text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, (control) =>
  [...new TextEncoder().encode(control)].map((byte) => "\\x" + byte.toString(16).padStart(2, "0")).join(""));
const copyButton = (text, what) =>
  `<button type="button" class="copy" data-copy="${escape(pasteable(text))}" aria-label="copy ${what}">copy</button>`;

const drawSource = ({ file, line }, { repository, commit } = {}) => {
  const place = `<code>${escape(file)}:${line}</code>`;
  return /^https?:/.test(repository ?? "") && commit && !file.startsWith("/")
    ? `<a href="${escape(`${repository}/blob/${commit.replace("-changed", "")}/${encodeURI(file)}#L${line}`)}" rel="noopener noreferrer">${place}</a>` : place;
};

// Ready to paste: what was done beside SQL becomes a comment.
const script = (statements) => {
  const nodes = new Set(statements.map((one) => one.split(": ", 1)[0]).filter((one) => one !== "action"));
  return statements.map((one) => {
    const [, source, sql] = one.match(/^([^:]+): ([^]*)$/) ?? ["", "action", one];
    return source === "action" ? `-- ${sql}` : `${nodes.size > 1 ? `/* ${source} */ ` : ""}${sql.replace(/;*$/, ";")}`;
  }).join("\n");
};

const drawScenario = (scenario, open, column) => {
  const state = RESULT_STATE[scenario.result];
  const { reason, upstream, kind, severity } = scenario.deviation ?? {};
  const known = reason ? escape(reason) + upstreamLink(upstream) : "";
  const versions = column?.deviations?.find((one) => one.scenarios.includes(scenario.name))?.versions;
  return `<details class="scenario"${open ? " open" : ""}><summary><span class="pill ${CLASS(state)}">${SYMBOLS[state]} ${escape(scenario.result)}</span><span>${escape(scenario.name)}</span>${column?.sensitivity?.scenarios[scenario.name] ? sightPill(scenario.name, [column]) : ""}<span class="time">${escape(duration(scenario.seconds))}</span></summary>
    ${told([["reason", escape(scenario.reason)], ["deviation", known], ["whose fault", escape(kind)], ["how bad", escape(severity)], ["versions", reason && escape(versions)],
      ["tested", column && column.subject !== "ClickHouse" && escape(`${column.subject}: ${scenario.instead ?? ""}`)], ["failed in", escape(scenario.step)], ["triage", escape(scenario.triage)],
      ["attempts", escape((scenario.attempts ?? []).join(", "))],
      ["source", scenario.file && drawSource(scenario, column?.facts)],
      ["again", scenario.rerun && `<code>${escape(scenario.rerun)}</code> ${copyButton(scenario.rerun, "the command")}`],
      ["files", column?.local && scenario.folder ? `<a href="${escape(encodeURI(scenario.folder))}/">${escape(scenario.folder)}</a>` : escape(scenario.folder)], ...scenarioMutants(scenario.name, column)])}
    ${scenario.message ? `<pre>${escape(scenario.message)}</pre>` : ""}
    ${scenario.statements.length ? `<h3>SQL ${copyButton(script(scenario.statements), "the SQL")}</h3><pre>${escape(scenario.statements.join("\n"))}</pre>` : ""}</details>`;
};

const drawRequirement = (report, row, columns) => {
  const runs = columns.filter((column) => row.columns[column.index]).map((column) => {
    const cell = row.columns[column.index];
    const scenarios = cell.scenarios.map((name) =>
      report.scenarios.get(name)?.columns[column.index] ?? { name, result: "NotRun", seconds: null, statements: [] });
    const other = cell.version !== row.version ? ` <span class="soft">version ${escape(cell.version)}</span>` : "";
    return `<h3>${pill(cell.state)} ${escape(column.label)}${other}</h3>${cell.reason && !scenarios.some((one) => one.reason === cell.reason) ? `<p>${escape(cell.reason)}</p>` : ""}${drawMutants(report, row, cell, column)}${scenarios.map((one) => drawScenario(one, !["OK", "NotRun"].includes(one.result) || scenarios.length === 1, column)).join("")}`;
  });
  return `<p class="soft"><a href="${escape(address({ rq: row.name }))}">${escape(row.name)}</a> · version ${escape(row.version)} · <code>${escape(row.file)}:${row.line}</code></p>
    <div class="text">${markdown(row.text)}</div>${drawObligations(row.obligations)}${runs.join("")}`;
};
