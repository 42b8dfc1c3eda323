import { failureText } from '../../../base/core/failure-words.ts';
import { refusalText } from '../../../base/core/refusal-words.ts';
import { stateMeaning } from '../../../base/core/state-words.ts';
import { commandOn } from '../../../base/text/forager-command.ts';
import { counted, countText } from '../../../base/text/number-text.ts';
import { wishesLine } from '../../../base/text/wishes-text.ts';
import { codeFailureLines } from '../../../study/inspect/code-failures.ts';
import { continueCommand } from '../../../study/inspect/continue-command.ts';
import { originLine } from '../../../study/inspect/crawl-origin.ts';
import { failedVisitsText } from '../../../study/inspect/failed-visits.ts';
import { notActivatedText } from '../../../study/inspect/grounds-words.ts';
import { dominantHostOf } from '../../../study/inspect/host-dominance.ts';
import { recallLines } from '../../../study/inspect/recall-text.ts';
import { refusedDocumentLines } from '../../../study/inspect/refused-documents-text.ts';
import { renderedLines } from '../../../study/inspect/rendering-text.ts';
import { roomLines } from '../../../study/inspect/resources-text.ts';
import { roundLine } from '../../../study/inspect/round-facts.ts';
import { sinceLine } from '../../../study/inspect/since-counts.ts';
import { sinkLine } from '../../../study/inspect/sink-facts.ts';
import type { CrawlStatus } from '../../../study/inspect/status.ts';
import { crawlStateText } from '../../../study/inspect/stop-reason-text.ts';
import { wallLines } from '../../../study/inspect/walls-text.ts';
import { codingLines } from '../coding-text.ts';
import { print, printJson } from '../command.ts';
import type { CommandOptions } from '../define.ts';
import { excludedLines } from '../excluded-text.ts';
import { doubtLine, exampleHostsLine, harvestRateText, precisionLines, questionsText, saturationLine } from '../grounds-text.ts';
import { modelAnswerLines } from '../judge-text.ts';
import { keptBesideText } from '../label-screen.ts';
import { outlookLines } from '../outlook-text.ts';
import { revisitLines } from '../revisit-text.ts';
import { topicText, yieldText } from '../topic-text.ts';
import { lostSeedLines, recentFailureLines } from '../trouble-text.ts';

export async function runStatus(options: CommandOptions<'status'>): Promise<number> {
  if (options.partitions !== undefined)
    return (await import('./partitions.ts')).runPartitions(options.dir, options.partitions, options.json);
  const { status } = await import('../../../study/inspect/status.ts');
  const found = await status(options.dir);
  if (options.json) printJson(found);
  else describe(found);
  return 0;
}

/** Number of reasons shown for parked URLs. */
const PARKED = 10;
/** Number of given up hosts shown. */
const HOSTS = 10;

