// Unpacks the report, and holds what is selected: the part of the address after the #.

const unpack = async () => {
  const bytes = Uint8Array.from(atob(document.getElementById("data").textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
};

const escape = (text) =>
  String(text ?? "").replace(/[&<>"']/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[c]);

const KEYS = ["view", "q", "state", "spec", "section", "env", "run", "result", "mutants", "rq"];
const SYMBOLS = {
  verified: "✓", deviates: "≈", failing: "✕", blocked: "⊘", "not run": "○",
  outdated: "↺", suspect: "?", untested: "–", planned: "…",
};
const RESULT_STATE = {
  OK: "verified", "Fixed?": "verified", Fail: "failing", Error: "failing", Flaky: "failing", XPass: "failing", XFail: "deviates", Skip: "blocked", NotRun: "not run",
};
const CLASS = (state) => state.replace(" ", "-");
const PATH = " / ";

const selection = () => {
  const given = new URLSearchParams(location.hash.slice(1));
  return Object.fromEntries(KEYS.map((key) => [key, given.get(key) ?? ""]));
};

// The address of a selection, and nothing but it: a number's link never inherits a filter.
const address = (chosen) => {
  const parts = new URLSearchParams();
  for (const key of KEYS) if (chosen[key]) parts.set(key, chosen[key]);
  return "#" + (parts.toString() || "view=requirements");
};

const number = (count, chosen, label) =>
  `<a href="${escape(address(chosen))}" aria-label="${escape(label)}">${count}</a>`;

const pill = (state, reason, label = state) =>
  `<span class="pill ${CLASS(state)}" title="${escape(reason || state)}">${SYMBOLS[state]} <b>${escape(label)}</b></span>`;

// Requirement names are long and begin alike: the part a specification's names share is set back.
const shared = (names) => {
  const [first, ...others] = names.map((name) => name.split("."));
  const differs = first.findIndex((part, index) => others.some((other) => index < other.length && other[index] !== part));
  return differs < 0 ? first.length : differs;
};

const shortened = (row) => {
  const parts = row.name.split(".");
  const at = Math.min(row.shared, parts.length - 1);
  const broken = (pieces) => pieces.map(escape).join(".<wbr>");
  return `<span class="prefix">${broken(parts.slice(0, at))}.<wbr></span>${broken(parts.slice(at))}`;
};

// Derives what searching and drawing need, once.
const prepare = (report) => {
  report.order = report.states.map((entry) => entry.state);
  report.meaning = Object.fromEntries(report.states.map((entry) => [entry.state, entry.meaning]));
  report.scenarios = new Map();
  report.columns.forEach((column, index) => {
    column.local = report.in_run_folder;
    column.deviations = report.deviations.seen;
    for (const scenario of column.scenarios) {
      if (!report.scenarios.has(scenario.name)) report.scenarios.set(scenario.name, { name: scenario.name, columns: [] });
      report.scenarios.get(scenario.name).columns[index] = scenario;
    }
  });
  const prefixes = new Map(report.specifications.map((specification) =>
    [specification.name, shared(report.requirements.filter((row) => row.specification === specification.name).map((row) => row.name))]));
  for (const row of report.requirements) {
    row.shared = prefixes.get(row.specification);
    const told = row.columns.flatMap((cell) => (cell ? [cell.reason, ...cell.scenarios, ...Object.keys(cell.sensitivity?.mutants ?? {})] : []));
    row.hay = [row.name, row.text, row.section.join(" "), ...told].join(" ").toLowerCase();
    row.path = row.section.join(PATH);
  }
  for (const scenario of report.scenarios.values())
    scenario.hay = [scenario.name, ...scenario.columns.map((cell) => `${cell?.reason ?? ""} ${cell?.file ?? ""}`)].join(" ").toLowerCase();
  return report;
};

const shownColumns = (report, chosen) =>
  report.columns
    .map((column, index) => ({ ...column, index }))
    .filter((column) => (!chosen.env || column.environment === chosen.env) && (!chosen.run || column.id === chosen.run));

// The same precedence as in the report's own model (columns.py): `states` comes in that order, and what the
// exporter proved is no proof of ClickHouse.
const overall = (report, row, columns) => {
  const seen = columns.filter((column) => row.columns[column.index]);
  const ofServer = seen.some((column) => column.subject === "ClickHouse");
  const present = seen.map((column) => [column, row.columns[column.index].state])
    .filter(([column, state]) => !ofServer || column.subject === "ClickHouse" || report.attention.includes(state)).map(([, state]) => state);
  return report.order.find((state) => present.includes(state));
};

const hasWords = (hay, words) => words.every((word) => hay.includes(word));

// Everything that fits the selection but for its states, so that the chips can count them.
const candidates = (report, chosen, columns) => {
  const words = chosen.q.toLowerCase().split(/\s+/).filter(Boolean);
  return report.requirements
    .map((row) => ({ row, state: overall(report, row, columns) }))
    .filter(({ row, state }) =>
      state
      && (!chosen.spec || row.specification === chosen.spec)
      && (!chosen.mutants || overallVerdict(report, row, columns)?.verdict === chosen.mutants)
      && (!chosen.section || row.path === chosen.section || row.path.startsWith(chosen.section + PATH))
      && hasWords(row.hay, words));
};

const chosenScenarios = (report, chosen, columns) => {
  const words = chosen.q.toLowerCase().split(/\s+/).filter(Boolean);
  return [...report.scenarios.values()].filter((scenario) =>
    columns.some((column) => {
      const one = scenario.columns[column.index];
      return one && (!chosen.result || one.result === chosen.result);
    }) && (!chosen.mutants || sight(scenario.name, columns) === chosen.mutants) && hasWords(scenario.hay, words));
};
