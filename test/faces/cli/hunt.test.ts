/** `hunt` keeps the rules of the KeywordHunter assignment, line by line. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { huntKeyword } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { htmlAnswer, notFound } from '../../../datasets/page-source.ts';
import { type RunningWeb, startWebProxy } from '../../../datasets/web-proxy.ts';
import { forager } from './forager.ts';

const dir = mkdtempSync(join(tmpdir(), 'forager-hunt-'));
let web: RunningWeb;
const paths = () => web.log.map(({ path }) => path).filter((path) => path !== '/robots.txt');

/** A chain of levels: each page links to two of the next level, and names its own level. */
const PAGES: Readonly<Record<string, string>> = {
  '/index.html': '<html>\n<title>One</title>\n<a href="b.html">b</a> <a href="/a.html">a</a> <a href="index.html">again</a>\n</html>',
  '/b.html': '<p>second level\n<a href="d.html">d</a><a href="missing.html">x</a>',
  '/a.html': '<p>second level too\n<frame src="c.html">',
  '/d.html': '<p>third\n  the Rootstock is here  \nend <a href="e.html">e</a>',
  '/c.html': '<p>third, and rootstock too <a href="e.html">e</a>',
  '/e.html': '<p>fourth <a href="f.html">f</a>',
  '/f.html': '<p>fifth level <a href="g.html">g</a>',
  '/g.html': '<p>sixth level',
};

beforeAll(async () => {
  const get = (_: string, path: string) => (PAGES[path] === undefined ? notFound() : htmlAnswer(PAGES[path]));
  web = await startWebProxy({ get });
});
afterAll(async () => {
  await web.close();
  rmSync(dir, { recursive: true, force: true });
});

const start = () => `127.0.0.1:${web.port}/index.html`;
const POLITE = ['--delay', '0', '--allow-private'];

/** What was asked meanwhile. */
async function asked(run: () => Promise<unknown>): Promise<string[]> {
  const before = paths().length;
  await run();
  return paths().slice(before);
}

test('the first page in level order is reported with its line, and nothing behind its level is asked', async () => {
  let ended = { code: null as number | null, stdout: '' };
  const order = await asked(async () => {
    ended = await forager('hunt', start(), 'rootstock', ...POLITE, '--json');
  });
  expect(ended.code).toBe(0);
  const { found, level } = JSON.parse(ended.stdout);
  expect([level, found.level]).toEqual([3, 3]);
  expect(['/d.html line 2: the Rootstock is here', '/c.html line 1: <p>third, and rootstock too <a href="e.html">e</a>']).toContain(
    `${new URL(found.url).pathname} line ${found.line}: ${found.text}`,
  );
  expect(order.slice(0, 3)).toEqual(['/index.html', '/b.html', '/a.html']);
  expect(order).not.toContain('/e.html');
});

test('the report has the URL and the line; the start page alone is asked if it has the keyword', async () => {
  const order = await asked(async () => {
    const { code, stdout } = await forager('hunt', start(), 'One', ...POLITE);
    expect([code, stdout]).toEqual([0, `http://${start()}\nline 2: <title>One</title>\n`]);
  });
  expect(order).toEqual(['/index.html']);
});

test('level 5 is the last, and a keyword that is not found is no error', async () => {
  const order = await asked(async () => {
    const { code, stdout } = await forager('hunt', `http://${start()}`, 'sixth', ...POLITE);
    expect([code, stdout]).toEqual([0, 'cannot find "sixth" in 7 pages down to level 5\n']);
  });
  expect(order.sort()).toEqual(['/a.html', '/b.html', '/c.html', '/d.html', '/e.html', '/f.html', '/index.html', '/missing.html']);
  expect((await forager('hunt', start(), 'fifth', ...POLITE, '--json')).stdout).toContain('"level":5,"line":1');
});

test('each page that was fetched is in the folder, as it came', async () => {
  const pages = join(dir, 'pages');
  await forager('hunt', start(), 'sixth', pages, ...POLITE);
  const names = readdirSync(pages).sort();
  expect(names).toHaveLength(7);
  expect(names[0]).toMatch(/^0001-127\.0\.0\.1-\d+-index\.html$/);
  expect(readFileSync(join(pages, names[0] ?? ''), 'utf8')).toBe(PAGES['/index.html']);
  expect((await forager('hunt', start(), 'sixth', pages, ...POLITE)).stderr).toMatch(/pages: is not empty; give an empty folder/);
});

test.each([
  [['hunt'], /start/],
  [['hunt', 'a b', 'x'], /a b: not a usable URL/],
  [
    ['hunt', '127.0.0.1:1/', 'x', ...POLITE],
    /127\.0\.0\.1:1\/: cannot be fetched: robots\.txt could not be fetched: connection refused, .*; check the address/,
  ],
  [['hunt', 'a.example', 'x'.repeat(101)], /keyword: has 101 characters, more than 100/],
  [['hunt', 'a.example', ' '], /keyword: is empty/],
  [['hunt', 'a.example', 'x', '--depth', '9'], /depth/],
])('%j: an error of any kind has exit code 1', (words, message) => {
  for (const name of ['forager.mjs', 'hunt.mjs']) {
    const script = fileURLToPath(new URL(`../../../src/faces/cli/${name}`, import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [script, ...(name === 'hunt.mjs' ? words.slice(1) : words)], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, expect.stringMatching(message)]);
  }
});

test('a keyword of 100 characters is allowed', async () => {
  const report = await huntKeyword({ start: start(), keyword: '𝛼'.repeat(100), fetch: { delay: 0, allowPrivate: true } });
  expect(report).toEqual({ found: null, pages: 7, level: 5 });
});
