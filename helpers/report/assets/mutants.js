// Sabotage: what became of the mutants of a requirement, and which of them a scenario notices.

const LOOKS = {
  killed: ["verified", "✓"], survived: ["failing", "✕"], broken: ["failing", "!"], "no mutant": ["failing", "∅"], blind: ["failing", "✕"], idle: ["failing", "!"],
  tolerated: ["deviates", "≈"], unsettled: ["suspect", "?"], "timed out": ["suspect", "?"], immune: ["planned", "–"], "not applicable": ["blocked", "⊘"],
};

const mutantPill = (word, title, label = word, bad = false) => {
  const [state, symbol] = LOOKS[word];
  return `<span class="pill ${bad ? "failing" : state}" title="${escape(title)}">${symbol} <b>${escape(label)}</b></span>`;
};

const sabotaged = (columns) => columns.some((column) => column.sensitivity);

const endsOf = (verdict, word) => Object.keys(verdict.mutants).filter((name) => verdict.mutants[name] === word);

// The same precedence as in the report's own model: what fails the check first, then by `verdicts`.
const overallVerdict = (report, row, columns) => {
  const order = Object.keys(report.sensitivity?.verdicts ?? {});
  const told = columns.map((column) => row.columns[column.index]?.sensitivity).filter(Boolean);
  return told.sort((one, other) => other.bad - one.bad || order.indexOf(one.verdict) - order.indexOf(other.verdict))[0];
};

const killedOf = (verdict) => {
  const effective = Object.values(verdict.mutants).filter((end) => end !== "not applicable").length;
  return `${endsOf(verdict, "killed").length} of ${effective} killed`;
};

const verdictPill = (verdict) => {
  if (!verdict) return '<span class="soft" title="not sabotaged">–</span>';
  const survivors = endsOf(verdict, "survived");
  const label = { killed: killedOf(verdict), survived: `${survivors.length} survived` }[verdict.verdict] ?? verdict.verdict;
  return mutantPill(verdict.verdict, verdict.reason, label, verdict.bad);
};

// What a scenario did to its mutants over the shown runs: blind in one of them is blind.
const sight = (name, columns) => {
  const runs = columns.map((column) => column.sensitivity).filter((one) => one?.scenarios[name]);
  const ends = runs.flatMap((one) => Object.values(one.scenarios[name]));
  if (runs.some((one) => name in one.blind)) return "blind";
  return ends.includes("killed") ? "killed" : ends.length ? "none" : "";
};

const sightPill = (name, columns) => {
  const runs = columns.map((column) => column.sensitivity).filter((one) => one?.scenarios[name]);
  const kills = new Set(runs.flatMap((one) => Object.entries(one.scenarios[name]).filter(([, end]) => end === "killed").map(([mutant]) => mutant)));
  const seen = sight(name, columns);
  if (seen === "blind") return mutantPill("blind", runs.find((one) => name in one.blind).blind[name]);
  if (seen === "killed") return mutantPill("killed", [...kills].join(", "), `kills ${kills.size}`);
  return `<span class="soft" title="${seen ? "its mutants changed nothing, or were not noticed" : "not sabotaged"}">${seen ? "kills none" : "–"}</span>`;
};

const mutantsOf = (column) => {
  column.byName ??= Object.fromEntries((column.sensitivity?.mutants ?? []).map((one) => [one.name, one]));
  return column.byName;
};

const titles = (scenarios) =>
  scenarios.map((name) => `<i title="${escape(name)}">${escape(name.split("/").at(-1))}</i>`).join(", ");

// A line a mutant, the worst first: what it sabotages, and who noticed.
const drawMutants = (report, row, cell, column) => {
  const verdict = cell.sensitivity;
  if (!verdict) return column.sensitivity ? '<p class="soft">Not sabotaged in this run.</p>' : "";
  const ran = (mutant, end) => cell.scenarios.filter((name) => column.sensitivity.scenarios[name]?.[mutant] === end);
  const order = Object.keys(report.sensitivity.ends);
  const lines = Object.entries(verdict.mutants).sort(([, one], [, other]) => order.indexOf(one) - order.indexOf(other)).map(([name, end]) => {
    const { about, tolerated } = mutantsOf(column)[name];
    const fooled = ran(name, "survived");
    const who = end === "killed" ? `killed by ${titles(ran(name, "killed"))}`
      : end === "tolerated" ? `tolerated: ${escape(tolerated[row.name])}`
      : fooled.length ? `not noticed by ${titles(fooled)}` : escape(report.sensitivity.ends[end]);
    return `<li>${mutantPill(end, report.sensitivity.ends[end])}<div><code>${escape(name)}</code> ${escape(about)} <span class="who soft">${who}</span></div></li>`;
  });
  return `<h4>Mutants ${verdictPill(verdict)}</h4>${verdict.verdict === "killed" || cell.reason?.includes(verdict.reason) ? "" : `<p>${escape(verdict.reason)}</p>`}${lines.length ? `<ul class="mutants">${lines.join("")}</ul>` : ""}`;
};

