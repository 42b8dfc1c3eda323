/** The URLs that wait: how many, where, which next, and which are parked. */

import { UsageError } from '../../../base/core/errors.ts';
import { commandOn } from '../../../base/text/forager-command.ts';
import { countText } from '../../../base/text/number-text.ts';
import { sentence } from '../../../base/text/sentence.ts';
import { continueCommand } from '../../../study/inspect/continue-command.ts';
import { BY_MODEL, exploredText } from '../../../study/inspect/grounds-words.ts';
import type { CrawlStatus } from '../../../study/inspect/status.ts';
import type { CrawlSurvey, WaitingUrl } from '../../../study/inspect/survey.ts';
import { commandLine } from '../command-line.ts';
import { html, type Markup } from '../markup.ts';
import { surveyOf } from '../opened-crawl.ts';
import { addressOf, button, figure, type HtmlColumn, meter, table, urlLink } from '../pieces.ts';
import type { DatedSurvey } from '../readings.ts';
import { type Asked, get, post, type Route } from '../route.ts';
import { isUnderWay, type RunNow } from '../run.ts';
import { STRINGS, timeText, unitText } from '../strings.ts';

const TEXT = STRINGS.frontier;

export const frontierScreen: readonly Route[] = [
  get('/frontier', async (asked) => {
    const survey = await surveyOf(asked.place);
    return { kind: 'screen', title: TEXT.title, main: html`${figures(survey)}${panels(survey, await asked.place.run.now(), asked)}` };
  }),
  post('/frontier/release', async ({ place: { run, dir }, form }) => {
    const pattern = form.get('pattern') ?? '';
    if (!isUnderWay(await run.now())) throw new UsageError(TEXT.noRun(commandOn('crawl', dir, '--page')));
    if ((await run.unpark(pattern)).length === 0 && !(await run.now()).released.includes(pattern))
      throw new UsageError(TEXT.notParked(pattern));
    return { kind: 'see', path: '/frontier' };
  }),
];

function figures({ at, waiting, status: { parked } }: DatedSurvey): Markup {
  return html`<h1>${TEXT.title}</h1><p><small>${STRINGS.asOf(timeText(at))}</small></p>
<dl class="figures">${figure(TEXT.waiting, countText(total(waiting.bands)))}${figure(TEXT.parked, countText(total(Object.values(parked))))}</dl>`;
}

function panels(survey: CrawlSurvey, run: RunNow, asked: Asked): Markup {
  const { waiting, status } = survey;
  return html`<div class="panels">${bands(waiting.bands)}${best(waiting.best)}${parkedUrls(status, run, asked)}${byHost(survey)}${depths(waiting.depths)}${explored(status)}</div>`;
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, one) => sum + one, 0);
}

interface Counted {
  readonly name: string;
  readonly urls: number;
}

/** Counts with a bar each, as shares of the largest. */
function counted(caption: string, head: string, rows: readonly Counted[]): Markup {
  const most = Math.max(1, ...rows.map(({ urls }) => urls));
  const columns: HtmlColumn<Counted>[] = [
    { head, cell: ({ name }) => name },
    { head: TEXT.urls, cell: ({ urls }) => countText(urls), isNumber: true },
    { head: '', cell: ({ urls }) => meter(urls / most) },
  ];
  return table(caption, columns, rows);
}

/** The highest priority first. */
function bands(counts: readonly number[]): Markup {
  const of = (share: number) => (share / counts.length).toFixed(1);
  const rows = counts.map((urls, i) => ({ name: TEXT.bandOf(of(i), of(i + 1)), urls })).reverse();
  return html`<section><h2>${TEXT.bands}</h2>${total(counts) === 0 ? html`<p>${TEXT.noWaiting}</p>` : counted(TEXT.bands, TEXT.band, rows)}</section>`;
}

function depths(counts: readonly number[]): Markup | null {
  if (counts.length === 0) return null;
  const rows = counts.map((urls, depth) => ({ name: countText(depth), urls }));
  return html`<section><h2>${TEXT.depths}</h2>${counted(TEXT.depths, TEXT.depth, rows)}</section>`;
}

