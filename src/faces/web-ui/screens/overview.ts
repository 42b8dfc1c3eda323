/** The first screen: the worth of going further, the grounds to trust the crawl, its faults. */

import { isExpected, refusalText } from '../../../base/core/refusal-words.ts';
import { commandOn, foragerCommand } from '../../../base/text/forager-command.ts';
import { countText, percentText } from '../../../base/text/number-text.ts';
import { sentence } from '../../../base/text/sentence.ts';
import { ageLines } from '../../../corpus/describe/age-words.ts';
import { notMeasuredText } from '../../../corpus/describe/precision-text.ts';
import { drawnText } from '../../../corpus/describe/recall-words.ts';
import type { AgeFacts } from '../../../corpus/select/age-facts.ts';
import { SETTINGS } from '../../../crawling/settings/settings.ts';
import { hasMore, nextBudget } from '../../../study/inspect/continue-command.ts';
import { failedVisitsText } from '../../../study/inspect/failed-visits.ts';
import {
  BY_MODEL,
  doubtRemedy,
  heldText,
  hiddenText,
  notActivatedText,
  outlookText,
  questionsWaitText,
  recentText,
  saturationText,
} from '../../../study/inspect/grounds-words.ts';
import { dominantHostOf } from '../../../study/inspect/host-dominance.ts';
import type { KnownRecall } from '../../../study/inspect/known-recall.ts';
import type { LostSeed } from '../../../study/inspect/lost-seeds.ts';
import { shownOutlook } from '../../../study/inspect/outlook.ts';
import type { PastOutlooks } from '../../../study/inspect/past-outlooks.ts';
import { missingPageText, recallText } from '../../../study/inspect/recall-text.ts';
import type { RecentFailures } from '../../../study/inspect/recent-failures.ts';
import { refusedDocumentLines } from '../../../study/inspect/refused-documents-text.ts';
import { renderedLines } from '../../../study/inspect/rendering-text.ts';
import { roomLines } from '../../../study/inspect/resources-text.ts';
import { crawlStateText } from '../../../study/inspect/stop-reason-text.ts';
import type { CrawlSurvey } from '../../../study/inspect/survey.ts';
import { wallLines } from '../../../study/inspect/walls-text.ts';
import { DEFAULT_MAX_PAGES } from '../../app/init-project.ts';
import { commandLine } from '../command-line.ts';
import { curveOf } from '../curve.ts';
import { html, type Markup } from '../markup.ts';
import { startRun, surveyOf } from '../opened-crawl.ts';
import { actionForm, addressOf, button, field, figure, table, urlLink } from '../pieces.ts';
import type { DatedSurvey } from '../readings.ts';
import { type Asked, get, post, type Route } from '../route.ts';
import { isUnderWay, type Run, type RunNow } from '../run.ts';
import { durationText, STRINGS, timeText } from '../strings.ts';
import { labelLast, lastPages } from './last-pages.ts';

const TEXT = STRINGS.overview;
const ROWS = 10;

export const overview: readonly Route[] = [
  get('/', async (asked) => {
    const [survey, run] = [await surveyOf(asked.place), await asked.place.run.now()];
    const main = html`${controls(run, asked)}${figures(survey, run)}${continueForm(survey, run, asked)}${panels(survey, run, asked)}`;
    return { kind: 'screen', title: TEXT.title, main };
  }),
  steer('/run/pause', (run) => run.pause()),
  steer('/run/resume', (run) => run.resume()),
  steer('/run/stop', (run) => run.stop()),
  post('/run/start', async ({ place, form }) => {
    const maxPages = SETTINGS.maxPages.kind.read([form.get('maxPages') ?? ''], TEXT.budget);
    await startRun(place, { maxPages });
    return { kind: 'see', path: '/' };
  }),
  labelLast,
];

function steer(path: string, how: (run: Run) => void | Promise<void>): Route {
  return post(path, async ({ place: { run } }) => {
    if (isUnderWay(await run.now())) await how(run);
    return { kind: 'see', path: '/' };
  });
}

/** Buttons for the run in hand. */
function controls(run: RunNow, { formToken }: Asked): Markup | null {
  if (!isUnderWay(run) || run.state === 'stopping') return null;
  const hold =
    run.state === 'paused' ? button(formToken, '/run/resume', STRINGS.run.resume) : button(formToken, '/run/pause', STRINGS.run.pause);
  return html`<div class="controls">${hold}${button(formToken, '/run/stop', STRINGS.run.stop)}</div>`;
}

