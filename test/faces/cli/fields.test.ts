import { readFileSync, writeFileSync } from 'node:fs';
import type { CorpusRecord } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wholeTest } from '../../support/whole-test.ts';
import { done, jsonLines, refused } from './forager.ts';
import { type Served, smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb();
const { path } = small;
const [seed = ''] = small.seeds;
const rules = path('rules.yaml');
let served: Served;
let model: string;

const RULES = `
rules:
  - url: http://site-*.example/a/*
    fields:
      heading: h1
      links: { select: "a[href]", attribute: href, all: true }
  - url: ${seed}
    fields:
      seed: title
`;

beforeAll(async () => {
  served = await small.serve();
  model = await trainedOn(small);
  writeFileSync(rules, RULES);
});
afterAll(() => small.close());

const crawlArgs = (dir: string, ...more: string[]) => ['crawl', path(dir), '--proxy', served.proxy, '--delay', '0ms', ...more];
const newCrawl = (dir: string, ...more: string[]) => crawlArgs(dir, '--topic', model, '--seeds', ...small.seeds, ...more);

async function harvested(dir: string): Promise<CorpusRecord[]> {
  await done('harvest', path(dir), '--out', path(`${dir}-corpus`), '--force');
  return jsonLines<CorpusRecord>(readFileSync(path(`${dir}-corpus`, 'corpus.jsonl'), 'utf8'));
}

test('extract --fields', async () => {
  const html = '<title>Other</title><p class="price">12 <b>EUR</b></p>';
  writeFileSync(
    path('page.jsonl'),
    ['http://site-1.example/a/1', 'http://elsewhere.example/']
      .map((url) => `${JSON.stringify({ url, html: `<h1>One</h1>${html}` })}\n`)
      .join(''),
  );
  const lines = jsonLines<CorpusRecord>(await done('extract', path('page.jsonl'), '--fields', rules));
  expect(lines.map(({ fields }) => fields)).toEqual([{ heading: 'One' }, {}]);
});

test('crawl --fields: the rules go with the crawl, their values with its corpus, and a resumed crawl has the same', async () => {
  await done(...newCrawl('crawl', '--fields', rules, '--max-pages', '12'));
  expect(readFileSync(path('crawl', 'fields.yaml'), 'utf8')).toBe(RULES);
  const first = await harvested('crawl');
  expect(first.length).toBeGreaterThan(3);
  for (const { url, title, fields } of first) {
    expect(fields['heading']).toBe(title);
    expect(fields['seed']).toBe(url === seed ? title : undefined);
    for (const link of fields['links'] ?? []) expect(link).toMatch(/^http:/);
  }
  writeFileSync(rules, `${RULES}      gone: h2\n`);
  await refused(2, [path('crawl'), 'was started with field rules other than', rules, '--fields'], ...crawlArgs('crawl', '--fields', rules));
  writeFileSync(rules, RULES);
  await done(...crawlArgs('crawl', '--max-pages', '20', '--fields', rules));
  await done(...crawlArgs('crawl', '--max-pages', '30'));
  const all = await harvested('crawl');
  expect(all.length).toBeGreaterThan(first.length);
  expect(all.filter(({ title, fields }) => fields['heading'] === title).length).toBe(all.length);
  const card = JSON.parse(readFileSync(path('crawl-corpus', 'corpus-card.json'), 'utf8'));
  expect(card.fields).toMatchObject({ heading: all.length });
});

wholeTest('the copy of a crawl: lost, changed or damaged', async () => {
  await done(...newCrawl('copy', '--fields', rules, '--max-pages', '2'));
  const copy = path('copy', 'fields.yaml');
  writeFileSync(copy, `${RULES}# changed`);
  await refused(3, [copy, 'was changed after the crawl started'], ...crawlArgs('copy'));
  writeFileSync(copy, 'rules: [');
  await refused(3, [`${copy}:1: not YAML`, "the crawl's own copy"], ...crawlArgs('copy'));
  // Begun anew, it has no rules.
  await done(...newCrawl('copy', '--force', '--max-pages', '2'));
  expect(() => readFileSync(copy)).toThrow('ENOENT');
  await refused(2, ['was started without field rules'], ...crawlArgs('copy', '--fields', rules));
});

test('rules that cannot be used: said before anything is written or fetched', async () => {
  const before = served.pages.length;
  for (const [content, parts] of [
    ['rules:\n  - url: http://a.example/\n    fields:\n      price: "p["\n', ['bad.yaml:4: price: not a CSS selector', 'p[']],
    ['rules: 3', ['bad.yaml:1: rules: ']],
  ] as const) {
    writeFileSync(path('bad.yaml'), content);
    await refused(2, parts, ...newCrawl('none', '--fields', path('bad.yaml')));
    await refused(2, parts, 'extract', path('rules.yaml'), '--fields', path('bad.yaml'));
  }
  await refused(2, [path('gone.yaml'), 'cannot be read'], ...newCrawl('none', '--fields', path('gone.yaml')));
  writeFileSync(path('bad.yaml'), Buffer.from([0xff, 0xfe, 0x00]));
  await refused(2, ['bad.yaml', 'not UTF-8'], ...newCrawl('none', '--fields', path('bad.yaml')));
  expect(() => readFileSync(path('none', 'crawl.json'))).toThrow('ENOENT');
  expect(served.pages.length).toBe(before);
});
