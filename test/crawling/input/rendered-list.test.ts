/** Pages of a list that a browser renders: files, judgements and trainings get the rendered document in place of an empty page. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readInput, UsageError } from 'forager';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { HAS_CHROMIUM } from '../../support/chromium.ts';

const TEXT = 'The mill stood on the river for three hundred years, and its wheel ground the corn of seven villages. '.repeat(4);
const APP = '<title>Mill</title><noscript>You need to enable JavaScript.</noscript><div id="root"></div><script src="/app.js"></script>';
const SCRIPT = `fetch('/mill.json').then((answer) => answer.json()).then(({ text }) => {
  document.getElementById('root').innerHTML = '<main><p>' + text + '</p><a href="/next">Next</a></main>';
});`;
const ANSWERS: Readonly<Record<string, readonly [type: string, body: string]>> = {
  '/app': ['text/html', APP],
  '/static': ['text/html', `<title>Static</title><p>${TEXT}</p><script src="/app.js"></script>`],
  '/app.js': ['text/javascript', SCRIPT],
  '/mill.json': ['application/json', JSON.stringify({ text: TEXT })],
};
const asked: string[] = [];
let server: Server;
let origin = '';

beforeAll(async () => {
  server = createServer(({ url = '' }, answer) => {
    asked.push(url);
    const [type, body] = ANSWERS[url] ?? [];
    answer.writeHead(body === undefined ? 404 : 200, { 'content-type': type ?? 'text/plain' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

async function read(path: string, render: 'never' | 'auto' | 'always', browser?: string) {
  asked.length = 0;
  const warnings: string[] = [];
  const fetch = { allowPrivate: true, delay: 0, render, sandbox: false, ...(browser !== undefined && { browser }) };
  const pages = [];
  for await (const page of readInput(`${origin}${path}`, { fetch, warn: (message) => warnings.push(message) })) pages.push(page);
  return { html: Buffer.from(pages[0]?.body ?? []).toString(), rendered: pages[0]?.rendered, warnings, scripts: asked.includes('/app.js') };
}

test('without a browser, a page is as the server sent it', async () => {
  expect(await read('/app', 'never')).toEqual({ html: APP, rendered: undefined, warnings: [], scripts: false });
});

test('the URL of a page keeps the route that a person wrote: of an input and a line', async () => {
  const urls: unknown[] = [];
  const from = async (input: string) => {
    for await (const { url } of readInput(input, { fetch: { allowPrivate: true, delay: 0 } })) urls.push(url);
  };
  await from(`${origin}/static#/secret`);
  const lines = join(mkdtempSync(join(tmpdir(), 'forager-lines-')), 'pages.jsonl');
  onTestFinished(() => rmSync(dirname(lines), { recursive: true }));
  writeFileSync(lines, JSON.stringify({ url: `${origin}/app#/line`, text: TEXT }));
  await from(lines);
  expect(urls).toEqual([`${origin}/static#/secret`, `${origin}/app#/line`]);
});

test('an input that is no URL is read as it is, with a warning', async () => {
  const warnings: string[] = [];
  const pages = [];
  const options = { fetch: { render: 'auto' as const, sandbox: false }, warn: (message: string) => warnings.push(message) };
  for await (const page of readInput('test/golden/article.html', options)) pages.push(page);
  expect(pages).toHaveLength(1);
  expect(warnings).toEqual([
    'test/golden/article.html: --render is about URLs, and this is read as it is; give its URL to have it rendered',
  ]);
});

test('a list is refused before any request, if the machine has no such browser', async () => {
  await expect(read('/app', 'auto', '/none/such')).rejects.toThrow(UsageError);
  expect(asked).toEqual([]);
});

test.runIf(HAS_CHROMIUM)(
  'a page that is empty without scripts is its rendered document, and the user is warned of the sandbox',
  async () => {
    const { html, rendered, warnings, scripts } = await read('/app', 'auto');
    expect(html).toContain(TEXT.trim());
    expect([rendered, scripts]).toEqual([true, true]);
    expect(warnings).toEqual([expect.stringContaining('the browser has no sandbox')]);
  },
);

test.runIf(HAS_CHROMIUM)('a page with a text of its own is not rendered, and one that gains nothing stays as it is', async () => {
  expect(await read('/static', 'auto')).toMatchObject({ rendered: undefined, scripts: false });
  const always = await read('/static', 'always');
  expect(always.scripts).toBe(true);
  expect(always.rendered).toBeUndefined();
  expect(always.html).toBe(ANSWERS['/static']?.[1]);
});
