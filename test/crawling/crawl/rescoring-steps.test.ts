/** Rescoring in the running loop: some links at a time, nothing leased meanwhile, answers settled in between. */
import { expect, test } from 'vitest';
import type { LinkScorer } from '../../../src/base/core/parts/scoring.ts';
import { anchorNumbers, type SmallWeb, smallCrawl } from './small-crawl.ts';

const PAGES = 30;
/** So many that the waiting ones are not scored anew in one go: 2,000 are (crawling/crawl/loop.ts). */
const LINKS = 300;
const VISITS = 60;

/** A page that lists some, each with links of its own. */
const web: Record<string, SmallWeb[string]> = {
  'http://start.test/': { relevance: 0.9, links: Array.from({ length: PAGES }, (_, i) => [`http://h${i}.test/`, '0.9'] as const) },
};
for (let i = 0; i < PAGES; i++) {
  const links = Array.from({ length: LINKS }, (_, k) => `http://h${i}.test/${k}`);
  web[`http://h${i}.test/`] = { relevance: 0.9, links: links.map((url) => [url, '0.5'] as const) };
  for (const url of links) web[url] = { relevance: 0.1 };
}

/** Writes down when it is asked for waiting links, and when it learns. */
function written(log: string[], onStep: () => void): LinkScorer {
  const inner = anchorNumbers();
  return {
    strategy: 'anchor',
    judgement: 'none',
    get learnedFrom() {
      return inner.learnedFrom;
    },
    score(links) {
      if (links.some((link) => 'attempts' in link)) {
        log.push('step');
        onStep();
      }
      return inner.score(links);
    },
    learn(link, relevance) {
      log.push('lesson');
      inner.learn?.(link, relevance);
    },
    explain: inner.explain,
  };
}

async function logged(concurrency: number, onStep: (stop: AbortController, lessons: number) => unknown = () => undefined) {
  const log: string[] = [];
  const stop = new AbortController();
  const run = await smallCrawl({
    web,
    seeds: ['http://start.test/'],
    limits: { concurrency, maxPages: VISITS },
    latency: (url) => 5 + (url.length % 7),
    scorer: written(log, () => onStep(stop, log.filter((line) => line === 'lesson').length)),
    stop: stop.signal,
    onFetch: () => log.push('request'),
  });
  return { run, log };
}

test('what is in flight is settled between the steps, and nothing is asked for before the last', async () => {
  const { run, log } = await logged(4);
  expect([run.stopped, run.frontier.counts().visited]).toEqual(['max-pages', VISITS]);
  const rescorings = log
    .join(' ')
    .split('request')
    .filter((part) => part.includes('step'));
  expect(rescorings.length).toBeGreaterThan(3);
  const last = rescorings.at(-1) ?? '';
  expect(last.split('step').length - 1).toBeGreaterThan(PAGES / 2);
  expect(last.slice(0, last.lastIndexOf('step'))).toContain('lesson step');
});

test('one request at a time: a rescoring is whole before the next lesson, and comes with every tenth', async () => {
  const { log } = await logged(1);
  const moments = new Set(log.flatMap((line, i) => (line === 'step' ? [log.slice(0, i).filter((one) => one === 'lesson').length] : [])));
  expect([...moments]).toEqual([10, 20, 30, 40, 50, 60]);
});

test('a crawl that is stopped in the middle of a rescoring ends, and all it leased is settled', async () => {
  const { run, log } = await logged(4, (stop, lessons) => lessons >= 20 && stop.abort());
  expect(run.stopped).toBe('interrupted');
  expect(log.slice(log.lastIndexOf('request')).filter((line) => line === 'step').length).toBeLessThan(10);
  expect(run.frontier.counts().leased).toBe(0);
  expect(run.settlements).toHaveLength(run.leased);
});
