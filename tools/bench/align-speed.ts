/**
 * `npm run bench -- align-speed [--dir DIR] [--pairs 100000]`
 *
 * CPU time and memory of so many sentence pairs: pages of manuals in German and Russian, aligned without a table, learned from, and aligned with the table.
 * Pages are made again for each pass, so that memory is that of alignment and learner. Then texts that are hostile.
 */
import { parseArgs } from 'node:util';
import { DEFAULT_DIR, readEntries } from '../../datasets/parallel-text/store.ts';
import { seededRng } from '../../src/base/core/rng.ts';
import { type AlignSide, alignTexts } from '../../src/corpus/align/aligned-text.ts';
import { TableLearner } from '../../src/corpus/align/table-learner.ts';
import type { TranslationTable } from '../../src/corpus/align/translation-table.ts';
import { goldPages } from './align/gold.ts';

const MANUALS = ['installation-guide.de', 'dpkg.de', 'aptitude.ru', 'apt.de', 'installation-guide.ru'];
const { values } = parseArgs({ options: { dir: { type: 'string', default: DEFAULT_DIR }, pairs: { type: 'string', default: '100000' } } });
const wanted = Number(values.pairs);

/** Aligns pages until there are enough pairs. */
function pass(table: TranslationTable | null, learner: TableLearner | null): number {
  let pairs = 0;
  for (let round = 0; pairs < wanted; round++)
    for (const name of MANUALS) {
      const lang = name.slice(-2);
      for (const page of goldPages(readEntries(values.dir, name), 'paragraphs', ['en', lang], seededRng(round))) {
        if (pairs >= wanted) return pairs;
        const [left, right]: [AlignSide, AlignSide] = [
          { text: page.left, lang: 'en' },
          { text: page.right, lang },
        ];
        const alignment = alignTexts(left, right, table === null ? {} : { table });
        for (const bead of alignment.beads) {
          if (bead.left[0] === bead.left[1] || bead.right[0] === bead.right[1]) continue;
          pairs += 1;
          if (learner === null) continue;
          const leftText = page.left.slice(alignment.left[bead.left[0]]?.start, alignment.left[bead.left[1] - 1]?.end);
          learner.add(leftText, page.right.slice(alignment.right[bead.right[0]]?.start, alignment.right[bead.right[1] - 1]?.end));
        }
      }
    }
  return pairs;
}

function timed<T>(name: string, run: () => T): T {
  const before = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(before);
  const megabytes = Math.round(process.memoryUsage.rss() / 1e6);
  const peak = Math.round(process.resourceUsage().maxRSS / 1000);
  console.log(`| ${name} | ${((user + system) / 1e6).toFixed(1)} | ${megabytes} | ${peak} |`);
  return result;
}

console.log(`${wanted} pairs of sentences\n\n| step | CPU seconds | MB after it | MB at most so far |\n|---|---:|---:|---:|`);
const learner = new TableLearner();
timed('align without a table', () => pass(null, learner));
const table = timed('learn', () => learner.learn());
timed('align with the table', () => pass(table, null));
const short = { text: 'A sentence. Another one.', lang: 'en' };
const long = { text: 'word '.repeat(2_000_000), lang: 'en' };
const many = { text: 'Two words.\n\n'.repeat(1_000_000), lang: 'en' };
for (const [name, left, right] of [
  ['a sentence of 10 MB', long, short],
  ['a sentence of 10 MB on both sides', long, long],
  ['a million paragraphs', many, short],
  ['a million paragraphs on both sides', many, many],
] as const)
  timed(name, () => {
    if (!alignTexts(left, right).isCapped) throw new Error(`${name} was not capped`);
  });
