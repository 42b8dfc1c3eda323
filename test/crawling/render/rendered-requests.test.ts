/** A crawl that renders, by the log of its servers: who is asked, for what, how often and when. And the same crawl again from its archive. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { htmlAnswer, notFound, type PageAnswer, type PageSource, withoutQuery } from '../../../datasets/page-source.ts';
import { shellWeb } from '../../../datasets/shell-web/shell-web.ts';
import { type LogLine, startWebProxy } from '../../../datasets/web-proxy.ts';
import type { RenderCost } from '../../../src/base/core/rendering.ts';
import type { CrawlRecord, Ms } from '../../../src/base/core/types.ts';
import { readRecords } from '../../../src/corpus/records/records.ts';
import { RENDERERS } from '../../support/chromium.ts';
import { IS_WHOLE } from '../../support/extent.ts';
import { trainedOnce } from '../../support/trained-once.ts';

const PROGRAM = fileURLToPath(new URL('../../../src/faces/cli/forager.mjs', import.meta.url));
const [BROWSER = ''] = RENDERERS;
const ROOT = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const DELAY: Ms = 300;
const MEGABYTE = 2 ** 20;

const WEB = shellWeb({ seed: 4, pages: 60 });
let folder = '';
let topic = '';
let log: readonly LogLine[] = [];

beforeAll(async () => {
  if (!IS_WHOLE || BROWSER === '') return;
  folder = mkdtempSync(join(tmpdir(), 'forager-rendered-'));
  mkdirSync(join(folder, 'examples'));
  for (const [i, html] of WEB.examples('topic-1', 20).entries()) writeFileSync(join(folder, 'examples', `${i}.html`), html);
  topic = await trainedOnce({ examples: [join(folder, 'examples')], out: join(folder, 'topic') });
});
afterAll(() => {
  if (folder !== '') rmSync(folder, { recursive: true, force: true });
});

/** Crawls with the built program. */
async function crawled(name: string, options: readonly string[]): Promise<readonly CrawlRecord[]> {
  const dir = join(folder, name);
  const how = ['--topic', topic, '--render', 'always', '--browser', BROWSER, '--strategy', 'bfs', '--warm-up', '0', ...ROOT];
  const child = spawn(process.execPath, [PROGRAM, 'crawl', dir, ...how, '--contact', 'a@b.example', ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (data: Buffer) => {
    said += data.toString();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code, said).toBe(0);
  const records: CrawlRecord[] = [];
  for await (const record of readRecords(join(dir, 'corpus'))) records.push(record);
  return records;
}

describe.skipIf(!IS_WHOLE || BROWSER === '')('a crawl that renders the web of shells', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    const server = await startWebProxy(WEB.source, { robots: WEB.robots, latency: 15 });
    await crawled('shells', [
      '--seeds',
      ...WEB.seeds(),
      '--proxy',
      server.proxy,
      '--delay',
      `${DELAY}ms`,
      '--sitemaps',
      'never',
      '--render-concurrency',
      '2',
    ]);
    log = [...server.log];
    await server.close();
  });

  const hosts = () => [...new Set(log.map(({ host }) => host))];
  const isPage = ({ host, path }: LogLine) => WEB.page(`http://${host}${path}`) !== null;

  test('scripts and data are asked for; pictures, icons, fonts, films, forbidden scripts, POST and beacons are not', () => {
    const paths = new Set(log.map(({ path }) => withoutQuery(path)));
    for (const path of ['/assets/xhr.js', '/assets/module.js', '/lib/view.js', '/lib/data.js']) expect(paths).toContain(path);
    for (const path of [
      '/private/track.js',
      '/icon.png',
      '/favicon.ico',
      '/logo.png',
      '/pixel.gif',
      '/own.woff2',
      '/film.mp4',
      '/collect',
      '/beacon',
    ])
      expect(paths).not.toContain(path);
    // The robots.txt of the second host of modules was asked for, once, and before its modules.
    const ofModules = log.filter(({ host }) => host === 'modules.example').map(({ path }) => path);
    expect(ofModules.indexOf('/robots.txt')).toBe(0);
    expect(ofModules.lastIndexOf('/robots.txt')).toBe(0);
  });

  test('a host has one request at a time, and its pages are apart by the delay', () => {
    expect(log.length).toBeGreaterThan(100);
    for (const host of hosts()) {
      const lines = log.filter((line) => line.host === host);
      for (const [at, line] of lines.entries()) expect(line.start, `${host}${line.path}`).toBeGreaterThanOrEqual(lines[at - 1]?.end ?? 0);
      const pages = lines.filter(isPage);
      // A request is logged when it arrives, which may be some milliseconds later for the first of two.
      for (const [at, page] of pages.slice(1).entries()) expect(page.start - (pages[at]?.start ?? 0), host).toBeGreaterThan(DELAY - 30);
    }
  });

  test('a page comes after all requests of the page before it, by the delay', () => {
    for (const host of hosts()) {
      const lines = log.filter((line) => line.host === host);
      for (const [at, line] of lines.entries()) {
        const before = lines[at - 1];
        if (before && isPage(line) && line.host !== 'modules.example')
          expect(line.start - before.end, `${host}${line.path}`).toBeGreaterThan(DELAY - 45);
      }
    }
  });

  test('what pages share is asked for once, of another host once for each that uses it', () => {
    for (const host of hosts()) {
      const code = log.filter((line) => line.host === host && /\.js$/.test(line.path)).map(({ path }) => path);
      for (const path of code)
        expect(code.filter((other) => other === path).length, host + path).toBeLessThanOrEqual(host === 'modules.example' ? 2 : 1);
    }
  });
});

