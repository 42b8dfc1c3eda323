/** Harvest and recall curves as one SVG: no script, no fonts of its own, readable without colour, light and dark. */
import type { Unit } from '../../base/core/types.ts';
import { escapeSigns } from '../../base/text/escape-signs.ts';
import { mean } from './bootstrap.ts';
import type { Evaluation } from './report.ts';
import { resultsOf, type SeedResult } from './tables.ts';

interface Look {
  /** Colours on white and on black. */
  readonly light: string;
  readonly dark: string;
  /** `stroke-dasharray`. */
  readonly dash: string;
  /** Path of a marker around its centre, about 8 units wide. */
  readonly marker: string;
}

const CIRCLE = 'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z';
const SQUARE = 'M-3.5 -3.5H3.5V3.5H-3.5Z';
const UP = 'M0 -4.5L4.5 3.5H-4.5Z';
const DOWN = 'M0 4.5L4.5 -3.5H-4.5Z';
const DIAMOND = 'M0 -5L5 0L0 5L-5 0Z';
const CROSS = 'M-4 -4L4 4M-4 4L4 -4';
const PLUS = 'M-5 0H5M0 -5V5';
const BAR = 'M0 -5V5';
const STAR = 'M-5 0H5M-2.5 -4.3L2.5 4.3M-2.5 4.3L2.5 -4.3';

/** Hues of Okabe and Ito (2008), which colour-blind people can distinguish, made darker for white and lighter for black. */
const LOOKS: readonly [Look, ...Look[]] = [
  { light: '#0072b2', dark: '#5ab4f0', dash: '', marker: CIRCLE },
  { light: '#b34700', dark: '#ff8a4c', dash: '8 3', marker: SQUARE },
  { light: '#00795a', dark: '#3ecfa4', dash: '3 3', marker: UP },
  { light: '#a3457f', dark: '#e69ac4', dash: '10 3 2 3', marker: DIAMOND },
  { light: '#8a6500', dark: '#f0c040', dash: '2 4', marker: CROSS },
  { light: '#5b5b5b', dark: '#b5b5b5', dash: '6 6', marker: DOWN },
  { light: '#2b5797', dark: '#9ecbf5', dash: '12 4', marker: PLUS },
  { light: '#111111', dark: '#f4f4f4', dash: '1 2', marker: STAR },
  { light: '#6b3fa0', dark: '#c3a5ee', dash: '14 3 2 3 2 3', marker: BAR },
];

const PLOT = { width: 380, height: 260, left: 62, top: 44, gap: 90 } as const;
const WIDTH = PLOT.left + 2 * PLOT.width + PLOT.gap + 30;
const LEGEND = { top: PLOT.top + PLOT.height + 62, row: 22, columns: 5 } as const;
/** A marker at every tenth point, at a different place on each line. */
const MARKERS = 10;

