import { EXIT, UsageError } from '../../../base/core/errors.ts';
import { type OutputKind, publishFile, withOutput } from '../../../base/disk/output.ts';
import { counted, countText } from '../../../base/text/number-text.ts';
import { printable } from '../../../base/text/printable.ts';
import { type Labelled, labellingCommand } from '../../../crawling/crawl-dir/topic-part.ts';
import { adviceLine, refusedBy } from '../../../reading/topic/advice.ts';
import type { RelabelOptions } from '../../../study/label/activate-model.ts';
import type { JudgingReport } from '../../../study/label/judge/judge-crawl.ts';
import { missingText } from '../../../study/label/label-enough.ts';
import { AUDIT_MARGIN, type CrawlEstimate, missingForMargin } from '../../../study/label/label-estimate.ts';
import type { Labelling } from '../../../study/label/labelling.ts';
import type { JudgingOptions } from '../../../study/label/labelling-options.ts';
import type { RelabelReport } from '../../../study/label/retrain.ts';
import type { ImportReport } from '../../../study/label/stored-import.ts';
import type { UndoReport } from '../../../study/label/undo-retraining.ts';
import { type Answers, answersFrom } from '../answers.ts';
import { given as onlyGiven, printJson, warn } from '../command.ts';
import { type CommandOptions, command } from '../define.ts';
import { onInterrupt } from '../interrupt.ts';
import { agreementLines, disagreementLines, judgingLines, judgingProgressText, modelAnswerLines } from '../judge-text.ts';
import {
  auditLines,
  countsText,
  estimateLines,
  questionLines,
  relabelLines,
  type ScreenLayout,
  undoLines,
  upheavalText,
} from '../label-screen.ts';
import { clockText, Progress } from '../progress.ts';
import { onDamagedOf } from '../skip-damaged.ts';
import { clippedToWidth } from '../terminal-text.ts';
import { endWorking } from '../working.ts';

/** Reasons shown for and against. */
const SHOWN = 6;
/** Columns if standard output is not a terminal, the fewest that hold a reason, and the most that are easy to read. */
const WIDTH = 80;
const MIN_WIDTH = 30;
const MAX_WIDTH = 100;
/** Named URLs of a file of labels that the crawl does not have. */
const NAMED = 3;

export const labelCommand = command({
  name: 'label',
  groups: [
    ['Which pages to ask about', ['count', 'newHosts', 'noneOf', 'name', 'top', 'topicName']],
    ['Measure', ['audit']],
    ['Train', ['every', 'retrain', 'evenIfWorse', 'undoTraining', 'rngSeed']],
    ['Files of labels', ['labels', 'exportLabels']],
    ['A language model answers', ['judge', 'judgeUrl', 'judgeModel', 'judgeQuestion', 'judgeCalls', 'judgeTokens', 'judgeTime']],
  ],
  positionals: ['dir'],
  summary: 'label pages of a crawl, and train its topic again',
  examples: [
    ['$0 label crawls/moss --count 30', 'answer y, n, s(kip), u(ndo) or q(uit) with one key each'],
    ["printf 'y\\nn\\nq\\n' | $0 label crawls/moss", 'answers from a pipe, one a line'],
    ['$0 label crawls/moss --audit 30', 'measure the precision of the corpus, and train nothing'],
    ['$0 label crawls/bog --topic-name peat', 'label one topic of a crawl of several'],
    ['$0 label crawls/moss --labels labels.csv', 'take over labels made elsewhere, and train again'],
    ['$0 label crawls/moss --none-of forum.example.org', 'answer n for all pages of a host'],
    ['$0 label crawls/moss --judge openai --judge-model qwen2.5', 'let a language model answer 300 pages'],
  ],
  run,
});

interface Options {
  readonly dir: string;
  /** As commands name it: the directory, and the topic of several. */
  readonly crawl: Labelled;
  readonly count: number;
  readonly every: number;
  /** Number of kept pages to draw; undefined without an audit. */
  readonly audit: number | undefined;
  readonly labels: string | undefined;
  /** File to write. */
  readonly exportTo: string | undefined;
  /** Host or directory without a page on topic. */
  readonly noneOf: string | undefined;
  readonly asks: boolean;
  /** The language model that answers; null if a person does. */
  readonly judge: JudgingOptions | null;
  readonly retrains: boolean;
  /** Did the user ask for training by name? Then a lack is an error. */
  readonly mustTrain: boolean;
  readonly evenIfWorse: boolean;
  readonly undoes: boolean;
  readonly screen: ScreenLayout;
  /** Prints pages and results. */
  readonly say: (line: string) => void;
  readonly json: boolean;
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
  /** Why the topic was not trained again at the end; null if it was, or if training was not wanted. */
  notTrained: string | null;
  undone: UndoReport | null;
}

