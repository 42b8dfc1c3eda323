/** One call of a command of labels: the crawl is opened, the command works, the outcome is printed. */

import { EXIT } from '../../base/core/errors.ts';
import { printable } from '../../base/text/printable.ts';
import type { Labelled } from '../../crawling/crawl-dir/topic-part.ts';
import type { JudgingReport } from '../../study/label/judge/judge-crawl.ts';
import { AUDIT_MARGIN, missingForMargin } from '../../study/label/label-estimate.ts';
import type { Asking } from '../../study/label/labelling-options.ts';
import type { LabellingSession } from '../../study/label/labelling-session.ts';
import type { RelabelReport } from '../../study/label/retrain.ts';
import type { ImportReport } from '../../study/label/stored-import.ts';
import type { UndoReport } from '../../study/label/undo-retraining.ts';
import { codingLines, openLines } from './coding-text.ts';
import { given as onlyGiven, printJson, warn } from './command.ts';
import { disagreementLines, modelAnswerLines } from './judge-text.ts';
import { estimateLines } from './label-screen.ts';
import { onDamagedOf } from './skip-damaged.ts';
import { endWorking } from './working.ts';

/** The options that every command of labels has, some of them absent. */
export interface LabelCommandOptions {
  readonly dir: string;
  readonly at?: string;
  readonly topicName?: string;
  readonly name?: string;
  readonly rngSeed?: number;
  readonly skipDamaged?: boolean;
  readonly json?: boolean;
}

/** Result of a session. */
interface Outcome {
  answered: number;
  interrupted: boolean;
  imported: ImportReport | null;
  /** Number of pages answered n with their host or directory. */
  noneOf: number | null;
  judging: JudgingReport | null;
  relabelled: RelabelReport | null;
  /** Was the running crawl asked to train? */
  trainingRequested: boolean;
  /** Reason why the topic was not trained again at the end; null if it was, or if training was not wanted. */
  notTrained: string | null;
  undone: UndoReport | null;
}

export interface LabelSession {
  readonly labelling: LabellingSession;
  readonly dir: string;
  /** Directory, and the topic of several, as commands name them. */
  readonly crawl: Labelled;
  /** Results so far; the command sets them. */
  readonly outcome: Outcome;
  readonly json: boolean;
  /** Prints pages and results. */
  readonly say: (line: string) => void;
}

/**
 * Runs one command; the crawl of a database is gathered first, and its workers follow the new model.
 * @param asking pages to ask about
 * @returns the exit code
 */
export async function inLabelSession(
  given: LabelCommandOptions,
  asking: Asking,
  work: (session: LabelSession) => Promise<void>,
): Promise<number> {
  const { dir, at } = given;
  if (at === undefined) return labelAlone(given, asking, work, given.json === true);
  const { exitOf, gatherShown } = await import('./runs/gather.ts');
  const gathered = await gatherShown(dir, at);
  if (gathered === null) return EXIT.interrupted;
  const code = await labelAlone(given, asking, work, given.json === true);
  const { shareModel } = await import('../app/shared-settings.ts');
  const { model } = await shareModel({ dir, at });
  if (model !== null) warn(`all workers now follow the model ${model}`);
  return code || exitOf(gathered);
}

/** Runs one command on a crawl in its own directory. @param printsOutcome as JSON */
export async function labelAlone(
  given: LabelCommandOptions,
  asking: Asking,
  work: (session: LabelSession) => Promise<void>,
  printsOutcome: boolean,
): Promise<number> {
  const { LabellingSession } = await import('../../study/label/labelling-session.ts');
  const { dir, topicName, name, rngSeed, skipDamaged, json = false } = given;
  const options = { dir, warn, ...onDamagedOf(skipDamaged), ...asking, ...onlyGiven({ topicName, name, rngSeed }) };
  const labelling = await LabellingSession.open(options);
  try {
    const session = { labelling, dir, crawl: { dir, topicName }, outcome: emptyOutcome(), json, say: sayTo(outputOf(json)) };
    await work(session);
    if (printsOutcome) printOutcome(session);
    if (session.outcome.interrupted) return EXIT.interrupted;
    return session.outcome.judging?.stop === 'server' ? EXIT.environment : EXIT.done;
  } finally {
    await labelling.close();
  }
}

/** Stream of pages and results. Standard output has only the outcome of `--json`. */
export function outputOf(json: boolean): NodeJS.WriteStream {
  return json ? process.stderr : process.stdout;
}

export function sayTo(output: NodeJS.WriteStream): (line: string) => void {
  return (line) => {
    endWorking();
    output.write(`${printable(line)}\n`);
  };
}

function emptyOutcome(): Outcome {
  return {
    answered: 0,
    interrupted: false,
    imported: null,
    noneOf: null,
    judging: null,
    relabelled: null,
    trainingRequested: false,
    notTrained: null,
    undone: null,
  };
}

/** The state of the labels. @param estimates of an audit; default: those of all queues */
export function sayLabels(
  { labelling: { answers, judge, training }, crawl, say, json }: LabelSession,
  estimates?: readonly string[],
): void {
  if (json) return;
  for (const line of [...codingLines(crawl, answers.codingFacts), ...openLines(answers.coding.disagreements)]) say(line);
  const { facts, disagreements } = judge;
  if (facts !== null) for (const line of [...modelAnswerLines(crawl, facts), ...disagreementLines(disagreements)]) say(line);
  for (const line of estimates ?? estimateLines(answers.estimate(), training.harvested())) say(line);
}

/** All results in one line; the card of the new model describes the model. */
function printOutcome({ labelling: { answers, judge }, dir, outcome }: LabelSession): void {
  const { answered, imported, noneOf, judging, relabelled, trainingRequested, notTrained, undone } = outcome;
  const { counts, coding } = answers;
  const { agreements, alpha, disagreements: personDisagreements } = coding;
  const { facts: modelAnswers, disagreements } = judge;
  const estimate = answers.estimate();
  const { card, effect, ...rest } = relabelled ?? { card: null, effect: null };
  const shown = relabelled && { ...rest, validation: card?.validation, effect: effect && { ...effect, margins: undefined } };
  const audit = { margin: AUDIT_MARGIN, missing: missingForMargin(estimate.kept, AUDIT_MARGIN) };
  const measured = { labels: counts, agreements, alpha, personDisagreements, modelAnswers, disagreements, estimate, audit };
  printJson({ dir, answered, imported, noneOf, judging, ...measured, relabelled: shown, trainingRequested, notTrained, undone });
}