export function curvesSvg({ strategies, results, guide, judge }: Evaluation): string {
  const rows = Math.ceil(strategies.length / LEGEND.columns);
  const height = LEGEND.top + rows * LEGEND.row + 8;
  const title = escapeSigns(shortened(`${guide.name}: harvest rate and recall, judged by ${judge.name}`));
  const panels = [
    panel('Harvest rate', 'pages found / visits', 0, strategies, (strategy) => harvestCurve(resultsOf(strategy, results))),
    panel('Recall', 'pages found / pages to find', 1, strategies, (strategy) => recallCurve(resultsOf(strategy, results))),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="forager-curves" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<style>${styleOf(strategies)}</style>`,
    `<rect class="paper" width="${WIDTH}" height="${height}"/>`,
    `<text class="head" x="${PLOT.left}" y="20">${title}</text>`,
    ...panels,
    ...strategies.map(legendEntry),
    '</svg>\n',
  ].join('\n');
}

/** Recall at each hundredth of the budget, mean of the seeds. */
export function recallCurve(results: readonly SeedResult[]): Unit[] {
  return pointwise(results.map(({ curve }) => curve));
}

/** Pages found / visits at each hundredth of the budget; a run without further URLs keeps its last rate. */
export function harvestCurve(results: readonly SeedResult[]): Unit[] {
  const rates = ({ curve, total, budget, visits }: SeedResult) =>
    curve.map((recall, i) => {
      const at = Math.max(1, Math.round(((i + 1) * budget) / curve.length));
      return (recall * total) / Math.max(1, Math.min(at, visits));
    });
  return pointwise(results.map(rates));
}

function pointwise(curves: readonly (readonly number[])[]): number[] {
  return (curves[0] ?? []).map((_, i) => mean(curves.map((curve) => curve[i] ?? 0)));
}

function panel(name: string, unit: string, at: number, strategies: readonly string[], curveOf: (strategy: string) => number[]): string {
  const curves = strategies.map(curveOf);
  const most = niceTop(Math.max(...curves.flat()));
  const x = PLOT.left + at * (PLOT.width + PLOT.gap);
  return [
    `<g transform="translate(${x} ${PLOT.top})">`,
    ...[0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
      `<path class="grid" d="M0 ${num(PLOT.height * (1 - share))}H${PLOT.width}"/>`,
      `<text class="tick" x="-8" y="${num(PLOT.height * (1 - share) + 4)}" text-anchor="end">${Number((share * most).toFixed(3))}</text>`,
      `<text class="tick" x="${num(PLOT.width * share)}" y="${PLOT.height + 18}" text-anchor="middle">${100 * share} %</text>`,
    ]),
    `<path class="axis" d="M0 0V${PLOT.height}H${PLOT.width}"/>`,
    `<text class="label" x="${PLOT.width / 2}" y="${PLOT.height + 36}" text-anchor="middle">share of the budget visited</text>`,
    `<text class="label" transform="translate(-46 ${PLOT.height / 2}) rotate(-90)" text-anchor="middle">${name} (${unit})</text>`,
    ...curves.map((curve, i) => line(curve, i, most)),
    '</g>',
  ].join('\n');
}

function line(curve: readonly number[], index: number, most: number): string {
  const place = (value: number, i: number) =>
    `${num((PLOT.width * (i + 1)) / curve.length)} ${num(PLOT.height * (1 - Math.min(1, value / most)))}`;
  const points = curve.map(place);
  const step = Math.max(1, Math.round(curve.length / MARKERS));
  const markers = points.filter((_, i) => i % step === (index + 4) % step);
  return [
    `<path class="line s${index % LOOKS.length}" d="M${points.join('L')}"/>`,
    ...markers.map((point) => `<path class="mark s${index % LOOKS.length}" transform="translate(${point})" d="${lookOf(index).marker}"/>`),
  ].join('\n');
}

function legendEntry(strategy: string, index: number): string {
  const x = PLOT.left + (index % LEGEND.columns) * ((WIDTH - PLOT.left) / LEGEND.columns);
  const y = LEGEND.top + Math.floor(index / LEGEND.columns) * LEGEND.row;
  const look = `s${index % LOOKS.length}`;
  return [
    `<g class="legend" transform="translate(${num(x)} ${y})">`,
    `<path class="line ${look}" d="M0 0H40"/>`,
    `<path class="mark ${look}" transform="translate(20 0)" d="${lookOf(index).marker}"/>`,
    `<text class="label" x="48" y="4">${escapeSigns(strategy)}</text>`,
    '</g>',
  ].join('');
}

/** Plain rules with each colour written out: not every program that draws SVG knows CSS variables. */
function styleOf(strategies: readonly string[]): string {
  const looks = strategies.slice(0, LOOKS.length).map((_, i) => lookOf(i));
  return [
    '.forager-curves text{font-family:system-ui,sans-serif}.head{font-size:14px;font-weight:600}.label{font-size:12px}.tick{font-size:11px}',
    '.grid,.axis,.line{fill:none}.line{stroke-width:1.8}.mark{stroke-width:1.5}',
    ...looks.map(({ dash }, i) => (dash === '' ? '' : `.line.s${i}{stroke-dasharray:${dash}}`)),
    colours(
      '#fff',
      '#1b1b1b',
      '#d5d5d5',
      looks.map(({ light }) => light),
    ),
    `@media (prefers-color-scheme:dark){${colours(
      '#141414',
      '#ececec',
      '#3c3c3c',
      looks.map(({ dark }) => dark),
    )}}`,
  ].join('');
}

function colours(paper: string, ink: string, grid: string, lines: readonly string[]): string {
  return [
    `.forager-curves text{fill:${ink}}.paper,.mark{fill:${paper}}.grid{stroke:${grid}}.axis{stroke:${ink}}`,
    ...lines.map((colour, i) => `.s${i}{stroke:${colour}}`),
  ].join('');
}

function lookOf(index: number): Look {
  return LOOKS[index % LOOKS.length] ?? LOOKS[0];
}

/** The least of 0.1, 0.2, 0.4, 0.6, 0.8 and 1 that is not below `most`. */
function niceTop(most: number): number {
  return [0.1, 0.2, 0.4, 0.6, 0.8].find((top) => most <= top) ?? 1;
}

/** The part that fits. */
function shortened(text: string): string {
  return text.length <= 120 ? text : `${text.slice(0, 119)}…`;
}

function num(value: number): string {
  return String(Math.round(value * 10) / 10);
}
