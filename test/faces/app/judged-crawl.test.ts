/** Crawls with a judge of the user: a module, a command, one that fails, and crawls that are resumed. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type CrawlOptions, type CrawlReport, harvest, type LedgerLine, why } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readManifest } from '../../../src/crawling/crawl-dir/crawl-directory.ts';
import { done, refused } from '../cli/forager.ts';
import { smallWeb } from '../cli/small-web.ts';
import { type CodeCrawlBase, codeCrawlBase, ledgerLines, warnedCrawl } from './code-crawls.ts';

const small = smallWeb();
const { path } = small;
let base: CodeCrawlBase;
let warnings: string[] = [];

beforeAll(async () => {
  base = await codeCrawlBase(small);
});
afterAll(() => small.close());

function fileOf(name: string, code: string): string {
  writeFileSync(path(name), code);
  return path(name);
}

async function crawled(name: string, more: Partial<CrawlOptions>): Promise<CrawlReport> {
  const run = await warnedCrawl({ ...base, dir: path(name), ...more });
  warnings = run.warnings;
  return run.report;
}

const linesOf = (name: string) => ledgerLines(path(name));

/** Writes a line for each text that it is asked about. */
const logged = (name: string, relevance: string) => `
import { appendFileSync } from 'node:fs';
export const judge = (pages) => pages.map(({ id, url, title, text }) => {
  appendFileSync(${JSON.stringify(path(`${name}.log`))}, url + '\\n');
  return { id, relevance: ${relevance}, because: 'by ' + typeof title };
});`;
const askedBy = (name: string) =>
  existsSync(path(`${name}.log`))
    ? readFileSync(path(`${name}.log`), 'utf8')
        .trimEnd()
        .split('\n')
    : [];

test('a judge replaces the relevance of the model, in ledger, corpus and why, and its digest is in manifest and card', async () => {
  const judgeBy = fileOf('none.mjs', logged('none', 'url.endsWith("0") ? 0.75 : 0'));
  await crawled('none', { judgeBy });
  const lines = await linesOf('none');
  const visited = lines.filter(({ relevance }) => relevance !== null);
  expect(new Set(visited.map(({ relevance }) => relevance))).toEqual(new Set(visited.map(({ url }) => (url.endsWith('0') ? 0.75 : 0))));
  const off = visited.find(({ reason }) => reason === 'hook:judge:by string');
  expect(off).toMatchObject({ state: 'off-topic', hooked: { judgedBy: 'judge', because: 'by string' } });
  const found = await why(path('none'), off?.url ?? '');
  expect(found.page?.hook).toMatchObject({ relevance: 0, modelRelevance: found.page?.relevance, judgedBy: 'judge' });
  expect(await done('why', path('none'), off?.url ?? '')).toContain('the judge of --judge-by gives 0.0000 in place of');
  const { judgeSha256 } = readManifest(path('none'));
  await harvest({ dir: path('none'), out: path('none-corpus'), formats: ['jsonl'] });
  expect(readFileSync(path('none-corpus', 'corpus-card.json'), 'utf8')).toContain(`none.mjs (SHA-256 ${judgeSha256})`);
  expect(await done('verify', path('none'))).toContain('judgements of a judge of yours');
});

test('a resumed crawl asks about no text again, and warns of another judge', async () => {
  const judgeBy = fileOf('again.mjs', logged('again', '0.9'));
  await crawled('again', { judgeBy, maxPages: 3 });
  await crawled('again', { maxPages: 6 });
  expect(warnings).toEqual([]);
  const asked = askedBy('again');
  expect(asked.length).toBeGreaterThan(3);
  expect(new Set(asked).size).toBe(asked.length);
  fileOf('again.mjs', logged('again', '0.8'));
  await crawled('again', { maxPages: 7 });
  expect(warnings).toEqual([expect.stringContaining('the pages so far were visited with another version of its judge')]);
  await crawled('again', { maxPages: 8, judgeBy: 'none' });
  expect(askedBy('again').length).toBe(asked.length + 1);
});

test('a band: only pages whose relevance by the model is inside are asked about', async () => {
  await crawled('plain', {});
  const relevances = new Map((await linesOf('plain')).map(({ url, relevance }) => [url, relevance]));
  const found = [...relevances.values()].filter((relevance) => relevance !== null).toSorted((one, other) => one - other);
  const high = found[found.length >> 1] ?? Number.NaN;
  const judgeBy = fileOf('band.mjs', logged('band', '0.99'));
  await crawled('band', { judgeBy, judgeBand: { low: 0, high } });
  const lines = (await linesOf('band')).filter(({ order }) => order !== null);
  const inside = lines.filter(({ hooked }) => hooked?.judgedBy === 'judge');
  expect(inside.length).toBeGreaterThan(0);
  for (const { hooked } of inside) expect(hooked?.modelRelevance).toBeLessThanOrEqual(high);
  const outside = lines.filter(({ hooked }) => hooked === undefined);
  expect(outside.length).toBeGreaterThan(0);
  for (const { url, relevance } of outside) {
    expect(relevance).toBeGreaterThan(high);
    if (relevances.has(url)) expect(relevance).toBe(relevances.get(url));
  }
});