async function run(given: CommandOptions<'label'>): Promise<number> {
  const { dir, at } = given;
  if (at === undefined) return labelPages(given, given.json === true);
  await refuseEarly(given);
  const { exitOf, gatherShown } = await import('./gather.ts');
  const gathered = await gatherShown(dir, at);
  if (gathered === null) return EXIT.interrupted;
  const code = await labelPages(given, given.json === true);
  const { shareModel } = await import('../../app/shared-settings.ts');
  const { model } = await shareModel({ dir, at });
  if (model !== null) warn(`all workers now follow the model ${model}`);
  return code || exitOf(gathered);
}

/** Refuses wrong options and a wrong file of answers, before a gather changes the directory. @throws UsageError, DataError */
async function refuseEarly(given: CommandOptions<'label'>): Promise<void> {
  optionsOf(given);
  if (given.labels === undefined) return;
  const { readLabels } = await import('../../../study/label/label-import.ts');
  readLabels(given.labels);
}

/** The command. @param printsOutcome as JSON */
export async function labelPages(given: CommandOptions<'label'>, printsOutcome: boolean): Promise<number> {
  const options = optionsOf(given);
  const { Labelling } = await import('../../../study/label/labelling.ts');
  const labelling = await Labelling.open({
    dir: options.dir,
    warn,
    ...onDamagedOf(given.skipDamaged),
    ...(options.audit !== undefined && { audit: options.audit }),
    ...onlyGiven({ topicName: given.topicName, newHosts: given.newHosts, name: given.name }),
    ...(given.rngSeed !== undefined && { rngSeed: given.rngSeed }),
  });
  try {
    const outcome = await session(labelling, options);
    if (printsOutcome) printOutcome(labelling, labelling.estimate(), outcome, options.dir);
    if (outcome.interrupted) return EXIT.interrupted;
    return outcome.judging?.stop === 'server' ? EXIT.environment : EXIT.done;
  } finally {
    await labelling.close();
  }
}

function optionsOf(given: CommandOptions<'label'>): Options {
  const { dir, count, every, audit, labels, retrain, evenIfWorse = false, undoTraining: undoes = false, top, json = false } = given;
  if (undoes && (retrain !== undefined || labels !== undefined))
    throw new UsageError('--undo-training: cannot be combined with --retrain, --no-retrain or --labels; give it alone');
  if (evenIfWorse && (retrain === false || undoes))
    throw new UsageError('--even-if-worse: applies to training again; omit --no-retrain or --undo-training');
  if (audit !== undefined && [count, every, labels, retrain, given.evenIfWorse, given.undoTraining].some((other) => other !== undefined))
    throw new UsageError(
      '--audit: only measures, so it cannot be combined with --count, --every, --labels, --retrain, --no-retrain, --even-if-worse or --undo-training; omit these',
    );
  if (
    given.noneOf !== undefined &&
    [count, every, audit, labels, given.judge, given.newHosts, given.undoTraining].some((other) => other !== undefined)
  )
    throw new UsageError(
      '--none-of: asks nothing, so it cannot be combined with --count, --every, --audit, --labels, --judge, --new-hosts or --undo-training; omit these',
    );
  if (
    given.exportLabels !== undefined &&
    [count, every, audit, labels, retrain, given.judge, given.newHosts, given.noneOf, given.undoTraining].some(
      (other) => other !== undefined,
    )
  )
    throw new UsageError('--export-labels: only writes a file, so it cannot be combined with options that ask or train; omit these');
  if (given.newHosts === true && [audit, labels, given.judge, given.undoTraining].some((other) => other !== undefined))
    throw new UsageError('--new-hosts: cannot be combined with --audit, --labels, --judge or --undo-training; omit these');
  if (given.judge !== undefined && [every, audit, labels, given.undoTraining].some((other) => other !== undefined))
    throw new UsageError('--judge: cannot be combined with --every, --audit, --labels or --undo-training; omit these');
  if (given.judge !== undefined && retrain === true)
    throw new UsageError('--judge: trains at the end anyway; omit --retrain, or give --no-retrain to store answers only');
  const output = json ? process.stderr : process.stdout;
  return {
    dir,
    crawl: { dir, topicName: given.topicName },
    count: count ?? Number.POSITIVE_INFINITY,
    every: every ?? Number.POSITIVE_INFINITY,
    audit,
    labels,
    noneOf: given.noneOf,
    exportTo: given.exportLabels,
    asks:
      retrain !== true &&
      !undoes &&
      labels === undefined &&
      given.noneOf === undefined &&
      given.exportLabels === undefined &&
      given.judge === undefined,
    judge: given.judge === undefined ? null : judgeOf(given),
    retrains: retrain !== false && given.exportLabels === undefined && !undoes && audit === undefined,
    mustTrain: retrain === true,
    evenIfWorse,
    undoes,
    screen: {
      // A terminal that does not know its size reports 0.
      width: Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, output.columns || WIDTH)),
      // no-color.org: any value except the empty one.
      colours: output.isTTY === true && !process.env['NO_COLOR'],
      top: top ?? SHOWN,
    },
    say: (line) => {
      endWorking();
      output.write(`${printable(line)}\n`);
    },
    json,
  };
}

