/** A crawl of the small web to be labelled: test files of a run that want as many pages share it. */
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crawl, openLabelling } from 'forager';
import { ledgerOf, openCrawl } from 'forager/parts';
import { madeOnce } from '../../support/made-once.ts';
import { type Served, type SmallWeb, trainedOn } from './small-web.ts';

export interface CrawlToLabel {
  readonly dir: string;
  /** Folder of the model it was begun with. */
  readonly topic: string;
  readonly served: Served;
}

export async function crawlToLabel(small: SmallWeb, maxPages: number): Promise<CrawlToLabel> {
  const served = await small.serve();
  const topic = await trainedOn(small);
  const dir = small.path('crawl');
  const options = { topic, seeds: small.seeds, proxy: served.proxy, delay: 0, maxPages, concurrency: 1 };
  const web = createHash('sha256').update(small.web.urls().join('\n')).digest('hex').slice(0, 20);
  const made = await madeOnce(`crawl-${web}-${maxPages}`, (folder) => crawl({ ...options, dir: join(folder, 'crawl') }));
  cpSync(join(made, 'crawl'), dir, { recursive: true });
  setProxy(join(dir, 'crawl.json'), served.proxy);
  return { dir, topic, served };
}

/** The crawl may be that of another test file, whose server is gone. */
function setProxy(manifest: string, proxy: string): void {
  const text = readFileSync(manifest, 'utf8');
  writeFileSync(manifest, text.replace(/,\s*"crc32": "[^"]*"/, '').replace(/"proxy": "[^"]*"/, `"proxy": "${proxy}"`));
}

/** Is a page on topic, to somebody careless? By its place among the pages on topic, and that of its host among theirs, most pages first. */
const CARELESS: readonly ((page: number, host: number, pages: number) => boolean)[] = [
  // Four, too few of one kind for an interval: the averages decide.
  (page, _, pages) => page >= 0 && page % Math.ceil(pages / 4) === 0,
  (page, host) => page >= 0 && host % 2 === 1,
  (page, host) => page >= 0 && host >= 2,
  (page, host) => page >= 0 === (host % 2 === 0),
];

/** Answers with which held-out labels say that the model is worse, as lines of a file of labels: the first carelessness that is told from chance. */
export async function carelessAnswers(dir: string, isOnTopic: (url: string) => boolean, topicName?: string): Promise<string> {
  const urls = await judgedUrls(dir);
  const onTopic = urls.filter(isOnTopic);
  const hosts = byPages(onTopic);
  for (const [n, isYes] of CARELESS.entries()) {
    const answer = (url: string) => isYes(onTopic.indexOf(url), hosts.indexOf(new URL(url).host), onTopic.length);
    const lines = urls.map((url) => `${url},${answer(url) ? 'y' : 'n'}\n`).join('');
    if (await makesWorse(dir, `${dir}-careless-${n}`, lines, topicName)) return lines;
  }
  throw new Error('no answers made a worse model');
}

async function judgedUrls(dir: string): Promise<string[]> {
  const opened = openCrawl(dir);
  const lines = [...ledgerOf(opened)];
  await opened.close();
  return lines.filter(({ state }) => state === 'kept' || state === 'off-topic').map(({ url }) => url);
}

function byPages(urls: readonly string[]): string[] {
  const pages = new Map<string, number>();
  for (const url of urls) pages.set(new URL(url).host, (pages.get(new URL(url).host) ?? 0) + 1);
  return [...pages].sort(([, a], [, b]) => b - a).map(([host]) => host);
}

async function makesWorse(from: string, dir: string, lines: string, topicName?: string): Promise<boolean> {
  cpSync(from, dir, { recursive: true });
  writeFileSync(`${dir}.csv`, lines);
  const labelling = await openLabelling({ dir, ...(topicName === undefined ? {} : { topicName }) });
  await labelling.import(`${dir}.csv`);
  const { active } = await labelling.relabel();
  await labelling.close();
  return !active;
}
