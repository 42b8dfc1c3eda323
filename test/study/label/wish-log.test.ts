import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { crawlPaths } from '../../../src/crawling/crawl-dir/crawl-directory.ts';
import { refuseWishes } from '../../../src/study/label/apply-wishes.ts';
import { type LoggedWish, logWish, readWishes } from '../../../src/study/label/wish-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'forager-wishes-'));
afterAll(() => rmSync(folder, { recursive: true }));

function wish(id: string, way: 'more' | 'none'): LoggedWish {
  return {
    way,
    id,
    name: `${id} and more`,
    place: 0,
    subtopics: [{ buckets: [1, 2], weights: [0.5, 0.25] }],
    at: '2026-11-28T10:00:00.000Z',
  };
}

const step = fc.oneof(
  fc.record({ id: fc.constantFrom('a', 'b', 'c'), way: fc.constantFrom('more' as const, 'none' as const) }),
  fc.constant('undo' as const),
);

test('a wish replaces one about the same subtopic, and each can be taken back', () => {
  let file = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const paths = { wishes: join(folder, `${file}.jsonl`) };
      file += 1;
      let held: LoggedWish[][] = [[]];
      for (const one of steps) {
        if (one === 'undo') {
          logWish(paths, { undo: true, at: '2026-11-28T11:00:00.000Z' });
          held = held.length > 1 ? held.slice(0, -1) : held;
        } else {
          const next = wish(one.id, one.way);
          logWish(paths, next);
          held = [...held, [...(held.at(-1) ?? []).filter(({ id }) => id !== one.id), next]];
        }
      }
      expect(readWishes(paths)).toEqual(held.at(-1));
    }),
    { numRuns: 30 },
  );
});

test('a line that broke off is dropped by the next wish, and other damage is named by its line', () => {
  const paths = { wishes: join(folder, 'broken.jsonl') };
  expect(readWishes(paths)).toEqual([]);
  logWish(paths, wish('a', 'more'));
  writeFileSync(paths.wishes, '{"way":"mo', { flag: 'a' });
  expect(readWishes(paths)).toHaveLength(1);
  logWish(paths, wish('b', 'none'));
  expect(readWishes(paths).map(({ id }) => id)).toEqual(['a', 'b']);
  writeFileSync(paths.wishes, '{"way":"most"}\n', { flag: 'a' });
  expect(() => readWishes(paths)).toThrow(/broken\.jsonl:3: is damaged/);
});

test('crawls of several topics, and on several machines, take no wishes', () => {
  const paths = { ...crawlPaths(folder), gathered: join(folder, 'none.json') };
  const manifest = { topics: [], at: null };
  expect(() => refuseWishes(paths, manifest)).not.toThrow();
  expect(() => refuseWishes(paths, { topics: [1, 2], at: null })).toThrow(/has 2 topics; wishes about subtopics are for a crawl of one/);
  expect(() => refuseWishes(paths, { topics: [], at: 'postgres://a@b/c?crawl=d' })).toThrow(/on several machines/);
  writeFileSync(paths.gathered, '{}');
  expect(() => refuseWishes(paths, manifest)).toThrow(/on several machines/);
});
