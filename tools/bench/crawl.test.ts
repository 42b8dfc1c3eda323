/** The parts of `npm run bench -- crawl`: its webs, sides, pairs and profiles. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import type { BuiltRow } from '../../datasets/debian-web/manifest.ts';
import { wholeTest } from '../../test/support/whole-test.ts';
import { median } from '../quality/median.ts';
import { debianSite, drawnRows } from './crawl/debian-site.ts';
import { roomRows, runPairs } from './crawl/pairs.ts';
import { builtCommit, versionOf } from './crawl/sides.ts';
import { countsOf, packageOf, type SiteOptions, startSite, THIS_TREE, webNamed } from './crawl/site.ts';
import { peerNamed, versionOfPeer } from './crawl-peers/commands.ts';
import { roomsOf } from './profile.ts';

const folder = mkdtempSync(join(tmpdir(), 'forager-bench-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

function row(host: string, pages: number, urlPrefix = '/'): BuiltRow {
  const origin = { host, urlPrefix, package: `${host}-doc`, path: 'usr/share/doc', subject: 'music', lang: 'en' };
  return { ...origin, version: '1', debSha256: '', cap: null, pages, aliases: 0, bytes: 0, droppedLinks: 0, list: `.rows/${host}.txt` };
}

test('the module of a tree is where its package says', () => {
  expect(existsSync(packageOf(THIS_TREE))).toBe(true);
  const other = mkdtempSync(join(folder, 'tree-'));
  for (const place of ['./dist/index.js', './lib/entry.mjs', './x.js']) {
    writeFileSync(join(other, 'package.json'), JSON.stringify({ exports: { '.': { types: './x.d.ts', default: place } } }));
    expect(packageOf(other)).toBe(join(other, place));
  }
});

describe('hosts of the Debian web', () => {
  const rows = Array.from({ length: 40 }, (_, i) => row(`h${i}.example`, 5 + i));

  test('are whole, each with a fifth of the pages at most, and together about as many as asked for', () => {
    const drawn = drawnRows([...rows, row('large.example', 500), row('h3.example', 2, '/more/')], 200);
    const total = drawn.reduce((sum, { pages }) => sum + pages, 0);
    expect(total).toBeGreaterThanOrEqual(200);
    expect(total).toBeLessThanOrEqual(240);
    expect(Math.max(...drawn.map(({ pages }) => pages))).toBeLessThanOrEqual(40);
    expect([0, 2]).toContain(drawn.filter(({ host }) => host === 'h3.example').length);
    expect(drawnRows(rows.toReversed(), 200)).toEqual(drawnRows(rows, 200));
  });

  test('are none where the web has too few pages, and that is said with the command that builds it', async () => {
    expect(drawnRows(rows, 10_000)).toEqual([]);
    const options: SiteOptions = { web: 'debian', folder, dir: join(folder, 'nothing'), pages: 100, pageBytes: 0, gzip: false };
    await expect(debianSite(options)).rejects.toThrow(
      'has no five hosts or more of 100 pages together; ask for other --pages, or build more by npm run data -- web-build',
    );
  });
});

test('options that cannot be are refused by name', () => {
  expect(countsOf('pages', '2000,20000')).toEqual([2000, 20_000]);
  for (const wrong of ['', '0', '5,x', '1.5'])
    expect(() => countsOf('pages', wrong)).toThrow(`--pages ${wrong}: must be whole numbers from 1`);
  expect(() => webNamed('real')).toThrow('--web real: not one of generated, debian');
  expect(() => peerNamed('curl')).toThrow('--peers curl: not one of forager');
  expect(() => builtCommit('no-such-commit', join(folder, 'base'))).toThrow('--base no-such-commit: is no commit');
  expect(versionOf(process.execPath)).toBe(process.version);
  for (const wrong of ['/nowhere/node', '/bin/true']) expect(() => versionOf(wrong)).toThrow(`${wrong}: is no Node.js`);
});

test('a peer that is not installed has no version', () => {
  expect(versionOfPeer('forager', undefined)).toMatch(/^\d+\.\d+\.\d+/);
  expect(versionOfPeer('cheerio', undefined)).toBeNull();
  expect(versionOfPeer('http', folder)).toBeNull();
});

test('the median of an even count is between the two in the middle', () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2]), median([])]).toEqual([2, 2.5, Number.NaN]);
});

test('time is by room: of the caller for WebAssembly and libraries, by source maps for bundles', () => {
  const bin = join(folder, 'dist', 'bin');
  mkdirSync(bin, { recursive: true });
  const sources = ['../../src/base/text/a.ts', '../../node_modules/b/b.js', '../reading/links/c.js'];
  const map = { version: 3, sources, names: [], mappings: 'AAAA,UCAA,UCAA' };
  writeFileSync(join(bin, 'worker.js.map'), JSON.stringify(map));
  const bundle = pathToFileURL(join(bin, 'worker.js')).href;
  const frame = (functionName: string, url: string, columnNumber = 0) => ({ functionName, url, lineNumber: 0, columnNumber });
  const profile = {
    nodes: [
      { id: 1, callFrame: frame('(root)', ''), children: [2, 4, 6, 7, 8] },
      { id: 2, callFrame: frame('core', `${pathToFileURL(folder).href}/dist/reading/wasm-reader/core.js`), children: [3] },
      { id: 3, callFrame: frame('wasm-function[1]', 'wasm://wasm/1') },
      { id: 4, callFrame: frame('a', bundle, 2), children: [5] },
      { id: 5, callFrame: frame('b', bundle, 12) },
      { id: 6, callFrame: frame('b', bundle, 12) },
      { id: 7, callFrame: frame('(idle)', '') },
      { id: 8, callFrame: frame('c', bundle, 22) },
    ],
    samples: [2, 3, 4, 5, 6, 7, 8],
    timeDeltas: [1, 20, 300, 4000, 50_000, 600_000, 7],
  };
  expect(roomsOf([JSON.stringify(profile)])).toEqual([
    { room: 'b (from its own events)', micros: 50_000 },
    { room: 'text', micros: 4300 },
    { room: 'wasm-reader', micros: 21 },
    { room: 'links', micros: 7 },
  ]);
});

test('rooms of two sides are beside each other, with their difference and sum', () => {
  const rows = roomRows(
    [{ room: 'topic', micros: 90 }],
    [
      { room: 'wasm-reader', micros: 20 },
      { room: 'topic', micros: 30 },
    ],
  );
  expect(rows.slice(2)).toEqual(['| topic | 90 | 30 | -60 |', '| wasm-reader | 0 | 20 | +20 |', '| all | 90 | 50 | -40 |\n']);
});

/** What a bench needs of this tree, in a folder of its own: a profile bundles the program anew, which takes it away from the tests beside. */
function copyOfTree(): string {
  const tree = mkdtempSync(join(folder, 'tree-'));
  for (const name of ['package.json', 'tsconfig.json', 'dist', 'models', 'tools/bundle'])
    cpSync(join(THIS_TREE, name), join(tree, name), { recursive: true });
  symlinkSync(join(THIS_TREE, 'node_modules'), join(tree, 'node_modules'));
  return tree;
}

wholeTest('pairs on a compressed web: both sides crawl it, and each pair has its ratio', async () => {
  const own = mkdtempSync(join(folder, 'pairs-'));
  const site = await startSite({ web: 'generated', folder: own, dir: '', pages: 40, pageBytes: 3000, gzip: true });
  try {
    const side = { tree: copyOfTree(), node: process.execPath };
    const said: string[] = [];
    const plan = { pages: 30, pairs: 2, profiled: true, folder: own };
    const ratios = await runPairs({ base: side, here: side }, site, plan, (line) => said.push(line));
    expect(ratios).toHaveLength(2);
    expect(said.filter((line) => /^\| [12] \| 30 \| /.test(line))).toHaveLength(2);
    expect(said.filter((line) => /^\| (?:frontier|wasm-reader|fetch) \| [1-9]/.test(line)).length).toBeGreaterThan(1);
    // Two crawls of each pair, and two under the profiler.
    const { pages, gzipped } = await site.served();
    expect(pages).toBeGreaterThanOrEqual(6 * 30);
    expect(gzipped).toBe(pages);
  } finally {
    await site.close();
  }
});
