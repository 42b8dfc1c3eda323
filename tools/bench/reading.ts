/**
 * Reading a page (text, links, relevance, judged links, fingerprint): the core beside the JavaScript path, on the same pages in turns. CPU time a page
 * of this process, median of the rounds; and the number of pages whose answers differ in anything.
 *
 *   npm run bench -- reading [INPUT...] [--sizes 20000,60000] [--pages 300] [--most 100000] [--rounds 5]
 *
 * INPUT: files, folders or WARC files with pages; all are compared, `--pages` of them are timed. Without INPUT, pages of the generated web.
 */

import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { generateWeb } from '../../datasets/generated-web/web.ts';
import { canonicalize } from '../../src/base/web/url.ts';
import { inputPages } from '../../src/crawling/input/inputs.ts';
import type { PageReading } from '../../src/crawling/reader/page-reading.ts';
import { readPage } from '../../src/crawling/reader/read-page.ts';
import { DEFAULT_MAIN_TEXT_METHOD } from '../../src/reading/extract/text-method-names.ts';
import type { LinearTopicModel } from '../../src/reading/topic/model.ts';
import { trainTopic } from '../../src/reading/topic/train-topic.ts';
import { pageExtractor } from '../../src/reading/wasm-reader/page-extractor.ts';
import { median } from '../quality/median.ts';
import { TwoReadings } from '../soak/two-readings.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sizes: { type: 'string', default: '20000,60000' },
    pages: { type: 'string', default: '300' },
    most: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
  },
});

type Page = Parameters<typeof readPage>[0];

const web = (pageBytes: number, pages: number) =>
  generateWeb({ seed: 3, pages: pages + 200, hosts: 200, topics: 2, linksPerPage: 50, locality: 0.6, pageBytes });

const model = await trainedModel();
const readings = await TwoReadings.of([model], 'context');

console.log(
  `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown processor'}, load ${loadavg()[0]?.toFixed(1)}\n`,
);
console.log('| pages | compared | that differ | KB | JavaScript µs | core µs | ratio |\n| --- | --- | --- | --- | --- | --- | --- |');
if (positionals.length === 0) {
  for (const size of values.sizes.split(',').map(Number)) await bench(`generated, ${size / 1000} KB`, generated(size));
} else for (const input of positionals) await bench(input, stored(input));

async function trainedModel(): Promise<LinearTopicModel> {
  const extractor = pageExtractor({ productToken: 'forager' });
  const examples = web(20_000, 100)
    .examples('topic-1', 20)
    .map((html, i) => ({ ...extractor.extract(pageOf('http://a.example/', html)), id: String(i), url: null, language: null }));
  return (await trainTopic(examples, { name: 'bench', seed: 1, extractor: DEFAULT_MAIN_TEXT_METHOD, now: 0, software: 'bench' })).model;
}

function pageOf(url: string, html: string | Uint8Array, headers: Page['headers'] = { 'content-type': 'text/html; charset=utf-8' }): Page {
  return { url: canonicalize(url) ?? canonicalize('http://unknown.invalid/'), headers, body: Buffer.from(html) } as Page;
}

async function* generated(pageBytes: number): AsyncGenerator<Page> {
  const pages = web(pageBytes, Number(values.pages));
  for (const url of pages.urls().slice(0, Number(values.pages))) {
    const page = pages.page(url);
    if (page) yield pageOf(url, page.html);
  }
}

async function* stored(input: string): AsyncGenerator<Page> {
  let left = Number(values.most);
  for await (const { url, headers, body } of inputPages(input, {})) {
    if (left-- <= 0) return;
    yield pageOf(url ?? 'http://unknown.invalid/', body, headers);
  }
}

async function bench(name: string, pages: AsyncIterable<Page>): Promise<void> {
  const timed: Page[] = [];
  let [compared, different, bytes] = [0, 0, 0];
  for await (const page of pages) {
    compared++;
    const difference = readings.difference(page);
    if (difference !== '' && ++different <= 5) console.error(`${page.url}: ${difference}`);
    if (timed.length < Number(values.pages)) {
      timed.push(page);
      bytes += page.body.length;
    }
  }
  const times = { plain: [] as number[], fast: [] as number[] };
  for (let round = 0; round < Number(values.rounds); round++) {
    times.plain.push(micros(timed, readings.plain));
    times.fast.push(micros(timed, readings.core));
  }
  const [slow, quick] = [median(times.plain), median(times.fast)];
  const row = [
    name,
    compared,
    different,
    (bytes / timed.length / 1000).toFixed(0),
    slow.toFixed(0),
    quick.toFixed(0),
    (slow / quick).toFixed(2),
  ];
  console.log(`| ${row.join(' | ')} |`);
}

function micros(pages: readonly Page[], reading: PageReading): number {
  const start = process.cpuUsage();
  for (const page of pages) readPage(page, reading);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / pages.length;
}
