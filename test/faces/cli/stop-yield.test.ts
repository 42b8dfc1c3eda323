import { readFileSync } from 'node:fs';
import { crawl } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IS_WHOLE } from '../../support/extent.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, forager, refused } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb();
const dir = small.path('crawl');
let args: string[];

beforeAll(async () => {
  const { proxy } = await small.serve();
  const topic = await trainedOn(small);
  args = ['crawl', dir, '--topic', topic, '--seeds', ...small.seeds, '--proxy', proxy, '--delay', '0', '--concurrency', '1', '--json'];
});
afterAll(() => small.close());

interface Report {
  readonly stopReason: string;
  readonly counts: { readonly visited: number };
}

async function reportOf(...more: string[]): Promise<[string, number]> {
  const { stopReason, counts } = JSON.parse(await done(...args, ...more)) as Report;
  return [stopReason, counts.visited];
}

test('a crawl stops by its yield, stays stopped when it is resumed, and goes on by another limit or none', async () => {
  expect(await reportOf('--stop-yield', '95%/30', '--max-pages', '200')).toEqual(['low-yield', 30]);
  const { stopYield } = JSON.parse(readFileSync(`${dir}/crawl.json`, 'utf8')) as { stopYield: unknown };
  expect(stopYield).toEqual({ share: 0.95, visits: 30 });
  expect(await reportOf('--max-pages', '200')).toEqual(['low-yield', 30]);
  // The visits of earlier runs count: ten more make forty.
  expect(await reportOf('--stop-yield', '95%/40')).toEqual(['low-yield', 40]);
  if (IS_WHOLE) expect(await reportOf('--stop-yield', '0.5%/40', '--max-pages', '44')).toEqual(['max-pages', 44]);
  expect(await reportOf('--stop-yield', 'none', '--max-pages', '50')).toEqual(['max-pages', 50]);
});

wholeTest('for people: why it stopped, and what else to do', async () => {
  const words = args.filter((word) => word !== '--json');
  const { stdout, code } = await forager(...words, '--stop-yield', '95%/50');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^too few of the last visits were on topic by the model \(--stop-yield\): 50 visited/);
  for (const part of [`forager label ${dir}`, `forager seeds ${dir}`, '--stop-yield none', 'lower --stop-yield'])
    expect(stdout).toContain(part);
  expect(await done('status', dir)).toContain('stopped: too few of the last visits were on topic');
});

test.each([
  ['2', 'not a share of visits'],
  ['2%', 'not a share of visits'],
  ['0.02/500', 'not a share of visits'],
  ['0%/500', 'not above 0'],
  ['101%/500', 'at most 100 %'],
  ['2%/0', 'not a whole number of visits'],
  ['2%/5000000', 'not a whole number of visits'],
])('--stop-yield %s is refused', (value, part) => refused(2, [part, '2%/500'], ...args, '--stop-yield', value));

test('the library refuses the same', async () => {
  await expect(crawl({ dir, stopYield: { share: 2, visits: 500 } })).rejects.toThrow('at most 100 %');
  await expect(crawl({ dir, stopYield: { share: 0.1, visits: 1.5 } })).rejects.toThrow('not a whole number');
});
