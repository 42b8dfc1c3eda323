/** A crawl of an application: it says why nothing is kept, its remedy works, and every way to look at it shows the part of the browser. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CrawlReport, CrawlStatus } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ChildProcessRun } from '../../../dist/faces/web-ui/child-process-run.js';
import { HAS_CHROMIUM } from '../../support/chromium.ts';
import { HANGS } from '../../support/cpu-time.ts';
import { IS_WHOLE } from '../../support/extent.ts';
import { done, forager, jsonLines } from './forager.ts';

const folder = mkdtempSync(join(tmpdir(), 'forager-app-'));
const dir = join(folder, 'crawl');
const PAGES = 5;
const SHELL =
  '<title>Bog</title><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script src="/app.js"></script>';
const SCRIPT = `const at = Number(location.pathname.split('/').pop());
fetch('/bog/' + at + '.json').then((answer) => answer.json()).then(({ text }) => {
  document.getElementById('root').innerHTML = '<main><p>' + text + '</p><a href="/app/' + (at + 1) + '">sphagnum of the bog</a></main>';
});`;
const textOf = (at: string) => `Sphagnum moss of bog ${at} holds the water, and its peat grows by a millimetre a year. `.repeat(4);
let server: Server;
let args: readonly string[];

beforeAll(async () => {
  server = createServer(({ url = '' }, answer) => {
    const [, at = ''] = /^\/bog\/(\d+)\.json$/.exec(url) ?? [];
    const isApp = /^\/app\/\d+$/.test(url) && Number(url.slice(5)) < PAGES;
    if (at !== '') answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ text: textOf(at) }));
    else if (url === '/app.js') answer.writeHead(200, { 'content-type': 'text/javascript' }).end(SCRIPT);
    else answer.writeHead(isApp ? 200 : 404, { 'content-type': 'text/html' }).end(isApp ? SHELL : '<p>none</p>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const topic = join(folder, 'topic');
  await done('train', '--keywords', 'peat bog, sphagnum, moss', '--out', topic);
  args = ['--delay', '0', '--allow-private', '--sitemaps', 'never'];
  const seed = `http://127.0.0.1:${(server.address() as AddressInfo).port}/app/0`;
  const { code, stdout } = await forager('crawl', dir, ...args, '--topic', topic, '--seeds', seed);
  expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([1, expect.stringMatching(/^nothing is kept: .* crawl .* --render auto$/)]);
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a browser that is none is refused, and nothing changes', async () => {
  const before = await done('ledger', dir);
  const { code, stderr } = await forager('crawl', dir, '--render', 'auto', '--browser', join(folder, 'none'));
  expect([code, stderr]).toEqual([2, expect.stringContaining('is not a program')]);
  expect(await done('ledger', dir)).toBe(before);
});

test.runIf(HAS_CHROMIUM && IS_WHOLE)('the remedy of the last line keeps the pages, and a run of the page has the browser too', async () => {
  const { stdout, stderr } = await forager('crawl', dir, ...args, '--render', 'auto', '--no-sandbox', '--max-pages', '3', '--json');
  expect(stderr).toContain('the browser has no sandbox');
  const report = JSON.parse(stdout) as CrawlReport;
  expect(report).toMatchObject({ render: 'auto', counts: { kept: 3, visited: 3 }, walls: [] });
  expect(report.rendered).toMatchObject({ pages: 3, used: 3, because: { shell: 3 }, troubles: {} });
  const aside = new ChildProcessRun(dir);
  await aside.start({ config: null, sandbox: false, maxPages: PAGES, environment: {} });
  await expect.poll(async () => (await aside.now()).state, { timeout: HANGS }).toBe('ended');
  await aside.close();
  const status = JSON.parse(await done('status', dir, '--json')) as CrawlStatus;
  expect(status).toMatchObject({ render: 'auto', counts: { kept: PAGES }, rendered: { pages: PAGES, used: PAGES } });
  expect(await done('status', dir)).toContain(
    `rendered by a browser: ${PAGES} pages (${PAGES} empty without scripts); ${PAGES} gained text`,
  );
  const lines = jsonLines<{ url: string; rendered: { text: readonly number[]; used: boolean } }>(
    await done('ledger', dir, '--state', 'kept'),
  );
  expect(lines.map(({ rendered }) => [rendered.text[0], rendered.used])).toEqual(lines.map(() => [0, true]));
  expect(await done('why', dir, lines[0]?.url ?? '')).toContain('rendered by a browser (empty without scripts): 0 to');
});
