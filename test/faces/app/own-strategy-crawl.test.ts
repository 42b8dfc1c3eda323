/** Crawls with a strategy of the user: its order, its failures, and crawls that are resumed. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type CrawlOptions, type CrawlReport, harvest, type LedgerLine, why } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readManifest } from '../../../src/crawling/crawl-dir/crawl-directory.ts';
import { done, refused } from '../cli/forager.ts';
import { smallWeb } from '../cli/small-web.ts';
import { type CodeCrawlBase, codeCrawlBase, ledgerLines, moduleIn, warnedCrawl } from './code-crawls.ts';

const small = smallWeb();
const { path } = small;
let base: CodeCrawlBase;
let warnings: string[] = [];

beforeAll(async () => {
  base = await codeCrawlBase(small, { maxPages: 12, patience: 0 });
});
afterAll(() => small.close());

const fileOf = (name: string, code: string) => moduleIn(small, name, code);

async function crawled(name: string, more: Partial<CrawlOptions>): Promise<CrawlReport> {
  const run = await warnedCrawl({ ...base, dir: path(name), ...more });
  warnings = run.warnings;
  return run.report;
}

const linesOf = (name: string) => ledgerLines(path(name));

/** The strategy `parent`, written by a user, with a log of each call. */
const PARENT = (name: string, more = '') => `
import { appendFileSync } from 'node:fs';
const share = ({ edge }) => edge.referrer.relevance;
export default { name: 'mine', scorer: () => ({
  score(links) { appendFileSync(${JSON.stringify(path(`${name}.log`))}, links.map(({ url }) => url + '\\n').join('')); ${more} return links.map(share); },
  explain: (link) => ({ contributions: [{ feature: 'my share', contribution: share(link) }] }),
}) };`;
const scoredBy = (name: string) =>
  readFileSync(path(`${name}.log`), 'utf8')
    .trimEnd()
    .split('\n')
    .filter((url) => url !== 'http://example.org/');

const fatesOf = (lines: readonly LedgerLine[]) => lines.map(({ url, state, order, priority }) => [url, state, order, priority]);

test('the strategy parent as a module of the user has the fates and priorities of parent, and why its terms', async () => {
  await crawled('theirs', { strategy: 'parent' });
  await crawled('mine', { strategy: fileOf('mine', PARENT('mine')) });
  expect(fatesOf(await linesOf('mine'))).toEqual(fatesOf(await linesOf('theirs')));
  expect(warnings).toEqual([]);
  const waiting = (await linesOf('mine')).find(({ state, referrer }) => state === 'waiting' && referrer !== null);
  const { link } = await why(path('mine'), waiting?.url ?? '');
  expect(link?.explanation).toMatchObject({ priority: waiting?.priority, contributions: [{ feature: 'my share' }] });
  expect(await done('why', path('mine'), waiting?.url ?? '')).toContain('my share');
  const sha256 = readManifest(path('mine')).ownStrategy?.sha256 ?? '';
  expect(sha256).toHaveLength(64);
  await harvest({ dir: path('mine'), out: path('mine-corpus'), formats: ['jsonl'] });
  expect(readFileSync(path('mine-corpus', 'corpus-card.json'), 'utf8')).toContain(`mine.mjs (SHA-256 ${sha256})`);
});

test('a resumed crawl has the strategy it was started with, also from another place, and refuses another content', async () => {
  const strategy = fileOf('again', PARENT('again'));
  await crawled('again', { strategy, maxPages: 6 });
  await crawled('again', { maxPages: 9 });
  renameSync(strategy, path('moved.mjs'));
  await expect(crawled('again', { maxPages: 12 })).rejects.toThrow('no file of a strategy is here; give it with --strategy');
  await crawled('again', { maxPages: 12, strategy: path('moved.mjs') as `${string}.mjs` });
  expect(fatesOf(await linesOf('again'))).toEqual(fatesOf(await linesOf('mine')));
  writeFileSync(path('moved.mjs'), `${PARENT('again')} // another one`);
  await expect(crawled('again', { maxPages: 13 })).rejects.toThrow(
    /this crawl was started with another content of .*moved\.mjs \(SHA-256 .*\); restore that file, or start a new crawl directory/,
  );
  await expect(crawled('again', { strategy: 'bfs' })).rejects.toThrow('this crawl was started with --strategy');
  // why needs no module.
  const line = (await linesOf('again')).find(({ state, order, referrer }) => state === 'kept' && order !== null && referrer !== null);
  expect((await why(path('again'), line?.url ?? '')).link?.explanation.contributions[0]?.feature).toBe('my share');
});

test.each([
  ['throws', 'if (links.length > 2) throw new Error("too many");', 'strategy threw'],
  ['exits', 'if (links.length > 2) process.exit(0);', 'strategy ended its thread'],
])('a strategy that %s is named in the ledger and in why, and the crawl continues', async (name, more, trouble) => {
  const { counts } = await crawled(name, {
    strategy: fileOf(name, PARENT(name, more.replace('links.length > 2', 'links.some(({ url }) => url.endsWith("1.html"))'))),
  });
  expect(counts.visited).toBe(12);
  expect(warnings.filter((warning) => warning.includes(trouble))).not.toEqual([]);
  const lines = await linesOf(name);
  const page = lines.find(({ hooked }) => hooked?.troubles?.some((one) => one.startsWith(trouble)));
  expect(await done('why', path(name), page?.url ?? '')).toContain(`links of the page have its relevance as their priority: ${trouble}`);
  const link = lines.find(({ url, referrer }) => url.endsWith('1.html') && referrer === page?.url);
  if (link !== undefined)
    expect((await why(path(name), link.url)).link?.explanation.rule).toMatch(
      /^strategy .*; priority = relevance of the page with the link$/,
    );
});

test('a strategy that cannot be used is refused before anything is written', async () => {
  const args = ['--topic', String(base.topic), '--seeds', ...small.seeds, '--proxy', String(base.proxy)];
  const silent = fileOf('silent', 'export default { name: "silent", scorer: () => ({ score: () => [] }) };');
  await refused(2, ['a strategy must explain'], 'crawl', path('wrong'), ...args, '--strategy', silent);
  await refused(2, ['no file of a strategy is here'], 'crawl', path('wrong'), ...args, '--strategy', path('absent.mjs'));
  await refused(2, ['not one of apprentice'], 'crawl', path('wrong'), ...args, '--strategy', 'mine');
  expect(existsSync(path('wrong'))).toBe(false);
  expect(new Set(scoredBy('mine')).size).toBeGreaterThan(10);
});
