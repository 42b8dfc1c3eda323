import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CrashBench } from '../../../tools/soak/crash-bench.ts';
import { killedCrawl } from '../../../tools/soak/killed-crawl.ts';
import { type Death, killedAtPoints } from '../../../tools/soak/named-kills.ts';
import { IS_WHOLE, sample, size } from '../../support/extent.ts';
import { wholeTest } from '../../support/whole-test.ts';

const LATENCY = size(50, 10);
const folder = mkdtempSync(join(tmpdir(), 'forager-crash-test-'));
let bench: CrashBench;

beforeAll(async () => {
  bench = await CrashBench.make({ folder, pages: size(200, 80), seed: 11, latency: LATENCY });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const KILLS = size(3, 1);

wholeTest('a crawl killed and resumed, once or more, ends as the same crawl left alone', async () => {
  const report = await killedCrawl(bench, { dir: join(folder, 'killed'), kills: KILLS, seed: 11, latency: LATENCY });
  expect(report.differences).toEqual([]);
  expect(report.killedAt).toHaveLength(KILLS);
  expect(bench.alone.kept).toBeGreaterThan(20);
});

/** A torn write, a resume that has something to cut, and a commit that was all but done; `npm test` has the first, `npm run check -- crash` all points. */
const SOME: readonly Death[] = [
  { point: 'lock taken', when: { nth: 1 } },
  { point: 'WARC half written', when: { nth: 3 } },
  { point: 'corpus file cut', when: { nth: 1 } },
  { point: 'in transaction', when: { nth: 2 } },
];
const DEATHS = sample(SOME, [1]);

test('a crawl killed at named points ends as the same crawl left alone', async () => {
  const { differences, said } = await killedAtPoints(bench, join(folder, 'trapped'), DEATHS, {});
  expect(differences).toEqual([]);
  const planned = IS_WHOLE ? 'lock taken 1, WARC half written 3, corpus file cut 1, in transaction 2' : 'WARC half written 3';
  expect(said).toBe(planned);
});
