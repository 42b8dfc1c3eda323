import { expect, test } from 'vitest';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import type { PageOfCrawl } from '../../../src/study/label/judged-pages.ts';
import { PreparedPages, READ_AHEAD } from '../../../src/study/label/prepared-pages.ts';

const ALL = Array.from({ length: 40 }, (_, i) => `http://a.test/${i}` as CanonicalUrl);

/** A corpus in memory that counts passes and searches. */
function corpus({ fails = false } = {}) {
  const seen = { passes: 0, searches: 0 };
  const pageAt = (at: CanonicalUrl): PageOfCrawl => ({ url: at, title: at, text: '', lang: null });
  const prepared = new PreparedPages<string>({
    all: async function* (urls) {
      seen.passes += 1;
      for (const one of urls) yield pageAt(one);
      if (fails) throw new Error('damaged');
    },
    one: async (at) => {
      seen.searches += 1;
      return pageAt(at);
    },
    prepare: async (page) => `prepared ${page.title}`,
  });
  return { seen, prepared };
}

/** Asks about the pages one after the other, as a session does. */
async function asked(prepared: PreparedPages<string>, urls: readonly CanonicalUrl[]): Promise<string[]> {
  const shown: string[] = [];
  for (const one of urls) {
    shown.push(await prepared.of(one));
    prepared.readAhead(one, (count) => ALL.slice(ALL.indexOf(one), ALL.indexOf(one) + count));
  }
  return shown;
}

test('only the first page is searched for; the others come ten at a time, before they are asked about', async () => {
  const { seen, prepared } = corpus();
  expect(await asked(prepared, ALL)).toEqual(ALL.map((one) => `prepared ${one}`));
  expect(seen.searches).toBe(1);
  expect(seen.passes).toBeLessThanOrEqual(ALL.length / (READ_AHEAD - 5));
});

test('a page that was taken back is at hand, and a page out of turn is searched for', async () => {
  const { seen, prepared } = corpus();
  await asked(prepared, ALL.slice(0, 5));
  await asked(prepared, ALL.slice(4, 5));
  expect(seen.searches).toBe(1);
  await asked(prepared, ALL.slice(30, 31));
  expect(seen.searches).toBe(2);
});

test('a pass that fails loses no page', async () => {
  const { prepared } = corpus({ fails: true });
  expect(await asked(prepared, ALL)).toEqual(ALL.map((one) => `prepared ${one}`));
});
