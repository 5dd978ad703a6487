// What a requirement asks for, item by item, and which step of which scenario checks it.

const drawObligations = (rows) => {
  const told = rows.some((row) => row.checked.length || row.reasons.length);
  if (!rows.length || (rows.length === 1 && !told)) return "";
  const byScenario = (checked) => [...Map.groupBy(checked, (one) => one.scenario)].map(([name, steps]) =>
    `<li>${SYMBOLS[RESULT_STATE[steps[0].result]]} <a href="${escape(address({ view: "scenarios", rq: name }))}" title="${escape(steps[0].result)}">${escape(name.split("/").at(-1))}</a>: ${steps.map((one) => escape(one.step)).join(" · ")}</li>`).join("");
  const lines = rows.map((row) => `<tr><td>${markdown(row.text)}</td><td>${row.checked.length ? `<ul>${byScenario(row.checked)}</ul>` : ""}${row.reasons.map((reason) => `<p class="soft">not checked: ${escape(reason)}</p>`).join("")}${row.checked.length || row.reasons.length ? "" : '<span class="soft">no step says that it checks this</span>'}</td></tr>`);
  return `<details class="obligations" open><summary>What it asks for, and what checks it</summary><table><thead><tr><th>obligation</th><th>scenario: steps</th></tr></thead><tbody>${lines.join("")}</tbody></table></details>`;
};
