/** A corpus that was written, as its command shows it. */
import { countText } from '../../base/text/number-text.ts';
import type { CorpusCard } from '../../corpus/describe/corpus-card.ts';
import { dominantHostText } from '../../corpus/describe/dominant-host.ts';
import type { HarvestProgress } from '../../corpus/harvest/harvest-writer.ts';
import { HARVEST_FILTERS } from '../../corpus/select/harvest-filters.ts';
import { print } from './command.ts';
import type { Shown } from './long-work.ts';
import { rateAndEta } from './progress.ts';

/** The stages as a person reads them. */
const STAGES: Readonly<Record<HarvestProgress['stage'], string>> = {
  compare: 'comparing corpora',
  select: 'selecting pages',
  links: 'reading links',
  write: 'writing pages',
  warc: 'copying WARC records',
  upload: 'sending bytes',
};

/** Progress of the work that writes a corpus. @param first stage at its start */
export function corpusProgress(first: HarvestProgress['stage']): Shown<HarvestProgress> {
  return {
    start: { stage: first, done: 0, total: null },
    line: ({ stage, done, total }, ms) =>
      `${STAGES[stage]}: ${countText(done)}${total === null ? '' : ` of ${countText(total)}`}${stage === 'upload' ? '' : `; ${rateAndEta(done, total, ms)}`}`,
    stopping: 'Stopping: no part of a corpus is put at --out.',
  };
}

/** One line for each reason for which pages were omitted. */
export function printOmitted({ records: { leftOut: omitted } }: CorpusCard): void {
  for (const { name, leaves } of HARVEST_FILTERS)
    if (omitted[name] > 0) print(`  ${countText(omitted[name]).padStart(7)} omitted: ${leaves}`);
}

/** A line about a host with most of the pages, if there is one. */
export function printDominantHost({ hosts, records }: CorpusCard): void {
  const dominant = dominantHostText(hosts.top[0], records.kept, hosts.count);
  if (dominant !== null) print(`  ${dominant}`);
}

/** The files of the corpus with their sizes, and the descriptions. Their list, which loads a YAML writer, is not loaded by other commands. */
export async function printFiles({ files, textFiles }: CorpusCard): Promise<void> {
  const rows = files.map(({ name, bytes }) => [name, countText(bytes)] as const);
  if (textFiles !== null) rows.push([`text/*.txt (${countText(textFiles.count)})`, countText(textFiles.bytes)]);
  const [wide, long] = [0, 1].map((column) => Math.max(0, ...rows.map((row) => (row[column] ?? '').length))) as [number, number];
  for (const [name, bytes] of rows) print(`  ${name.padEnd(wide)}  ${bytes.padStart(long)} bytes`);
  print('  corpus-card.md describes the corpus and how to cite it');
  const { DESCRIPTIONS } = await import('../../corpus/describe/descriptions.ts');
  const others = DESCRIPTIONS.map(({ file }) => file).filter((file) => file !== 'corpus-card.md');
  print(`  the same for programs: ${others.join(', ')}`);
}
