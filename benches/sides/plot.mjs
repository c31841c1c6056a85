// Line charts as one SVG that stands by itself: readable on light and on dark.

const [WIDTH, HEIGHT] = [430, 300];
/** Room around the plotted area: for the axes' texts, the title, and the names of the lines. */
const EDGE = Object.freeze({ left: 62, right: 18, top: 62, bottom: 50 });
/** About how many steps an axis has. */
const STEPS = 5;

/**
 * @typedef {object} Chart
 * @property {string} title
 * @property {string} x what the horizontal axis is, with its unit
 * @property {string} y what the vertical axis is, with its unit
 * @property {string[]} at the points of the horizontal axis, from left to right
 * @property {{ name: string, values: number[] }[]} lines at most four
 */

// One colour and one kind of dash for each line: told apart in grey, too.
const STYLE = `
  svg { color-scheme: light dark; font: 12px system-ui, sans-serif; }
  .paper { fill: #ffffff; }
  text { fill: #1f2328; }
  .title { font-size: 14px; font-weight: 600; }
  .grid { stroke: #d1d9e0; }
  .axis { stroke: #59636e; }
  .l0 { stroke: #0550ae; fill: #0550ae; }
  .l1 { stroke: #1a7f37; fill: #1a7f37; stroke-dasharray: 7 3; }
  .l2 { stroke: #cf222e; fill: #cf222e; stroke-dasharray: 2 3; }
  .l3 { stroke: #8250df; fill: #8250df; stroke-dasharray: 9 3 2 3; }
  polyline { fill: none !important; stroke-width: 2; }
  circle { stroke-dasharray: none !important; }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117; }
    text { fill: #e6edf3; }
    .grid { stroke: #30363d; }
    .axis { stroke: #9198a1; }
    .l0 { stroke: #58a6ff; fill: #58a6ff; }
    .l1 { stroke: #3fb950; fill: #3fb950; }
    .l2 { stroke: #ff7b72; fill: #ff7b72; }
    .l3 { stroke: #bc8cff; fill: #bc8cff; }
  }`;

/**
 * Charts in rows of two.
 * @param {Chart[]} charts
 */
export function plot(charts) {
  const [columns, rows] = [Math.min(2, charts.length), Math.ceil(charts.length / 2)];
  const [width, height] = [columns * WIDTH, rows * HEIGHT];
  const placed = charts.map((chart, position) => {
    const [left, top] = [(position % 2) * WIDTH, Math.floor(position / 2) * HEIGHT];
    return `<g transform="translate(${left} ${top})">\n${drawn(chart)}\n</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(charts.map(({ title }) => title).join("; "))}</title>
<style>${STYLE}
</style>
<rect class="paper" width="${width}" height="${height}"/>
${placed.join("\n")}
</svg>
`;
}

/** @param {Chart} chart */
function drawn({ title, x, y, at, lines }) {
  const step = stepOf(Math.max(...lines.flatMap(({ values }) => values), 0));
  const most = step * Math.max(1, Math.ceil(Math.max(...lines.flatMap(({ values }) => values), 0) / step));
  const [right, bottom] = [WIDTH - EDGE.right, HEIGHT - EDGE.bottom];
  const across = (/** @type {number} */ point) => round(EDGE.left + ((right - EDGE.left) * (point + 0.5)) / at.length);
  const up = (/** @type {number} */ value) => round(bottom - ((bottom - EDGE.top) * value) / most);
  const parts = [text(EDGE.left, 20, title, "start", "title")];
  for (let value = 0; value <= most + step / 2; value += step) {
    parts.push(`<line class="grid" x1="${EDGE.left}" x2="${right}" y1="${up(value)}" y2="${up(value)}"/>`);
    parts.push(text(EDGE.left - 6, up(value) + 4, value.toLocaleString("en").replaceAll(",", " "), "end"));
  }
  at.forEach((point, position) => parts.push(text(across(position), bottom + 18, point, "middle")));
  parts.push(`<line class="axis" x1="${EDGE.left}" x2="${right}" y1="${bottom}" y2="${bottom}"/>`);
  parts.push(text((EDGE.left + right) / 2, bottom + 38, x, "middle"));
  parts.push(`<g transform="translate(14 ${(EDGE.top + bottom) / 2}) rotate(-90)">${text(0, 0, y, "middle")}</g>`);
  lines.forEach(({ name, values }, line) => {
    const points = values.map((value, position) => [across(position), up(value)]);
    parts.push(`<polyline class="l${line}" points="${points.map((point) => point.join(",")).join(" ")}"/>`);
    for (const [left, top] of points) parts.push(`<circle class="l${line}" cx="${left}" cy="${top}" r="3"/>`);
    const left = EDGE.left + line * 88;
    parts.push(`<polyline class="l${line}" points="${left},40 ${left + 22},40"/>`, text(left + 27, 44, name, "start"));
  });
  return parts.join("\n");
}

/** A step of 1, 2 or 5 times a power of ten. @param {number} most */
function stepOf(most) {
  const rough = Math.max(most, 1e-9) / STEPS;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5].find((times) => times * power >= rough) ?? 10);
}

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;

/** @param {string} said */
const escaped = (said) => said.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** @param {number} x @param {number} y @param {string} said @param {string} anchor @param {string} [kind] */
function text(x, y, said, anchor, kind) {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}"${kind ? ` class="${kind}"` : ""}>${escaped(said)}</text>`;
}