function figures({ status, at }: DatedSurvey, run: RunNow): Markup {
  const { counts, stopReason } = status;
  const state = isUnderWay(run) ? run.state : stopReason;
  const budget = isUnderWay(run) ? run.maxPages : null;
  const left = isUnderWay(run) && run.endsAt !== null ? run.endsAt - Date.now() : null;
  return html`<h1>${TEXT.title}</h1>
<p class="state" data-state="${state}">${crawlStateText(state)} <small>${STRINGS.asOf(timeText(at))}</small></p>
<dl class="figures">
${figure(TEXT.visited, countText(counts.visited), budget === null ? null : TEXT.ofBudget(countText(budget)))}
${figure(TEXT.kept, countText(counts.kept))}
${figure(TEXT.waiting, countText(counts.waiting))}
${figure(TEXT.discovered, countText(counts.discovered), TEXT.onHosts(countText(counts.hosts)))}
${left === null ? null : figure(TEXT.timeLeft, durationText(left))}
</dl>${browserPart({ status })}`;
}

/** Pages that a browser rendered, with its troubles; nothing without any. */
export function browserPart({ status }: Pick<CrawlSurvey, 'status'>): Markup {
  return html`${renderedLines(status.rendered).map((line) => html`<p>${sentence(line.trim())}</p>`)}`;
}

/** Resumes a crawl at rest with a larger budget; nothing for one that another process runs. */
function continueForm({ status }: DatedSurvey, run: RunNow, { place, formToken }: Asked): Markup | null {
  const { counts, stopReason, dir } = status;
  if (place.aside === null || isUnderWay(run) || stopReason === 'running' || stopReason === 'perhaps-running' || !hasMore(counts))
    return null;
  const total = nextBudget(counts.visited, DEFAULT_MAX_PAGES);
  const budget = html`<input name="maxPages" value="${total}" inputmode="numeric" required>`;
  const words = ['--max-pages', String(total)];
  const command = place.config === null ? commandOn('crawl', dir, ...words) : foragerCommand('crawl', '--config', place.config, ...words);
  return html`<section><h2>${TEXT.continue}</h2>${actionForm(formToken, '/run/start', html`${field(TEXT.budget, budget)} <button class="main">${TEXT.start}</button>`)}
<p>${TEXT.startDoes}</p>${commandLine(command)}</section>`;
}

function panels(survey: DatedSurvey, run: RunNow, asked: Asked): Markup {
  return html`<div class="panels">${worth(survey)}${trust(survey)}${wrong(survey, run)}${lastPages(survey, asked)}${topHosts(survey)}${refused(survey)}</div>`;
}

/** Yield of the last visits, and the forecast. */
export function worth({ status, curve }: Pick<CrawlSurvey, 'status' | 'curve'>): Markup {
  const { recent, pastOutlooks } = status;
  const outlook = shownOutlook(status);
  const forecast =
    outlook === 'doubted' ? hiddenText(status.doubts) : outlook === null ? TEXT.noOutlook : `${outlookText(outlook)} (${BY_MODEL})`;
  return html`<section><h2>${TEXT.worth}</h2>
${curve.length > 0 && html`<h3>${TEXT.curve}</h3>${curveOf(TEXT.curve, curve)}`}
<p>${sentence(`${recentText(recent)} (${BY_MODEL})`)} ${sentence(forecast)}</p>${outlook !== 'doubted' && past(pastOutlooks)}${status.ages !== null && current(status.ages)}</section>`;
}

/** The age of the kept pages: answers and estimates in the first two lines, changes by host in the others. */
function current(ages: AgeFacts): Markup {
  const [seen = '', estimated = '', ...hosts] = ageLines(ages);
  return html`<h3>${TEXT.current}</h3><p>${sentence(seen)} ${sentence(estimated)}</p>${hosts.length > 0 && html`<ul>${hosts.map((host) => html`<li>${host.trim()}</li>`)}</ul>`}`;
}

/** Earlier forecasts and the pages found, the newest first. */
function past({ compared, held }: PastOutlooks): Markup | null {
  if (compared.length === 0) return null;
  const rows = table(
    TEXT.pastOutlooks,
    [
      { head: TEXT.afterVisits, cell: ({ visits }) => countText(visits), isNumber: true },
      { head: TEXT.expected, cell: ({ onTopic }) => countText(onTopic), isNumber: true },
      { head: TEXT.interval, cell: ({ low, high }) => TEXT.between(countText(low), countText(high)), isNumber: true },
      { head: TEXT.found, cell: ({ found }) => countText(found), isNumber: true },
    ],
    [...compared].reverse().slice(0, ROWS),
  );
  return html`<p>${sentence(heldText({ compared, held }))}</p>${rows}`;
}

