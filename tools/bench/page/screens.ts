/** How long each screen takes on a large crawl: the first of all, which opens the crawl and counts its URLs, and each one after that. */
import { openPage } from '../../../dist/faces/web-ui/open-page.js';
import { SCREENS } from '../../../dist/faces/web-ui/screens.js';
import { PageClient } from '../../../test/faces/web-ui/page-client.ts';
import { madeCrawl } from '../large-crawl.ts';

/** The goal of the page, in milliseconds. */
const GOAL = 300;

/** @param folder where the crawl is, or will be */
export async function measureScreens(folder: string, discovered: number, rounds: number): Promise<void> {
  const dir = await madeCrawl(folder, discovered);
  const page = await openPage({ dir, address: '0', run: null });
  const client = await PageClient.of(page.url);
  console.log(`\nScreens of a crawl of ${discovered} discovered URLs; the first of all: ${(await timeOf(client, '/')).toFixed(0)} ms\n`);
  console.log(`| screen | first ms | median of ${rounds} more | most | under ${GOAL} |\n| --- | ---: | ---: | ---: | --- |`);
  for (const path of await pathsOf(client, discovered)) {
    const first = await timeOf(client, path);
    const later: number[] = [];
    for (let round = 0; round < rounds; round++) later.push(await timeOf(client, path));
    later.sort((a, b) => a - b);
    const [median = 0, most = 0] = [later[later.length >> 1], later.at(-1)];
    const shown = path.length > 60 ? `${path.slice(0, 60)}…` : path;
    console.log(`| ${shown} | ${first.toFixed(0)} | ${median.toFixed(0)} | ${most.toFixed(0)} | ${median < GOAL ? 'yes' : 'no'} |`);
  }
  await page.close();
}

/** The screens of the navigation; filters, a later part; and explanations of a page, and of the link that was found last. */
async function pathsOf(client: PageClient, discovered: number): Promise<string[]> {
  const last = await whyIn(client, `/pages?from=${discovered - 100}`);
  const filtered = ['/pages?state=kept&least=0.9', '/pages?text=articles', `/pages?from=${discovered - 100}`, '/hosts?order=waiting'];
  return [...SCREENS.map(({ path }) => path), ...filtered, await whyIn(client, '/'), last, `${last}&all=yes`];
}

/** The last explanation that a screen leads to. */
async function whyIn(client: PageClient, path: string): Promise<string> {
  const links = [...(await client.screen(path)).querySelectorAll('a.url')];
  return links.at(-1)?.getAttribute('href') ?? '';
}

/** In milliseconds. @throws Error for an answer that is no screen */
async function timeOf(client: PageClient, path: string): Promise<number> {
  const startedAt = performance.now();
  const { status, text } = await client.get(path);
  if (status !== 200) throw new Error(`${path}: ${status} ${text.replace(/<[^>]+>/g, ' ').slice(-300)}`);
  return performance.now() - startedAt;
}
