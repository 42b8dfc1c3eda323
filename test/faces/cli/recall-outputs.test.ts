/**
 * A search of all outputs for a bound that is called recall: each command on a crawl with known pages, with listed ones and with none; the screens of
 * the page; card and methods text. Documents and messages are searched in `test/docs/recall-words.test.ts`.
 */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crawl } from 'forager';
import { afterAll, beforeAll, expect } from 'vitest';
import { openPage } from '../../../dist/faces/web-ui/open-page.js';
import { SCREENS } from '../../../dist/faces/web-ui/screens.js';
import { boundsCalledRecall, groundlessRecalls } from '../../support/recall-claims.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { PageClient } from '../web-ui/page-client.ts';
import { forager, foragerWith } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb();
const plain = small.path('plain');
let topic: string;
let proxy: string;
let known: string;
let frame: string;

beforeAll(async () => {
  proxy = (await small.serve()).proxy;
  topic = await trainedOn(small);
  const seeds = new Set<string>(small.seeds);
  const onTopic = [...small.web.urls()].filter((url) => small.web.page(url)?.topic === small.topic && !seeds.has(url));
  known = small.path('known.txt');
  writeFileSync(known, `${onTopic.slice(0, 20).join('\n')}\nhttp://nowhere.example/unseen\n`);
  frame = small.path('frame.txt');
  writeFileSync(frame, onTopic.join('\n'));
  await crawl({ dir: plain, topic, seeds: small.seeds, proxy, delay: 0, maxPages: 150, record: true, explore: 0.9, warmUp: 0 });
});
afterAll(() => small.close());

/** The same crawl with known pages. @param given as `--known` takes it; null for none */
async function crawlWith(name: string, given: string | null): Promise<{ readonly dir: string; readonly output: string }> {
  const dir = small.path(name);
  cpSync(plain, dir, { recursive: true });
  const { stdout, stderr } = await forager('crawl', dir, ...(given === null ? [] : ['--known', given]), '--max-pages', '155');
  return { dir, output: stdout + stderr };
}

/** Words of each command that prints something about a crawl, a corpus or a web; the others ask, wait, or write files alone. */
function callsOn(dir: string): readonly (readonly string[])[] {
  const [corpus, other, kept] = [`${dir}-corpus`, `${dir}-other`, small.seeds[0] ?? ''];
  return [
    ['status', dir],
    ['ledger', dir],
    ['why', dir, kept],
    ['topics', dir],
    ['seeds', dir],
    ['verify', dir],
    ['label', dir, '--count', '1', '--no-retrain'],
    ['label', 'audit', dir, '--count', '1'],
    ['label', 'decide', dir],
    ['stability', dir, '--runs', '2', '--vary', 'rng', '--budget', '30'],
    ['corpus', 'bias', dir, '--frame', 'random'],
    ['corpus', 'bias', dir, '--frame', frame],
    ['harvest', dir, '--out', corpus, '--format', 'jsonl,sqlite'],
    ['harvest', dir, '--out', other, '--sample', '20'],
    ['corpus', 'diff', corpus, other],
    ['corpus', 'merge', corpus, other, '--out', `${dir}-merged`],
    ['search', corpus, 'page'],
    ['freeze', dir, '--out', `${dir}-web.jsonl.gz`],
    ['train', '--help'],
    ['crawl', '--help'],
    ['known', '--help'],
  ];
}

async function outputsOf(dir: string): Promise<string[]> {
  const outputs: string[] = [];
  const failed: string[] = [];
  for (const words of callsOn(dir)) {
    const { code, stdout, stderr } = await foragerWith('y\nq\n', ...words);
    if (code !== 0 || stdout === '') failed.push(`${words.join(' ')}: ${stderr}`);
    outputs.push(`${words[0]}\n${stdout}\n${stderr}`);
  }
  expect(failed).toEqual([]);
  for (const name of readdirSync(`${dir}-corpus`).filter((one) => /\.(md|json|cff)$/.test(one)))
    outputs.push(
      readFileSync(join(`${dir}-corpus`, name), 'utf8')
        .replaceAll('"', '')
        .replaceAll(',\n', '\n'),
    );
  return [...outputs, ...(await screensOf(dir))];
}

async function screensOf(dir: string): Promise<string[]> {
  const page = await openPage({ dir, address: '0', run: null });
  try {
    const client = await PageClient.of(page.url);
    const texts: string[] = [];
    for (const { path } of SCREENS) texts.push((await client.screen(path)).querySelector('main')?.textContent ?? '');
    expect(texts.filter((text) => text.length > 50).length).toBeGreaterThan(5);
    return texts;
  } finally {
    await page.close();
  }
}

/** Not counted: fields of the card that have grounds of their own, and words that deny the recall. */
const TRUE_RECALLS = /^\s*recall: (?:null|[\d.]+)$|of listed pages|listed:FILE if they are not drawn/gm;

function claimsIn(outputs: readonly string[]): string[] {
  return outputs
    .map((text) => text.replaceAll(TRUE_RECALLS, ''))
    .flatMap((text) => [...boundsCalledRecall(text), ...groundlessRecalls(text)]);
}

wholeTest('known pages: the recall is theirs, with its interval, on terminal, page and card, and nothing else has the word', async () => {
  const { dir, output } = await crawlWith('known', known);
  const outputs = [output, ...(await outputsOf(dir))];
  expect(outputs.filter((text) => /recall \.\d\d \\?\[/.test(text)).length).toBeGreaterThan(3);
  expect(claimsIn(outputs)).toEqual([]);
});

wholeTest('listed pages and no pages: no number is called recall', async () => {
  for (const [name, given] of [
    ['listed', `listed:${known}`],
    ['none', null],
  ] as const) {
    const { dir, output } = await crawlWith(name, given);
    const outputs = [output, ...(await outputsOf(dir))];
    expect(claimsIn(outputs)).toEqual([]);
    for (const text of outputs) expect(text).not.toMatch(/recall \.\d|recall of the crawl was [\d.]/i);
    const { stdout } = await forager('status', dir, '--json');
    const { recall } = JSON.parse(stdout) as { recall: { recall: unknown; ofListed: unknown } | null };
    expect(recall?.recall ?? null).toBeNull();
    if (given !== null) expect(recall?.ofListed).toBeGreaterThan(0);
  }
});
