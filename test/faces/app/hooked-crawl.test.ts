/** Crawls whose hooks fail, and crawls that are resumed with other hooks. */
import { readFileSync } from 'node:fs';
import { type CrawlOptions, type CrawlReport, crawl, type LedgerLine, status, why } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { done, refused } from '../cli/forager.ts';
import { smallWeb } from '../cli/small-web.ts';
import { type CodeCrawlBase, codeCrawlBase, ledgerLines, moduleIn, warnedCrawl } from './code-crawls.ts';

const small = smallWeb();
const { path } = small;
let base: CodeCrawlBase;
let warnings: string[] = [];

beforeAll(async () => {
  base = await codeCrawlBase(small);
});
afterAll(() => small.close());

const moduleOf = (name: string, code: string) => moduleIn(small, name, code);

async function crawled(name: string, code: string, more: Partial<CrawlOptions> = {}): Promise<CrawlReport> {
  const run = await warnedCrawl({ ...base, dir: path(name), hooks: moduleOf(name, code), ...more });
  warnings = run.warnings;
  return run.report;
}

const linesOf = (name: string) => ledgerLines(path(name));

/** Each hook fails in another way. */
const BROKEN = `
export function beforeFetch() { throw new Error('no network'); }
export function afterRead() { process.exit(); }
export function onLinks() { return 'links'; }
export function beforeKeep(record) { return { ...record, text: 7 }; }
export function onKept() { throw new Error('no file'); }
`;

test('hooks that fail are warned of once each; the pages are visited without them, and the ledger names them', async () => {
  const { counts, codeFailures } = await crawled('broken', BROKEN);
  expect(counts.visited).toBe(6);
  expect(counts.kept).toBeGreaterThan(3);
  const kinds = [
    'beforeFetch threw',
    'afterRead ended its thread',
    'onLinks returned rubbish',
    'beforeKeep returned rubbish',
    'onKept threw',
  ];
  for (const kind of kinds) expect([kind, warnings.filter((warning) => warning.includes(`hook ${kind}:`)).length]).toEqual([kind, 1]);
  expect(warnings.filter((warning) => warning.includes('beforeFetch threw 6 times in this run'))).toHaveLength(1);
  expect(Object.keys(codeFailures).sort()).toEqual([...kinds.slice(0, 4)].sort());
  expect(codeFailures['beforeFetch threw']).toBe(6);
  expect((await status(path('broken'))).codeFailures).toEqual(codeFailures);
  expect(await done('status', path('broken'))).toContain('failures of your code: ');
  const kept = (await linesOf('broken')).find(({ state }) => state === 'kept');
  expect(kept?.hooked?.troubles?.map((trouble) => trouble.split(':')[0])).toEqual(kinds.slice(0, 4));
  expect(await done('why', path('broken'), kept?.url ?? '')).toContain(
    'the page was visited without a hook: beforeFetch threw: Error: no network',
  );
});

test('a crawl whose hooks change nothing has the fates of one without hooks', async () => {
  const fates = (lines: readonly LedgerLine[]) =>
    lines.map(({ url, state, reason, order, priority, relevance }) => [url, state, reason, order, priority, relevance]);
  await crawl({ ...base, dir: path('plain') });
  await crawled(
    'idle',
    'export function beforeFetch() {} export function afterRead() {} export function onLinks({ links }) { return links; } export function beforeKeep(record) { return record; } export function onKept() {}',
  );
  expect(fates(await linesOf('idle'))).toEqual(fates(await linesOf('plain')));
  expect(readFileSync(path('plain', 'crawl.json'), 'utf8')).toContain('"hooks": null');
});

test.each(['beforeFetch', 'afterRead', 'onLinks', 'beforeKeep'])('with strict hooks a page fails: %s', async (hook) => {
  const name = `strict-${hook}`;
  await crawled(name, `export function ${hook}() { throw new Error('no'); }`, { strictHooks: true, maxPages: 2 });
  const visited = (await linesOf(name)).filter(({ order }) => order !== null);
  expect(visited.map(({ state, reason }) => `${state}: ${reason}`)).toEqual(['failed: hook', 'failed: hook']);
});

test('a resumed crawl has the hooks it was started with, warns of others, and drops them on request', async () => {
  await crawled('again', 'export function afterRead() { return { drop: "first" }; }', { maxPages: 2 });
  const dropped = async (word: string) => (await linesOf('again')).filter(({ reason }) => reason === `hook:afterRead:${word}`).length;
  expect([await dropped('first'), warnings]).toEqual([2, []]);
  const { hooks: _, ...resumed } = { ...base, hooks: '' };
  moduleOf('again', 'export function afterRead() { return { drop: "second" }; }');
  const changed: string[] = [];
  await crawl({ ...resumed, dir: path('again'), maxPages: 4, onEvent: (event) => event.type === 'warning' && changed.push(event.message) });
  expect([await dropped('first'), await dropped('second')]).toEqual([2, 2]);
  expect(changed).toEqual([expect.stringContaining('the pages so far were visited with another version of its hooks')]);
  const { counts } = await crawl({ ...base, dir: path('again'), hooks: 'none', maxPages: 6 });
  expect(counts.kept).toBeGreaterThan(0);
});

test('a relevance of 0 by a hook is a reason of its own', async () => {
  await crawled('zero', "export function afterRead({ relevance }) { return { relevance: 0, because: 'was ' + (relevance > 0.5) }; }", {
    maxPages: 1,
  });
  const [seed] = await linesOf('zero');
  expect(seed).toMatchObject({ state: 'off-topic', reason: 'hook:afterRead:was true', relevance: 0, hooked: { because: 'was true' } });
  const found = await why(path('zero'), seed?.url ?? '');
  expect(found.page?.hook).toMatchObject({ relevance: 0, modelRelevance: found.page?.relevance, because: 'was true' });
  expect(await done('why', path('zero'), seed?.url ?? '')).toContain('hook afterRead gives 0.0000 in place of');
  expect(await done('status', path('zero'))).not.toContain('undefined');
});

test('hooks that cannot be loaded are refused before anything is written', async () => {
  const wrong = moduleOf('wrong', 'export const afterRead = (');
  const args = ['--topic', String(base.topic), '--seeds', ...small.seeds, '--proxy', String(base.proxy)];
  await refused(2, ['cannot be loaded as hooks (SyntaxError'], 'crawl', path('none'), ...args, '--hooks', wrong);
  await refused(2, ['no file of hooks is here'], 'crawl', path('none'), ...args, '--hooks', path('absent.mjs'));
  expect(() => readFileSync(path('none', 'crawl.json'))).toThrow('ENOENT');
});
