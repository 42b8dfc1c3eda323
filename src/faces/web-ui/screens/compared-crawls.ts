/** Two crawls side by side, and evaluations of strategies. */

import { basename, resolve } from 'node:path';
import { UsageError } from '../../../base/core/errors.ts';
import { commandOn } from '../../../base/text/forager-command.ts';
import { countText, percentText } from '../../../base/text/number-text.ts';
import { Blank } from '../../../base/text/shell-line.ts';
import { type CrawlComparison, type KeptByOne, UNDISCOVERED } from '../../../study/inspect/compare-crawls.ts';
import { commandLine } from '../command-line.ts';
import { curveLineOf, curvesOf, visitsOf } from '../curve.ts';
import { readEvaluation } from '../further-folders.ts';
import { html, type Markup } from '../markup.ts';
import { type OpenedCrawl, type OtherCrawl, surveyOf } from '../opened-crawl.ts';
import { field, figure, filterForm, options, table, urlLink } from '../pieces.ts';
import type { DatedSurvey } from '../readings.ts';
import { get, type Route } from '../route.ts';
import { STRINGS } from '../strings.ts';

const TEXT = STRINGS.compare;
/** Points of the curves of an evaluation: hundredths of the budget. */
const HUNDREDTHS = 100;

export const comparison: readonly Route[] = [
  get('/compare', async ({ place, query }) => {
    const other = otherOf(place, query.get('with'));
    const crawls = other === null ? nothing(place) : await compared(place, other);
    return { kind: 'screen', title: TEXT.title, main: html`<h1>${TEXT.title}</h1>${crawls}${place.evaluations.map(evaluation)}` };
  }),
];

/** Only folders of the command line: an address must not open others. null without one. @throws UsageError for any other */
function otherOf({ others }: OpenedCrawl, dir: string | null): OtherCrawl | null {
  const found = dir === null ? others[0] : others.find((other) => other.dir === dir);
  if (found === undefined && dir !== null) throw new UsageError(TEXT.unknown(dir));
  return found ?? null;
}

function nothing({ dir, evaluations }: OpenedCrawl): Markup | null {
  return evaluations.length > 0 ? null : html`<p>${TEXT.none}</p>${commandLine(commandOn('open', dir, new Blank('other crawl')))}`;
}

interface Named {
  /** Short, for heads and legends. */
  readonly name: string;
  readonly dir: string;
  readonly survey: DatedSurvey;
}

async function compared(place: OpenedCrawl, other: OtherCrawl): Promise<Markup> {
  const [first, second, found] = await Promise.all([
    surveyOf(place),
    other.reader.ask('survey', { fetches: false }),
    place.reader.ask('comparison', { other: other.dir }),
  ]);
  const names = shortNames(place.dir, other.dir);
  const both = [
    { name: names[0], dir: place.dir, survey: first },
    { name: names[1], dir: other.dir, survey: second },
  ] as const;
  return html`${choice(place, other)}<section><h2>${TEXT.overlap}</h2>${figures(both)}${overlap(names, found)}<p><small>${TEXT.byModel}</small></p></section>
${curves(both)}<div class="panels">${keptByOne(names, found.onlyFirst, true)}${keptByOne([names[1], names[0]], found.onlySecond, false)}${hosts(names, found)}</div>`;
}

type Names = readonly [first: string, second: string];

/** The last parts of the paths, unless they are the same. */
function shortNames(first: string, second: string): Names {
  const names: Names = [basename(resolve(first)), basename(resolve(second))];
  return names[0] === names[1] ? [first, second] : names;
}

function choice({ others }: OpenedCrawl, { dir }: OtherCrawl): Markup | null {
  if (others.length < 2) return null;
  const list = options(
    'with',
    others.map((other) => [other.dir, other.dir] as const),
    dir,
  );
  return filterForm('/compare', [field(TEXT.other, list)]);
}

function figures(both: readonly Named[]): Markup {
  return table(
    TEXT.crawl,
    [
      { head: TEXT.crawl, cell: ({ dir }) => html`<bdi>${dir}</bdi>` },
      { head: TEXT.kept, cell: ({ survey }) => countText(survey.status.counts.kept), isNumber: true },
      { head: TEXT.visited, cell: ({ survey }) => countText(survey.status.counts.visited), isNumber: true },
      { head: TEXT.share, cell: ({ survey }) => percentText(survey.status.harvestRate), isNumber: true },
    ],
    both,
  );
}

function overlap([first, second]: Names, { both, onlyFirst, onlySecond }: CrawlComparison): Markup {
  return html`<dl class="figures">${figure(TEXT.both, countText(both))}${figure(TEXT.onlyIn(first), countText(onlyFirst.pages))}${figure(TEXT.onlyIn(second), countText(onlySecond.pages))}</dl>`;
}

function curves(both: readonly Named[]): Markup {
  const most = Math.max(...both.map(({ survey }) => visitsOf(survey.curve)));
  const lines = both.map(({ name, survey }) => curveLineOf(name, survey.curve));
  return html`<section><h2>${TEXT.curves}</h2>${curvesOf(TEXT.curves, lines, countText(most), most)}</section>`;
}

function keptByOne([name, other]: Names, { pages, elsewhere, examples }: KeptByOne, isHere: boolean): Markup {
  const states = table(
    TEXT.elsewhere(name),
    [
      { head: TEXT.stateIn(other), cell: ([state]) => state },
      { head: TEXT.count, cell: ([, count]) => countText(count), isNumber: true },
    ],
    Object.entries(elsewhere).sort(([, a], [, b]) => b - a),
  );
  const pagesOf = table(
    TEXT.examples(name),
    [
      { head: TEXT.url, cell: (example) => linkHere(example, isHere) },
      { head: TEXT.stateIn(other), cell: ({ elsewhere: state }) => state },
    ],
    examples,
  );
  return html`<section><h2>${TEXT.onlyIn(name)}</h2>${pages === 0 ? html`<p>${TEXT.noDifference}</p>` : html`${states}${pagesOf}`}</section>`;
}

/** The crawl of this page can explain a URL only if it has discovered it. */
function linkHere({ url, elsewhere }: KeptByOne['examples'][number], isHere: boolean): Markup {
  return isHere || elsewhere !== UNDISCOVERED ? urlLink(url) : html`<bdi>${url}</bdi>`;
}

function hosts([first, second]: Names, { hosts: rows }: CrawlComparison): Markup {
  const lines = table(
    TEXT.hosts,
    [
      { head: TEXT.host, cell: ({ host }) => html`<bdi>${host}</bdi>` },
      { head: first, cell: (row) => countText(row.first), isNumber: true },
      { head: second, cell: (row) => countText(row.second), isNumber: true },
      { head: TEXT.inBoth, cell: ({ both }) => countText(both), isNumber: true },
    ],
    rows,
  );
  return html`<section><h2>${TEXT.hosts}</h2>${lines}</section>`;
}

function evaluation(path: string): Markup {
  const { report, harvest, recall } = readEvaluation(path);
  return html`<section><h2>${TEXT.evaluation}</h2><p><bdi>${path}</bdi></p>
<h3>${TEXT.harvestCurve}</h3>${curvesOf(TEXT.harvestCurve, harvest, TEXT.budget, HUNDREDTHS)}
<h3>${TEXT.recallCurve}</h3>${curvesOf(TEXT.recallCurve, recall, TEXT.budget, HUNDREDTHS)}
<div class="table" tabindex="0" role="region" aria-label="${TEXT.evaluation}"><pre>${report}</pre></div></section>`;
}
