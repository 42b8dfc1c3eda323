/**
 * One digest for each kind of output of the reader, over mutated pages and real ones: two commits with equal digests read alike. A change of the reader that
 * should change nothing is checked so. A change of lines alone changes no digest of words.
 *
 *   npm run check -- reading-digests [--count 100000] [--seed 1] [--method block] [folder of *.jsonl.gz, as ../shared/data/extraction]
 *   npm run check -- reading-digests --count 0 --web .cache/debian-web [--every 1]     pages of a built web, each with its own URL
 */
import { createHash, type Hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { readGold } from '../../datasets/extractor/gold.ts';
import type { ReadLink } from '../../src/base/core/parts/reading.ts';
import { canonicalize } from '../../src/base/web/url.ts';
import { pageReading } from '../../src/crawling/reader/page-reading.ts';
import { readPage } from '../../src/crawling/reader/read-page.ts';
import { MAIN_TEXT_METHODS, type MainTextMethod } from '../../src/reading/extract/text-method-names.ts';
import { pageExtractor } from '../../src/reading/wasm-reader/page-extractor.ts';
import { drawnModel } from './drawn-model.ts';
import { type FuzzPage, fuzzCorpus, fuzzPage } from './fuzz-extract-input.ts';

/** Markdown, explanation and the other methods of one mutated page in so many; of every real page. */
const SOME = 8;
const OPTIONS = { productToken: 'forager' };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    method: { type: 'string' },
    web: { type: 'string' },
    every: { type: 'string', default: '1' },
  },
});

const methods = MAIN_TEXT_METHODS.filter((name) => values.method === undefined || name === values.method);
const extractors = new Map(methods.map((extractor) => [extractor, pageExtractor({ ...OPTIONS, extractor })]));
const models = [drawnModel(1), drawnModel(2, { template: [1, 2, 3] })];
const reading = await pageReading(models, 'anchor-and-context', { ...OPTIONS, isSettled: ({ lo }) => lo % 4 === 0 }, true);

class Digests {
  readonly #hashes = new Map<string, Hash>();

  add(kind: string, value: unknown): void {
    const hash = this.#hashes.get(kind) ?? createHash('sha256');
    this.#hashes.set(kind, hash);
    hash.update(typeof value === 'string' ? value : (JSON.stringify(value, plainNumbers) ?? '')).update('\0');
  }

  print(title: string, pages: number): void {
    console.log(`${title}: ${pages} pages`);
    for (const [kind, hash] of this.#hashes) console.log(`  ${kind.padEnd(28)} ${hash.digest('hex').slice(0, 24)}`);
  }
}

/** A text apart from its white space. */
function wordsOf(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** A link with its own hashes alone: links share one array of them. */
function plainLink({ url, text }: ReadLink): unknown {
  const { hashes, ...words } = text;
  if (hashes === undefined) return { url, words };
  const { numbers, start, places, end } = hashes;
  return { url, words, hashes: numbers.subarray(start, end), places: places - start };
}

/** Typed arrays as lists. */
function plainNumbers(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return ArrayBuffer.isView(value) && !(value instanceof DataView) ? Array.from(value as Uint8Array) : value;
}

function take(page: FuzzPage, isWhole: boolean, digests: Digests): void {
  const { extraction, links, ...judged } = readPage(page, reading);
  const { text, otherText, ...declared } = extraction;
  digests.add('text', text);
  digests.add('words of the text', wordsOf(text));
  digests.add('other text', otherText);
  digests.add('declarations', declared);
  digests.add('relevance', judged);
  digests.add('links', links.map(plainLink));
  if (isWhole) for (const method of methods) takeMethod(page, method, digests);
}

function takeMethod(page: FuzzPage, method: MainTextMethod, digests: Digests): void {
  const extractor = extractors.get(method);
  if (extractor === undefined) return;
  const { markdown } = extractor.extractMarkdown(page, { links: true });
  const { text, ...rest } = extractor.extract(page);
  const { explanation } = extractor.explain(page);
  digests.add(`${method}: text`, text);
  digests.add(`${method}: words of the text`, wordsOf(text));
  digests.add(`${method}: rest`, rest);
  digests.add(`${method}: Markdown`, markdown);
  digests.add(`${method}: words of Markdown`, (markdown.match(/[\p{L}\p{N}]+/gu) ?? []).join(' '));
  digests.add(`${method}: explanation`, explanation);
  digests.add(
    `${method}: roles of blocks`,
    explanation?.blocks.map(({ role, rule, words, slope, model }) => ({ role, rule, words, slope, model })) ?? null,
  );
}

const mutated = new Digests();
const corpus = fuzzCorpus();
const count = Number(values.count);
for (let n = 0; n < count; n += 1) take(fuzzPage(corpus, Number(values.seed), n), n % SOME === 0, mutated);
mutated.print('mutated', count);

for (const folder of positionals) {
  const real = new Digests();
  let pages = 0;
  for (const { url, html } of readGold(folder)) {
    const address = canonicalize(url) ?? canonicalize('https://www.example.com/page');
    if (address === null) continue;
    take({ url: address, headers: { 'content-type': 'text/html; charset=utf-8' }, body: Buffer.from(html) }, true, real);
    pages += 1;
  }
  real.print(folder, pages);
}

if (values.web !== undefined) {
  const real = new Digests();
  const entries = readdirSync(values.web, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => relative(values.web ?? '', join(parentPath, name)));
  const files = paths.filter((path) => /\.x?html?$/i.test(path)).sort();
  const wanted = files.filter((_, i) => i % Number(values.every) === 0);
  for (const file of wanted) {
    const url = canonicalize(`http://${file.split('/').map(encodeURIComponent).join('/')}`);
    const body = readFileSync(join(values.web, file));
    if (url !== null) take({ url, headers: { 'content-type': 'text/html' }, body }, false, real);
  }
  real.print(values.web, wanted.length);
}
