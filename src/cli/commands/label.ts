import type { ImportReport, Labelling } from '../../app/label.ts';
import type { RelabelReport } from '../../app/label-retrain.ts';
import { EXIT, UsageError } from '../../core/errors.ts';
import { adviceLine, refusedBy } from '../../topic/advice.ts';
import type { CrawlEstimate } from '../../topic/label-estimate.ts';
import { type Answers, answersFrom } from '../answers.ts';
import { type Args, type Command, countOf, flag, flagOf, given, measure, printJson, requiredText, text, textOf, warn } from '../command.ts';
import { onInterrupt } from '../interrupt.ts';
import { countsText, estimateLines, questionLines, relabelLines, type Screen } from '../label-screen.ts';
import { clockText, countText, Progress } from '../progress.ts';
import { clipped } from '../terminal-text.ts';

/** Reasons shown for and against. */
const SHOWN = 6;
/** Columns where standard output is no terminal, the fewest that hold a reason, and the most that are read with ease. */
const WIDTH = 80;
const MIN_WIDTH = 30;
const MAX_WIDTH = 100;
/** URLs named that a file of labels has and the crawl has not. */
const NAMED = 3;

export const labelCommand: Command = {
  name: 'label <dir>',
  summary: 'label pages of a crawl, and train its topic again',
  options: (argv) =>
    argv
      .positional('dir', { type: 'string', describe: 'crawl directory' })
      .options({
        count: measure('pages to ask about', 'until q, or none is left'),
        every: measure('train again after so many answers too, not only at the end'),
        labels: text('file of labels made elsewhere: CSV or JSON lines with url and label (y, n, skip); nothing is asked'),
        retrain: flag('ask nothing: only train again with the labels there are'),
        'no-retrain': flag('only store answers'),
        top: measure('reasons to show for and against', String(SHOWN)),
        'seed-rng': measure('seed of chance (random pages, folds), a whole number; for the first labels of a crawl', '1'),
        json: flag('print what came of it as JSON, and the pages on standard error'),
      })
      .example('$0 label crawls/moss --count 30', 'answer y, n, s(kip), u(ndo) or q(uit) with one key each')
      .example("printf 'y\\nn\\nq\\n' | $0 label crawls/moss", 'answers from a pipe, one a line')
      .example('$0 label crawls/moss --labels labels.csv', 'take over labels made elsewhere, and train again'),
  run,
};

interface Options {
  readonly dir: string;
  readonly count: number;
  readonly every: number;
  readonly labels: string | undefined;
  readonly asks: boolean;
  readonly retrains: boolean;
  readonly screen: Screen;
  /** Where pages and what came of them are shown. */
  readonly say: (line: string) => void;
  readonly json: boolean;
}

/** What a session came to. */
interface Outcome {
  answered: number;
  interrupted: boolean;
  imported: ImportReport | null;
  relabelled: RelabelReport | null;
}

async function run(args: Args): Promise<number> {
  const options = optionsOf(args);
  const { Labelling } = await import('../../app/label.ts');
  const labelling = await Labelling.open({ dir: options.dir, warn, ...given({ rngSeed: countOf(args, 'seed-rng', 0) }) });
  try {
    const outcome = await session(labelling, options);
    if (options.json) printOutcome(labelling, labelling.estimate(), outcome, options.dir);
    return outcome.interrupted ? EXIT.interrupted : EXIT.done;
  } finally {
    await labelling.close();
  }
}

function optionsOf(args: Args): Options {
  const [retrain, noRetrain, labels] = [flagOf(args, 'retrain'), flagOf(args, 'no-retrain'), textOf(args, 'labels')];
  if (retrain && noRetrain) throw new UsageError('--retrain and --no-retrain: give one of them');
  const json = flagOf(args, 'json');
  const output = json ? process.stderr : process.stdout;
  return {
    dir: requiredText(args, 'dir'),
    count: countOf(args, 'count') ?? Number.POSITIVE_INFINITY,
    every: countOf(args, 'every') ?? Number.POSITIVE_INFINITY,
    labels,
    asks: !retrain && labels === undefined,
    retrains: !noRetrain,
    screen: {
      // A terminal that does not know its size says 0.
      width: Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, output.columns || WIDTH)),
      // no-color.org: any value that is not empty.
      colours: output.isTTY === true && !process.env['NO_COLOR'],
      top: countOf(args, 'top') ?? SHOWN,
    },
    say: (line) => output.write(`${line}\n`),
    json,
  };
}

