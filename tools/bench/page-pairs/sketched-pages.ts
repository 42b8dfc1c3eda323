/** Made-up pages in two languages for times and memory: each has its own numbers and names, as many as a page of a manual. */
import { seededRng } from '../../../src/base/core/rng.ts';
import type { CanonicalUrl, CorpusRecord } from '../../../src/base/core/types.ts';
import { blankRecord } from './parallel-site.ts';

const LINES = 20;
const WORDS = 18;
/** Words of each language, drawn by Zipf's law, as of a text. */
const VOCABULARY = 8000;
/** Distinct names and numbers that pages draw from: some are shared by many. */
const NAMES = 200_000;

/** Pages in turn left and right, twins one after the other; URLs say nothing. */
export function* sketchedPages(count: number, seed = 1): Generator<CorpusRecord> {
  const rng = seededRng(seed);
  for (let i = 0; i < count; i += 2) {
    const names = Array.from({ length: LINES }, () => `Name${Math.floor(rng() ** 3 * NAMES)}`);
    const lengths = Array.from({ length: LINES }, () => 4 + Math.floor(rng() * WORDS));
    for (const side of ['en', 'fr']) {
      const url = `http://${side}${Math.floor(rng() * 1e9)}.example/` as CanonicalUrl;
      const line = (name: string, at: number) =>
        `${Array.from({ length: lengths[at] ?? 0 }, () => wordOf(side, rng())).join(' ')} ${name}.`;
      yield { ...blankRecord(url), lang: side, text: names.map(line).join('\n') };
    }
  }
}

function wordOf(side: string, draw: number): string {
  return `${side}${(Math.floor(VOCABULARY ** draw) * 7919).toString(26).replaceAll(/\d/g, (digit) => 'zyxwvutsrq'[Number(digit)] ?? 'z')}`;
}
