/** Pages that no person wrote cost bounded time and memory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sentencePairs } from 'forager';
import { expect, onTestFinished, test } from 'vitest';
import { bilingualPages } from '../../support/bilingual-pages.ts';
import { size } from '../../support/extent.ts';
import type { WrittenPage } from '../harvest/written-crawl.ts';
import { corpusOf, pairLinesIn, recordOfPage } from './bilingual-corpus.ts';

const LONG = size(10_000_000, 500_000);
const MANY = size(1_000_000, 1_000);
const good = [...bilingualPages({ pagePairs: 4, sentences: 15 })].map((page) => recordOfPage(page));

test.each<[string, (lang: string) => string]>([
  [`one sentence of ${LONG} characters`, (lang) => (lang === 'en' ? 'the old bridge ' : 'le vieux pont ').repeat(LONG / 14)],
  [`one word of ${LONG} letters`, () => 'a'.repeat(LONG)],
  [`${MANY} paragraphs`, (lang) => (lang === 'en' ? 'The bridge.\n\n' : 'Le pont.\n\n').repeat(MANY)],
  [
    `${MANY} different lines`,
    (lang) => Array.from({ length: MANY }, (_, i) => `${lang === 'en' ? 'Bridge number' : 'Pont numéro'} ${i}.`).join('\n'),
  ],
  [`${MANY} full stops`, () => '. '.repeat(MANY)],
  [
    'sentences of one number and one word again and again',
    (lang) => `${lang === 'en' ? 'Bridge' : 'Pont'} ${'7 bridge '.repeat(99)}stop. `.repeat(size(4000, 60)),
  ],
  ['lone surrogates and controls', () => '\ud800 \u0000 \udfff. '.repeat(1000)],
])('%s', { timeout: 1_800_000 }, async (_, textOf) => {
  const dir = mkdtempSync(join(tmpdir(), 'hostile-pairs-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const [english, french, ...rest] = good as [WrittenPage, WrittenPage, ...WrittenPage[]];
  const corpus = await corpusOf(dir, [{ ...english, text: textOf('en') }, { ...french, text: textOf('fr') }, ...rest]);
  const { card } = await sentencePairs({ corpus, out: join(dir, 'out'), langs: ['en', 'fr'], formats: ['tmx', 'tsv', 'jsonl', 'parquet'] });
  expect(card.pages.read).toBe(8);
  const own = pairLinesIn(join(dir, 'out')).filter(({ leftUrl }) => leftUrl !== english.at);
  expect(own.length).toBeGreaterThan(30);
});
