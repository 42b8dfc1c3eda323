/** A disk that is full, played by a limit on the size of files: a write then stops in its middle, and the next fails with EFBIG. */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { CorpusRecord, LedgerLine } from 'forager';
import { afterAll, beforeAll, expect } from 'vitest';
import { wholeTest } from '../../support/whole-test.ts';
import { done, jsonLines, startWithLimit } from './forager.ts';
import { type Served, smallWeb, trainedOn } from './small-web.ts';

/** Kilobytes: less than a model's 1,280, and a little more. */
const BELOW_MODEL = 1000;
const ABOVE_MODEL = 1300;

const small = smallWeb();
const { path } = small;
const PAGES = 30;
let served: Served;
let topic: string;

beforeAll(async () => {
  served = await small.serve({ extra: longPages() });
  topic = await trainedOn(small);
});
afterAll(() => small.close());

function longUrl(i: number): string {
  return `http://long.example/${i}.html`;
}

/** A home page, and pages it links to with a hundred kilobytes of main text each: the corpus fills a disk before the frontier does. */
function longPages(): Map<string, string> {
  const [example = ''] = small.web.examples(small.topic, 1);
  const article = (/<article>.*<\/article>/s.exec(example) ?? [''])[0].replaceAll(/<\/?a\b[^>]*>/g, '');
  const pages = Array.from({ length: PAGES }, (_, i) => i + 1);
  const text = article.repeat(Math.ceil(100_000 / article.length));
  const home = `<html lang="en"><title>Home</title><body>${article}${pages.map((i) => `<p><a href="${longUrl(i)}">Part ${i}</a></p>`).join('')}`;
  return new Map([
    [longUrl(0), home],
    ...pages.map((i) => [longUrl(i), `<html lang="en"><title>Part ${i}</title><body><p>Number ${i}.</p>${text}`] as const),
  ]);
}

/** One line on standard error, after what told of its progress, that names the thing and the way out, and exit code 3. */
async function fails(limit: number, parts: readonly string[], ...args: string[]): Promise<void> {
  const { code, stdout, stderr } = await startWithLimit(limit, args).ended;
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toMatch(
    /^(?:[^\n]+; \d+:\d\d\n)*forager: [^\n]+: no space left while [^\n]+; free some and run the same command again\n$/,
  );
  for (const part of parts) expect(stderr).toContain(part);
}

/** Every kept URL is in records.jsonl and in the WARC files, once. */
async function expectWholeCorpus(dir: string): Promise<void> {
  const kept = jsonLines<LedgerLine>(await done('ledger', dir, '--state', 'kept')).map(({ url }) => url);
  const records = jsonLines<CorpusRecord>(readFileSync(`${dir}/corpus/records.jsonl`, 'utf8')).map(({ url }) => url);
  const warc = gunzipSync(readFileSync(`${dir}/corpus/forager-00000.warc.gz`)).toString('latin1');
  const responses = [...warc.matchAll(/^WARC-Type: response\r\n(?:[^\r]+\r\n)*?WARC-Target-URI: ([^\r]+)\r$/gm)].map(([, url = '']) => url);
  expect(records.toSorted()).toEqual(kept.toSorted());
  expect(responses.toSorted()).toEqual(kept.toSorted());
}

wholeTest('train: no model is left behind, an earlier one stays', async () => {
  const out = path('models', 'full');
  await fails(BELOW_MODEL, [out, 'saving a model'], 'train', small.examples, '--out', out);
  expect(existsSync(path('models')) ? readdirSync(path('models')) : []).toEqual([]);
  await done('train', small.examples, '--out', out, '--json', '--seed-rng', '5', '--word-vectors', 'none');
  await fails(BELOW_MODEL, [out], 'train', small.examples, '--out', out, '--force');
  expect(JSON.parse(readFileSync(`${out}/card.json`, 'utf8'))).toMatchObject({ seed: 5 });
  expect(readdirSync(path('models'))).toEqual(['full']);
});

wholeTest('a new crawl that cannot take its model along begins when there is room', async () => {
  const dir = path('begun');
  const args = ['crawl', dir, '--topic', topic, '--seeds', ...small.seeds, '--max-pages', '5', '--delay', '0ms', '--proxy', served.proxy];
  await fails(BELOW_MODEL, [`${dir}/model`, 'copying the model'], ...args);
  expect(jsonLines(await done(...args, '--json'))).toMatchObject([{ resumed: false, counts: { visited: 5 } }]);
});

