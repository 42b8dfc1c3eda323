/** Seeds by the thousand, and seeds that are dead. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HANGS } from '../../support/cpu-time.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, forager, jsonLines } from './forager.ts';
import { type Served, smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb();
let model: string;
let served: Served;
/** Nobody listens there. */
let dead: string;

beforeAll(async () => {
  served = await small.serve();
  model = await trainedOn(small);
  const server = createServer();
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  );
  await new Promise((resolve) => server.close(resolve));
  dead = `http://127.0.0.1:${port}`;
});
afterAll(() => small.close());

interface Report {
  readonly stopReason: string;
  readonly seedsWithPage: number;
  readonly lostSeeds: readonly object[];
  readonly counts: { readonly discovered: number; readonly visited: number };
  readonly ms: number;
}

function seedFile(name: string, urls: readonly string[]): string {
  const path = small.path(name);
  writeFileSync(path, urls.join('\n'));
  return path;
}

const manifestOf = (dir: string) =>
  JSON.parse(readFileSync(`${dir}/crawl.json`, 'utf8')) as { seeds: string[]; seedFile: { count: number } };

wholeTest('20,000 seeds: a run of three seconds ends near three seconds, and the same crawl goes on', async () => {
  const dir = small.path('many');
  const many = Array.from({ length: 20_000 }, (_, i) => `${dead}/${i}`);
  const args = ['crawl', dir, '--delay', '0', '--allow-private', '--max-time', '3s', '--json'];
  const first = await forager(...args, '--topic', model, '--seeds', seedFile('many.txt', many));
  const [report] = jsonLines<Report>(first.stdout);
  expect({ code: first.code, ...report }).toMatchObject({
    code: 1,
    stopReason: 'max-time',
    counts: { discovered: 20_000 },
    seedsWithPage: 0,
  });
  expect(report?.ms).toBeLessThan(HANGS);
  expect(manifestOf(dir)).toMatchObject({ seeds: [], seedFile: { count: 20_000 } });
  const again = await forager(...args, '--seeds', seedFile('more.txt', [...many.slice(0, 10), `${dead}/new`]));
  expect(jsonLines<Report>(again.stdout)).toMatchObject([{ stopReason: 'max-time', counts: { discovered: 20_001 } }]);
  expect(manifestOf(dir).seedFile.count).toBe(20_001);
  expect(readFileSync(`${dir}/seeds.txt`, 'utf8').split('\n').slice(19_998)).toEqual([`${dead}/19998`, `${dead}/19999`, `${dead}/new`, '']);
});

wholeTest('a crawl by thousands of seeds is harvested, its card names the first of them; --force begins anew without them', async () => {
  const dir = small.path('harvested');
  const none = Array.from({ length: 1500 }, (_, i) => `http://site-1.example/none/${i}`);
  const args = ['crawl', dir, '--topic', model, '--proxy', served.proxy, '--delay', '0'];
  const seeds = seedFile('mixed.txt', [...small.seeds, ...none]);
  const [report] = jsonLines<Report>(await done(...args, '--seeds', seeds, '--max-pages', '20', '--json'));
  expect(report).toMatchObject({ stopReason: 'max-pages', counts: { visited: 20 } });
  await done('harvest', dir, '--out', small.path('corpus'));
  const card = JSON.parse(readFileSync(small.path('corpus', 'corpus-card.json'), 'utf8')) as {
    crawl: { seeds: string[]; seedCount: number };
  };
  expect([card.crawl.seeds.length, card.crawl.seedCount, card.crawl.seeds[0]]).toEqual([1000, 1503, small.seeds[0]]);
  expect(readFileSync(small.path('corpus', 'corpus-card.md'), 'utf8')).toMatch(
    /Seeds \((\d+)\)[\s\S]*503 more that no card names[\s\S]*Seeds that gave no page \(\d+\)/,
  );
  await done(...args, '--seeds', small.seeds[0] ?? '', '--max-pages', '3', '--force');
  expect(existsSync(`${dir}/seeds.txt`)).toBe(false);
});

wholeTest(
  'a dead seed: the cause is told at the first failure, stands in ledger and why, and the crawl ends with exit code 1',
  async () => {
    const dir = small.path('dead');
    const { code, stdout, stderr } = await forager(
      'crawl',
      dir,
      '--topic',
      model,
      '--seeds',
      `${dead}/`,
      '--allow-private',
      '--delay',
      '0',
      '--max-time',
      '2s',
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^forager: seed \S+: robots\.txt could not be fetched: connection refused, or no route to the host \(robots-unreachable:connect\); next try at \d\d:\d\d:\d\d, given up at \d\d:\d\d:\d\d or later\n$/,
    );
    expect(stdout).toContain('no seed gave a page');
    const retry = { reason: 'robots-unreachable:connect', attempts: 1 };
    const [line] = jsonLines<{ retry: Record<string, unknown> }>(await done('ledger', dir));
    expect(line).toMatchObject({ state: 'waiting', retry });
    const times = ['notBefore', 'givenUp'].map((name) => String(line?.retry[name]));
    for (const time of times) expect(new Date(time).toISOString()).toBe(time);
    expect(Object.keys(line?.retry ?? {}).sort()).toEqual(['attempts', 'givenUp', 'notBefore', 'reason']);
    expect(await done('status', dir)).toContain(
      `  ${dead}: robots.txt could not be fetched: connection refused, or no route to the host (robots-unreachable:connect); tried 1 time; 1 URL waits`,
    );
    expect(await done('why', dir, `${dead}/`)).toContain(
      'tried 1 time, the last time: robots.txt could not be fetched: connection refused',
    );
  },
);

test('a seed that fails for good is told at once too', async () => {
  const gone = 'http://site-1.example/none';
  const args = ['--topic', model, '--proxy', served.proxy, '--delay', '0', '--max-pages', '3', '--seeds'];
  const { code, stderr } = await forager('crawl', small.path('gone'), ...args, gone, small.seeds[0] ?? '');
  expect(code).toBe(0);
  expect(stderr).toContain(`seed ${gone}: HTTP 404: no such page (http-4xx); it is not tried again`);
});
