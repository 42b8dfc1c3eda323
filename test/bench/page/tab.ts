/** Memory of a tab that watches a running crawl: JavaScript heap and nodes of the document, each after a forced garbage collection. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession } from 'playwright-core';
import { launched } from '../../support/chromium.ts';
import { loopbackSite, pageAddress } from './loopback-site.ts';

/** Two hundred hosts with this delay give some three pages a second, and so news each second. */
const DELAY_SECONDS = 60;
const PAGES_A_MINUTE = 200;
/** Before the first figure: the crawl begins, and the tab has loaded what it loads once. */
const WARM_UP = 60_000;
const MINUTE = 60_000;

export async function measureTab(folder: string, minutes: number): Promise<void> {
  const site = await loopbackSite(folder, PAGES_A_MINUTE * (minutes + 2));
  const crawl = site.crawl(join(folder, 'crawl'), ['--delay', `${DELAY_SECONDS}s`, '--concurrency', '16', '--page', '0']);
  crawl.stdout.resume();
  const browser = await launched();
  try {
    const tab = await browser.newPage();
    await tab.goto(await pageAddress(crawl));
    let screens = 0;
    tab.on('response', (response) => {
      screens += new URL(response.url()).pathname === '/' ? 1 : 0;
    });
    const session = await tab.context().newCDPSession(tab);
    await session.send('Performance.enable');
    await pause(WARM_UP);
    console.log(
      `\nA tab on the overview of a running crawl\n\n| minute | JS heap KB | DOM nodes | listeners | screens so far |\n|${' ---: |'.repeat(5)}`,
    );
    for (let minute = 0; minute <= minutes; minute++) {
      const { heap, nodes, listeners } = await memoryOf(session);
      console.log(`| ${minute} | ${(heap / 1000).toFixed(0)} | ${nodes} | ${listeners} | ${screens} |`);
      if (minute < minutes) await pause(MINUTE);
    }
  } finally {
    await browser.close();
    crawl.removeAllListeners('exit');
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
