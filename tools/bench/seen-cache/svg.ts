/** Lines over sizes that double, as an SVG. */

const WIDTH = 720;
const HEIGHT = 420;
const MARGIN = { left: 56, right: 96, top: 36, bottom: 48 } as const;
/** Of Okabe & Ito, told apart by the colour-blind. */
const COLOURS = ['#000000', '#0072b2', '#009e73', '#d55e00', '#cc79a7', '#e69f00'] as const;
const STEPS = 5;

/** @param lines values from 0 to 1, one for each size. Sizes ascend */
export function linesSvg(title: string, label: string, sizes: readonly number[], lines: ReadonlyMap<string, readonly number[]>): string {
  const [first = 1, last = 2] = [sizes[0], sizes.at(-1)];
  const x = (size: number) => MARGIN.left + ((WIDTH - MARGIN.left - MARGIN.right) * Math.log2(size / first)) / Math.log2(last / first);
  const y = (value: number) => HEIGHT - MARGIN.bottom - (HEIGHT - MARGIN.top - MARGIN.bottom) * value;
  const grid = Array.from({ length: STEPS + 1 }, (_, i) => i / STEPS).map(
    (value) =>
      `<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${y(value)}" y2="${y(value)}" stroke="#ddd"/>` +
      `<text x="${MARGIN.left - 8}" y="${y(value) + 4}" text-anchor="end">${value.toFixed(1)}</text>`,
  );
  const ticks = sizes
    .filter((size) => Number.isInteger(Math.log2(size)))
    .map((size) => `<text x="${x(size)}" y="${HEIGHT - MARGIN.bottom + 18}" text-anchor="middle">2^${Math.log2(size)}</text>`);
  const ends = spread([...lines.values()].map((values) => y(values.at(-1) ?? 0)));
  const curves = [...lines].map(([name, values], i) => {
    const points = values.map((value, at) => `${x(sizes[at] ?? 1).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
    const colour = COLOURS[i % COLOURS.length];
    return (
      `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="2"/>` +
      `<text x="${WIDTH - MARGIN.right + 8}" y="${((ends[i] ?? 0) + 4).toFixed(1)}" fill="${colour}">${name}</text>`
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${MARGIN.left}" y="20" font-size="14">${title}</text>`,
    ...grid,
    ...ticks,
    `<text x="${(MARGIN.left + WIDTH - MARGIN.right) / 2}" y="${HEIGHT - 8}" text-anchor="middle">${label}</text>`,
    ...curves,
    '</svg>\n',
  ].join('\n');
}

/** Heights of names so far apart that they can be read, in the order of their lines. */
function spread(heights: readonly number[]): number[] {
  const order = heights.map((_, i) => i).sort((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0));
  const out = [...heights];
  let before = Number.NEGATIVE_INFINITY;
  for (const i of order) {
    out[i] = Math.max(out[i] ?? 0, before + 14);
    before = out[i] ?? 0;
  }
  return out;
}
