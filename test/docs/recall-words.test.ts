/** No text of ours calls a bound of the recall, or a share of other pages, a recall: documents, messages and help texts. */
import { expect, test } from 'vitest';
import { boundsCalledRecall, groundlessRecalls } from '../support/recall-claims.ts';
import { allDocuments } from './documents.ts';
import { proseOfSource, sourceFiles } from './source-prose.ts';

/** Sentences that say of a bound that it is one, and that no command prints it, or that give the rule of a stop. */
const EXPLAINED: readonly { readonly part: string; readonly why: string }[] = [
  { part: 'measures forecasts of visits and upper bounds of the recall', why: 'the bench; it says that no command prints one' },
  { part: 'for pages that are not drawn at random: their share is told as that of listed pages', why: 'it denies the word' },
  { part: '| at most, by citations of the kept pages (Chao) |', why: 'the table of figures that are not given' },
  { part: 'the share of its pages is not called recall', why: 'it denies the word' },
  { part: 'listed:FILE if they are not drawn at random', why: 'the option; `status` shows the share of listed pages by another word' },
  { part: 'the known pages are listed, so their share is not the recall', why: 'it denies the word' },
];

function unexplained(text: string): string[] {
  return boundsCalledRecall(text).filter((sentence) => EXPLAINED.every(({ part }) => !sentence.includes(part)));
}

const messages = sourceFiles('src').flatMap((path) => proseOfSource(path).messages.map(({ text }) => ({ path, text })));

test('a bound that is called recall is found, and so is a number without a ground', () => {
  for (const text of [
    'recall at most .80',
    'recall by citations (Chao): 0.62',
    'overlap of two crawls: recall .55',
    'of 30 listed pages 27 kept; recall .90',
    'The recall is no more than 70 %.',
  ])
    expect(boundsCalledRecall(text)).toEqual([text]);
  expect(boundsCalledRecall('at most 30 pages. The recall is known.')).toEqual([]);
  expect(groundlessRecalls('recall: 0.62 and recall .55; estimated recall of the crawl: 40 %')).toHaveLength(3);
  expect(groundlessRecalls('of 30 known pages: 22 kept; recall .73 [.57, .86] at 90 %')).toEqual([]);
  expect(groundlessRecalls('of 30 known pages: 22 kept; recall .73 at 90 %')).toHaveLength(1);
});

test('each exception is a sentence that exists', () => {
  const all = [...allDocuments().map(({ text }) => text), ...messages.map(({ text }) => text)].flatMap(boundsCalledRecall);
  expect(EXPLAINED.filter(({ part }) => !all.some((sentence) => sentence.includes(part)))).toEqual([]);
});

test.each(['README.md', 'CHANGELOG.md', 'docs/'])('%s', (place) => {
  const documents = allDocuments().filter(({ path }) => path.startsWith(place));
  expect(documents.length).toBeGreaterThan(0);
  expect(documents.flatMap(({ path, text }) => unexplained(text).map((sentence) => `${path}: ${sentence}`))).toEqual([]);
});

test('messages, help texts and words of the page', () => {
  expect(messages.filter(({ text }) => /recall/i.test(text)).length).toBeGreaterThan(10);
  expect(messages.flatMap(({ path, text }) => unexplained(text).map((sentence) => `${path}: ${sentence}`))).toEqual([]);
});
