/** README, docs, comments and messages keep to docs/style.md: short sentences, short paragraphs, none of the phrases to avoid. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { avoidedIn, blocksOf, figuresOf, pagesOfDocs, phrasesToAvoid, readStyleSheet, sentencesOf } from './prose.ts';
import { proseOfSource, roomsOfSource, sourceFiles } from './source-prose.ts';

const P90_WORDS = 25;
const LONGEST_SENTENCE = 40;
const PARAGRAPH_P90 = 80;
const LONGEST_PARAGRAPH = 100;

/** A message that negates the noun: "is no crawl" for "is not a crawl". */
const NO_THING = /(?<!\bthere )\b(?:is|are) no (?!longer\b|such\b)\w+/gi;

const phrases = phrasesToAvoid(readStyleSheet());

test('the style sheet has phrases to avoid, and a page has sentences', () => {
  expect(phrases.length).toBeGreaterThan(40);
  expect(pagesOfDocs().length).toBeGreaterThan(25);
});

test.each(pagesOfDocs())('%s', (path) => {
  const figures = figuresOf(blocksOf(readFileSync(path, 'utf8')), phrases);
  expect(figures.avoided).toEqual([]);
  expect(figures.sentences).toBeGreaterThan(5);
  expect(figures.p90Words).toBeLessThanOrEqual(P90_WORDS);
  expect(figures.longestWords).toBeLessThanOrEqual(LONGEST_SENTENCE);
  expect(figures.paragraphP90).toBeLessThanOrEqual(PARAGRAPH_P90);
  expect(figures.paragraphLongest).toBeLessThanOrEqual(LONGEST_PARAGRAPH);
});

const rooms = roomsOfSource().map((room) => [room, sourceFiles(`src/${room}`)] as const);

test.each(rooms)('comments and messages of src/%s', (_, files) => {
  const parts = files.map(proseOfSource);
  const comments = figuresOf(
    parts.flatMap((part) => part.comments),
    phrases,
  );
  const messages = figuresOf(
    parts.flatMap((part) => part.messages),
    phrases,
  );
  expect({ comments: comments.avoided, messages: messages.avoided }).toEqual({ comments: [], messages: [] });
  expect(parts.flatMap((part) => part.messages).flatMap(({ text }) => text.match(NO_THING) ?? [])).toEqual([]);
  expect(comments.sentences).toBeGreaterThan(20);
  expect(comments.p90Words).toBeLessThanOrEqual(P90_WORDS);
  expect(messages.p90Words).toBeLessThanOrEqual(P90_WORDS);
});

test('a negated noun is found, and the words that look like one are not', () => {
  expect('x.csv: is no crawl; 3 files are no pages'.match(NO_THING)).toEqual(['is no crawl', 'are no pages']);
  expect('There is no crawl here, --at is no longer an option, and x is not a crawl'.match(NO_THING)).toBeNull();
});

test('README is at most 150 lines', () => {
  expect(readFileSync('README.md', 'utf8').split('\n').length).toBeLessThanOrEqual(151);
});

test('paragraphs, items and cells are blocks; code, headings and rules of tables are not', () => {
  const markdown =
    '# Title\n\nOne `a b` [link](x.md).\nStill one.\n\n- first\n- second\n  on\n\n| a | b |\n| --- | --- |\n| c | d e |\n\n    code here\n\n```ts\nmore\n```\n';
  expect(blocksOf(markdown)).toEqual([
    { kind: 'paragraph', text: 'One CODE link. Still one.' },
    { kind: 'item', text: 'first' },
    { kind: 'item', text: 'second on' },
    ...['a', 'b', 'c', 'd e'].map((text) => ({ kind: 'cell', text })),
  ]);
});

test('a colon or a semicolon ends no sentence', () => {
  expect(sentencesOf('A crawl stops: it waits; it ends. It resumes at once? Yes.')).toEqual([
    'A crawl stops: it waits; it ends.',
    'It resumes at once?',
  ]);
});

test('a phrase to avoid is found, and "what" where it asks nothing', () => {
  expect(avoidedIn('The order goes by relevance. Then the crawl Goes On.', phrases)).toHaveLength(2);
  expect(avoidedIn('See what it found. What did it find?', phrases)).toEqual(['See what it found.']);
  expect(avoidedIn('Not "what it found", but the pages. Somewhat longer.', phrases)).toEqual([]);
});