test('a command judges: it is not stored, and must be given again', async () => {
  const program = fileOf(
    'program.mjs',
    `import { createInterface } from 'node:readline';
    for await (const line of createInterface({ input: process.stdin }))
      console.log(JSON.stringify({ id: JSON.parse(line).id, relevance: 0.625 }));`,
  );
  const judgeBy = `node ${program} --key secret`;
  await crawled('command', { judgeBy, maxPages: 2 });
  const visited = async () => (await linesOf('command')).filter(({ relevance }) => relevance !== null);
  expect((await visited()).map(({ relevance }) => relevance)).toEqual([0.625, 0.625]);
  expect(readFileSync(path('command', 'crawl.json'), 'utf8')).not.toContain('secret');
  await expect(crawled('command', { maxPages: 3 })).rejects.toThrow('commands are not stored; give --judge-by again, or --judge-by none');
  await crawled('command', { judgeBy, maxPages: 3 });
  expect(warnings).toEqual([]);
  expect((await visited()).map(({ relevance }) => relevance)).toEqual([0.625, 0.625, 0.625]);
});

test('pages of a judge that fails have the relevance of the model, and the ledger names the failure', async () => {
  await crawled('failing', { judgeBy: 'exit 4' });
  const own = (lines: readonly LedgerLine[]) => lines.map(({ url, state, order, relevance }) => [url, state, order, relevance]);
  expect(own(await linesOf('failing'))).toEqual(own(await linesOf('plain')));
  const [first] = (await linesOf('failing')).filter(({ order }) => order === 1);
  expect(first?.hooked).toEqual({ troubles: ['judge failed: exit code 4'] });
  expect(warnings.filter((warning) => warning.includes('judge failed: exit code 4'))).toHaveLength(1);
  expect(await done('why', path('failing'), first?.url ?? '')).toContain(
    'the page has the relevance of the model: judge failed: exit code 4',
  );
});

test('a training with labels does not change the relevance by the judge', async () => {
  const judgeBy = fileOf('taught.mjs', logged('taught', 'url.length % 2 === 0 ? 0.75 : 0.875'));
  await crawled('taught', { judgeBy, maxPages: 14, concurrency: 4 });
  const judged = async () =>
    (await linesOf('taught')).flatMap(({ url, relevance, hooked }) => (hooked ? [[url, relevance, hooked] as const] : []));
  const before = await judged();
  expect(before.length).toBeGreaterThan(10);
  const labels = before.map(([url], i) => `${url},${i % 2 === 0 ? 'y' : 'n'}\n`);
  await done('label', 'import', path('taught'), fileOf('taught.csv', `url,label\n${labels.join('')}`));
  await done('label', 'train', path('taught'), '--even-if-worse');
  expect(readManifest(path('taught')).relabelled.length).toBe(1);
  expect(await judged()).toEqual(before);
});

test('a hook sees the word of the judge, and has the last one', async () => {
  const judgeBy = fileOf('low.mjs', logged('low', '0.25'));
  const hooks = fileOf('high.mjs', 'export const afterRead = ({ relevance }) => ({ relevance: relevance + 0.5, because: "sum" });');
  await crawled('both', { judgeBy, hooks, maxPages: 2 });
  const [first] = (await linesOf('both')).filter(({ order }) => order === 1);
  expect(first).toMatchObject({ relevance: 0.75, hooked: { because: 'sum' } });
  expect(first?.hooked?.judgedBy).toBeUndefined();
  const plain = (await linesOf('plain')).find(({ url }) => url === first?.url);
  expect(first?.hooked?.modelRelevance).toBe(plain?.relevance);
});

test('a judge that cannot be used is refused before anything is written', async () => {
  const args = ['--topic', String(base.topic), '--seeds', ...small.seeds, '--proxy', String(base.proxy)];
  await refused(2, ['exports no judge'], 'crawl', path('wrong'), ...args, '--judge-by', fileOf('wrong.mjs', 'export const judges = 1;'));
  await refused(2, ['no file of a judge is here'], 'crawl', path('wrong'), ...args, '--judge-by', path('absent.mjs'));
  await refused(2, ['--judge-band has no effect without --judge-by'], 'crawl', path('wrong'), ...args, '--judge-band', '.2...8');
  for (const band of ['.8...2', '0..2', 'x', '.2'])
    await refused(2, ['not two relevances from 0 to 1'], 'crawl', path('wrong'), ...args, '--judge-by', 'true', '--judge-band', band);
  expect(existsSync(path('wrong'))).toBe(false);
});