// What stands with a scenario: pairs for its list of facts.
const scenarioMutants = (name, column) => {
  const told = column?.sensitivity?.scenarios[name];
  if (!told) return [];
  const named = (end) => Object.keys(told).filter((one) => told[one] === end)
    .map((one) => `<code title="${escape(mutantsOf(column)[one].about)}">${escape(one)}</code>`).join(", ");
  const blind = column.sensitivity.blind[name];
  return [["blind", blind != null && mutantPill("blind", blind, blind)], ["kills", named("killed")], ["does not notice", named("survived")],
    ["times out", named("timed out")], ["breaks", named("broken")], ["not applicable", named("not applicable")]];
};

// The figures at the top of the page; nothing where nothing was sabotaged.
const drawSensitivity = (report) => {
  const proof = report.sensitivity;
  if (!proof) return "";
  const sum = Object.values(proof.mutants).reduce((one, other) => one + other, 0);
  const effective = sum - (proof.mutants["not applicable"] ?? 0);
  const survived = proof.mutants.survived ?? 0;
  const ends = Object.entries(proof.mutants).filter(([end]) => !["killed", "survived"].includes(end)).map(([end, count]) => mutantPill(end, proof.ends[end], `${count} ${end}`));
  const bar = Object.entries(proof.mutants).map(([end, count]) => `<span class="${LOOKS[end][0]}" style="flex:${count}" title="${count} ${escape(end)}"></span>`);
  const verdicts = Object.entries(proof.requirements).map(([verdict, count]) =>
    `<span title="${escape(proof.verdicts[verdict])}">${number(count, { mutants: verdict }, `${count} requirements: ${verdict}`)} ${escape(verdict)}</span>`);
  const without = report.columns.filter((column) => !column.sensitivity).map((column) => column.label);
  const said = [proof.thorough ? "" : "One killed mutant a requirement was enough (--fast), so nobody is called blind.", without.length ? `Not sabotaged: ${without.join(", ")}.` : ""].filter(Boolean);
  const bad = proof.findings.filter((one) => one.bad);
  const where = (one) => one.word === "blind" ? { view: "scenarios", q: one.name } : one.word === "idle" ? { q: one.name } : { rq: one.name };
  const items = bad.slice(0, 2 * SHOWN_HOLES).map((one) => {
    const row = report.requirements.find((entry) => entry.name === one.name);
    return `<li><span>${mutantPill(one.word, one.reason, one.word, true)} <a href="${escape(address(where(one)))}">${row ? shortened(row) : escape(one.name)}</a></span><span class="why">${escape(one.reason)}</span></li>`;
  });
  const more = bad.length > items.length ? `<li class="soft">and ${bad.length - items.length} more; coverage.json has them all</li>` : "";
  return `<div class="card" id="sensitivity"><h2>Sensitivity</h2>
    <div class="figures"><p><b class="verified">${proof.mutants.killed ?? 0}</b> of ${effective} mutants killed</p>
    <p><b class="${survived ? "failing" : "not-run"}">${survived}</b> survived ${ends.join(" ")}</p>
    <p><b class="verified">${proof.proven}</b> of ${proof.verified} verified requirements proven sensitive</p></div>
    <div class="bar" role="img" aria-label="mutants: ${escape(Object.entries(proof.mutants).map(([end, count]) => `${count} ${end}`).join(", "))}">${bar.join("")}</div>
    <p class="soft said">Requirements: ${verdicts.join(" · ")}. ${escape(said.join(" "))}</p>
    ${items.length ? `<div class="hole failing"><ul>${items.join("")}${more}</ul></div>` : ""}</div>`;
};

// Mutants generated from what scenarios do: the score of each run, and what nobody noticed.
const percent = ([killed, effective]) => (effective ? `${((100 * killed) / effective).toFixed(1)} %` : "–");

const drawGenerated = (report) => report.columns.filter((column) => column.systematic).map((column) => {
  const { killed, effective, not_tried: left, survivors, equivalents, requirements } = column.systematic;
  const weakest = Object.entries(requirements).filter(([, [noticed, all]]) => noticed < all)
    .sort(([, one], [, other]) => one[0] / one[1] - other[0] / other[1]);
  const line = (one) => `<li><span>${mutantPill("survived", one.scenario, one.mutant.split("@")[0])} <code>${escape(one.text)}</code></span>
    <span class="why">${escape(one.mutant.split("@")[1].split("#")[0])} · <a href="${escape(address({ view: "scenarios", q: one.scenario }))}">${escape(one.scenario)}</a></span></li>`;
  const group = (title, items) => (items.length ? `<details class="hole"><summary>${items.length} ${title}</summary><ul>${items.join("")}</ul></details>` : "");
  return `<div class="card generated"><h2>Generated mutants${report.columns.length > 1 ? `, ${escape(column.label)}` : ""}</h2>
    <div class="figures"><p><b class="verified">${percent([killed, effective])}</b> of ${effective} mutants noticed</p>
    <p><b class="${survivors.length ? "failing" : "not-run"}">${survivors.length}</b> survived</p><p><b class="not-run">${left}</b> not tried</p></div>
    ${group("survived", survivors.map(line))}
    ${group("requirements with survivors", weakest.map(([name, score]) => `<li><a href="${escape(address({ rq: name }))}">${escape(name)}</a><span class="why">${score[0]} of ${score[1]} (${percent(score)})</span></li>`))}
    ${group("equivalent", equivalents.map((one) => `<li><code>${escape(one.text)}</code><span class="why">${escape(one.mutant.split("@")[0])}: ${escape(one.reason)} · ${escape(one.scenario)}</span></li>`))}</div>`;
}).join("");
