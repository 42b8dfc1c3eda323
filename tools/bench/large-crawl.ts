/**
 * A crawl of so many discovered URLs, of a web that is made up as it is asked for: 60 links a page, three in four of them new. What readers of crawls and the page
 * are measured on.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { crawl, train } from 'forager';

/** Links of a page that nobody linked to before. */
const NEW_LINKS = 45;

/** On a thread of its own, since this one crawls. */
function serve(): Promise<{ readonly origin: string; readonly worker: Worker }> {
  const worker = new Worker(new URL('readers-web.mjs', import.meta.url));
  return new Promise((resolve) => worker.once('message', (port: number) => resolve({ origin: `http://127.0.0.1:${port}`, worker })));
}

async function topicIn(folder: string, origin: string): Promise<string> {
  const topic = join(folder, 'topic');
  if (existsSync(topic)) return topic;
  const examples = join(folder, 'examples');
  mkdirSync(examples, { recursive: true });
  for (let page = 2; page < 42; page += 2)
    writeFileSync(join(examples, `${page}.html`), await fetch(`${origin}/${page}.html`).then((response) => response.text()));
  await train({ examples: [examples], out: topic });
  return topic;
}

/** That crawl in a folder, which keeps it: one that is there is not made again. A million URLs take some minutes. @returns its directory */
export async function madeCrawl(folder: string, discovered: number): Promise<string> {
  const dir = join(folder, String(discovered));
  if (existsSync(dir)) return dir;
  const { origin, worker } = await serve();
  try {
    const topic = await topicIn(folder, origin);
    const seeds = [2, 4, 6, 8].map((page) => `http://h${page}.example/articles/${page}/${page}.html`);
    await crawl({ dir, topic, seeds, proxy: origin, delay: 0, maxPages: Math.ceil(discovered / NEW_LINKS), concurrency: 32 });
  } finally {
    await worker.terminate();
  }
  return dir;
}
