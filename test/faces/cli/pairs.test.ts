/** From two seeds of a bilingual site to a translation memory, as a new user does it; and the ends of the command. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { htmlAnswer, notFound } from '../../../datasets/page-source.ts';
import { type RunningWeb, startWebProxy } from '../../../datasets/web-proxy.ts';
import { linesIn, rowsIn } from '../../corpus/pairs/bilingual-corpus.ts';
import { type BilingualPage, bilingualPages } from '../../support/bilingual-pages.ts';
import { done, forager, start } from './forager.ts';

const HOST = 'valley.example';
const root = mkdtempSync(join(tmpdir(), 'pairs-cli-'));
const path = (...parts: string[]) => join(root, ...parts);
const pages = [...bilingualPages({ pagePairs: 15, sentences: 15, lost: 0.1, host: HOST })];
let web: RunningWeb;

/** Every page links to the next ones; two of three declare their other version, and every fifth French page is missing. */
function htmlOf({ url, lang, title, text, partner }: BilingualPage, number: number): string {
  const declared = number % 3 === 0 ? '' : `<link rel="alternate" hreflang="${lang === 'en' ? 'fr' : 'en'}" href="${partner}">`;
  const links = [1, 2].map(
    (step) => `<li><a href="/${lang}/page-${number + step}">${lang === 'en' ? 'Next page' : 'Page suivante'} ${number + step}</a></li>`,
  );
  const paragraphs = text.split('\n\n').map((paragraph) => `<p>${paragraph}</p>`);
  return `<!doctype html><html lang="${lang}"><head><title>${title}</title>${declared}</head><body><ul>${links.join('')}</ul><main><h1>${title}</h1>${paragraphs.join('\n')}</main><p>${url}</p></body></html>`;
}

beforeAll(async () => {
  const byPath = new Map(pages.map((page, i) => [new URL(page.url).pathname, htmlOf(page, Math.floor(i / 2))]));
  for (const number of [4, 9]) byPath.delete(`/fr/page-${number}`);
  web = await startWebProxy({ get: (_, wanted) => (byPath.has(wanted) ? htmlAnswer(byPath.get(wanted) ?? '') : notFound()) });
  await done(
    'train',
    '--keywords',
    'gardener, village, bridge, harvest, museum, jardinier, village, pont, récolte, musée',
    '--out',
    path('topic'),
  );
  const seeds = ['en', 'fr'].map((lang) => `http://${HOST}/${lang}/page-0`);
  await done(
    'crawl',
    path('crawl'),
    '--topic',
    path('topic'),
    '--seeds',
    ...seeds,
    '--proxy',
    web.proxy,
    '--delay',
    '0',
    '--max-pages',
    '60',
  );
}, 120_000);
afterAll(async () => {
  await web.close();
  rmSync(root, { recursive: true, force: true });
});

test('two commands make a translation memory, and each page that is in no pair has its reason', async () => {
  const shown = await done('pairs', path('crawl'), '--langs', 'en,fr', '--out', path('out'), '--format', 'tmx,tsv');
  expect(shown).toMatch(/out: \d+ sentence pairs from \d+ page pairs of \d+ pages/);
  const tmx = readFileSync(path('out', 'pairs.tmx'), 'utf8');
  const units = tmx.match(/<tu /g)?.length ?? 0;
  expect(units).toBe(linesIn(path('out', 'pairs.tsv')).length - 1);
  expect(units).toBeGreaterThan(100);
  const reasons = rowsIn(path('out', 'pages.tsv'));
  expect(reasons.filter(({ url = '' }) => url.endsWith('/en/page-4')).map(({ reason }) => reason)).toEqual(['partner-missing']);
  expect(reasons.every(({ explanation = '' }) => explanation !== '')).toBe(true);
  expect(shown).toMatch(/ pages? in no pair: /);
});

test('a run without a pair ends with 1 and the reasons, and writes them', async () => {
  const { code, stdout, stderr } = await forager('pairs', path('crawl'), '--langs', 'de,pl', '--out', path('none'));
  expect(code).toBe(1);
  expect(stderr).toMatch(/no sentence pair: of \d+ pages, \d+ it is in neither of the two languages; pages\.tsv has each/);
  expect(stdout).toContain('0 sentence pairs from 0 page pairs');
  expect(linesIn(path('none', 'pages.tsv')).length).toBeGreaterThan(10);
  expect(readFileSync(path('none', 'pairs.tmx'), 'utf8')).toContain('<body>\n</body>');
});

test('earlier pairs are replaced by --force alone, and nothing else is', async () => {
  const again = ['pairs', path('crawl'), '--langs', 'en,fr', '--out', path('out')];
  const refused = await forager(...again);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('already holds sentence pairs; give another --out, or --force to replace it');
  const card = JSON.parse(await done(...again, '--force', '--json')) as { formats: string[] };
  expect(card.formats).toEqual(['tmx']);
  expect(existsSync(path('out', 'pairs.tsv'))).toBe(false);
  const inside = await forager('harvest', path('crawl'), '--out', path('out', 'pairs.tmx'));
  expect(inside.stderr).toContain('belongs to the sentence pairs in');
  const bucket = await forager('pairs', path('crawl'), '--langs', 'en,fr', '--out', 's3://bucket/pairs');
  expect([bucket.code, bucket.stderr]).toEqual([2, expect.stringContaining('pairs are written to a folder of this machine')]);
});

test('after Ctrl-C the same command continues', async () => {
  const again = ['pairs', path('crawl'), '--langs', 'en,fr', '--out', path('stopped', 'pairs')];
  const running = start(again);
  while (!existsSync(path('stopped', '.pairs.forager-pairs', 'learning.jsonl'))) await new Promise((resolve) => setImmediate(resolve));
  running.child.kill('SIGINT');
  const { code } = await running.ended;
  if (code === 130) expect(readdirSync(path('stopped'))).toEqual(['.pairs.forager-pairs']);
  expect([0, 130]).toContain(code);
  if (code === 130) await done(...again);
  expect(readdirSync(path('stopped'))).toEqual(['pairs']);
}, 60_000);
