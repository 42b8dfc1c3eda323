/** A tab that outlives the page it is of: the person learns that its answers are lost, and none of them seems stored. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenPage, openPage } from '../../../dist/faces/web-ui/open-page.js';
import { STRINGS } from '../../../src/faces/web-ui/strings.ts';
import { HAS_CHROMIUM, launched, PATIENT } from '../../support/chromium.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { crawlToLabel } from '../cli/labelled-crawl.ts';
import { smallWeb } from '../cli/small-web.ts';

const small = smallWeb();
const inBrowser = HAS_CHROMIUM ? wholeTest : test.skip;
const { stale, unsent } = STRINGS.notices;
let dir: string;
let page: OpenPage;
let browser: Browser | null = null;

beforeAll(async () => {
  dir = (await crawlToLabel(small, 40)).dir;
  page = await openPage({ dir, address: '0', run: null });
  if (HAS_CHROMIUM) browser = await launched();
});
afterAll(async () => {
  await browser?.close();
  await page.close();
  await small.close();
});

/** Lines of the answers. */
function answers(): number {
  try {
    return readFileSync(join(dir, 'labels.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"answer"')).length;
  } catch {
    return 0;
  }
}

const notices = (tab: Page) => tab.locator('.notice:visible').allInnerTexts();

inBrowser('after a restart on the same port, each tab says that its answers are lost, and takes no more', async () => {
  const context = await (browser as Browser).newContext(PATIENT);
  const tab = async (path: string) => {
    const one = await context.newPage();
    await one.goto(path === '' ? page.url : `${new URL(page.url).origin}${path}`);
    return one;
  };
  const overview = await tab('');
  await overview.locator('.last tbody tr').first().waitFor();
  const [label, grid] = [await tab('/label'), await tab('/label/grid')];
  const { port } = new URL(page.url);
  const rows = await overview.locator('.last tbody tr:visible').count();

  await page.close();
  await overview.bringToFront();
  await overview.locator('.last tbody tr button').first().click();
  await expect.poll(() => notices(overview)).toEqual([unsent]);
  await label.bringToFront();
  await label.keyboard.press('y');
  await expect.poll(() => notices(label)).toEqual([unsent]);
  expect(await label.locator('main button:enabled').count(), 'it may be tried again').toBeGreaterThan(0);

  page = await openPage({ dir, address: port, run: null });
  for (const [one, act] of [
    [
      overview,
      () =>
        overview
          .locator('.last tbody tr button')
          .first()
          .click({ timeout: 1000 })
          .catch(() => undefined),
    ],
    [label, () => label.keyboard.press('n')],
    [grid, () => grid.keyboard.press('Enter')],
  ] as const) {
    await one.bringToFront();
    await act();
    await expect.poll(() => notices(one)).toContain(stale);
    expect(await one.locator('button:enabled').count()).toBe(0);
  }
  expect(await overview.locator('.last tbody tr:visible').count()).toBe(rows);
  expect(answers()).toBe(0);
  await context.close();
});

inBrowser('a tab that only looks on learns of the restart by itself', async () => {
  const tab = await (browser as Browser).newPage(PATIENT);
  await tab.goto(page.url);
  const { port } = new URL(page.url);
  await page.close();
  page = await openPage({ dir, address: port, run: null });
  await expect.poll(() => notices(tab), { timeout: 15_000 }).toContain(stale);
  await tab.close();
});