function describe(status: CrawlStatus): void {
  const { dir, topic, relabelled, keptBeside, strategy, stopReason, counts, harvestRate, tunnelled, reasons, states, topHosts } = status;
  const topics = status.topics.length > 0 ? `${status.topics.length} topics` : topicText(topic);
  print(`${dir}: ${topics}, strategy ${strategy}, ${crawlStateText(stopReason)}`);
  for (const fault of status.faults) print(`DAMAGED: ${fault}; ${commandOn('verify', dir)} names all damage`);
  const last = relabelled.at(-1);
  const ofKept = last ? ` at the time, ${countText(counts.kept - status.keptOffTopic)} of them on topic by the active model` : '';
  print(
    `visited ${countText(counts.visited)}, kept ${countText(counts.kept)} by the model${ofKept}; ${harvestRateText(harvestRate, status.doubts)}; ${counted(tunnelled, 'kept page')} reached through off-topic ones`,
  );
  const failed = failedVisitsText(counts.visited, status.failures);
  if (failed !== null) print(failed);
  for (const line of excludedLines(dir, status.excludedByNot)) print(line);
  for (const one of status.topics) print(yieldText(one, status.doubts));
  const doubt = doubtLine(dir, status.doubts, status.topics.length > 0);
  if (doubt !== null && counts.visited > 0) print(doubt);
  const asks = questionsText(dir, status.questions, status.topics.length > 0);
  if (asks !== null) print(asks);
  const saturation = saturationLine(dir, status.saturation, status.topics.length > 0);
  if (saturation !== null) print(saturation);
  const unvisited = exampleHostsLine(status.exampleHosts);
  if (unvisited !== null && counts.visited > 0) print(unvisited);
  if (counts.kept > 0) for (const line of precisionLines(dir, status)) print(line);
  for (const line of codedLines(status)) print(line);
  for (const line of wayLines(status)) print(line);
  if (status.modelAnswers !== null) for (const line of modelAnswerLines({ dir: status.dir }, status.modelAnswers)) print(line);
  for (const line of revisitLines(status)) print(line);
  if (last) for (const line of labelledLines(status, last)) print(line);
  if (keptBeside !== null) print(`${notActivatedText(keptBeside)}: ${keptBesideText(dir, keptBeside.id)}`);
  for (const { name, keptBeside: beside } of status.topics)
    if (beside !== null) print(`${name}: ${notActivatedText(beside)}: ${keptBesideText(dir, beside.id, { dir, topicName: name })}`);
  if (status.recall !== null) for (const line of recallLines(dir, status.recall)) print(line);
  for (const line of [...outlookLines(status)]) print(line);
  print(`discovered ${countText(counts.discovered)} on ${counted(counts.hosts, 'host')}:`);
  for (const [state, n] of largestFirst(states)) {
    print(`  ${state.padEnd(26)} ${countText(n).padStart(9)}${behind(stateMeaning(state))}`);
    for (const [reason, m] of largestFirst(reasons).filter(([key]) => key.startsWith(`${state}:`)))
      print(
        `    ${reason.slice(state.length + 1).padEnd(24)} ${countText(m).padStart(9)}${behind(meaning(state, reason.slice(state.length + 1)))}`,
      );
  }
  for (const line of [
    ...recentFailureLines(status),
    ...lostSeedLines(status),
    ...renderedLines(status.rendered),
    ...wallLines(status),
    ...refusedDocumentLines(dir, status.documents),
    ...roomLines(status.room),
  ])
    print(line);
  describeRetried(status);
  describeParked(status);
  describeGivenUp(status);
  const visitedHosts = topHosts.filter(({ visited }) => visited > 0);
  if (visitedHosts.length > 0) print('hosts by kept pages:');
  for (const { host, kept, visited } of visitedHosts)
    print(`  ${countText(kept).padStart(7)} kept of ${countText(visited).padStart(7)} visited  ${host}`);
  const dominant = dominantHostOf(topHosts, counts.kept);
  if (dominant !== null) print(dominant);
}

/** Failures of code of the user, the start of the crawl, its rounds, and the way of its records to a sink. */
function wayLines({ from, round, since, sink, codeFailures }: CrawlStatus): string[] {
  return [
    ...codeFailureLines(codeFailures),
    ...(from === null ? [] : [originLine(from)]),
    ...(round === null ? [] : [roundLine(round)]),
    ...(since === null ? [] : [sinceLine(since)]),
    ...(sink === null ? [] : [sinkLine(sink)]),
  ];
}

/** Agreement of the people who labelled the crawl, or each of its topics. */
function codedLines({ dir, topics, coding }: CrawlStatus): string[] {
  if (topics.length === 0) return codingLines({ dir }, coding);
  return topics.flatMap(({ name, coding: ofTopic }) => codingLines({ dir, topicName: name }, ofTopic).map((line) => `${name}: ${line}`));
}

/** The reason in words, behind the one that `--reason` takes. */
function meaning(state: string, reason: string): string {
  if (state === 'kept') return reason === 'alternate' ? 'in a language that the model cannot read, with their page' : '';
  return state === 'refused' ? refusalText(reason) : '';
}

