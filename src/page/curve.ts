/** The curve of a crawl as SVG: drawn by the server, so that it needs no script and prints. */
import type { CurvePoint } from '../inspect/survey.ts';
import { html, type Markup } from './markup.ts';
import { countText, shareText } from './strings.ts';

const [WIDTH, HEIGHT] = [600, 160];
/** Room for the words beside the axes. */
const [LEFT, BOTTOM, TOP] = [44, 22, 8];

/** On-topic share of each part of the crawl, from its first visit to its last. */
export function curveOf(name: string, points: readonly CurvePoint[]): Markup {
  const most = points.at(-1)?.visits ?? 0;
  const x = (visits: number) => LEFT + ((WIDTH - LEFT) * visits) / Math.max(1, most);
  const y = (share: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - share);
  const line = points.map(({ visits, onTopic, of }) => `${x(visits - of / 2).toFixed(1)},${y(onTopic / of).toFixed(1)}`).join(' ');
  const grid = [0, 0.5, 1].map(
    (share) =>
      html`<line x1="${LEFT}" x2="${WIDTH}" y1="${y(share)}" y2="${y(share)}"/><text x="${LEFT - 6}" y="${y(share) + 4}" text-anchor="end">${shareText(share)}</text>`,
  );
  const ends = html`<text x="${LEFT}" y="${HEIGHT - 4}">0</text><text x="${WIDTH}" y="${HEIGHT - 4}" text-anchor="end">${countText(most)}</text>`;
  return html`<svg class="curve" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${name}"><g class="grid">${grid}${ends}</g><polyline points="${line}"/></svg>`;
}
