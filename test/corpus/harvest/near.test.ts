import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRng } from '../../../src/base/core/rng.ts';
import { jaccard, MAX_SHINGLED_WORDS, sharedShingles, shinglesOf } from '../../../src/base/text/shingles.ts';
import { BANDS, bandKeys, estimatedJaccard, minHash, PERMUTATIONS } from '../../../src/corpus/select/min-hash.ts';
import { PageClusters } from '../../../src/corpus/select/page-clusters.ts';
import { sample, size } from '../../support/extent.ts';
import { clustersOf, jaccardOf, shingleStrings, similarPairs } from './all-pairs.ts';
import { recordWith, selected } from './selected.ts';
import { templatedPages } from './templated-pages.ts';

const words = (count: number, prefix: string) => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
const signatureOf = (text: string) => minHash(shinglesOf(text), new Int32Array(PERMUTATIONS));

describe('shingles', () => {
  const text = fc
    .array(
      fc.constantFrom('Moss', 'moss', 'peat', 'Ἀδελφός', 'naïve', 'e\u0301tat', '苔藓园', 'ตะไคร่', 'コケ', '12', '—', 'ﬁn', 'ＡＢＣ'),
      {
        maxLength: 40,
      },
    )
    .map((parts) => parts.join(' '));

  test('as many, and as many in common, as there are runs of five words by a regular expression', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const strings = [shingleStrings(one), shingleStrings(other)] as const;
        const hashes = [shinglesOf(one), shinglesOf(other)] as const;
        expect(hashes.map(({ length }) => length)).toEqual(strings.map(({ size }) => size));
        expect(jaccard(...hashes)).toBe(strings[0].size + strings[1].size === 0 ? 0 : jaccardOf(...strings));
      }),
      { numRuns: size(1000, 200) },
    );
  });

  test('ascend, each once', () => {
    const hashes = shinglesOf(`${'a b c d e f '.repeat(50)} g`);
    expect([...hashes]).toEqual([...new Set(hashes)].sort((a, b) => (a < b ? -1 : 1)));
    expect(hashes.length).toBe(7);
  });

  test('of a text without words: none; of a short one: one; of a huge one: those of its first words', () => {
    expect(shinglesOf(' … — !').length).toBe(0);
    expect(shinglesOf('Peat bog').length).toBe(1);
    expect(jaccard(shinglesOf('Peat bog'), shinglesOf('peat  BOG!'))).toBe(1);
    const huge = words(MAX_SHINGLED_WORDS + 100, 'w').join(' ');
    expect(shinglesOf(huge).length).toBe(MAX_SHINGLED_WORDS - 4);
    expect(sharedShingles(shinglesOf(huge), shinglesOf(`${huge} more`))).toBe(MAX_SHINGLED_WORDS - 4);
  });
});

test('estimates have the error of theory, and bands find pairs at .8 with its probability', () => {
  const texts = templatedPages(size(1200, 300), seededRng(7));
  const strings = texts.map(shingleStrings);
  const signatures = texts.map((one) => signatureOf(one).slice());
  const keys = signatures.map((signature) => {
    const of = new Uint32Array(BANDS);
    bandKeys(signature, of, 0);
    return of;
  });
  const errors: number[] = [];
  let [pairs, found] = [0, 0];
  for (const { a, b, similarity } of similarPairs(strings, 0.5)) {
    errors.push((estimatedJaccard(signatures[a] as Int32Array, signatures[b] as Int32Array) - similarity) ** 2);
    if (similarity < 0.8) continue;
    pairs++;
    if (keys[a]?.some((key, band) => key === keys[b]?.[band])) found++;
  }
  expect(pairs).toBeGreaterThan(200);
  // At most .031 for each pair; of all together, .03 is asked for.
  expect(Math.sqrt(errors.reduce((sum, error) => sum + error, 0) / errors.length)).toBeLessThan(0.03);
  expect(found / pairs).toBeGreaterThanOrEqual(0.99);
});

test.each(sample([0.8, 0.9], [0]))('clusters at %f are those of all pairs, compared by code of its own', async (near) => {
  const texts = templatedPages(size(2000, 400), seededRng(3));
  const records = texts.map((text, i) => recordWith(text, `h${i % 9}.example`, i));
  const pairs = similarPairs(texts.map(shingleStrings), near);
  const clusters = clustersOf(texts.length, pairs);
  const { pages, leftOut } = await selected(records, { dedupe: 'near', near });
  expect(pairs.length).toBeGreaterThan(100);
  expect(pages.length + leftOut.length).toBe(texts.length);
  const places = new Map<string, number>(records.map(({ id }, i) => [id, i]));
  const keptClusters = pages.map(({ id }) => clusters[places.get(id) ?? -1]);
  expect(new Set(keptClusters).size).toBe(pages.length);
  expect(new Set(keptClusters)).toEqual(new Set(clusters));
  for (const { id, reason, grounds } of leftOut) {
    const [page, kept] = [places.get(id) ?? -1, places.get(String(grounds['duplicateOf'])) ?? -1];
    expect(clusters[page]).toBe(clusters[kept]);
    if (reason === 'exact') continue;
    const similarity = jaccardOf(shingleStrings(texts[page] ?? ''), shingleStrings(texts[kept] ?? ''));
    expect(grounds['similarity']).toBeCloseTo(similarity, 4);
    const via = grounds['via'] === undefined ? kept : (places.get(String(grounds['via'])) ?? -1);
    expect(jaccardOf(shingleStrings(texts[page] ?? ''), shingleStrings(texts[via] ?? ''))).toBeGreaterThanOrEqual(near);
  }
  for (const { id, copies } of pages) expect(copies).toBe(clusters.filter((one) => one === clusters[places.get(id) ?? -1]).length);
});

