// Known deviations: bugs by how bad they are, then what is nobody's bug, closed.

const OPEN_KINDS = ["bug", "not judged"];
const SEVERITY_STATE = { "data lost": "failing", "wrong answer": "suspect", "wrong refusal or acceptance": "deviates", message: "not run" };

const deviationItem = (one) =>
  `<li><a href="${escape(address({ view: "scenarios", rq: one.scenarios[0] }))}" title="${escape(one.requirements.join(", "))}">${escape(one.id)}</a>
    <span><span class="why">${escape(one.reason)}</span> <span class="soft since">${escape(one.versions)}</span>${upstreamLink(one.upstream)}</span></li>`;

const upstreamLink = (upstream) =>
  /^https?:/.test(upstream ?? "") ? ` <a href="${escape(upstream)}" rel="noopener noreferrer">upstream</a>` : "";

const severityGroups = (found, severities) =>
  [...severities, ""].map((severity) => [severity, found.filter((one) => one.severity === severity)])
    .filter(([, own]) => own.length)
    .map(([severity, own]) => {
      const state = SEVERITY_STATE[severity] ?? "deviates";
      const head = severity ? `${pill(state, "", severity)} ${own.length}` : "";
      return `<div class="hole ${CLASS(state)}">${head && `<h4>${head}</h4>`}<ul>${own.map(deviationItem).join("")}</ul></div>`;
    }).join("");

const drawDeviations = (report) => {
  const { seen, kinds, severities } = report.deviations;
  return Object.entries(kinds).map(([kind, meaning]) => {
    const own = seen.filter((one) => one.kind === kind);
    if (!own.length) return "";
    const title = `<h3>${pill("deviates", meaning, kind)} ${own.length} <span class="soft">${escape(meaning)}</span></h3>`;
    const groups = severityGroups(own, severities);
    return OPEN_KINDS.includes(kind) && own.length <= 12 * SHOWN_HOLES
      ? `<div class="kind" data-kind="${escape(kind)}">${title}${groups}</div>`
      : `<details class="kind" data-kind="${escape(kind)}"><summary>${title}</summary>${groups}</details>`;
  }).join("");
};