const EXAMPLES = WEB.examples('topic-1', 26).slice(20);
const SCRIPTS = 60;
/** Each page of ours is an example of the topic, so that it is kept, and a script. */
function withScript(n: number, head: string, script = ''): PageAnswer {
  return htmlAnswer(
    (EXAMPLES[n] ?? '').replace('</head>', `${head}</head>`).replace('</main>', `<p id="out"></p></main><script>${script}</script>`),
  );
}

const CHANCE = `const out = document.getElementById('out');
const say = (...facts) => out.append(facts.join(' ') + '. ');
say('Now', Date.now(), new Date().toString(), performance.now(), Math.random(), crypto.randomUUID(), crypto.getRandomValues(new Uint32Array(4)));
let n = 0;
const next = () => { say('Step', n, Date.now(), Math.round(performance.now()), Math.random()); if (n++ < 20) setTimeout(next, 37) };
setTimeout(next, 100);
requestAnimationFrame((at) => say('Frame', Math.round(at)));
fetch('/data.json').then((answer) => answer.json()).then(({ text }) => say('Data', text, Date.now()));`;

function ourSource(canary: number): PageSource {
  const privates = ['127.0.0.1', 'localhost', '[::1]', '0x7f000001', '2130706433'].map((host) => `http://${host}:${canary}`);
  const urls = [...privates, 'http://10.0.0.1', 'http://169.254.169.254', 'http://192.168.0.1', 'http://our.example/to-private'];
  const pages: Readonly<Record<string, () => PageAnswer>> = {
    '/many': () => withScript(0, Array.from({ length: SCRIPTS }, (_, n) => `<script src="/s/${n}.js"></script>`).join('')),
    '/large': () => withScript(1, Array.from({ length: 5 }, (_, n) => `<script src="/l/${n}.js"></script>`).join('')),
    '/private': () =>
      withScript(2, urls.map((url) => `<script src="${url}/x.js"></script>`).join(''), urls.map((url) => `fetch('${url}/data')`).join(';')),
    '/chance/0': () => withScript(3, '', CHANCE),
    '/chance/1': () => withScript(4, '', CHANCE),
    '/chance/2': () => withScript(5, '', CHANCE),
    '/data.json': () => ({ status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"text":"of the data"}') }),
    '/to-private/x.js': () => ({ status: 302, headers: { location: `http://127.0.0.1:${canary}/x.js` }, body: Buffer.from('') }),
  };
  const code = (size: number): PageAnswer => {
    const body = Buffer.alloc(size, ' ');
    body.write("addEventListener('load', () => document.getElementById('out').append('These words are of a script. '));");
    return { status: 200, headers: { 'content-type': 'text/javascript' }, body };
  };
  return {
    get: (host, path) => {
      if (host !== 'our.example') return null;
      if (/^\/[sl]\/\d+\.js$/.test(path)) return code(path.startsWith('/l') ? 2 * MEGABYTE : 200);
      return pages[path]?.() ?? notFound();
    },
  };
}

describe.skipIf(!IS_WHOLE || BROWSER === '')('a crawl that renders pages of ours', { timeout: 300_000 }, () => {
  const asked: string[] = [];
  let records: readonly CrawlRecord[] = [];
  const seedsOf = (paths: readonly string[]) => ['--seeds', ...paths.map((path) => `http://our.example${path}`)];
  const chance = [0, 1, 2].map((n) => `/chance/${n}`);

  beforeAll(async () => {
    const canary = createServer((request, answer) => {
      asked.push(request.url ?? '');
      answer.end('x');
    });
    canary.listen(0);
    await once(canary, 'listening');
    const server = await startWebProxy(ourSource((canary.address() as AddressInfo).port));
    const seeds = seedsOf(['/many', '/large', '/private', ...chance]);
    records = await crawled('ours', [...seeds, '--proxy', server.proxy, '--delay', '0', '--max-depth', '0']);
    log = [...server.log];
    await server.close();
    canary.close();
  });

  test('a page has thirty requests and five megabytes', () => {
    expect(log.filter(({ path }) => path.startsWith('/s/'))).toHaveLength(30);
    expect(log.filter(({ path }) => path.startsWith('/l/'))).toHaveLength(3);
    const lines = execFileSync(process.execPath, [PROGRAM, 'ledger', join(folder, 'ours')], { encoding: 'utf8' })
      .trim()
      .split('\n');
    const parsed = lines.map((line) => JSON.parse(line) as { readonly url: string; readonly rendered?: RenderCost });
    const costOf = (path: string) => parsed.find(({ url }) => new URL(url).pathname === path)?.rendered;
    expect(costOf('/many')?.requests).toBe(30);
    expect(costOf('/large')).toMatchObject({ requests: 3, bytes: 5 * MEGABYTE });
  });

  test('nothing of private addresses is asked for, also by a redirect', () => {
    expect(asked).toEqual([]);
    expect(log.filter(({ path }) => path === '/to-private/x.js')).toHaveLength(1);
    expect(log.filter(({ host }) => host !== 'our.example')).toEqual([]);
  });

  test('its archive gives the same texts, as often as it is read', async () => {
    const out = join(folder, 'harvest');
    await ran(['harvest', join(folder, 'ours'), '--out', out, '--format', 'wacz']);
    const again = (name: string) => crawled(name, [...seedsOf(chance), '--archive', join(out, 'corpus.wacz'), '--max-depth', '0']);
    const [first, second] = [textsOf(await again('first')), textsOf(await again('second'))];
    expect(first.size).toBe(3);
    for (const text of first.values()) expect(text).toMatch(/Now \d{13} .*Step 20 .*/s);
    for (const text of first.values()) expect(text).toContain('Data of the data');
    expect(first).toEqual(second);
    expect(new Map([...textsOf(records)].filter(([url]) => first.has(url)))).toEqual(first);
    expect(new Set([...first.values()].map((text) => /Now .*/.exec(text)?.[0])).size).toBe(3);
  });
});

function textsOf(records: readonly CrawlRecord[]): ReadonlyMap<string, string> {
  return new Map(records.map(({ url, text }) => [url, text]));
}

async function ran(words: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, ...words], { stdio: 'ignore' });
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code).toBe(0);
}