describe('the page that stays', () => {
  const base = words(200, 'w').join(' ');
  const copy = (more: string) => `${base} ${more}`;

  test('is the most relevant, then the longest, then that of the shortest URL, then the first', async () => {
    const kept = async (...records: ReturnType<typeof recordWith>[]) => {
      const { pages } = await selected(records, { dedupe: 'near' });
      return pages.map(({ id }) => records.findIndex((record) => record.id === id));
    };
    expect(await kept(recordWith(copy('long tail'), 'a.example', 1), recordWith(copy('x'), 'b.example', 2, { relevance: 0.95 }))).toEqual([
      1,
    ]);
    expect(await kept(recordWith(copy('x'), 'a.example', 1), recordWith(copy('long tail'), 'b.example', 2))).toEqual([1]);
    expect(await kept(recordWith(copy('x'), 'longer.example', 1), recordWith(copy('y'), 'b.example', 2))).toEqual([1]);
    expect(await kept(recordWith(copy('x'), 'a.example', 1), recordWith(copy('y'), 'b.example', 2))).toEqual([0]);
  });

  test('may be similar to another only by a chain of copies, which is named', async () => {
    const step = (from: number) =>
      words(200, 'w')
        .slice(from, from + 150)
        .join(' ');
    const records = [0, 14, 28].map((from, i) => recordWith(step(from), 'a.example', i, { relevance: 0.9 - i / 10 }));
    const { pages, leftOut } = await selected(records, { dedupe: 'near' });
    expect(pages.map(({ id }) => id)).toEqual([records[0]?.id]);
    expect(leftOut.map(({ grounds }) => grounds)).toEqual([
      { duplicateOf: records[0]?.id, similarity: 0.825 },
      { duplicateOf: records[0]?.id, similarity: 0.6782, via: records[1]?.id },
    ]);
  });

  test('is never a page that another filter omits, and exact copies have their own reason', async () => {
    const records = [
      recordWith(copy('x'), 'a.example', 1, { relevance: 0.99, lang: 'de' }),
      recordWith(copy('x'), 'a.example', 2),
      recordWith(copy('x'), 'a.example', 3),
      recordWith(copy('y'), 'b.example', 4),
    ];
    const { pages, leftOut } = await selected(records, { dedupe: 'near', languages: ['en'] });
    expect(leftOut.map(({ id, reason }) => [records.findIndex((one) => one.id === id), reason])).toEqual([
      [0, 'language'],
      [2, 'exact'],
      [3, 'near'],
    ]);
    expect(pages).toMatchObject([{ id: records[1]?.id, copies: 3 }]);
  });

  test('pages without words are no copies of each other; pages of few words are, if all are the same', async () => {
    const texts = ['', '—', 'Peat bog', 'peat bog!', 'peat fen'];
    const records = texts.map((text, i) => recordWith(text, 'a.example', i, { payloadSha256: String(i) }));
    const { pages } = await selected(records, { dedupe: 'near' });
    expect(pages.map(({ text, copies }) => [text, copies])).toEqual([
      ['', 1],
      ['—', 1],
      ['peat bog!', 2],
      ['peat fen', 1],
    ]);
  });
});

describe('shortened copies', () => {
  test('are omitted where nearly all of them is in a longer page, and only if asked', async () => {
    const rng = seededRng(11);
    const prose = (count: number) => Array.from({ length: count }, () => `v${Math.floor(rng() * 3000)}`);
    const long = Array.from({ length: 60 }, () => prose(600));
    const records = [
      ...long.map((text, i) => recordWith(text.join(' '), 'a.example', i)),
      ...long.map((text, i) => recordWith(text.slice(0, 120 + 5 * i).join(' '), 'b.example', i)),
      ...long.map((text, i) => recordWith([...text.slice(0, 150), ...prose(150)].join(' '), 'c.example', i)),
    ];
    const { pages, leftOut } = await selected(records, { dedupe: 'contained' });
    expect(pages.map(({ url }) => new URL(url).host).filter((host) => host === 'b.example')).toEqual([]);
    expect(pages).toHaveLength(120);
    for (const { id, reason, grounds } of leftOut) {
      const place = records.findIndex((one) => one.id === id);
      expect(records[place - 60]?.id).toBe(grounds['duplicateOf']);
      expect(grounds[reason === 'near' ? 'similarity' : 'containment']).toBeGreaterThanOrEqual(0.8);
    }
    expect((await selected(records, { dedupe: 'near' })).leftOut.every(({ reason }) => reason === 'near')).toBe(true);
  });

  test('of two with the same shingles in another order of length, one stays', async () => {
    const loop = words(300, 'w').join(' ');
    const records = [recordWith(`${loop} ${loop}`, 'a.example', 1), recordWith(`${loop} ${loop} ${loop}`, 'a.example', 2)];
    expect((await selected(records, { dedupe: 'contained' })).pages).toHaveLength(1);
  });
});

test('clusters of pages are those of their pairs', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(30), fc.nat(30)), { maxLength: 40 }), (pairs) => {
      const clusters = new PageClusters();
      for (const [a, b] of pairs) clusters.join(a, b);
      const expected = clustersOf(
        31,
        pairs.map(([a, b]) => ({ a, b, similarity: 1 })),
      );
      expect(expected.map((_, page) => clusters.find(page))).toEqual(expected);
    }),
  );
});
