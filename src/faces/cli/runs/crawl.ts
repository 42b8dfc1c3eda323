import { EXIT } from '../../../base/core/errors.ts';
import type { CrawlEvent } from '../../../base/core/parts/crawl-events.ts';
import type { FrontierCounts } from '../../../base/core/parts/queueing.ts';
import { commandOn, foragerCommand, outWords } from '../../../base/text/forager-command.ts';
import { counted, countText } from '../../../base/text/number-text.ts';
import { sentence } from '../../../base/text/sentence.ts';
import { Blank } from '../../../base/text/shell-line.ts';
import { codeFailureLines } from '../../../study/inspect/code-failures.ts';
import { continueCommand, hasMore } from '../../../study/inspect/continue-command.ts';
import { failedVisitsText } from '../../../study/inspect/failed-visits.ts';
import { type FailureCounts, FailureTally } from '../../../study/inspect/failure-counts.ts';
import { recallLines } from '../../../study/inspect/recall-text.ts';
import { refusedDocumentLines } from '../../../study/inspect/refused-documents-text.ts';
import { renderedLines } from '../../../study/inspect/rendering-text.ts';
import { roundLine } from '../../../study/inspect/round-facts.ts';
import { sinceLine } from '../../../study/inspect/since-counts.ts';
import { sinkLine } from '../../../study/inspect/sink-facts.ts';
import { crawlStateText, endText } from '../../../study/inspect/stop-reason-text.ts';
import { nothingKeptLine, wallLines } from '../../../study/inspect/walls-text.ts';
import type { CrawlReport } from '../../app/crawl-options.ts';
import { print, printJson, warn } from '../command.ts';
import type { CommandOptions } from '../define.ts';
import { endsText } from '../ends-text.ts';
import { excludedLines } from '../excluded-text.ts';
import { doubtLine, exampleHostsLine, harvestRateText, needsText, precisionLines, questionsText, saturationLine } from '../grounds-text.ts';
import { onInterrupt } from '../interrupt.ts';
import { retrainedText } from '../label-screen.ts';
import { keysFromEnvironment } from '../output-environment.ts';
import { etaText, Progress, rateText } from '../progress.ts';
import { revisitText } from '../revisit-text.ts';
import { SeedTroubles } from '../seed-troubles.ts';
import { onDamagedOf } from '../skip-damaged.ts';
import { yieldText } from '../topic-text.ts';
import { lostSeedLines } from '../trouble-text.ts';
import { waitingText } from '../visits-text.ts';

export async function runCrawlCommand({ json, skipDamaged, page: address, ...options }: CommandOptions<'crawl'>): Promise<number> {
  const startedAt = Date.now();
  const { crawl } = await import('../../app/run-crawl.ts');
  let progress: Progress | null = null;
  const tell = (message: string) => {
    clearLineOf(progress);
    warn(message);
  };
  const failures = new FailureTally();
  let revisits = 0;
  // A log on standard error has all of that too, and must stay a log of JSON lines.
  const isQuiet = options.log === '-';
  const troubles = new SeedTroubles(Date.now);
  const stop = new AbortController();
  const shown = address === undefined ? null : await openPageOf(options, address, startedAt, () => stop.abort());
  const interrupt = onInterrupt(isQuiet ? null : `${sentence(crawlStateText('stopping'))} Press Ctrl-C again to stop at once.`);
  if (shown !== null) tell(`page: ${shown.page.url}`);
  try {
    const report = await crawl({
      ...options,
      ...onDamagedOf(skipDamaged),
      environment: process.env,
      ...keysFromEnvironment(),
      signal: AbortSignal.any([interrupt.signal, stop.signal]),
      ...(shown?.page.monitor && { mayFetch: shown.run.mayFetch, monitor: shown.page.monitor }),
      onMetrics: (origin) => {
        if (!isQuiet) tell(`metrics: ${origin}/metrics, ${origin}/health, ${origin}/visits`);
      },
      onEvent: (event) => {
        shown?.page.take(event);
        if (event.type === 'settled') failures.add({ ...event, state: event.fate });
        if (event.type === 'settled' && event.settlement === 'revisited') revisits += 1;
        const message = messageOf(options.dir, event) ?? troubles.take(event);
        if (message !== null && !isQuiet) tell(message);
      },
      onStart: (running) => {
        const { counts, visits, needs, acted } = running;
        shown?.run.opened(running);
        interrupt.signal.addEventListener('abort', () => acted('stop', 'signal'), { once: true });
        const before = counts().visited;
        // A continuous crawl does not end with its last new page.
        const most = options.continuous ? null : finite(options.maxPages);
        const facts = () => progressLine({ ...counts(), revisits }, before, most, Date.now() - startedAt, failures.counts());
        const line = () => troubles.beside(facts() + needsText(options.dir, needs()), counts());
        if (!isQuiet) progress = new Progress(() => (interrupt.signal.aborted ? waitingText(visits(), Date.now()) : line()));
      },
    });
    closeOf(progress);
    if (json) printJson(report);
    else describe(report);
    return exitCodeOf(report);
  } catch (error) {
    if (interrupt.signal.aborted && error === interrupt.signal.reason) return EXIT.interrupted;
    throw error;
  } finally {
    closeOf(progress);
    await shown?.page.close();
    interrupt.close();
  }
}

