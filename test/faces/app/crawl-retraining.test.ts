/** A crawl that ends during its training: it names the training only if a person waits for it. */
import { copyFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { crawl, openLabelling } from 'forager';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openCrawl } from '../../../src/crawling/crawl-dir/open-crawl.ts';
import { CrawlRetraining } from '../../../src/faces/app/crawl-retraining.ts';
import { smallWeb, trainedOn } from '../cli/small-web.ts';

const small = smallWeb();
const made = small.path('crawl');
/** A copy for which a person has asked for a training. */
const asked = small.path('asked');
beforeAll(async () => {
  const { proxy } = await small.serve();
  const topic = await trainedOn(small);
  await crawl({ dir: made, topic, seeds: small.seeds, proxy, delay: 0, maxPages: 60, concurrency: 1, warmUp: 5 });
  cpSync(made, asked, { recursive: true });
  const labelling = await openLabelling({ dir: asked });
  await labelling.requestTraining();
  await labelling.close();
});
afterAll(() => small.close());

/** Settles enough URLs for a look at the labels, and ends the crawl at once. @param request when a person asks for a training */
async function namesTraining(name: string, warmUp: number, request: 'before' | 'meanwhile' | 'never'): Promise<boolean> {
  const dir = small.path(name);
  cpSync(made, dir, { recursive: true });
  const ask = () => copyFileSync(join(asked, 'labels.jsonl'), join(dir, 'labels.jsonl'));
  if (request === 'before') ask();
  const { frontier, manifest, paths, close } = openCrawl(dir);
  // As before its training.
  const untrained = { ...manifest, warmUp, relabelled: [], keptBeside: null };
  const retraining = new CrawlRetraining({ paths, manifest: untrained, frontier, warn: () => undefined });
  for (let i = 0; i < 10; i++) retraining.settled();
  if (request === 'meanwhile') ask();
  const named = await retraining.close();
  await close();
  return named !== null;
}

test('a crawl whose pages are visited waits for the training with its warm-up, and a stop ends the waiting', async () => {
  const { frontier, manifest, paths, close } = openCrawl(made);
  expect([...manifest.relabelled, manifest.keptBeside].some((training) => (training?.pool ?? 0) > 0)).toBe(true);
  const untrained = { ...manifest, relabelled: [], keptBeside: null };
  const retraining = new CrawlRetraining({ paths, manifest: untrained, frontier, warn: () => undefined });
  const stop = new AbortController();
  const told = vi.fn(() => stop.abort());
  await retraining.trained(stop.signal, told);
  expect(told).toHaveBeenCalledOnce();
  expect(retraining.ready.aborted).toBe(false);
  await retraining.close();
  await close();
});

test.each([
  ['answers that a person wants to be learned', 0, 'before', true],
  ['a warm-up: the next run trains by itself', 5, 'never', false],
  ['a warm-up, and a person asks meanwhile', 5, 'meanwhile', true],
  ['no training', 0, 'never', false],
] as const)('the crawl ends while it trains with %s', async (_, warmUp, request, expected) => {
  expect(await namesTraining(`${warmUp}-${request}`, warmUp, request)).toBe(expected);
});
