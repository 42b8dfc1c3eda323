/** Callers without a type checker: what they write wrong is refused before anything is done. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as forager from 'forager';
import { UsageError } from 'forager';
import { afterAll, expect, test } from 'vitest';
import { TopicTraining } from '../../../dist/study/label/topic-training.js';
import { checkOptions, type OptionTable } from '../../../src/crawling/settings/check-options.ts';
import { count, span, text } from '../../../src/crawling/settings/kinds.ts';
import { EVALUATE } from '../../../src/faces/app/compare-strategies.ts';
import { CRAWL } from '../../../src/faces/app/crawl-options.ts';
import { EXTRACT } from '../../../src/faces/app/extract-pages.ts';
import { FREEZE } from '../../../src/faces/app/freeze-crawl.ts';
import { HARVEST } from '../../../src/faces/app/harvest-crawl.ts';
import { TRAIN } from '../../../src/faces/app/train-from-pages.ts';

const folder = mkdtempSync(join(tmpdir(), 'forager-options-'));
const dir = join(folder, 'crawl');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As JavaScript calls it. */
type Loose = Record<string, (...args: unknown[]) => Promise<unknown> & AsyncIterator<unknown>>;
const library = forager as unknown as Loose;
const called = async (name: string, ...args: unknown[]) => {
  const result = library[name]?.(...args);
  return result && 'next' in result ? result.next() : result;
};

const CRAWL_OF = { dir, topic: 'models/none', seeds: ['http://a.test/'] };
test.each([
  ['crawl', [{ ...CRAWL_OF, maxpages: 5 }], 'crawl: there is no option maxpages; did you mean maxPages?'],
  ['crawl', [{ ...CRAWL_OF, delay: '1s' }], 'crawl: delay "1s": not a span of time; give milliseconds, as a number of at least 0'],
  ['crawl', [{ ...CRAWL_OF, maxPages: -3 }], 'crawl: maxPages -3: not a whole number of at least 1'],
  ['crawl', [{ ...CRAWL_OF, maxPages: Number.NaN }], 'crawl: maxPages NaN: not a whole number of at least 1'],
  ['crawl', [{ ...CRAWL_OF, concurrency: 2.5 }], 'crawl: concurrency 2.5: not a whole number of at least 1'],
  ['crawl', [{ ...CRAWL_OF, perIp: 'on' }], 'crawl: perIp "on": not true or false'],
  ['crawl', [{ ...CRAWL_OF, seeds: 'http://a.test/' }], 'crawl: seeds "http://a.test/": not a list of texts'],
  ['crawl', [{ ...CRAWL_OF, seeds: ['http://a.test/', 7] }], 'crawl: seeds.1 7: not a text'],
  ['crawl', [{ ...CRAWL_OF, explore: 2 }], 'crawl: explore 2: not a number from 0 to 1'],
  ['crawl', [{ ...CRAWL_OF, stopYield: '2%/500' }], 'crawl: stopYield "2%/500": neither { share, visits } nor none'],
  ['crawl', [{ ...CRAWL_OF, toString: 1 }], 'crawl: there is no option toString; there are dir, topic, seeds,'],
  ['crawl', ['crawls/moss'], 'crawl: takes an object of options, but received "crawls/moss"'],
  ['crawl', [{ topic: 'models/none' }], 'crawl: needs the option dir'],
  ['harvest', [{ dir }], 'harvest: needs the option out'],
  ['train', [{ examples: ['a'], out: dir, keyword: 'moss' }], 'train: there is no option keyword; did you mean keywords?'],
  ['train', [{ examples: 'a', out: dir }], 'train: examples "a": not a list of texts'],
  ['harvest', [{ dir, out: 'x', format: 'warc' }], 'harvest: there is no option format; did you mean formats?'],
  ['harvest', [{ dir, out: 'x', formats: ['warcs'] }], 'harvest: formats.0 "warcs": not one of jsonl, parquet'],
  ['freeze', [{ dir, out: '' }], 'freeze: out "": is empty'],
  ['findSeeds', [{ dir, top: 0 }], 'findSeeds: top 0: not a whole number of at least 1'],
  ['exportLinkModel', [{ dir, out: 'x', force: 'yes' }], 'exportLinkModel: force "yes": not true or false'],
  ['evaluate', [{ web: 'w', topic: 't', judge: 'j', budget: '9' }], 'evaluate: budget "9": not a whole number of at least 1'],
  ['judgePages', ['models/none', 'a.html', { explian: true }], 'judgePages: there is no option explian; did you mean explain?'],
  ['extractPages', ['a.html', { parts: { tabels: false } }], 'extractPages: parts {"tabels":false}: has no option tabels'],
  ['explainPages', ['a.html', { extractor: 'blok' }], 'explainPages: extractor "blok": not one of block, slope, none'],
  ['verify', [{ dir, onprogress: () => 1 }], 'verify: there is no option onprogress; did you mean onProgress?'],
  ['verify', [{}], 'verify: needs the option dir'],
  ['why', [dir, 'http://a.test/', { topics: 'moss' }], 'why: there is no option topics; there are topicName'],
  ['readInput', ['a.html', { fetch: { delay: '1s' } }], 'readInput: fetch.delay "1s": not a span of time'],
  ['readInput', ['a.html', { fetch: { dealy: 5 } }], 'readInput: fetch {"dealy":5}: has no option dealy'],
  ['extractPages', ['a.html', { fetch: { concurrency: 0 } }], 'extractPages: fetch.concurrency 0: not a whole number of at least 1'],
  ['fetchList', [['http://a.test/'], { delay: '1s' }], 'fetchList: delay "1s": not a span of time'],
])('%s(%j)', async (name, args, message) => {
  const error = await called(name, ...args).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(UsageError);
  expect(String(error)).toContain(message);
  expect(existsSync(dir)).toBe(false);
});

test('a labelling is checked too', async () => {
  await expect(forager.openLabelling({ dir, rngSeed: -1 })).rejects.toThrow('openLabelling: rngSeed -1: not a whole number of at least 0');
});

test('a relabelling is checked before anything is trained', async () => {
  const wrong = { even: true } as unknown as Parameters<forager.Labelling['relabel']>[0];
  const training = Object.create(TopicTraining.prototype) as TopicTraining;
  await expect(training.run(wrong)).rejects.toThrow('relabel: there is no option even');
  await expect(training.undo(wrong)).rejects.toThrow('undoRelabelling: there is no option even');
});

test('what is undefined is left out, and no limit may be said as Infinity', async () => {
  const options = { ...CRAWL_OF, maxPages: Number.POSITIVE_INFINITY, maxTime: Number.POSITIVE_INFINITY, delay: undefined };
  // On to the next thing that is wrong.
  await expect(called('crawl', options)).rejects.toThrow(/models\/none/);
});

test('a table has a check for each option of its type', () => {
  const table: OptionTable<{ readonly name: string; readonly times?: number }> = { name: text.check, times: count(1).check };
  expect(() => checkOptions('f', table, { name: 'a', times: 2 })).not.toThrow();
  // @ts-expect-error: `times` has none
  const lacking: OptionTable<{ readonly name: string; readonly times?: number }> = { name: text.check };
  // @ts-expect-error: a span is no text
  const wrong: OptionTable<{ readonly name: string }> = { name: span.check };
  expect([lacking, wrong]).toHaveLength(2);
  for (const own of [CRAWL, EVALUATE, EXTRACT, FREEZE, HARVEST, TRAIN]) expect(Object.keys(own).length).toBeGreaterThan(3);
});
