/** Every screen in a browser: nothing of a hostile crawl runs or loads, and people with other needs can use it. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crawl } from 'forager';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { InProcessRun } from '../../../dist/faces/web-ui/in-process-run.js';
import { type OpenPage, openPage } from '../../../dist/faces/web-ui/open-page.js';
import { HAS_CHROMIUM, launched, PATIENT, seriousViolations } from '../../support/chromium.ts';
import { sample } from '../../support/extent.ts';
import { smallWeb, trainedOn } from '../cli/small-web.ts';

const HOSTILE = 'http://site-1.example/evil/';
/** Colours and widths of the window; the other two pairs take another minute. */
const WINDOWS = [
  ['light', 1200],
  ['dark', 400],
] as const;
const inBrowser = HAS_CHROMIUM ? test : test.skip;

const small = smallWeb();
let canary: Server;
/** Requests that reached the canary: none may. */
const reached: string[] = [];
let page: OpenPage;
let browser: Browser | null = null;
let screens: string[];

beforeAll(async () => {
  canary = createServer((request, response) => {
    reached.push(request.url ?? '');
    response.end();
  }).listen(0, '127.0.0.1');
  await once(canary, 'listening');
  const bait = `http://127.0.0.1:${(canary.address() as AddressInfo).port}`;
  const { extra, urls } = hostilePages(bait);
  const served = await small.serve({ extra });
  const dir = small.path('hostile');
  const topic = await trainedOn(small);
  await crawl({ dir, topic, seeds: [...urls, ...small.seeds], proxy: served.proxy, delay: 0, maxPages: 60, concurrency: 1 });
  page = await openPage({ dir, address: '0', run: null });
  screens = [
    '/',
    '/label',
    '/label/grid',
    '/pages',
    '/pages?text=evil',
    '/hosts',
    '/frontier',
    ...urls.map((url) => `/why?url=${encodeURIComponent(url)}`),
  ];
  if (HAS_CHROMIUM) browser = await launched();
});
afterAll(async () => {
  await browser?.close();
  await page.close();
  canary.close();
  await small.close();
});

/** Text of the topic, so that the model keeps the page, with everything that a page could say to a careless viewer. */
function hostilePages(bait: string) {
  const attack = [
    `<script>fetch('${bait}/script')</script>`,
    `"><img src="${bait}/img" onerror="fetch('${bait}/onerror')">`,
    `<iframe src="${bait}/frame"></iframe>`,
    `javascript:fetch('${bait}/url')`,
    '\u202egnp.exe \u0000 \u2066',
    'x'.repeat(100_000),
  ];
  const shown = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  const [example = ''] = small.web.examples(small.topic, 1);
  const body = /<body[^>]*>([\s\S]*)<\/body>/.exec(example)?.[1] ?? '';
  const urls = attack.map((_, i) => `${HOSTILE}${i}.html?q=%3Cscript%3E${i}%22`);
  const pages = attack.map((text, i) => {
    const links = attack.map(
      (other, j) =>
        `<a href="${HOSTILE}${i}-${j}.html?%3Cimg%20src=x%3E">${shown(other)}</a> <a href="javascript:alert(1)">${shown(other)}</a>`,
    );
    return `<html><head><title>${shown(text)}</title></head><body>${body}<p>${shown(text)}</p>${links.join('')}</body></html>`;
  });
  return { urls, extra: new Map(urls.map((url, i) => [url, pages[i] ?? ''])) };
}

inBrowser('a hostile crawl: no script runs, nothing is loaded from elsewhere, no rule of the page is broken', async () => {
  const tab = await (browser as Browser).newPage(PATIENT);
  const heard: string[] = [];
  tab.on('console', (message) => heard.push(message.text()));
  tab.on('pageerror', ({ message }) => heard.push(message));
  tab.on('dialog', (dialog) => {
    heard.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  const { origin } = new URL(page.url);
  tab.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) heard.push(request.url());
  });
  await tab.goto(page.url);
  for (const path of sample(screens, [0, 1, 3, 4, 6, 7, 8, 12])) {
    const answer = await tab.goto(`${origin}${path}`);
    expect(answer?.status(), path).toBe(200);
    expect(await tab.locator('main script, main iframe, main img, main object, main embed').count()).toBe(0);
    const hrefs = await tab.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    expect(hrefs.filter((href) => !/^(https?:|\/|#)/.test(href))).toEqual([]);
  }
  await tab.goto(`${origin}/pages?text=evil`);
  const seen = await tab.innerText('main');
  for (const text of ["<script>fetch('http:", '"><img src=', '<iframe src=', 'javascript:fetch(']) expect(seen).toContain(text);
  expect(heard).toEqual([]);
  expect(reached).toEqual([]);
});

inBrowser('axe finds no serious violation on any screen, light and dark, wide and narrow; nothing is wider than the window', async () => {
  const { origin } = new URL(page.url);
  for (const [place, [colorScheme, width]] of WINDOWS.entries()) {
    const context = await (browser as Browser).newContext({ ...PATIENT, colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
    const tab = await context.newPage();
    await tab.goto(page.url);
    // `npm test` takes four screens, each in one window.
    for (const path of sample(
      screens.slice(0, 11),
      [0, 3].map((one) => one + place),
    )) {
      await tab.goto(`${origin}${path}`);
      expect(await seriousViolations(tab), `${path} ${colorScheme} ${width}`).toEqual([]);
      expect(await tab.evaluate<number>('document.documentElement.scrollWidth'), `${path} ${width}`).toBeLessThanOrEqual(width);
    }
    await context.close();
  }
});

inBrowser('a button of the page does what it says: the browser sends its form with our own origin', async () => {
  const run = new InProcessRun({ maxPages: null, endsAt: null, stop: () => undefined });
  run.opened({
    counts: () => ({ visited: 0 }) as never,
    unpark: () => undefined as never,
    acted: () => undefined,
    addSeeds: () => undefined,
  });
  const opened = await openPage({ dir: small.path('hostile'), address: '0', run });
  const tab = await (browser as Browser).newPage(PATIENT);
  await tab.goto(opened.url);
  await tab.click('text=Pause');
  await tab.waitForSelector('text=Resume');
  expect(run.state).toBe('paused');
  await tab.close();
  await opened.close();
});
