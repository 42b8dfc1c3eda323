/** A crawl asks nothing of standard input, whatever becomes of it. The other signs from outside are in test/faces/cli/operations.test.ts. */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect } from 'vitest';
import { start } from '../faces/cli/forager.ts';
import { type Served, smallWeb, trainedOn } from '../faces/cli/small-web.ts';
import { wholeTest } from '../support/whole-test.ts';

const small = smallWeb();
const { path } = small;
let model: string;
beforeAll(async () => {
  writeFileSync(path('seeds.txt'), small.seeds.join('\n'));
  model = await trainedOn(small);
});
afterAll(() => small.close());

function crawlArgs(dir: string, { proxy }: Served, maxPages: number): string[] {
  const seeds = path('seeds.txt');
  return ['crawl', dir, '--topic', model, '--seeds', seeds, '--max-pages', String(maxPages), '--delay', '0ms', '--proxy', proxy];
}

wholeTest('standard input that is closed, or never ends, is nothing to a crawl', async () => {
  const served = await small.serve();
  const open = start(crawlArgs(path('open'), served, 10), null);
  const closed = start(crawlArgs(path('closed'), served, 10), null);
  closed.child.stdin?.destroy();
  expect((await Promise.all([open.ended, closed.ended])).map(({ code }) => code)).toEqual([0, 0]);
});
