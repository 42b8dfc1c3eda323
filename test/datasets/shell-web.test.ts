import { expect, onTestFinished, test } from 'vitest';
import { plainText } from '../../datasets/shell-web/shell-documents.ts';
import { SHELL_KINDS } from '../../datasets/shell-web/shell-kinds.ts';
import { type ShellPage, type ShellWeb, shellWeb } from '../../datasets/shell-web/shell-web.ts';
import { startWebProxy } from '../../datasets/web-proxy.ts';
import { HAS_CHROMIUM, launched } from '../support/chromium.ts';
import { IS_WHOLE } from '../support/extent.ts';

const WEB = shellWeb({ seed: 5 });

function htmlOf(web: ShellWeb, url: string): string {
  const { host, pathname } = new URL(url);
  return Buffer.from(web.source.get(host, pathname)?.body ?? []).toString();
}

test('half of the pages are shells, as many of each kind as of the others, and each is answered', () => {
  const shells = WEB.pages.filter(({ kind }) => kind !== null);
  expect(shells).toHaveLength(300);
  for (const kind of SHELL_KINDS) expect(Math.abs(shells.filter((page) => page.kind === kind).length - 37.5), kind).toBe(0.5);
  const nodes = WEB.pages.filter(({ url }) => /\/\d+/.test(url));
  expect(nodes).toHaveLength(600);
  for (const { url } of WEB.pages) expect(htmlOf(WEB, url), url).toContain('<!doctype html>');
});

test('only pages that are complete without scripts have their text in the HTML', () => {
  for (const { url, kind, text } of WEB.pages) {
    const whole = plainText(htmlOf(WEB, url)).includes(text);
    expect(whole, url).toBe(kind === null || kind === 'hydrated');
  }
  expect(WEB.pages.filter(({ short }) => short).length).toBeGreaterThan(30);
});

test('links lead to pages of the web, and from the seeds to all of them', () => {
  const reached = new Set(WEB.seeds());
  for (const url of reached) for (const link of WEB.page(url)?.links ?? [`none at ${url}`]) reached.add(link);
  const missed = WEB.pages.filter(({ url }) => !reached.has(url));
  expect(missed.map(({ url }) => url)).toEqual([]);
  expect(reached.size).toBe(WEB.pages.length);
});

test('the same options give the same bytes', () => {
  const again = shellWeb({ seed: 5 });
  for (const { url } of WEB.pages.slice(0, 50)) expect(htmlOf(again, url)).toBe(htmlOf(WEB, url));
});

test.skipIf(!IS_WHOLE || !HAS_CHROMIUM)('a browser with a network shows the true text of each kind', { timeout: 120_000 }, async () => {
  const server = await startWebProxy(WEB.source, { robots: WEB.robots });
  const browser = await launched();
  onTestFinished(async () => {
    await browser.close();
    await server.close();
  });
  const tab = await (await browser.newContext({ proxy: { server: server.proxy } })).newPage();
  for (const page of drawn(4)) {
    await tab.goto(page.url);
    if (page.kind === 'list')
      for (let turn = 0; turn < 8; turn++) await tab.evaluate('scrollTo(0, 1e6); new Promise(then => setTimeout(then, 150))');
    await tab.waitForFunction(`document.body.innerText.length >= ${page.text.length * 0.9}`, null, { timeout: 10_000 }).catch(() => {});
    expect(plainText(await tab.evaluate<string>("document.querySelector('main').innerText")), page.url).toBe(page.text);
  }
});

/** Pages of each kind, those of a second host among them. */
function drawn(ofEach: number): readonly ShellPage[] {
  return SHELL_KINDS.flatMap((kind) =>
    WEB.pages
      .filter((page) => page.kind === kind)
      .filter((_, at) => at % 2 === 0 || at < 2)
      .slice(0, ofEach),
  );
}