/** The page of this run. Its code is loaded only if it is asked for. */
async function openPageOf(
  { dir, maxPages, maxTime }: Pick<CommandOptions<'crawl'>, 'dir' | 'maxPages' | 'maxTime'>,
  address: string,
  startedAt: number,
  stop: () => void,
) {
  const { openPage } = await import('../../web-ui/open-page.ts');
  const { InProcessRun } = await import('../../web-ui/in-process-run.ts');
  const time = finite(maxTime);
  const run = new InProcessRun({ maxPages: finite(maxPages), endsAt: time === null ? null : startedAt + time, stop });
  return { run, page: await openPage({ dir, address, run }) };
}

function finite(limit: number | undefined): number | null {
  return limit === undefined || !Number.isFinite(limit) ? null : limit;
}

function messageOf(dir: string, event: CrawlEvent): string | null {
  if (event.type === 'warning') return event.message;
  if (event.type === 'indexed') return `reading the archive: ${countText(event.captures)} captures so far, now in ${event.file}`;
  if (event.type === 'asked') return questionsText(dir, event.questions);
  return event.type === 'retrained' ? retrainedText(dir, event) : null;
}

/** A limit that was reached is a normal end. A machine without room is not, and neither is a crawl whose seeds all gave no page. */
function exitCodeOf({ stopReason, seedsWithPage, counts, worker }: CrawlReport): number {
  if (stopReason === 'interrupted') return EXIT.interrupted;
  if (stopReason === 'disk-full' || stopReason === 'low-memory') return EXIT.environment;
  // The seeds of a crawl on several machines may be of other workers.
  return seedsWithPage === 0 && counts.kept === 0 && !worker ? EXIT.noPage : EXIT.done;
}

function clearLineOf(progress: Progress | null): void {
  progress?.clearLine();
}

/** TypeScript does not see assignments made in callbacks. */
function closeOf(progress: Progress | null): void {
  progress?.close();
}

/** The time left comes early and the failures last: a narrow terminal cuts the end. */
export function progressLine(
  counts: Pick<FrontierCounts, 'visited' | 'kept' | 'waiting'> & { readonly revisits?: number },
  before: number,
  maxPages: number | null,
  ms: number,
  failures: FailureCounts,
): string {
  const { visited, kept, waiting, revisits = 0 } = counts;
  const done = visited - before;
  const total = maxPages === null ? null : Math.max(0, maxPages - before);
  const failed = failedVisitsText(done, failures, before > 0 ? ' of this run' : '');
  return [
    `visited ${countText(visited)}${maxPages === null ? '' : ` of ${countText(maxPages)}`}${etaText(done, total, ms)}`,
    `${countText(kept)} kept, ${countText(waiting)} waiting`,
    ...(revisits === 0 ? [] : [counted(revisits, 'revisit')]),
    rateText(done + revisits, ms),
    ...(failed === null ? [] : [failed]),
  ].join('; ');
}

