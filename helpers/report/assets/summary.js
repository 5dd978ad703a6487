// The top of the page: what ran, how far each specification has come, and the holes.

const SHOWN_HOLES = 5;

const duration = (seconds) =>
  seconds == null ? "" : seconds < 90 ? `${Number(seconds).toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;

const moment = (started) => String(started ?? "").replace("T", " ").replace(/:\d\dZ$/, " UTC");

const share = (counts, total, chosen) =>
  `${number(counts.verified ?? 0, { ...chosen, state: "verified" }, `${counts.verified ?? 0} verified`)} of ${number(total, chosen, `all ${total} requirements`)} verified`;

const bar = (report, counts, chosen, label, thin) => {
  const segments = report.order
    .filter((state) => counts[state])
    .map((state) => {
      const told = `${label}: ${counts[state]} ${state}`;
      return `<a class="${CLASS(state)}" style="flex:${counts[state]}" href="${escape(address({ ...chosen, state }))}" title="${escape(told)}" aria-label="${escape(told)}"></a>`;
    });
  return `<div class="bar${thin ? " thin" : ""}">${segments.join("")}</div>`;
};

const facts = (column) => {
  const { started, seconds, seed, environment, clickhouse, capabilities, commit, version, repository, ...others } = column.facts;
  const lacking = Object.entries(capabilities ?? {}).map(([name, can]) => [`capability ${name}`, can]);
  const told = [["run", column.id], ...Object.entries(others), ...lacking];
  return told
    .filter(([, value]) => value != null && value !== "" && value !== false)
    .map(([name, value]) => `<dt>${escape(name.replace("_", " "))}</dt><dd>${escape(typeof value === "object" ? JSON.stringify(value) : value)}</dd>`)
    .join("");
};

// A commit whose files were changed is named, and linked as it is in the repository.
const drawCommit = ({ commit, version, repository }) => {
  const short = commit ? escape(commit.replace(/^([0-9a-f]{10})[0-9a-f]*/, "$1")) : "";
  const link = commit && /^https?:/.test(repository ?? "")
    ? `<a href="${escape(`${repository}/commit/${commit.replace("-changed", "")}`)}" rel="noopener noreferrer">${short}</a>` : short;
  return [link, version && `version ${escape(version)}`].filter(Boolean).join("<br>") || "unknown";
};

const drawTop = (report) => {
  const counts = report.order.filter((state) => report.counts[state] && state !== "verified");
  const rest = counts.map((state) => `${number(report.counts[state], { state }, `${report.counts[state]} ${state}`)} ${escape(state)}`);
  const cards = report.order.filter((state) => report.counts[state]).map((state) =>
    `<a class="${CLASS(state)}" href="${escape(address({ state }))}" title="${escape(report.meaning[state])}" data-state="${escape(state)}"><b>${report.counts[state]}</b>${SYMBOLS[state]} ${escape(state)}</a>`);
  const runs = report.columns.map((column) => {
    const ended = Object.entries(column.results).map(([result, count]) =>
      `<a href="${escape(address({ view: "scenarios", run: column.id, result }))}">${count} ${escape(result)}</a>`);
    const engine = `ClickHouse ${escape(column.clickhouse || "unknown")}`;
    return `<tr><td><strong>${column.subject === "ClickHouse" ? engine : `exporter</strong> on ${engine}<strong>`}</strong>${column.facts.interrupted ? ` ${pill("not run", "interrupted")}` : ""}</td>
      <td>${escape(column.environment)}</td><td class="soft">${escape(moment(column.facts.started))}</td>
      <td class="soft">${escape(duration(column.facts.seconds))}</td><td class="soft"><span class="narrow">commit </span>${drawCommit(column.facts)}</td><td class="soft mono"><span class="narrow">seed </span>${escape(column.facts.seed ?? "unknown")}</td>
      <td class="runs-results">${ended.join(" ") || "no scenario ran"}</td>
      <td><details class="facts"><summary>more</summary><dl>${facts(column)}</dl></details></td></tr>`;
  });
  document.getElementById("top").innerHTML = `<h1>Requirements coverage</h1>
    <p class="verdict">${share(report.counts, report.total, {})}${rest.length ? ` · ${rest.join(" · ")}` : ""}</p>
    ${report.deviations.headline ? `<p class="verdict" id="headline">Known deviations: <b>${escape(report.deviations.headline)}</b></p>` : ""}
    <nav class="cards" aria-label="Requirements by state">${cards.join("")}</nav>
    ${report.notes.map((note) => `<p class="note" role="alert">${escape(note)}</p>`).join("")}
    <div class="card"><h2>${report.columns.length > 1 ? "What was tested" : "The run"}</h2><table class="runs">
    <thead><tr><th>tested</th><th>environment</th><th>started</th><th>took</th><th>commit</th><th>seed</th><th>scenarios</th><th></th></tr></thead>
    <tbody>${runs.join("")}</tbody></table></div>${drawSensitivity(report)}${drawGenerated(report)}`;
};

const drawSpecifications = (report) => {
  const specifications = report.specifications.map((specification) => {
    const each = report.columns.map((column, index) =>
      bar(report, specification.columns[index], { spec: specification.name, run: column.id }, `${specification.name}, ${column.label}`, true));
    return `<div class="spec"><a class="title" href="${escape(address({ spec: specification.name }))}">${escape(specification.name)} <span class="soft">${escape(specification.title)}</span></a>
      <div class="bars">${bar(report, specification.counts, { spec: specification.name }, specification.name)}${report.columns.length > 1 ? each.join("") : ""}</div>
      <span class="share soft">${share(specification.counts, specification.total, { spec: specification.name })}</span></div>`;
  });
  document.getElementById("specifications").innerHTML = `<div class="card"><h2>Specifications</h2>${specifications.join("")}</div>`;
};

const drawComparison = (report) => {
  const since = report.comparison;
  if (!since) return "";
  const states = (kind, state) => since[kind].map((one) =>
    `<li class="${state}"><a href="${escape(address({ scenario: { view: "scenarios", q: one.name }, mutant: { q: one.name } }[one.kind] ?? { rq: one.name }))}">${escape(one.name)}</a><span class="why">${escape(`${one.before} → ${one.after}${one.where ? ` on ${one.where}` : ""}`)}</span></li>`);
  const texts = (kind, state) => since[kind].map((one) => `<li class="${state}">${escape(one)}</li>`);
  const parts = [
    ["regressed", states("regressed", "failing")], ["fixed", states("fixed", "verified")], ["new results", states("new", "planned")],
    ["requirements added", texts("added", "planned")], ["requirements changed", texts("changed", "suspect")], ["requirements removed", texts("removed", "untested")],
  ].filter(([, items]) => items.length);
  return `<div class="card" id="since"><h2>Since ${escape(since.base)}</h2>${parts.map(([title, items]) =>
    `<details class="hole"${title === "regressed" ? " open" : ""}><summary>${items.length} ${title}</summary><ul>${items.join("")}</ul></details>`).join("") || "Nothing changed."}</div>`;
};

// Scenarios that failed or broke come first: one without a requirement is in no state below.
const drawFailures = (report) => {
  const failures = report.columns.flatMap((column) =>
    column.scenarios.filter((scenario) => RESULT_STATE[scenario.result] === "failing").map((scenario) => ({ column, scenario })));
  if (!failures.length) return "";
  const items = failures.map(({ column, scenario }) =>
    `<li><span>${pill("failing", scenario.reason, scenario.result)} <a href="${escape(address({ view: "scenarios", run: column.id, rq: scenario.name }))}">${escape(scenario.name)}</a></span>${report.columns.length > 1 ? ` <span class="soft">${escape(column.label)}</span>` : ""}<span class="why">${escape(scenario.reason)}</span>${scenario.triage ? `<span class="why"><b>whose fault:</b> ${escape(scenario.triage)}</span>` : ""}</li>`);
  const more = items.length > 4 * SHOWN_HOLES ? `<details><summary>${items.length - 4 * SHOWN_HOLES} more</summary><ul>${items.splice(4 * SHOWN_HOLES).join("")}</ul></details>` : "";
  return `<div class="hole failing" id="failures"><h3>${pill("failing", "", "failed")} ${failures.length} <span class="soft">${failures.length === 1 ? "scenario" : "scenarios"} not as expected</span></h3><ul>${items.join("")}</ul>${more}</div>`;
};

// A newer server may lack a deviation: somebody has to record it, so these are listed first.
const drawFixed = (report) => {
  const items = report.columns.flatMap((column) =>
    column.scenarios.filter((scenario) => scenario.result === "Fixed?").map((scenario) =>
      `<li><a href="${escape(address({ view: "scenarios", run: column.id, rq: scenario.name }))}">${escape(scenario.name)}</a><span class="why">${escape(scenario.reason)}</span></li>`));
  if (!items.length) return "";
  return `<div class="hole verified" id="fixed"><h3>${pill("verified", "", "fixed?")} ${items.length} <span class="soft">${items.length === 1 ? "deviation is" : "deviations are"} absent on a newer server</span></h3><ul>${items.join("")}</ul></div>`;
};

// Environments or versions that do not agree about a scenario.
const drawDifferences = (report) => {
  if (!report.differences.length) return "";
  const items = report.differences.map((difference) => {
    const ends = report.columns.map((column, index) => difference.results[index] &&
      `${escape(column.label)} ${pill(RESULT_STATE[difference.results[index]], "", difference.results[index])}`);
    return `<li><a href="${escape(address({ view: "scenarios", q: difference.name }))}">${escape(difference.name)}</a><span class="why">${ends.filter(Boolean).join(" · ")}</span></li>`;
  });
  const more = items.length > 4 * SHOWN_HOLES ? `<details><summary>${items.length - 4 * SHOWN_HOLES} more</summary><ul>${items.splice(4 * SHOWN_HOLES).join("")}</ul></details>` : "";
  return `<div class="hole suspect" id="differences"><h3>${report.differences.length} <span class="soft">${report.differences.length === 1 ? "scenario differs" : "scenarios differ"} between the runs</span></h3><ul>${items.join("")}</ul>${more}</div>`;
};

const drawHoles = (report) => {
  const groups = report.holes
    .filter((state) => state !== "deviates")
    .map((state) => [state, report.requirements.filter((row) => row.state === state)])
    .filter(([, rows]) => rows.length)
    .map(([state, rows]) => {
      const items = rows.slice(0, SHOWN_HOLES).map((row) =>
        `<li><a href="${escape(address({ rq: row.name }))}">${shortened(row)}</a><span class="why">${escape(row.reason)}</span></li>`);
      const more = rows.length > SHOWN_HOLES ? `<li><a href="${escape(address({ state }))}">all ${rows.length} ${escape(state)}</a></li>` : "";
      return `<div class="hole ${CLASS(state)}"><h3>${pill(state)} ${number(rows.length, { state }, `${rows.length} ${state}`)} <span class="soft">${escape(report.meaning[state])}</span></h3><ul>${items.join("")}${more}</ul></div>`;
    });
  document.getElementById("holes").innerHTML = drawComparison(report) +
    `<div class="card"><h2>What needs attention</h2>${drawFixed(report) + drawDifferences(report) + drawFailures(report) + groups.join("") + drawDeviations(report) || "Nothing: no scenario failed, no requirement is failing, outdated, suspect, deviating or untested."}</div>`;
};
