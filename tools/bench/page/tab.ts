/**
 * Memory of a tab that watches a running crawl and hears of news each second: JavaScript heap and nodes of the document, each after a forced garbage
 * collection. The page is opened on the crawl from outside, since a crawl's own page has news at longer intervals.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession } from 'playwright-core';
import { openPage } from '../../../dist/faces/web-ui/open-page.js';
import { launched, PATIENT } from '../../../test/support/chromium.ts';
import { loopbackSite } from './loopback-site.ts';

/** Two hundred hosts with this delay give at most ten pages a second. */
const DELAY_SECONDS = 20;
const PAGES_A_MINUTE = 600;
const NEWS = 1000;
/** Before the first figure: the crawl begins, and its screen has all of its tables. */
const WARM_UP = 60_000;
const MINUTE = 60_000;

export async function measureTab(folder: string, minutes: number): Promise<void> {
  const site = await loopbackSite(folder, PAGES_A_MINUTE * (minutes + 2));
  const dir = join(folder, 'crawl');
  const crawl = site.crawl(dir, ['--delay', `${DELAY_SECONDS}s`, '--concurrency', '16']);
  crawl.stdout.resume();
  const begun = new Promise<void>((resolve) => crawl.stderr.on('data', (chunk: Buffer) => chunk.includes('visited') && resolve()));
  const browser = await launched();
  await begun;
  const page = await openPage({ dir, address: '0', run: null });
  const news = setInterval(() => page.take({ type: 'asked', at: Date.now(), visits: 0, questions: 0 }), NEWS);
  try {
    const tab = await browser.newPage(PATIENT);
    await tab.goto(page.url);
    let screens = 0;
    tab.on('response', (response) => {
      screens += new URL(response.url()).pathname === '/' ? 1 : 0;
    });
    const session = await tab.context().newCDPSession(tab);
    await session.send('Performance.enable');
    await pause(WARM_UP);
    console.log('\nA tab on the overview of a running crawl\n');
    console.log(`| minute | JS heap KB | DOM nodes | listeners | screens so far |\n|${' ---: |'.repeat(5)}`);
    for (let minute = 0; minute <= minutes; minute++) {
      const { heap, nodes, listeners } = await memoryOf(session);
      console.log(`| ${minute} | ${(heap / 1000).toFixed(0)} | ${nodes} | ${listeners} | ${screens} |`);
      if (minute < minutes) await pause(MINUTE);
    }
  } finally {
    clearInterval(news);
    await browser.close();
    await page.close();
    crawl.kill('SIGKILL');
    await site.close();
  }
}

async function memoryOf(session: CDPSession) {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (name: string) => metrics.find((one) => one.name === name)?.value ?? 0;
  return { heap: of('JSHeapUsedSize'), nodes: of('Nodes'), listeners: of('JSEventListeners') };
}