function describe(report: CrawlReport): void {
  const { counts, dir, worker } = report;
  const why = endText(report.stopReason);
  if (worker) {
    print(`${why}: this worker visited ${countText(worker.visited)}, all workers ${countText(worker.visitedByAll)}`);
    print(`all:     ${foragerCommand('gather', new Blank('new folder'), '--at', worker.at)}`);
    return;
  }
  print(
    `${why}: ${countText(counts.visited)} visited, ${countText(counts.kept)} kept by the model; ${harvestRateText(report.harvestRate, report.doubts)}`,
  );
  print(endsText(report));
  const failed = failedVisitsText(counts.visited, report.failures);
  if (failed !== null) print(`${failed}${report.stopReason === 'max-pages' ? '; --max-pages counts failed visits too' : ''}`);
  for (const topic of report.topics) print(yieldText(topic, report.doubts));
  if (Object.keys(report.revisited).length > 0) print(revisitText(report.revisited));
  for (const line of excludedLines(dir, report.excludedByNot)) print(line);
  describeLost(report);
  for (const line of [...renderedLines(report.rendered), ...wallLines(report), ...refusedDocumentLines(dir, report.documents)]) print(line);
  for (const line of codeFailureLines(report.codeFailures)) print(line);
  if (report.round !== null) print(roundLine(report.round));
  if (report.since !== null) print(sinceLine(report.since));
  if (report.sink !== null) print(sinkLine(report.sink));
  if (report.recall !== null) for (const line of recallLines(dir, report.recall)) print(line);
  for (const line of continueLines(report)) print(line);
  print(`look:    ${commandOn('status', dir)}`);
  const one = report.topics.length > 0 ? ', for one of its topics with --topic-name <name>' : '';
  if (counts.kept > 0) print(`corpus:  ${commandOn('harvest', dir, ...outWords('harvest', dir))}${one}`);
  const doubt = doubtLine(dir, report.doubts, report.topics.length > 0);
  if (doubt !== null && counts.visited > 0) print(doubt);
  const asks = questionsText(dir, report.questions, report.topics.length > 0);
  if (asks !== null) print(asks);
  const saturation = saturationLine(dir, report.saturation, report.topics.length > 0);
  if (saturation !== null) print(saturation);
  const unvisited = exampleHostsLine(report.exampleHosts);
  if (unvisited !== null && counts.visited > 0) print(unvisited);
  if (counts.kept > 0) for (const line of precisionLines(dir, report)) print(line);
  const empty = nothingKeptLine(report, counts);
  if (empty !== null) print(empty);
}

/** A crawl should ignore links to such addresses, but the user means a seed. A refused seed is never requested in the same crawl. */
const PRIVATE_SEEDS = '; some are seeds: to request them, start a crawl in another directory with --allow-private';

/** The remedy before resuming, if the machine had no room. */
const REMEDY: Partial<Record<CrawlReport['stopReason'], string>> = {
  'disk-full': 'free some space first',
  'low-memory': 'give it more memory: NODE_OPTIONS=--max-old-space-size=<megabytes>',
};

/** Lines that say how to resume, if anything is left. */
function continueLines({ stopReason, dir, topics, counts }: CrawlReport): string[] {
  if (stopReason === 'drained' || stopReason === 'revisited') return [];
  if (stopReason === 'max-pages')
    return hasMore(counts)
      ? [`resume:  ${continueCommand(dir, stopReason, counts.visited)}`]
      : ['no waiting URL may be requested, so a larger budget adds nothing'];
  const remedy = REMEDY[stopReason];
  if (remedy !== undefined) return [`resume:  the same command again (without --force); ${remedy}`];
  if (stopReason === 'recall')
    return ['resume:  the same command again (without --force) with a higher --stop-recall, or --stop-recall none'];
  if (stopReason === 'rounds') return ['resume:  the same command again (without --force) with more --rounds'];
  if (stopReason !== 'low-yield') return ['resume:  the same command again (without --force)'];
  const label = topics.length > 0 ? '' : `${commandOn('label', dir)} trains the topic again; `;
  return [
    `other ways: ${label}${commandOn('seeds', dir)} lists pages that on-topic pages cite, as --seeds for this or a new crawl`,
    'resume:  the same command again (without --force) with a lower --stop-yield, or --stop-yield none; otherwise spend the requests elsewhere',
  ];
}

/** Pages missing because of the user's seeds or the scope of addresses, and the remedy. */
function describeLost({ lostSeeds, seedsWithPage, privateSeeds, privateAddresses, counts, dir }: CrawlReport): void {
  if (seedsWithPage === 0 && counts.kept === 0) print('no seed gave a page');
  for (const line of lostSeedLines({ lostSeeds, dir })) print(line);
  if (privateAddresses > 0) print(`private addresses refused: ${countText(privateAddresses)}${privateSeeds > 0 ? PRIVATE_SEEDS : ''}`);
}
