import { EXIT } from '../../../base/core/errors.ts';
import { counted, countText } from '../../../base/text/number-text.ts';
import { PAIR_FILTERS } from '../../../corpus/pairs/pair-filters.ts';
import { PAGE_REASONS, type PageReason } from '../../../corpus/pairs/paired-pages.ts';
import type { PairsCard } from '../../../corpus/pairs/pairs-card.ts';
import type { PairsProgress, PairsReport } from '../../../corpus/pairs/pairs-writer.ts';
import { print, printJson, warn } from '../command.ts';
import type { CommandOptions } from '../define.ts';
import { longWork, type Shown } from '../long-work.ts';
import { outputFromEnvironment } from '../output-environment.ts';
import { rateAndEta } from '../progress.ts';
import { onDamagedOf } from '../skip-damaged.ts';

/** The stages as a person reads them. */
const STAGES: Readonly<Record<PairsProgress['stage'], string>> = {
  pages: 'reading pages',
  pair: 'pairing pages',
  align: 'aligning page pairs',
  learn: 'learning words',
  score: 'aligning page pairs by their words',
  compare: 'comparing sentences',
  split: 'dividing into parts',
  write: 'writing page pairs',
};

const SHOWN: Shown<PairsProgress> = {
  start: { stage: 'pages', done: 0, total: null },
  line: ({ stage, done, total }, ms) =>
    `${STAGES[stage]}: ${countText(done)}${total === null ? '' : ` of ${countText(total)}`}; ${rateAndEta(done, total, ms)}`,
  stopping: 'Stopping: the same command continues here.',
};

export async function runPairs({ json, skipDamaged, ...options }: CommandOptions<'pairs'>): Promise<number> {
  const { sentencePairs } = await import('../../app/sentence-pairs.ts');
  const { now } = outputFromEnvironment(options.out);
  const report = await longWork(SHOWN, (signal, progress) =>
    sentencePairs({ ...options, ...onDamagedOf(skipDamaged), ...(now !== undefined && { now }), signal, progress, warn }),
  );
  if (report === null) return EXIT.interrupted;
  const { card } = report;
  if (json) printJson(card);
  else describe(report, options.langs.join(' and '));
  if (card.pairs.kept > 0) return EXIT.done;
  warn(`no sentence pair: ${whyNone(card)}`);
  return EXIT.noPage;
}

function describe({ outDir, card }: PairsReport, languages: string): void {
  const { pages, pagePairs, pairs, sentences } = card;
  print(
    `${outDir}: ${counted(pairs.kept, 'sentence pair')} from ${counted(pagePairs.count, 'page pair')} of ${counted(pages.read, 'page')}`,
  );
  for (const [by, count = 0] of Object.entries(pagePairs.by)) printRow(count, 'page pair', `by ${by}`);
  for (const [reason, count] of reasonsOf(card)) printRow(count, 'page', `in no pair: ${PAGE_REASONS[reason]}`);
  for (const { name, drops } of PAIR_FILTERS) printRow(pairs.dropped[name] ?? 0, 'sentence pair', `dropped: ${drops}`);
  const { left, right } = sentences.alone;
  if (left + right > 0) print(`  ${countText(left)} and ${countText(right)} sentences in ${languages} have no partner on the other page`);
  const long = Math.max(...card.files.map(({ bytes }) => countText(bytes).length));
  const wide = Math.max(...card.files.map(({ name }) => name.length));
  for (const { name, bytes } of card.files) print(`  ${name.padEnd(wide)}  ${countText(bytes).padStart(long)} bytes`);
  print('  README.md describes the pairs; pages.tsv has the reason of each page in no pair; for programs: pairs-card.json, SHA256SUMS');
}

/** A row of a count, unless it is 0. */
function printRow(count: number, one: string, rest: string): void {
  if (count > 0) print(`  ${countText(count).padStart(7)} ${count === 1 ? one : `${one}s`} ${rest}`);
}

function reasonsOf({ pages: { without } }: PairsCard): [PageReason, number][] {
  return Object.entries(without) as [PageReason, number][];
}

/** The reasons, most frequent first, with the next step. */
function whyNone(card: PairsCard): string {
  const { pages, pagePairs, pairs } = card;
  if (pages.read === 0) return 'the corpus has no page';
  if (pagePairs.count === 0) {
    const reasons = reasonsOf(card).map(([reason, count]) => `${countText(count)} ${PAGE_REASONS[reason]}`);
    return `of ${counted(pages.read, 'page')}, ${reasons.join('; ')}; pages.tsv has each`;
  }
  const dropped = PAIR_FILTERS.flatMap(({ name, drops }) =>
    pairs.dropped[name] ? [`${countText(pairs.dropped[name] ?? 0)} dropped: ${drops}`] : [],
  );
  return `${counted(pagePairs.count, 'page pair')} with ${counted(pairs.aligned, 'aligned pair')}${dropped.length > 0 ? `, ${dropped.join(', ')}` : ''}; page-pairs.tsv has each`;
}
