import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { killedCrawl } from '../soak/killed-crawl.ts';

test('a crawl killed three times and resumed ends as the same crawl left alone', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'forager-crash-test-'));
  try {
    const report = await killedCrawl({ folder, pages: 200, kills: 3, seed: 11, latency: 50, say: () => undefined });
    expect(report.differences).toEqual([]);
    expect(report.killedAt).toHaveLength(3);
    expect(report.kept).toBeGreaterThan(20);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
