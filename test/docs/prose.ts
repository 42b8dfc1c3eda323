/** Sentences and paragraphs of Markdown, and the phrases of docs/style.md that they hold. Code is no prose. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Pages whose words come from elsewhere: help texts of `src/crawling/settings/`, docstrings, titles of tests. */
const NOT_PROSE = new Set(['docs/reference/options.md', 'docs/invariants.md']);

/** README and every page of docs/, as paths from the root of the repository. */
export function pagesOfDocs(): string[] {
  const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  return ['README.md', ...docs.map((name) => join('docs', name)).filter((path) => !NOT_PROSE.has(path))];
}

/** A paragraph, an item of a list or a cell of a table, as plain text: a stretch of code stands as one word. */
export interface Block {
  readonly kind: 'paragraph' | 'item' | 'cell';
  readonly text: string;
}

export function blocksOf(markdown: string): Block[] {
  const prose = markdown
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^ {4}(?! *(?:[-*]|\d+\.) ).*$/gm, '')
    .replace(/^#.*$/gm, '');
  return prose.split(/\n\s*\n/).flatMap((part) => blocksOfPart(part.trim()));
}

function blocksOfPart(part: string): Block[] {
  if (part === '') return [];
  if (part.startsWith('|')) {
    const rows = part.split('\n').filter((row) => !/^\|[ :|-]+\|$/.test(row));
    return rows.flatMap((row) => row.split(/(?<!\\)\|/).slice(1, -1)).flatMap((cell) => block('cell', cell));
  }
  return part.split(/\n(?=\s*(?:[-*]|\d+\.) )/).flatMap((piece) => {
    const item = /^\s*(?:[-*]|\d+\.) ([\s\S]*)$/.exec(piece);
    return item ? block('item', item[1] ?? '') : block('paragraph', piece);
  });
}

function block(kind: Block['kind'], markdown: string): Block[] {
  const text = markdown
    .replace(/`[^`]*`/g, 'CODE')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_]{1,2}/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return text === '' ? [] : [{ kind, text }];
}

/** Sentences of three words or more; shorter ones are names and numbers. A colon or semicolon ends none. */
export function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.?!][)"’”]?)\s+(?=[A-Z"“(])/).filter((sentence) => wordsOf(sentence) >= 3);
}

export function wordsOf(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** The phrases of the first column of the table "Phrases to avoid". */
export function phrasesToAvoid(styleSheet: string): string[] {
  const section = styleSheet.split(/^## /m).find((part) => part.startsWith('Phrases to avoid')) ?? '';
  return [...section.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ''),
  );
}

/** Each phrase to avoid where a text has it, with some words around it. "what" is one of them outside of questions; quotations are not looked at. */
export function avoidedIn(text: string, phrases: readonly string[]): string[] {
  const own = text.replace(/"[^"]*"/g, 'QUOTED');
  const found = patternsOf(phrases).flatMap((pattern) => [...own.matchAll(pattern)].map(({ index }) => around(own, index)));
  const headless = own.split(/(?<=[.?!])\s/).filter((sentence) => !sentence.endsWith('?') && /\bwhat\b/i.test(sentence));
  return [...found, ...headless];
}

/** Compiled once for each list: for each text they took most of the time of these tests. */
const patterns = new WeakMap<readonly string[], readonly RegExp[]>();

function patternsOf(phrases: readonly string[]): readonly RegExp[] {
  const known = patterns.get(phrases) ?? phrases.map((phrase) => new RegExp(`\\b${phrase}\\b`, 'gi'));
  patterns.set(phrases, known);
  return known;
}

function around(text: string, index: number): string {
  return text.slice(Math.max(0, index - 30), index + 40);
}

export interface Figures {
  readonly sentences: number;
  readonly medianWords: number;
  readonly p90Words: number;
  readonly longestWords: number;
  /** Of paragraphs and items of lists; cells are not counted. */
  readonly paragraphP90: number;
  readonly paragraphLongest: number;
  readonly avoided: readonly string[];
}

export function figuresOf(blocks: readonly Block[], phrases: readonly string[]): Figures {
  const lengths = blocks.flatMap(({ text }) => sentencesOf(text)).map(wordsOf);
  const paragraphs = blocks.filter(({ kind }) => kind !== 'cell').map(({ text }) => wordsOf(text));
  return {
    sentences: lengths.length,
    medianWords: quantile(lengths, 0.5),
    p90Words: quantile(lengths, 0.9),
    longestWords: quantile(lengths, 1),
    paragraphP90: quantile(paragraphs, 0.9),
    paragraphLongest: quantile(paragraphs, 1),
    avoided: blocks.flatMap(({ text }) => avoidedIn(text, phrases)),
  };
}

/** The least value that a share of the values does not exceed; 0 of none. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

export function readStyleSheet(): string {
  return readFileSync('docs/style.md', 'utf8');
}
