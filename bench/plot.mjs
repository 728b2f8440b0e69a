// Plots of the growth benchmark as one SVG.

const width = 300;
const height = 200;
const margin = 40;

/**
 * One log-log plot per measure. The dashed line grows like the number of operations: a measure that
 * is steeper grows faster than the work.
 * @param rows one object per number of operations, with the same measures
 */
export function growthPlots(rows, measures) {
  const columns = 3;
  const plots = measures.map((measure, i) => {
    const [x, y] = [(i % columns) * width, Math.floor(i / columns) * height];
    return `<g transform="translate(${x} ${y})">${plot(rows, measure)}</g>`;
  });
  const size = `width="${columns * width}" height="${Math.ceil(measures.length / columns) * height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif" font-size="11">
<rect width="100%" height="100%" fill="white"/>
${plots.join("\n")}
</svg>
`;
}

function plot(rows, measure) {
  const points = rows
    .filter((row) => row[measure] > 0)
    .map((row) => [Math.log10(row.operations), Math.log10(row[measure])]);
  const [first, last] = [points[0], points.at(-1)];
  const low = Math.min(...points.map(([, y]) => y));
  const high = Math.max(...points.map(([, y]) => y), low + 1);
  const place = ([x, y]) => {
    const right = margin + ((x - first[0]) / (last[0] - first[0] || 1)) * (width - 2 * margin);
    const down = height - margin - ((y - low) / (high - low)) * (height - 2 * margin);
    return `${right.toFixed(1)},${down.toFixed(1)}`;
  };
  const end = Math.min(last[0], first[0] + high - first[1]);
  const proportional = [first, [end, first[1] + end - first[0]]];
  const label = (row) => {
    const [right, down] = place([Math.log10(row.operations), Math.log10(row[measure])]).split(",");
    const value = Number(row[measure].toPrecision(3));
    return `<text x="${right}" y="${Number(down) - 6}" text-anchor="middle">${value}</text>`;
  };
  return [
    `<text x="${margin}" y="16" font-weight="bold">${measure}</text>`,
    `<polyline points="${proportional.map(place).join(" ")}" fill="none" stroke="#aaa" stroke-dasharray="4"/>`,
    `<polyline points="${points.map(place).join(" ")}" fill="none" stroke="#06c" stroke-width="2"/>`,
    ...rows.filter((row) => row[measure] > 0).map(label),
    `<text x="${margin}" y="${height - 12}">${rows[0].operations} to ${rows.at(-1).operations} operations</text>`,
  ].join("");
}
