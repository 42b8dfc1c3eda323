import { EXIT } from '../../../base/core/errors.ts';
import { counted, countText, percentText } from '../../../base/text/number-text.ts';
import type { Subtopic } from '../../../study/inspect/subtopics.ts';
import type { SubtopicsReport } from '../../app/crawl-subtopics.ts';
import { print, printJson, warn } from '../command.ts';
import type { CommandOptions } from '../define.ts';
import { longWork, type Shown } from '../long-work.ts';
import { rateAndEta } from '../progress.ts';
import { onDamagedOf } from '../skip-damaged.ts';

const SHOWN: Shown<{ readonly done: number; readonly of: number }> = {
  start: { done: 0, of: 0 },
  line: ({ done, of }, ms) =>
    of === 0 ? 'reading the ledger' : `page ${countText(done)} of ${countText(of)}; ${rateAndEta(done, of, ms)}`,
  stopping: 'Stopping.',
};
/** Hosts of a subtopic on its line. */
const HOSTS = 3;
const EXAMPLES = 3;

export async function runTopics({ json, skipDamaged, ...options }: CommandOptions<'topics'>): Promise<number> {
  const { subtopics } = await import('../../app/crawl-subtopics.ts');
  const report = await longWork(SHOWN, (signal, tell) =>
    subtopics({ ...options, ...onDamagedOf(skipDamaged), signal, warn, onProgress: (done, of) => tell({ done, of }) }),
  );
  if (report === null) return EXIT.interrupted;
  if (json) printJson(report);
  else for (const line of linesOf(report)) print(line);
  return EXIT.done;
}

function* linesOf({ dir, kept, read, without, subtopics }: SubtopicsReport): Generator<string> {
  const of = read < kept ? `a sample of ${countText(read)} of ${counted(kept, 'on-topic page')}` : counted(kept, 'on-topic page');
  yield `${dir}: ${counted(subtopics.length, 'subtopic')} of ${of}`;
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