/** Can others on the way read it? */
function isReadable(url: string): boolean {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' };
  return protocol === 'http:' && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}

/** Server, model and budgets. @throws UsageError if the server or the model is not named */
function judgeOf(given: CommandOptions<'label'>): JudgingOptions {
  const { judgeUrl = process.env['OPENAI_BASE_URL'] ?? '', judgeModel } = given;
  if (judgeUrl === '')
    throw new UsageError('--judge: no server is named; give --judge-url, such as http://localhost:11434/v1, or set OPENAI_BASE_URL');
  if (judgeModel === undefined) throw new UsageError('--judge: no model is named; give --judge-model, as the server calls it');
  const { judgeQuestion, judgeCalls, judgeTokens, judgeTime, count } = given;
  const judgeKey = process.env['OPENAI_API_KEY'];
  if (judgeKey && isReadable(judgeUrl))
    warn('warning: the key and the pages go to the server without encryption; give an https address to --judge-url');
  return { judgeUrl, judgeModel, ...onlyGiven({ judgeQuestion, judgeCalls, judgeTokens, judgeTime, count, judgeKey }) };
}

async function session(labelling: Labelling, options: Options): Promise<Outcome> {
  const outcome: Outcome = {
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
  if (options.undoes) await undoTraining(labelling, options, outcome);
  if ((options.asks || options.judge !== null) && options.retrains && !labelling.trainable)
    warn(
      `${options.dir}: its model has no training data, so answers are only stored; copy training.bin.gz from the model's own folder into ${labelling.modelFolder}, or use the answers in a crawl with a new topic (label --labels)`,
    );
  if (options.labels !== undefined) {
    outcome.imported = await labelling.import(options.labels);
    tellImport(outcome.imported, options);
  }
  if (options.exportTo !== undefined) await exportLabels(labelling, options.exportTo, options);
  if (options.noneOf !== undefined) {
    outcome.noneOf = await labelling.noneOf(options.noneOf);
    if (!options.json) options.say(`${counted(outcome.noneOf, 'page')} of ${options.noneOf} answered n`);
  }
  if (options.asks) await askAll(labelling, options, outcome);
  if (options.judge !== null) await askModel(labelling, options.judge, options, outcome);
  if (!options.json && !options.undoes) tellLabels(labelling, outcome, options);
  if (outcome.interrupted || !options.retrains) return outcome;
  const lack = lackOf(labelling, options);
  if (lack === null) await relabel(labelling, options, outcome);
  else if (outcome.relabelled === null) outcome.notTrained = lack;
  if (outcome.notTrained !== null && !options.json) options.say(`not trained again: ${outcome.notTrained}`);
  return outcome;
}

/** Let a language model answer until its number of pages or its budget is reached. */
async function askModel(labelling: Labelling, judge: JudgingOptions, { say, json }: Options, outcome: Outcome): Promise<void> {
  const interrupt = onInterrupt('Ending: the answers of the language model are stored.');
  const startedAt = Date.now();
  let at = judgingProgressText({ answered: 0, failed: 0, calls: 0, tokens: 0 });
  const progress = new Progress(() => `${at}; ${clockText(Date.now() - startedAt)}`);
  try {
    const onProgress: JudgingOptions['onProgress'] = (state) => {
      at = judgingProgressText(state);
    };
    outcome.judging = await labelling.judge({ ...judge, onProgress, signal: interrupt.signal });
  } finally {
    progress.close();
    interrupt.close();
  }
  const { stop, failure } = outcome.judging;
  outcome.interrupted = stop === 'interrupted';
  if (!json) for (const line of judgingLines(outcome.judging)) say(line);
  else if (stop === 'server' && failure !== null) warn(failure);
}

/** Ask until the count is reached, all pages are labelled, or the person ends the session; train again in between if the options say so. */
async function askAll(labelling: Labelling, options: Options, outcome: Outcome): Promise<void> {
  const interrupt = onInterrupt('Ending: the answers given are stored.');
  const answers = answersFrom(process.stdin, interrupt.signal, (what) =>
    process.stderr.write(`\n${clippedToWidth(JSON.stringify(what), MIN_WIDTH)} is not an answer: y yes, n no, s skip, u undo, q quit: `),
  );
  try {
    let trainAt = options.every;
    while (outcome.answered < options.count && (await askOne(labelling, options, outcome, answers)) === null) {
      if (outcome.answered < trainAt || outcome.answered >= options.count) continue;
      trainAt = outcome.answered + options.every;
      answers.suspend();
      if (options.retrains && lackOf(labelling, options) === null) await relabel(labelling, options, outcome);
    }
  } finally {
    answers.close();
    interrupt.close();
  }
}

/** Why a session ends before its count is reached. */
type End = 'quit' | 'all';

/** Show a page and store the answer. @returns why the session ends, or null. */
async function askOne(
  labelling: Labelling,
  { screen, say, json, audit }: Options,
  outcome: Outcome,
  answers: Answers,
): Promise<End | null> {
  const question = await labelling.next();
  if (question === null) {
    if (audit === undefined) say('No page is left to ask about: all judged pages of the crawl are labelled or skipped.');
    else if (labelling.audited < audit) say('No kept page is left to draw.');
    return 'all';
  }
  endWorking();
  // In one piece; the prompt has no line feed.
  (json ? process.stderr : process.stdout).write(questionLines(question, outcome.answered + 1, labelling.counts, screen).join('\n'));
  const reply = await answers.next();
  say(`${reply}\n`);
  if (reply === 'quit') return 'quit';
  if (reply === 'interrupt') {
    outcome.interrupted = true;
    return 'quit';
  }
  if (reply === 'undo') {
    if (await labelling.undo()) outcome.answered -= 1;
    else say('There is no answer to take back.');
    return null;
  }
  await labelling.answer(reply);
  outcome.answered += 1;
  return null;
}

/** Why the topic is not trained again; null if it is. With --retrain, training itself reports a lack as an error. */
function lackOf(labelling: Labelling, { asks: asksPerson, judge, mustTrain, evenIfWorse }: Options): string | null {
  const asks = asksPerson || judge !== null;
  const { counts, unused, undone, keptBeside, trainable, missing } = labelling;
  const again = keptBeside && evenIfWorse;
  if (!again && counts.yes + counts.no === 0) return 'no page is labelled y or n';
  if (!again && !unused) return 'the active model was already trained with all labels';
  if (asks && !trainable) return 'the model has no training data';
  if (asks && undone) return 'the last training was undone, and there are no answers since; --retrain trains with the stored ones';
  if (asks && keptBeside && !evenIfWorse)
    return 'the last trained model is kept beside as worse, and there are no answers since; --retrain --even-if-worse activates it';
  if (missing !== null && !mustTrain)
    return `the answers are stored, and ${missingText(missing)} are needed; until then the model stays as it is`;
  return null;
}

/** Shows progress during `work`. */
async function withProgress<T>(first: string, work: (options: RelabelOptions) => Promise<T>): Promise<T> {
  const startedAt = Date.now();
  let at = first;
  const progress = new Progress(() => `${at}; ${clockText(Date.now() - startedAt)}`);
  try {
    return await work({
      warn,
      onProgress: (step, done) => {
        at = done === 0 ? step : `${step}, ${countText(done)}`;
      },
    });
  } finally {
    progress.close();
  }
}

async function relabel(labelling: Labelling, options: Options, outcome: Outcome): Promise<void> {
  if (labelling.isRunning) {
    outcome.trainingRequested = true;
    const { crawl, json } = options;
    const sees = await labelling.requestTraining();
    const text = sees
      ? 'the running crawl trains with the answers; it sees them within ten visits'
      : `the crawl has ended meanwhile; its next run trains with the answers, or this command: ${labellingCommand(crawl, '--retrain')}`;
    if (!json) options.say(text);
    return;
  }
  outcome.relabelled = await withProgress('training', (given) => labelling.relabel({ ...given, evenIfWorse: options.evenIfWorse }));
  tellRelabel(outcome.relabelled, options);
}

async function undoTraining(labelling: Labelling, { dir, crawl, say, json }: Options, outcome: Outcome): Promise<void> {
  outcome.undone = await withProgress('judging kept pages', (given) => labelling.undoRelabelling(given));
  if (!json) for (const line of undoLines(dir, outcome.undone, crawl)) say(line);
}

function tellRelabel(relabelled: RelabelReport, { dir, crawl, say, json }: Options): void {
  if (!json) for (const line of relabelLines(dir, relabelled, crawl)) say(line);
  const upheaval = upheavalText(dir, relabelled.changes);
  if (upheaval !== null) warn(`warning: ${upheaval}`);
  const { warnings, advice } = relabelled.card;
  for (const left of warnings) warn(`note: ${left}`);
  for (const one of refusedBy(advice)) warn(`${one.severity}: ${adviceLine(one)}`);
}

function tellLabels(labelling: Labelling, { answered }: Outcome, { asks, say, crawl, audit }: Options): void {
  if (asks) say(`${counted(answered, 'answer')}; the crawl has ${countsText(labelling.counts)}`);
  for (const line of agreementLines(labelling.agreements)) say(line);
  const { modelAnswers, disagreements } = labelling;
  if (modelAnswers !== null) for (const line of [...modelAnswerLines(crawl, modelAnswers), ...disagreementLines(disagreements)]) say(line);
  const estimate = labelling.estimate();
  for (const line of audit === undefined ? estimateLines(estimate, labelling.harvested()) : auditLines(crawl, estimate)) say(line);
}

/** All results in one line; the card of the new model describes the model. */
function printOutcome(
  { counts, modelAnswers, disagreements, agreements }: Labelling,
  estimate: CrawlEstimate,
  outcome: Outcome,
  dir: string,
): void {
  const { answered, imported, noneOf, judging, relabelled, trainingRequested, notTrained, undone } = outcome;
  const { card, effect, ...rest } = relabelled ?? { card: null, effect: null };
  const shown = relabelled && { ...rest, validation: card?.validation, effect: effect && { ...effect, margins: undefined } };
  const audit = { margin: AUDIT_MARGIN, missing: missingForMargin(estimate.kept, AUDIT_MARGIN) };
  const measured = { labels: counts, agreements, modelAnswers, disagreements, estimate, audit };
  printJson({ dir, answered, imported, noneOf, judging, ...measured, relabelled: shown, trainingRequested, notTrained, undone });
}

const LABELS_OUTPUT = { form: 'file', mayReplace: false } as const satisfies OutputKind;

/** @throws UsageError if the file exists; StoreError if it cannot be written */
async function exportLabels({ csv, counts }: Labelling, path: string, { say, json }: Options): Promise<void> {
  await withOutput(path, LABELS_OUTPUT, { as: 'name' }, (output) => publishFile(output, csv));
  if (!json) say(`${path}: has the labels of ${counted(counts.yes + counts.no + counts.skipped, 'page')}`);
}

function tellImport({ stored, already, unknown }: ImportReport, { say, labels, json }: Options): void {
  const there = already === 0 ? '' : `; ${countText(already)} ${already === 1 ? 'was' : 'were'} stored already`;
  if (!json) say(`${counted(stored, 'label')} of ${labels} stored${there}`);
  if (unknown.length === 0) return;
  const more = unknown.length > NAMED ? ', …' : '';
  warn(
    `${counted(unknown.length, 'URL of the file is', 'URLs of the file are')} not among the pages that this crawl has read; ${unknown.length === 1 ? 'its label is' : 'their labels are'} not stored: ${unknown.slice(0, NAMED).join(', ')}${more}`,
  );
}
