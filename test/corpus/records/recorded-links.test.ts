import { randomBytes } from 'node:crypto';
import { statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DataError } from '../../../src/base/core/errors.ts';
import type { FrozenVisit } from '../../../src/base/core/frozen-visit.ts';
import { FileCorpusWriter, VISITS_FILE } from '../../../src/corpus/records/corpus-writer.ts';
import { recordedLinks } from '../../../src/corpus/records/recorded-links.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { freshDir, INFO, urlOf } from './samples.ts';

const url = (i: number) => urlOf(`http://a.test/${i}`);
const text = { anchorText: '', context: '', imageAlt: '', zone: 'other', tagPath: '' } as const;

/** @param padding text of the page, so that it takes as much of the file */
function page(i: number, links: readonly number[], padding = ''): FrozenVisit {
  const content = {
    payloadSha256: '',
    title: '',
    text: padding,
    lang: null,
    noindex: false,
    links: links.map((to) => ({ url: url(to), text })),
  };
  return { url: url(i), status: 200, kind: 'page', content };
}

/** A recording as a crawl writes it. @returns its path and its size after each visit */
async function recorded(visits: readonly FrozenVisit[]): Promise<{ readonly path: string; readonly ends: readonly number[] }> {
  const dir = freshDir();
  const corpus = await FileCorpusWriter.open(dir, null, INFO, { record: true });
  const ends = visits.map((visit) => {
    corpus.append({ kind: 'visit', visit: visit });
    return corpus.offsets()[VISITS_FILE] ?? 0;
  });
  await corpus.close();
  return { path: join(dir, VISITS_FILE), ends };
}

test('links of pages and targets of redirects, in their order; what is not asked for is passed over', async () => {
  const { path, ends } = await recorded([
    page(1, [2, 3]),
    { url: url(2), status: 301, kind: 'redirect', to: url(4) },
    { url: url(5), status: 404, kind: 'failed', code: 'http-4xx' },
    page(4, [1]),
    { url: url(6), status: null, kind: 'refused', reason: 'robots' },
    page(6, []),
  ]);
  const linksOf = recordedLinks(path, ends.at(-1) ?? 0);
  expect([1, 2, 6].map((i) => linksOf(url(i)))).toEqual([[url(2), url(3)], [url(4)], []]);
  expect(() => linksOf(url(4))).toThrow(DataError);
});

wholeTest('a recording longer than what is read at once, with a page longer than that', async () => {
  const noise = (bytes: number) => randomBytes(bytes).toString('base64');
  const visits = Array.from({ length: 40 }, (_, i) => page(i, [i + 1, i + 2], noise(i === 20 ? 9_000_000 : 150_000)));
  const { path, ends } = await recorded(visits);
  expect(ends.at(-1)).toBeGreaterThan(10_000_000);
  const linksOf = recordedLinks(path, ends.at(-1) ?? 0);
  for (const i of visits.keys()) expect(linksOf(url(i))).toEqual([url(i + 1), url(i + 2)]);
});

test('what stands behind the committed bytes does not count; what is cut off or changed before is told with its place', async () => {
  const { path, ends } = await recorded([page(1, [2]), page(2, [3]), page(3, [4])]);
  const [first = 0, second = 0] = ends;
  const committed = recordedLinks(path, second);
  expect([committed(url(1)), committed(url(2))]).toEqual([[url(2)], [url(3)]]);
  expect(() => committed(url(3))).toThrow(/lacks the links of http:\/\/a\.test\/3/);

  truncateSync(path, statSync(path).size - 20);
  const cut = recordedLinks(path, ends.at(-1) ?? 0);
  expect(() => [1, 2, 3].map((i) => cut(url(i)))).toThrow(new RegExp(`damaged at byte ${second}`));

  writeFileSync(path, 'not a recording', { flag: 'r+' });
  expect(() => recordedLinks(path, second)(url(1))).toThrow(/damaged at byte 0/);
  expect(first).toBeGreaterThan(0);
});

test('a recording of which bytes count up to the middle of a visit is damaged there, though more stands behind', async () => {
  const { path, ends } = await recorded([page(1, [2]), page(2, [3])]);
  const [first = 0, second = 0] = ends;
  for (const length of [first + 1, second - 1]) {
    const linksOf = recordedLinks(path, length);
    expect(linksOf(url(1))).toEqual([url(2)]);
    expect(() => linksOf(url(2))).toThrow(`damaged at byte ${first}`);
  }
});

test('a recording that is not there is told', () => {
  expect(() => recordedLinks(join(freshDir(), VISITS_FILE), 100)(url(1))).toThrow(/cannot be read at byte 0/);
  expect(() => recordedLinks(join(freshDir(), VISITS_FILE), 0)(url(1))).toThrow(/lacks the links/);
});