wholeTest('a crawl whose corpus fills the disk goes on when there is room: nothing lost, nothing twice', async () => {
  const dir = path('filled');
  const args = [
    'crawl',
    dir,
    '--topic',
    topic,
    '--seeds',
    longUrl(0),
    '--scope',
    'host:long.example',
    '--delay',
    '0ms',
    '--proxy',
    served.proxy,
    // The pages differ in their links only.
    '--traps',
    'off',
  ];
  await fails(ABOVE_MODEL, [`${dir}/corpus/records.jsonl`, 'writing the corpus'], ...args);
  expect(statSync(`${dir}/corpus/records.jsonl`).size).toBe(ABOVE_MODEL * 1024);
  expect(existsSync(`${dir}/lock`)).toBe(false);
  const { counts } = JSON.parse(await done('status', dir, '--json')) as { counts: { visited: number } };
  expect(counts.visited).toBeLessThan(PAGES + 1);
  const [report] = jsonLines<{ stopReason: string; counts: object }>(await done(...args, '--json'));
  expect(report).toMatchObject({ stopReason: 'drained', resumed: true, counts: { visited: PAGES + 1, kept: PAGES + 1 } });
  await expectWholeCorpus(dir);

  const out = path('corpora', 'full');
  const harvest = ['harvest', dir, '--out', out, '--dedupe', 'none'];
  await fails(ABOVE_MODEL, [path('corpora', '.full'), 'writing the harvest'], ...harvest);
  expect(existsSync(path('corpora'))).toBe(false);
  // An earlier corpus, short enough for what is left of the disk.
  await done(...harvest, '--sample', '1');
  const before = readdirSync(path('corpora'));
  const earlier = readFileSync(`${out}/corpus.jsonl`, 'utf8');
  expect(jsonLines(earlier).length).toBe(1);
  await fails(ABOVE_MODEL, [path('corpora', '.full'), 'writing the harvest'], ...harvest, '--force');
  expect(readdirSync(path('corpora'))).toEqual(before);
  expect(readFileSync(`${out}/corpus.jsonl`, 'utf8')).toBe(earlier);
  await done(...harvest, '--force');
  expect(jsonLines(readFileSync(`${out}/corpus.jsonl`, 'utf8')).length).toBe(PAGES + 1);
});

wholeTest('a crawl whose frontier fills the disk goes on when there is room: nothing lost, nothing twice', async () => {
  const dir = path('frontier-filled');
  // Off-topic pages are in the frontier with their text: it grows faster than the corpus.
  const seeds = small.web.seeds('topic-2', 3);
  const args = ['crawl', dir, '--topic', topic, '--seeds', ...seeds, '--strategy', 'bfs', '--delay', '0ms', '--proxy', served.proxy];
  await done(...args, '--max-pages', '20');
  const before = JSON.parse(await done('status', dir, '--json')) as { counts: { visited: number } };
  expect(before.counts.visited).toBe(20);
  for (const more of [0, 16]) {
    const limit = Math.ceil(statSync(`${dir}/frontier/data.mdb`).size / 1024) + more;
    const { code, stdout, stderr } = await startWithLimit(limit, [...args, '--max-pages', '200']).ended;
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    // Met before LMDB writes: it would say "Write error" on standard error, and might end the process by a signal.
    expect(stderr).not.toContain('rite error');
    expect(stderr).toMatch(
      /forager: [^\n]+\/frontier: no space left while committing the frontier; free some and run the same command again\n$/,
    );
    // The second run puts aside what the first one could not commit.
    const lines = stderr.split('\n').filter((line) => !line.includes('were not committed when the crawl stopped'));
    expect(lines.length).toBe(2);
    expect(existsSync(`${dir}/lock`)).toBe(false);
  }
  const [report] = jsonLines<{ stopReason: string; counts: object }>(await done(...args, '--max-pages', '200', '--json'));
  expect(report).toMatchObject({ stopReason: 'max-pages', resumed: true, counts: { visited: 200 } });
  await expectWholeCorpus(dir);
});
