/** A crawl whose reader gives rendered documents, as that of a browser does: what every command that reads kept pages again makes of them. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type CorpusRecord, why } from 'forager';
import { crawlWith, type Parts, type ReplaceParts } from 'forager/parts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXIT } from '../../../dist/base/core/errors.js';
import { walkWarc } from '../../../src/corpus/records/warc-stream.ts';
import { urlSha256 } from '../../../src/corpus/records/withdrawals.ts';
import { answerOf, appScript, COST } from '../../corpus/records/rendered-samples.ts';
import { packedFilesWith } from '../../support/words-in-files.ts';
import { done, forager, jsonLines } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb();
const { path } = small;
const dir = path('crawl');
const WARC = 'corpus/forager-00000.warc.gz';
let options: Parameters<typeof crawlWith>[0];

/** A word that only the scripts of a page show: in its rendered document, and in the answer that they got. */
const wordOf = (url: string) => `drawn${urlSha256(url).slice(0, 12)}`;
/** Every second page or so. */
const isRendered = (url: string) => /[02468ace]$/.test(urlSha256(url));
const script = appScript();

type Page = Parameters<Parts['reader']['read']>[0];

/** Reads rendered documents in place of some pages. */
class Drawing {
  readonly #reader: Parts['reader'];
  constructor(reader: Parts['reader']) {
    this.#reader = reader;
  }
  async read(page: Page): ReturnType<Parts['reader']['read']> {
    if (!isRendered(page.url)) return this.#reader.read(page);
    const html = Buffer.from(
      Buffer.from(page.body)
        .toString()
        .replace('<p>', `<p>${wordOf(page.url)} is what the script wrote here. `),
    );
    const read = await this.#reader.read({ ...page, body: html, wireBody: html });
    if (read.kind !== 'read') return read;
    const visit = { ...COST, because: 'always', text: [1, 2], links: [1, 1], used: true } as const;
    const name = urlSha256(page.url).slice(0, 12);
    const document = { html, resources: [script, answerOf(name, wordOf(page.url))] as unknown as readonly Page[] };
    return { ...read, rendering: { visit, document, answers: [] } };
  }
  close(): Promise<void> {
    return this.#reader.close();
  }
}
const drawing: ReplaceParts = ({ reader }) => ({ reader: new Drawing(reader) });

const recordsOf = (name: string) => jsonLines<CorpusRecord & { rendered?: unknown; rendering?: unknown }>(readFileSync(path(name), 'utf8'));
const kept = () => recordsOf('crawl/corpus/records.jsonl');

beforeAll(async () => {
  const { proxy } = await small.serve();
  options = { dir, topic: await trainedOn(small), seeds: small.seeds, proxy, delay: 0, maxPages: 20, concurrency: 1, record: true };
  await crawlWith(options, drawing);
});
afterAll(() => small.close());

test('records have the text of the rendered documents, and the crawl verifies', async () => {
  const rendered = kept().filter(({ url }) => isRendered(url));
  expect([rendered.length > 2, rendered.length < kept().length]).toEqual([true, true]);
  for (const record of kept()) {
    expect(record.text.includes(wordOf(record.url)), record.url).toBe(isRendered(record.url));
    expect(record.rendered).toEqual(isRendered(record.url) ? COST : undefined);
  }
  await done('verify', dir);
});

test('lost lines are written again from the WARC files, with the ids and the cost of the rendering', async () => {
  const copy = path('repaired');
  cpSync(dir, copy, { recursive: true });
  rmSync(join(copy, 'corpus/records.jsonl'));
  await forager('repair', copy);
  const parts = ({ url, text, payloadSha256, rendered, rendering }: ReturnType<typeof kept>[number]) => [
    url,
    text,
    payloadSha256,
    rendered,
    rendering,
  ];
  expect(recordsOf('repaired/corpus/records.jsonl').map(parts)).toEqual(kept().map(parts));
  await done('verify', copy);
});

test('verify names a rendered document and a resource that are damaged, and the pages that need them', async () => {
  const copy = path('damaged');
  for (const [type, what] of [
    ['resource', 'its rendered document'],
    ['response', 'resource'],
  ] as const) {
    rmSync(copy, { recursive: true, force: true });
    cpSync(dir, copy, { recursive: true });
    const file = join(copy, WARC);
    const bytes = readFileSync(file);
    for await (const { fields, start } of walkWarc(join(dir, WARC), () => false))
      if (fields.get('warc-type') === type && (type === 'resource' || fields.get('warc-resource-type') === 'fetch'))
        bytes.fill(0, start + 20, start + 24);
    writeFileSync(file, bytes);
    const { code, stdout, stderr } = await forager('verify', copy);
    expect(code).toBe(EXIT.environment);
    const named = kept().filter(
      ({ url }) => isRendered(url) && new RegExp(`of ${url}, and no WARC file has .*${what}`).test(stdout + stderr),
    );
    expect(named.length, what).toBe(kept().filter(({ url }) => isRendered(url)).length);
  }
});