async function session(labelling: Labelling, options: Options): Promise<Outcome> {
  const outcome: Outcome = { answered: 0, interrupted: false, imported: null, relabelled: null };
  if (options.asks && options.retrains && !labelling.trainable)
    warn(
      `${options.dir}: its model does not hold what it was trained on, so answers are only stored; a topic trained anew can take them along`,
    );
  if (options.labels !== undefined) {
    outcome.imported = await labelling.import(options.labels);
    tellImport(outcome.imported, options);
  }
  if (options.asks) await askAll(labelling, options, outcome);
  if (!options.json) tellLabels(labelling, outcome, options);
  if (outcome.interrupted || !options.retrains) return outcome;
  const lack = lackOf(labelling, options);
  if (lack === null) await relabel(labelling, options, outcome);
  else if (!options.json && outcome.relabelled === null) options.say(`nothing to train with: ${lack}`);
  return outcome;
}

/** Ask until the count is reached, all is labelled, or the person ends; training again between, where asked for. */
async function askAll(labelling: Labelling, options: Options, outcome: Outcome): Promise<void> {
  const interrupt = onInterrupt('Ending: the answers given are stored.');
  const answers = answersFrom(process.stdin, interrupt.signal, (what) =>
    process.stderr.write(`\n${clipped(JSON.stringify(what), MIN_WIDTH)} is no answer: y yes, n no, s skip, u undo, q quit: `),
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

/** Show a page and store the answer. @returns why no more are to be asked, or null. */
async function askOne(labelling: Labelling, { screen, say, json }: Options, outcome: Outcome, answers: Answers): Promise<End | null> {
  const question = await labelling.next();
  if (question === null) {
    say('No page is left to ask about: all that the crawl judged are labelled or skipped.');
    return 'all';
  }
  // As one piece, and the prompt without a line feed.
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

/** Why the topic is not to be trained again; null when it is. Asked for by name, training says itself what it lacks, as an error. */
function lackOf({ counts, unused, trainable, hasExample }: Labelling, { asks }: Options): string | null {
  if (counts.yes + counts.no === 0) return 'no page is labelled y or n';
  if (!unused) return 'the model has seen all labels';
  if (asks && !trainable) return 'the model does not hold what it was trained on';
  if (asks && !hasExample) return 'the topic was begun without example pages, and no label is y';
  return null;
}

async function relabel(labelling: Labelling, options: Options, outcome: Outcome): Promise<void> {
  const startedAt = Date.now();
  let at = 'training';
  const progress = new Progress(() => `${at}; ${clockText(Date.now() - startedAt)}`);
  try {
    outcome.relabelled = await labelling.relabel({
      warn,
      onProgress: (step, done) => {
        at = done === 0 ? step : `${step}, ${countText(done)}`;
      },
    });
  } finally {
    progress.close();
  }
  tellRelabel(outcome.relabelled, options);
}

function tellRelabel(relabelled: RelabelReport, { dir, say, json }: Options): void {
  if (!json) for (const line of relabelLines(dir, relabelled)) say(line);
  const { warnings, advice } = relabelled.card;
  for (const warning of warnings) warn(warning);
  for (const one of refusedBy(advice)) warn(`${one.severity}: ${adviceLine(one)}`);
}

function tellLabels(labelling: Labelling, { answered }: Outcome, { asks, say }: Options): void {
  if (asks) say(`${countText(answered)} answers; the crawl has ${countsText(labelling.counts)}`);
  for (const line of estimateLines(labelling.estimate())) say(line);
}

/** All in one line; what the new model is stands in its card. */
function printOutcome({ counts }: Labelling, estimate: CrawlEstimate, { answered, imported, relabelled }: Outcome, dir: string): void {
  const { card, effect, ...rest } = relabelled ?? { card: null, effect: null };
  const shown = relabelled && { ...rest, validation: card?.validation, effect: effect && { ...effect, accepted: undefined } };
  printJson({ dir, answered, imported, labels: counts, estimate, relabelled: shown });
}

function tellImport({ stored, unknown }: ImportReport, { say, labels, json }: Options): void {
  if (!json) say(`${countText(stored)} labels of ${labels} stored`);
  if (unknown.length === 0) return;
  const more = unknown.length > NAMED ? ', …' : '';
  warn(
    `${countText(unknown.length)} URLs are no judged pages of this crawl, their labels are passed over: ${unknown.slice(0, NAMED).join(', ')}${more}`,
  );
}
