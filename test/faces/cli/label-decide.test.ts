/** Two people label the same pages, a third decides where they disagree: terminal, status, card and methods text. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Labelling, openLabelling } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wholeTest } from '../../support/whole-test.ts';
import { done, foragerWith } from './forager.ts';
import { crawlToLabel } from './labelled-crawl.ts';
import { smallWeb } from './small-web.ts';

const small = smallWeb();
let dir: string;
/** Pages by their answers of Anna and Ben. */
const PAIRS = ['yy', 'yy', 'yn', 'ny', 'nn', 'nn', 'nn', 'yn'];

async function labelled<T>(work: (labelling: Labelling) => Promise<T>): Promise<T> {
  const labelling = await openLabelling({ dir });
  try {
    return await work(labelling);
  } finally {
    await labelling.close();
  }
}

beforeAll(async () => {
  dir = (await crawlToLabel(small, 60)).dir;
  await labelled(async (labelling) => {
    const asked: string[] = [];
    for (const _ of PAIRS) {
      const question = await labelling.next();
      if (question === null) throw new Error('too few pages');
      asked.push(question.url);
      await labelling.answer('skip');
    }
    const lines = (person: number, name: string) => asked.map((url, i) => `${url},${name},${PAIRS[i]?.[person]}\n`).join('');
    await labelling.importText(`url,name,label\n${lines(0, 'Anna')}${lines(1, 'Ben')}`);
  });
});
afterAll(() => small.close());

test('status has kappa and the open pages; label decide asks about them, undo takes one back, and kappa stays', async () => {
  const before = await done('status', dir);
  // Equal 5 of 8; Anna says y to 4, Ben to 3: by chance 4 × 3 + 4 × 5 of 64 = .5, so kappa = (.625 - .5) / .5.
  expect(before).toContain("Anna and Ben: 8 pages that both answered, 5 equally; Cohen's kappa 0.25 (95 % interval");
  expect(before).toContain(
    'pages that people answered differently: 3, 0 decided, 3 without a decision: there the later answer counts\n' +
      `  to decide about these pages: npx forager label decide ${dir}`,
  );
  const decided = await foragerWith('y\nu\ny\ns\nq\n', 'label', 'decide', dir, '--name', 'Carol');
  expect({ code: decided.code, stderr: decided.stderr }).toEqual({ code: 0, stderr: '' });
  const shown = [...decided.stdout.matchAll(/^http:\S+$/gm)].map(([url]) => url);
  expect(shown).toEqual([shown[0], shown[1], shown[0], shown[1], shown[4]]);
  expect(new Set(shown).size).toBe(3);
  expect(decided.stdout.match(/^Anna (y, Ben n|n, Ben y)$/gm)).toHaveLength(5);
  expect(decided.stdout).toContain('\n2 decisions\n');
  expect(decided.stdout).toMatch(/pages that people answered differently: 3, 2 decided by Carol \(\d{4}-\d\d-\d\d\), 1 without a decision/);
  const json = JSON.parse(await done('status', dir, '--json')) as { coding: { pairs: { kappa: number }[]; open: number } };
  expect(json.coding).toMatchObject({ pairs: [{ kappa: 0.25 }], open: 1, decided: 2 });
  await labelled(async (labelling) => {
    expect(labelling.counts).toMatchObject({ skipped: 1 });
    expect(labelling.coding.disagreements.map(({ url, decision }) => [url, decision?.answer])).toEqual([
      [shown[4], undefined],
      [shown[0], 'y'],
      [shown[1], 'skip'],
    ]);
  });
});

wholeTest('the card and its methods text have the kappa before decisions, and who decided', async () => {
  // Long tests may run without the one above.
  const { coding } = JSON.parse(await done('status', dir, '--json')) as { readonly coding: { readonly decided: number } };
  if (coding.decided === 0) await foragerWith('y\ns\nq\n', 'label', 'decide', dir, '--name', 'Carol');
  const out = small.path('decided');
  await done('harvest', dir, '--out', out);
  const card = readFileSync(join(out, 'README.md'), 'utf8');
  expect(card).toContain("Anna and Ben: 8 pages that both answered, 5 equally; Cohen's kappa 0.25");
  expect(card).toContain('2 decided by Carol');
  expect(card).toContain("Two people answered 8 pages independently; Cohen's kappa was 0.25 (95 % interval -0.39 to 0.73).");
  expect(card).toContain('They answered 3 pages differently, of which 2 were decided afterwards.');
});