/** The grounds of the figures: precision, doubts, trainings. */
export function trust({ status, wholeHosts }: Pick<CrawlSurvey, 'status' | 'wholeHosts'>): Markup {
  const { dir, doubts, saturation, questions, topics, recall } = status;
  const saturated = saturation && saturationText(saturation);
  const measured = topics.length === 0 ? measuredOf(status, '') : topics.map((topic) => measuredOf(topic, topic.name));
  return html`<section><h2>${TEXT.trust}</h2>${measured}
${questions > 0 && html`<p>${sentence(questionsWaitText(questions))} <a href="/label?mode=teach">${TEXT.answerThem}</a></p>`}${trainings(status)}
${doubts.length > 0 && html`<p class="warning">${sentence(hiddenText(doubts))} ${doubtRemedy(doubts)}.</p>`}
${saturated !== null && html`<p class="warning">${sentence(saturated)}</p>`}
${recall === null ? recallMissing(dir) : recallPart(recall)}
${wholeHosts.length > 0 && html`<p>${TEXT.wholeHosts}</p><ul>${wholeHosts.map(({ host, share }) => html`<li><bdi>${host}</bdi> ${percentText(share)}</li>`)}</ul>`}</section>`;
}

/** The share of the known pages that is kept, and the first of the others, each with its explanation. */
function recallPart(recall: KnownRecall): Markup {
  const missing = recall.missing.slice(0, ROWS);
  const rows = missing.map(
    (page) => html`<li><a href="${addressOf('/why', { url: page.url })}"><bdi>${page.url}</bdi></a> ${missingPageText(page)}</li>`,
  );
  return html`<p>${sentence(recallText(recall))}</p>${recall.drawn !== null && html`<p>${sentence(drawnText(recall.drawn))}</p>`}${rows.length > 0 && html`<ul>${rows}</ul>`}`;
}

/** The way to measure the recall. */
function recallMissing(dir: string): Markup {
  const command = commandOn('known', dir, '--from', 'sitemap', '--out', 'known.jsonl');
  return html`<p>${TEXT.recallNotMeasured}</p>${commandLine(command)}`;
}

/** The precision, or the way to measure it. @param topic of several; empty for the only one */
function measuredOf({ precision, harvest, drawn }: Pick<CrawlSurvey['status'], 'precision' | 'harvest' | 'drawn'>, topic: string): Markup {
  const name = topic === '' ? null : html`<b><bdi>${topic}</bdi></b> `;
  if (precision !== null)
    return html`<p>${name}${TEXT.precision('kept', precision)}</p>${harvest !== null && html`<p>${name}${TEXT.precision('harvest', harvest)}</p>`}`;
  const measure = html`<a href="${addressOf('/label', { mode: 'measure', topic })}">${TEXT.measure}</a>`;
  return html`<p class="warning">${name}${sentence(`precision: ${notMeasuredText(drawn && { answered: drawn.kept, needed: drawn.needed })}`)} ${measure}</p>`;
}

/** Nothing of a crawl whose topic is as it began. */
function trainings({ relabelled, keptBeside, topics }: CrawlSurvey['status']): Markup {
  const last = relabelled.at(-1);
  return html`${last && html`<p>${TEXT.trained(last.to, timeText(Date.parse(last.at)))}</p>`}
${[{ keptBeside }, ...topics].map((one) => one.keptBeside !== null && html`<p>${sentence(notActivatedText(one.keptBeside))}</p>`)}`;
}

