/** Rescoring in the running loop: some milliseconds at a time, nothing leased meanwhile, answers settled in between. */
import { expect, test } from 'vitest';
import type { LinkScorer } from '../../src/core/parts.ts';
import { anchorNumbers, type SmallWeb, smallCrawl } from './small-crawl.ts';

const PAGES = 24;
/** Longer than the loop gives rescoring before it looks at what came in: each discovery is a step. */
const STEP_MS = 7;

/** A page that lists some, each with two links of its own. */
const web: Record<string, SmallWeb[string]> = {
  'http://start.test/': { relevance: 0.9, links: Array.from({ length: PAGES }, (_, i) => [`http://h${i}.test/`, '0.9'] as const) },
};
for (let i = 0; i < PAGES; i++) {
  const links = [0, 1].map((k) => `http://h${i}.test/${k}`);
  web[`http://h${i}.test/`] = { relevance: 0.9, links: links.map((url) => [url, '0.5'] as const) };
  for (const url of links) web[url] = { relevance: 0.1 };
}

/** Writes down when it is asked for waiting links, and when it learns. */
function slow(log: string[], onStep: () => void): LinkScorer {
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
        const end = performance.now() + STEP_MS;
        while (performance.now() < end);
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

async function logged(concurrency: number, onStep: (stop: AbortController) => void = () => undefined) {
  const log: string[] = [];
  const stop = new AbortController();
  const run = await smallCrawl({
    web,
    seeds: ['http://start.test/'],
    limits: { concurrency },
    latency: (url) => 5 + (url.length % 7),
    scorer: slow(log, () => onStep(stop)),
    stop: stop.signal,
    onFetch: () => log.push('request'),
  });
  return { run, log };
}

test('what is in flight is settled between the steps, and nothing is asked for before the last', async () => {
  const { run, log } = await logged(4);
  expect([run.stopped, run.frontier.counts().visited]).toEqual(['drained', 1 + 3 * PAGES]);
  const during = log.slice(log.indexOf('step'), log.indexOf('request', log.indexOf('step')));
  expect(during.filter((line) => line === 'step').length).toBeGreaterThan(5);
  expect(during.slice(0, during.lastIndexOf('step'))).toContain('lesson');
});

test('one request at a time: a rescoring is whole before the next lesson, and comes with every tenth', async () => {
  const { log } = await logged(1);
  const moments = new Set(log.flatMap((line, i) => (line === 'step' ? [log.slice(0, i).filter((one) => one === 'lesson').length] : [])));
  expect([...moments].slice(0, 3)).toEqual([10, 20, 30]);
  expect([...moments].filter((lessons) => lessons % 10 !== 0)).toEqual([]);
});

test('a crawl that is stopped in the middle of a rescoring ends, and all it leased is settled', async () => {
  const { run, log } = await logged(4, (stop) => stop.abort());
  expect(run.stopped).toBe('interrupted');
  expect(log.filter((line) => line === 'step').length).toBeLessThan(5);
  expect(run.frontier.counts().leased).toBe(0);
  expect(run.settlements).toHaveLength(run.leased);
});