test('a purge removes the rendered document and the answers of the page alone; the script of the others stays', async () => {
  const copy = path('purged');
  cpSync(dir, copy, { recursive: true });
  const [gone = '', other = ''] = kept().flatMap(({ url }) => (isRendered(url) ? [url] : []));
  expect(await packedFilesWith(copy, wordOf(gone))).toContain(`${WARC}!`);
  await done('corpus', 'withdraw', copy, '--url', gone, '--reason', 'asked', '--purge');
  expect(await packedFilesWith(copy, wordOf(gone))).toEqual([]);
  expect(await packedFilesWith(copy, wordOf(other))).toContain(`${WARC}!`);
  // The script is short, so its record is stored without compression.
  expect(await packedFilesWith(copy, 'draw()')).toEqual([WARC, `${WARC}!`]);
  await done('verify', copy);
  await done('harvest', copy, '--out', path('after-purge'), '--format', 'jsonl,warc,wacz');
  expect(recordsOf('after-purge/corpus.jsonl').filter(({ rendered }) => rendered).length).toBeGreaterThan(0);
});

test('a route that a person writes is that page alone: as a seed, in why and in a withdrawal', async () => {
  const copy = path('routes');
  cpSync(dir, copy, { recursive: true });
  const home = kept()[0]?.url ?? '';
  const route = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `${home}#/secret/${n}`).find(isRendered) ?? '';
  await crawlWith({ ...options, dir: copy, seeds: [route], maxPages: 21 }, drawing);
  const said = await why(copy, route);
  expect([said.line.url, said.line.state, said.page?.title]).toEqual([route, 'kept', expect.any(String)]);
  expect((await why(copy, `${home}#/never-found`)).line.url).toBe(home);

  const urls = async (name: string) => {
    await done('harvest', copy, '--out', path(name), '--format', 'jsonl', '--dedupe', 'none');
    return recordsOf(`${name}/corpus.jsonl`).map(({ url }) => url);
  };
  const before = await urls('with-route');
  expect(before).toEqual(expect.arrayContaining([home, route]));
  await done('corpus', 'withdraw', copy, '--url', route, '--reason', 'asked');
  expect(await urls('without-route')).toEqual(before.filter((url) => url !== route));
});

test('a revisit finds the same rendered documents', async () => {
  const copy = path('revisited');
  cpSync(dir, copy, { recursive: true });
  await crawlWith({ ...options, dir: copy, revisit: 0, revisitOnly: true }, drawing);
  expect(recordsOf('revisited/corpus/records.jsonl')).toEqual(kept());
  const lines = jsonLines<{ url: string; revisit?: { result: string } }>(await done('ledger', copy, '--state', 'kept'));
  expect(new Set(lines.map(({ revisit }) => revisit?.result))).toEqual(new Set(['same']));
  await done('verify', copy);
});

test('the structure and the links of a harvest are read from the rendered documents', async () => {
  await done('harvest', dir, '--out', path('all'), '--format', 'jsonl,warc,tei,links,parquet,sqlite');
  const tei = readFileSync(path('all', 'corpus.tei.xml'), 'utf8');
  for (const { url } of recordsOf('all/corpus.jsonl')) expect(tei.includes(wordOf(url)), url).toBe(isRendered(url));
  expect(tei).not.toContain('decls="#paragraphs"');
  await done('verify', path('all'));
});

test('a crawl that recorded nothing is frozen with all links of its rendered documents', async () => {
  const other = path('unrecorded');
  await crawlWith({ ...options, dir: other, maxPages: 8, record: false }, drawing);
  const pages = recordsOf('unrecorded/corpus/records.jsonl');
  expect(new Set(pages.map(({ url }) => isRendered(url)))).toEqual(new Set([true, false]));
  await done('freeze', other, '--out', path('frozen.gz'));
  const frozen = gunzipSync(readFileSync(path('frozen.gz'))).toString();
  for (const { url } of pages) expect(frozen.includes(wordOf(url)), url).toBe(isRendered(url));
});
