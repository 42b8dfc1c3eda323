/** Labelled strings out of the lines of packages: real mail addresses, made numbers in real lines, and real lines with none. */
import { type Rng, seededRng, shuffled } from '../../../src/base/core/rng.ts';
import type { PersonalRange } from '../../../src/corpus/personal/personal-names.ts';
import { madeNumber } from './made-numbers.ts';
import { type Half, packageLines } from './package-lines.ts';
import { mailsByGrammar } from './second-reader.ts';

export interface LabelledLine {
  readonly source: 'mail' | 'made' | 'none';
  readonly text: string;
  readonly lang: string;
  readonly labels: readonly PersonalRange[];
}

const COUNTS = { mail: 700, made: 700, none: 600 } as const;
const MADE_KINDS = ['phone', 'phone', 'iban', 'card', 'ip', 'id', 'id'] as const;

/** 2,000 lines of a half. The same on the same packages. */
export function labelledLines(half: Half, seed: number): LabelledLine[] {
  const rng = seededRng(seed);
  const lines = shuffled(packageLines(half), rng);
  const withSign = lines.filter((line) => line.includes('@'));
  const withNumbers = lines.filter((line) => !line.includes('@') && (line.match(/\d/g) ?? []).length >= 5);
  const plain = lines.filter((line) => !/[@\d]/.test(line));
  return [
    ...withSign.slice(0, COUNTS.mail).map((text): LabelledLine => ({ source: 'mail', text, lang: 'en', labels: mailLabels(text) })),
    ...plain.slice(0, COUNTS.made).map((line, i) => withMade(line, MADE_KINDS[i % MADE_KINDS.length] ?? 'id', rng)),
    ...withNumbers.slice(0, COUNTS.none).map((text): LabelledLine => ({ source: 'none', text, lang: 'en', labels: [] })),
  ];
}

function mailLabels(text: string): PersonalRange[] {
  return mailsByGrammar(text).map(([start, end]) => [start, end, 'mail'] as const);
}

/** A made number between two words of a line. */
function withMade(line: string, kind: (typeof MADE_KINDS)[number], rng: Rng): LabelledLine {
  const { written, before = '', lang } = madeNumber(kind, rng);
  const spaces = [...line.matchAll(/ /g)].map(({ index }) => index);
  const at = spaces[Math.floor(rng() * spaces.length)] ?? line.length;
  const head = `${line.slice(0, at)} ${before}`;
  return { source: 'made', lang, text: `${head}${written}${line.slice(at)}`, labels: [[head.length, head.length + written.length, kind]] };
}
