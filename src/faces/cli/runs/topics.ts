import { EXIT, UsageError } from '../../../base/core/errors.ts';
import { counted, countText, percentText } from '../../../base/text/number-text.ts';
import { wishesLine, wishText } from '../../../base/text/wishes-text.ts';
import type { Subtopic } from '../../../study/inspect/subtopics.ts';
import type { SubtopicsReport } from '../../app/crawl-subtopics.ts';
import type { Steering, SteerOptions } from '../../app/steer-crawl.ts';
import { print, printJson, warn } from '../command.ts';
import type { CommandOptions } from '../define.ts';
import { longWork, type Shown } from '../long-work.ts';
import { rateAndEta } from '../progress.ts';
import { onDamagedOf } from '../skip-damaged.ts';

const SHOWN: Shown<{ readonly done: number; readonly of: number }> = {
  start: { done: 0, of: 0 },
  line: ({ done, of }, ms) =>
    of === 0
      ? 'reading the ledger'
      : done === of
        ? 'grouping the pages'
        : `page ${countText(done)} of ${countText(of)}; ${rateAndEta(done, of, ms)}`,
  stopping: 'Stopping.',
};
/** Hosts of a subtopic on its line. */
const HOSTS = 3;
const EXAMPLES = 3;

export async function runTopics({ json = false, more, none, undo = false, name, ...options }: CommandOptions<'topics'>): Promise<number> {
  const wishes = [more, none, undo || undefined].filter((given) => given !== undefined).length;
  if (wishes > 1) throw new UsageError('--more, --none, --undo: one wish at a time; run the command once for each');
  if (wishes === 0) return list(options, json);
  if (options.groups !== undefined || options.again || options.rngSeed !== undefined)
    throw new UsageError('--groups, --again and --seed-rng find subtopics; give a wish in a command of its own');
  const wish = undo
    ? ({ way: 'undo' } as const)
    : more !== undefined
      ? ({ way: 'more', id: more } as const)
      : ({ way: 'none', id: none ?? '' } as const);
  const by = name === undefined ? {} : { name };
  return steerBy({ dir: options.dir, ...wish, ...by, ...onDamagedOf(options.skipDamaged) }, json);
}

const AT_WORK: Shown<string> = { start: 'reading the crawl', line: (step) => step, stopping: 'The wish is stored; waiting for the model.' };

const EFFECT: Readonly<Record<Steering['applied'], string>> = {
  now: 'the crawl was judged again, and the next run continues with that',
  running: 'the running crawl takes it within seconds',
  'next-run': 'somebody labels the crawl at the moment; its next run takes it',
};

async function steerBy(options: SteerOptions, json: boolean): Promise<number> {
  const { steer } = await import('../../app/steer-crawl.ts');
  const done = await longWork(AT_WORK, (_, tell) =>
    steer({ ...options, warn, onProgress: (step, count) => tell(count === 0 ? step : `${step}: ${countText(count)}`) }),
  );
  if (done === null) return EXIT.interrupted;
  if (json) printJson(done);
  else {
    print(`${done.dir}: ${done.undone ? 'taken back: ' : ''}${wishText(done.wish)}; ${EFFECT[done.applied]}`);
    for (const line of wishesLine(done.active)) print(line);
  }
  return EXIT.done;
}

type Listing = Omit<CommandOptions<'topics'>, 'json' | 'more' | 'none' | 'undo' | 'name'>;

async function list({ skipDamaged, ...options }: Listing, json: boolean): Promise<number> {
  const { subtopics } = await import('../../app/crawl-subtopics.ts');
  const report = await longWork(SHOWN, (signal, tell) =>
    subtopics({ ...options, ...onDamagedOf(skipDamaged), signal, warn, onProgress: (done, of) => tell({ done, of }) }),
  );
  if (report === null) return EXIT.interrupted;
  if (json) printJson(report);
  else for (const line of linesOf(report)) print(line);
  return EXIT.done;
}

function* linesOf({ dir, kept, read, without, subtopics, wishes }: SubtopicsReport): Generator<string> {
  const of = read < kept ? `a sample of ${countText(read)} of ${counted(kept, 'on-topic page')}` : counted(kept, 'on-topic page');
  yield `${dir}: ${counted(subtopics.length, 'subtopic')} of ${of}`;
  yield* wishesLine(wishes);
  for (const subtopic of subtopics) yield* linesOfOne(subtopic);
  if (without > 0) yield `\n${counted(without, 'page')} with none of their words`;
}

function* linesOfOne({ id, name, terms, pages, share, hosts, years, examples, ...subtopic }: Subtopic): Generator<string> {
  yield `\n${id}: ${name}`;
  yield `  pages     ${countText(pages)}, ${percentText(share)}`;
  yield `  terms     ${terms.join(', ')}`;
  yield `  yield     ${yieldText(subtopic.yield)}`;
  yield `  hosts     ${hosts
    .slice(0, HOSTS)
    .map((one) => `${one.host} ${percentText(one.share)}`)
    .join(', ')}`;
  if (years.length > 0) yield `  years     ${yearsText(years)}`;
  for (const { url, title } of examples.slice(0, EXAMPLES)) yield `  e.g.      ${title === '' ? url : `${title}  ${url}`}`;
}

function yieldText({ visits, onTopic, same }: Subtopic['yield']): string {
  if (visits === 0) return 'no visit followed a link on a page of it';
  const part = (count: number) => `${countText(count)} (${percentText(count / visits)})`;
  return `of ${counted(visits, 'visit')} by links on its pages ${part(onTopic)} on topic, ${part(same)} of this subtopic`;
}

function yearsText(years: Subtopic['years']): string {
  const [first, last] = [years[0]?.year, years.at(-1)?.year];
  const dated = years.reduce((sum, { pages }) => sum + pages, 0);
  return `${first === last ? first : `${first} to ${last}`}, of ${counted(dated, 'dated page')}`;
}