/** An explanation behind a count. */
function behind(text: string): string {
  return text === '' ? '' : `  ${text}`;
}

/** The origin of the active model, and the figures that are not its own. */
function labelledLines(
  { keptOffTopic, counts: { reopened } }: CrawlStatus,
  { topic, labels, from, at, undone, tangent, wishes }: CrawlStatus['relabelled'][number],
): string[] {
  const model = topic === undefined ? 'this model' : `the model of ${topic}`;
  return [
    ...wishesLine(wishes?.active ?? []),
    tangent
      ? `a tangent: this model replaced ${from}, that of the crawl it started from, at ${at}`
      : undone
        ? `labelled: the last training was undone, and ${model} replaced ${from} again at ${at}`
        : wishes?.changed
          ? `steered: ${model} has other wishes about subtopics than ${from}, which it replaced at ${at}`
          : `labelled: ${counted(labels, 'label')} trained ${model}, which replaced ${from} at ${at}`,
    `  ${counted(keptOffTopic, 'kept page is', 'kept pages are')} off topic by ${topic === undefined ? 'it' : 'the models'}, so a harvest omits ${keptOffTopic === 1 ? 'it' : 'them'}; below, kept counts all pages in the corpus`,
    ...(reopened > 0
      ? [
          `  ${counted(reopened, 'page is', 'pages are')} on topic by ${topic === undefined ? 'it' : 'the models'} but not in the corpus, so the crawl requests ${reopened === 1 ? 'it' : 'them'} again; below, ${reopened === 1 ? 'it is' : 'they are'} called reopened`,
        ]
      : []),
  ];
}

/** Waiting URLs that the crawl does not request, and how to try them. */
function describeParked({ dir, parked, stopReason, counts }: CrawlStatus): void {
  const reasons = largestFirst(parked);
  if (reasons.length === 0) return;
  print('parked, URLs by reason:');
  for (const [reason, n] of reasons.slice(0, PARKED)) print(`  ${countText(n).padStart(9)}  ${reason}`);
  if (reasons.length > PARKED) print(`  and ${countText(reasons.length - PARKED)} more: ${commandOn('ledger', dir, '--state', 'parked')}`);
  if (reasons.some(([reason]) => reason.startsWith('pattern ')))
    print(`  to try them again: ${continueCommand(dir, stopReason, counts.visited, '--unpark', 'all')}, or --unpark '<pattern>'`);
}

/** Hosts whose requests failed and are tried again, with the cause: the crawl waits for them. */
function describeRetried({ retried, stopReason }: CrawlStatus): void {
  if (retried.length === 0) return;
  const running = stopReason === 'running';
  print(`hosts with failed requests; their URLs are tried again${running ? '' : ' when the crawl resumes'}:`);
  for (const { host, waiting, reason, attempts, notBefore, givenUp } of retried.slice(0, HOSTS))
    print(
      `  ${host}: ${failureText(reason)} (${reason}); tried ${counted(attempts, 'time')}${running ? `, next try at ${notBefore}, given up at ${givenUp} or later` : ''}; ${counted(waiting, 'URL waits', 'URLs wait')}`,
    );
  if (retried.length > HOSTS) print(`  and ${countText(retried.length - HOSTS)} more hosts`);
}

/** Hosts whose URLs wait for another run. */
function describeGivenUp({ dir, givenUp, stopReason, counts }: CrawlStatus): void {
  if (givenUp.length === 0) return;
  print('hosts given up for this run: for a quarter of an hour they failed or asked for pauses. URLs that wait:');
  for (const { host, waiting } of givenUp.slice(0, HOSTS)) print(`  ${countText(waiting).padStart(9)}  ${host}`);
  if (givenUp.length > HOSTS) print(`  and ${countText(givenUp.length - HOSTS)} more hosts`);
  print(`  the next run asks them again: ${continueCommand(dir, stopReason, counts.visited)}`);
}

function largestFirst(counts: Readonly<Record<string, number>>): (readonly [string, number])[] {
  return Object.entries(counts).sort(([, a], [, b]) => b - a);
}