function wrong({ status, moreLostSeeds }: CrawlSurvey, { warnings }: RunNow): Markup {
  const { counts, failures, faults, retried, givenUp, parked, reasons, recentFailures, room, lostSeeds, documents } = status;
  const failed = failedVisitsText(counts.visited, failures);
  const ends = largestFirst(reasons).filter(([end]) => !isRefused(end) || !isExpected(reasonOf(end)));
  const parts = [
    ...warnings.map((warning) => html`<p class="warning">${warning}</p>`),
    ...faults.map((fault) => html`<p class="warning">${TEXT.faults}: ${fault}</p>`),
    failed !== null && html`<p>${failed}.</p>`,
    ...roomLines(room).map((line) => html`<p>${sentence(line)}</p>`),
    ...[...wallLines(status), ...refusedDocumentLines(status.dir, documents)].map((line) => html`<p>${sentence(line.trim())}</p>`),
    recentTable(recentFailures),
    lostSeeds.length > 0 && lostTable(lostSeeds, moreLostSeeds),
    retried.length > 0 &&
      table(
        TEXT.retried,
        [
          { head: TEXT.host, cell: ({ host }) => html`<bdi>${host}</bdi>` },
          { head: TEXT.reason, cell: ({ reason }) => reason },
          { head: TEXT.tries, cell: ({ attempts }) => countText(attempts), isNumber: true },
          { head: TEXT.nextTry, cell: ({ notBefore }) => timeText(Date.parse(notBefore)) },
          { head: TEXT.urls, cell: ({ waiting }) => countText(waiting), isNumber: true },
        ],
        retried.slice(0, ROWS),
      ),
    givenUp.length > 0 &&
      counted(
        TEXT.givenUp,
        givenUp.map(({ host, waiting }) => [host, waiting] as const),
      ),
    Object.keys(parked).length > 0 && counted(TEXT.parked, largestFirst(parked)),
    ends.length > 0 &&
      counted(
        TEXT.ends,
        ends.map(([end, urls]) => [isRefused(end) ? refusalText(reasonOf(end)) : end, urls] as const),
      ),
  ].filter((part) => part !== false && part !== null);
  return html`<section><h2>${TEXT.wrong}</h2>${parts.length === 0 ? html`<p>${TEXT.nothingWrong}</p>` : parts}</section>`;
}

/** URLs that no one expected to be requested. */
function refused({ status: { reasons } }: CrawlSurvey): Markup | null {
  const rows = largestFirst(reasons).filter(([end]) => isRefused(end) && isExpected(reasonOf(end)));
  if (rows.length === 0) return null;
  return html`<section><h2>${TEXT.refused}</h2>${counted(
    TEXT.refusedUrls,
    rows.map(([end, urls]) => [refusalText(reasonOf(end)), urls] as const),
  )}</section>`;
}

function isRefused(end: string): boolean {
  return end.startsWith('refused:');
}

function reasonOf(end: string): string {
  return end.slice(end.indexOf(':') + 1);
}

function recentTable({ counts, until }: RecentFailures): Markup | null {
  const rows = Object.entries(counts);
  return until === null || rows.length === 0 ? null : counted(TEXT.recentFailures(timeText(Date.parse(until))), rows);
}

function lostTable(lost: readonly LostSeed[], more: number): Markup {
  const rows = table(
    TEXT.lostSeeds(countText(lost.length + more)),
    [
      { head: TEXT.reason, cell: ({ state, reason }) => `${state}: ${reason}` },
      { head: TEXT.url, cell: ({ url }) => urlLink(url) },
    ],
    lost.slice(0, ROWS),
  );
  const rest = html`<p><a href="${addressOf('/pages', { state: 'failed' })}">${TEXT.allFailed}</a></p>`;
  return html`${rows}${lost.length > ROWS && rest}`;
}

function counted(caption: string, rows: readonly (readonly [string, number])[]): Markup {
  return table(
    caption,
    [
      { head: TEXT.reason, cell: ([what]) => html`<bdi>${what}</bdi>` },
      { head: TEXT.urls, cell: ([, count]) => countText(count), isNumber: true },
    ],
    rows.slice(0, ROWS),
  );
}

function topHosts({ status: { topHosts: top, counts }, hosts }: CrawlSurvey): Markup {
  const waiting = new Map(hosts.map((one) => [one.host, one.waiting] as const));
  const rows = table(
    TEXT.topHosts,
    [
      { head: TEXT.host, cell: ({ host }) => html`<bdi>${host}</bdi>` },
      { head: TEXT.keptShort, cell: ({ kept }) => countText(kept), isNumber: true },
      { head: TEXT.visited, cell: ({ visited }) => countText(visited), isNumber: true },
      { head: TEXT.waiting, cell: ({ host }) => countText(waiting.get(host) ?? 0), isNumber: true },
      { head: TEXT.share, cell: ({ kept }) => (counts.kept === 0 ? '–' : percentText(kept / counts.kept)), isNumber: true },
    ],
    top,
  );
  const dominant = dominantHostOf(top, counts.kept);
  return html`<section><h2>${TEXT.topHosts}</h2>${rows}${dominant !== null && html`<p class="warning">${sentence(dominant)}</p>`}</section>`;
}

function largestFirst(counts: Readonly<Record<string, number>>): (readonly [string, number])[] {
  return Object.entries(counts).sort(([, a], [, b]) => b - a);
}
