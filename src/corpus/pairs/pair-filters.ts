/**
 * The only list of filters of sentence pairs, in the order in which they decide: a pair is dropped for the first reason. Those with `begin` judge a pair by its
 * texts; the others compare pairs, and `chosen-pairs.ts` applies them. To add one, add a row here.
 */
import type { Unit } from '../../base/core/types.ts';
import { languageCode } from '../../base/text/language-code.ts';
import { oneLineOf } from '../../base/text/segments.ts';
import { LEAST_CHARS } from '../select/filters/foreign-paragraphs.ts';
import { LEAST_IN_ALL, LEAST_ON_HOST } from '../select/paragraph-counts.ts';
import { numbersOf } from './number-tokens.ts';

/** Both texts, each in one line. */
export interface PairTexts {
  readonly left: string;
  readonly right: string;
}

/** Facts that filters judge by. */
export interface FilterBasis {
  readonly langs: readonly [string, string];
  readonly detect: (text: string) => string | null;
  /** Characters of the right language for one of the left, in all beads. */
  readonly ratio: number;
}

interface PairFilter<Name extends string = string> {
  readonly name: Name;
  /** Pairs that it drops, in a few words. */
  readonly drops: string;
  /** The rule with its threshold, for the card. */
  readonly rule: (minScore: Unit) => string;
  /** @returns a test: is the pair dropped? */
  readonly begin?: (basis: FilterBasis) => (pair: PairTexts) => boolean;
}

/** Languages that a detector of letters does not tell apart. */
const ALIKE = [
  ['no', 'nb', 'nn', 'da'],
  ['hr', 'sr', 'bs', 'sh'],
  ['id', 'ms'],
  ['cs', 'sk'],
  ['gl', 'pt'],
];
/**
 * Largest ratio of lengths, and characters added to both, as short texts vary more. Of the paragraphs of Debian's manuals in 24 languages that translate each
 * other, the filter drops at most .5 %, those of languages and numbers at most 1.3 and .7 %.
 */
const MOST_RATIO = 2;
const SLACK = 20;
/** Least share of the characters of a page pair in sentence pairs that reach the score. */
export const LEAST_ALIKE: Unit = 0.2;

export const PAIR_FILTERS = [
  {
    name: 'no-words',
    drops: 'a side without letters',
    rule: () => 'both sides have a letter',
    begin: () => (pair) => !isWords(pair.left) || !isWords(pair.right),
  },
  {
    name: 'identical',
    drops: 'the same text on both sides',
    rule: () => 'both sides differ in a letter, regardless of case and accents',
    begin: () => (pair) => sentenceKey(pair.left) === sentenceKey(pair.right),
  },
  {
    name: 'language',
    drops: 'a side in another language',
    rule: () => `no side of ${LEAST_CHARS} or more characters is in another language, as detected`,
    begin: ({ langs, detect }) => {
      const isForeign = (text: string, lang: string) => {
        const found = text.length < LEAST_CHARS ? null : detect(text);
        return found !== null && !isAlike(found, lang);
      };
      return (pair) => isForeign(pair.left, langs[0]) || isForeign(pair.right, langs[1]);
    },
  },
  {
    name: 'length',
    drops: 'lengths too unlike',
    rule: () =>
      `a side is at most ${MOST_RATIO} times as long as the other, with ${SLACK} characters added to both, and after the mean ratio of the languages`,
    begin:
      ({ ratio }) =>
      ({ left, right }) => {
        const [a, b] = [left.length * ratio + SLACK, right.length + SLACK];
        return Math.max(a, b) > MOST_RATIO * Math.min(a, b);
      },
  },
  {
    name: 'numbers',
    drops: 'numbers that differ',
    rule: () => 'both sides have the same numbers of two or more digits',
    begin: () => (pair) => numbersOf(pair.left) !== numbersOf(pair.right),
  },
  { name: 'score', drops: 'score below the least one', rule: (minScore) => `score of ${minScore} or more` },
  {
    name: 'pages',
    drops: 'pages too unlike',
    rule: () => `sentence pairs of that score have ${LEAST_ALIKE * 100} % or more of the text of both pages`,
  },
  {
    name: 'template',
    drops: 'lines that many pages repeat',
    rule: () => `of lines that ${LEAST_ON_HOST} pages of a host or ${LEAST_IN_ALL} in all have, the first stays`,
  },
  {
    name: 'near',
    drops: 'near-duplicates',
    rule: () => 'of pairs whose left or right sides have the same letters, regardless of case, accents, digits and signs, the first stays',
  },
] as const satisfies readonly PairFilter[];

export type DropReason = (typeof PAIR_FILTERS)[number]['name'];

/** Accents, and points that writers may omit. Marks of other scripts are vowels, as in Hindi and Thai. */
const ACCENTS = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}]\p{M}*)\p{M}/gu;

/** The letters of a text without case, accents, digits and signs: equal for near-duplicates (Bifixer, Ramírez-Sánchez et al. 2020). */
export function sentenceKey(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(ACCENTS, '')
    .replaceAll(/[^\p{L}\p{M}]+/gu, '');
}

/** A place in a main text as text in one line. */
export function sentenceText(text: string, start: number, end: number): string {
  return oneLineOf(text.slice(start, end));
}

function isWords(text: string): boolean {
  return /\p{L}/u.test(text);
}

function isAlike(found: string, lang: string): boolean {
  const [code, asked] = [languageCode(found) ?? found, languageCode(lang) ?? lang];
  return code === asked || ALIKE.some((group) => group.includes(code) && group.includes(asked));
}