function byHost({ waiting: { hosts } }: CrawlSurvey): Markup | null {
  if (hosts.length === 0) return null;
  const rows = table(
    TEXT.byHost,
    [
      { head: TEXT.host, cell: ({ host }) => html`<a href="${addressOf('/pages', { host })}"><bdi>${host}</bdi></a>` },
      { head: TEXT.urls, cell: ({ waiting }) => countText(waiting), isNumber: true },
      { head: TEXT.kept, cell: ({ kept }) => countText(kept), isNumber: true },
      { head: TEXT.visited, cell: ({ visited }) => countText(visited), isNumber: true },
    ],
    hosts,
  );
  return html`<section><h2>${TEXT.byHost}</h2>${rows}</section>`;
}

function best(urls: readonly WaitingUrl[]): Markup | null {
  if (urls.length === 0) return null;
  const rows = table(
    TEXT.best,
    [
      { head: TEXT.priority, cell: ({ priority }) => unitText(priority), isNumber: true },
      { head: TEXT.depth, cell: ({ depth }) => countText(depth), isNumber: true },
      { head: TEXT.url, cell: ({ url }) => urlLink(url) },
      { head: TEXT.anchor, cell: ({ anchorText }) => html`<bdi>${anchorText}</bdi>` },
    ],
    urls,
  );
  return html`<section><h2>${TEXT.best}</h2>${rows}</section>`;
}

function parkedUrls(status: CrawlStatus, run: RunNow, { formToken }: Asked): Markup {
  const isRunning = isUnderWay(run);
  const rows = Object.entries(status.parked).sort(([, a], [, b]) => b - a);
  if (rows.length === 0) return html`<section><h2>${TEXT.parkedUrls}</h2>${releasedText(run.released)}<p>${TEXT.noParked}</p></section>`;
  const release = (reason: string): Markup | null => {
    const pattern = patternIn(reason);
    return pattern === null ? null : button(formToken, '/frontier/release', TEXT.release, { pattern });
  };
  const columns: HtmlColumn<(typeof rows)[number]>[] = [
    { head: TEXT.urls, cell: ([, urls]) => countText(urls), isNumber: true },
    { head: TEXT.reason, cell: ([reason]) => html`<a href="${addressOf('/pages', { state: 'parked', reason })}"><bdi>${reason}</bdi></a>` },
    ...(!isRunning ? [] : [{ head: TEXT.release, cell: ([reason]: (typeof rows)[number]) => release(reason) }]),
  ];
  return html`<section><h2>${TEXT.parkedUrls}</h2>${releasedText(run.released)}${table(TEXT.parkedUrls, columns, rows)}
${!isRunning && releaseCommand(status)}</section>`;
}

function releasedText(patterns: readonly string[]): Markup | null {
  return patterns.length === 0 ? null : html`<p><bdi>${TEXT.released(patterns.join(', '))}</bdi></p>`;
}

/** The way to release without a run: a command for the pattern that holds back the most URLs. */
function releaseCommand({ dir, parked, stopReason, counts }: CrawlStatus): Markup | null {
  const first = Object.entries(parked)
    .sort(([, a], [, b]) => b - a)
    .flatMap(([reason]) => patternIn(reason) ?? [])[0];
  if (first === undefined) return null;
  return html`<p>${TEXT.releaseBy}</p>${commandLine(continueCommand(dir, stopReason, counts.visited, '--unpark', first))}`;
}

/** The pattern in the reason of a parked URL; null for another reason. Patterns are URLs with places for any text, so they have no space. */
function patternIn(reason: string): string | null {
  return /^pattern (\S+): /.exec(reason)?.[1] ?? null;
}

function explored({ explored: found }: CrawlStatus): Markup {
  const text = found === null ? TEXT.noExplored : sentence(`${exploredText(found)} (${BY_MODEL})`);
  return html`<section><h2>${TEXT.explored}</h2><p>${text}</p></section>`;
}
