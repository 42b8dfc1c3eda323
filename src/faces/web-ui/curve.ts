/** Curves of crawls as SVG: drawn by the server, so that they need no script and print. */
import { countText } from '../../base/text/number-text.ts';
import type { CurvePart } from '../../study/inspect/survey.ts';
import { html, type Markup } from './markup.ts';

const [WIDTH, HEIGHT] = [600, 160];
/** Room for the words beside the axes. */
const [LEFT, BOTTOM, TOP] = [44, 22, 8];
/** Colours and dashes in the style sheet: a further line looks like an earlier one. */
const LOOKS = 6;

export interface CurveLine {
  readonly name: string;
  /** Points: x in the unit of the axis, y in [0, 1]. */
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** On-topic share of each part of the crawl, from its first visit to its last. */
export function curveOf(name: string, points: readonly CurvePart[]): Markup {
  return curvesOf(name, [curveLineOf(name, points)], countText(visitsOf(points)), visitsOf(points));
}

/** Several lines in one picture, with a legend. @param end the text at the end of the axis, where `most` is */
export function curvesOf(name: string, lines: readonly CurveLine[], end: string, most: number): Markup {
  const x = (value: number) => LEFT + ((WIDTH - LEFT) * value) / Math.max(1, most);
  const y = (share: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - share);
  const grid = [0, 0.5, 1].map(
    (share) =>
      html`<line x1="${LEFT}" x2="${WIDTH}" y1="${y(share)}" y2="${y(share)}"/><text x="${LEFT - 6}" y="${y(share) + 4}" text-anchor="end">${100 * share} %</text>`,
  );
  const ends = html`<text x="${LEFT}" y="${HEIGHT - 4}">0</text><text x="${WIDTH}" y="${HEIGHT - 4}" text-anchor="end">${end}</text>`;
  const drawn = lines.map(
    ({ points }, i) =>
      html`<polyline class="${lookOf(i)}" points="${points.map(([at, share]) => `${x(at).toFixed(1)},${y(share).toFixed(1)}`).join(' ')}"/>`,
  );
  return html`<svg class="curve" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${name}"><g class="grid">${grid}${ends}</g>${drawn}</svg>${lines.length > 1 && legend(lines)}`;
}

export function curveLineOf(name: string, points: readonly CurvePart[]): CurveLine {
  return { name, points: points.map(({ visits, onTopic, of }) => [visits - of / 2, onTopic / of]) };
}

/** All visits of a curve. */
export function visitsOf(points: readonly CurvePart[]): number {
  return points.at(-1)?.visits ?? 0;
}

function legend(lines: readonly CurveLine[]): Markup {
  const entries = lines.map(
    ({ name }, i) =>
      html`<li><svg class="curve key" viewBox="0 0 30 10" aria-hidden="true"><polyline class="${lookOf(i)}" points="0,5 30,5"/></svg> <bdi>${name}</bdi></li>`,
  );
  return html`<ul class="legend">${entries}</ul>`;
}

function lookOf(index: number): string {
  return `look-${index % LOOKS}`;
}
