// Draws the little Markdown that requirement texts use; everything is escaped before it is marked up.

const inline = (text) =>
  escape(text)
    .split(/(`[^`]+`)/)
    .map((part) =>
      part.startsWith("`") && part.length > 2
        ? `<code>${part.slice(1, -1)}</code>`
        : part
            .replace(/\[([^\]]+)\]\((https?:[^)\s]+)\)/g, '<a href="$2" rel="noopener noreferrer">$1</a>')
            .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
            .replace(/\[([^\]]+)\](\[[^\]]*\])?/g, "$1")
            .replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
            .replace(/(^|[\s(])[*_]([^*_\s][^*_]*)[*_](?=[\s.,;:)]|$)/g, "$1<em>$2</em>"))
    .join("");

const cells = (line) => line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => inline(cell.trim().replace(/\\\|/g, "|")));

const table = (lines) => {
  const [head, , ...body] = lines;
  const row = (line, tag) => `<tr>${cells(line).map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  return `<table><thead>${row(head, "th")}</thead><tbody>${body.map((line) => row(line, "td")).join("")}</tbody></table>`;
};

const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+/;

const list = (lines) => {
  const items = [];
  for (const line of lines) {
    if (ITEM.test(line)) items.push(line.replace(ITEM, ""));
    else items[items.length - 1] += " " + line.trim();
  }
  const tag = /^\s*\d/.test(lines[0]) ? "ol" : "ul";
  return `<${tag}>${items.map((item) => `<li>${inline(item)}</li>`).join("")}</${tag}>`;
};

const block = (lines) => {
  if (lines.length > 1 && lines[0].includes("|") && /^[\s|:-]+$/.test(lines[1])) return table(lines);
  if (ITEM.test(lines[0])) return list(lines);
  // A list may follow its introduction without an empty line.
  const start = lines.findIndex((line) => ITEM.test(line));
  if (start > 0) return block(lines.slice(0, start)) + list(lines.slice(start));
  return `<p>${inline(lines.map((line) => line.replace(/^\s*(#+|>)\s*/, "")).join(" "))}</p>`;
};

const markdown = (text) => {
  const html = [];
  let lines = [];
  let fence = "";
  const flush = () => {
    if (lines.length) html.push(fence ? `<pre><code>${escape(lines.join("\n"))}</code></pre>` : block(lines));
    lines = [];
  };
  for (const line of text.split("\n")) {
    const mark = line.match(/^\s*(`{3,}|~{3,})/)?.[1];
    if (!fence && mark) { flush(); fence = mark; }
    else if (fence && mark?.startsWith(fence)) { flush(); fence = ""; }
    else if (!fence && !line.trim()) flush();
    else lines.push(line);
  }
  flush();
  return html.join("");
};
