import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { ModelError } from '../../../src/base/core/errors.ts';
import { VarintReader, VarintWriter } from '../../../src/reading/topic/feature-coding.ts';
import { BUCKETS, FEATURE_KINDS, FeatureCounter, type FeatureCounts } from '../../../src/reading/topic/features.ts';
import { encodeTraining, readTraining, type StoredRow, storedRow, TRAINING_FILE } from '../../../src/reading/topic/training-file.ts';
import type { Scale } from '../../../src/reading/topic/weighting.ts';
import { runs } from '../../support/extent.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { syntheticPages } from './synthetic.ts';

const dir = mkdtempSync(join(tmpdir(), 'forager-rows-'));
const path = join(dir, TRAINING_FILE);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const EVEN: Scale = { idf: new Float32Array(BUCKETS).fill(1), lengths: new Float64Array(FEATURE_KINDS.length).fill(1) };

async function stored(rows: readonly StoredRow[], scale = EVEN): Promise<readonly StoredRow[] | undefined> {
  writeFileSync(path, await encodeTraining({ rows, precision: null, template: [], wordVectors: 'none' }, scale));
  return (await readTraining(dir))?.rows;
}

/** Distinct features with their counts, in order of bucket. */
function sorted({ buckets, counts }: FeatureCounts): [number, number][] {
  return [...buckets].map((bucket, i): [number, number] => [bucket, counts[i] ?? 0]).sort(([a], [b]) => a - b);
}

function rowsOf(count: number): StoredRow[] {
  const counter = new FeatureCounter();
  return syntheticPages('bread', 1, count).map((page, i) => ({
    role: i % 3 === 0 ? 'irrelevant' : 'example',
    id: page.id,
    url: page.url,
    host: i % 4 === 0 ? null : 'www.example.org',
    language: i % 5 === 0 ? 'en' : null,
    title: page.title,
    counts: counter.snapshot(page),
    ...(i % 2 === 1 && { simhash: [i, 0xffff_ffff] as const }),
  }));
}

const numbers = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const features = fc
  .uniqueArray(fc.integer({ min: 0, max: BUCKETS - 1 }), { maxLength: 200 })
  .chain((buckets) =>
    fc.tuple(fc.constant(buckets), fc.array(fc.integer({ min: 1, max: 0xffff }), { minLength: buckets.length, maxLength: buckets.length })),
  )
  .map(([buckets, counts]): FeatureCounts => ({ buckets: Int32Array.from(buckets), counts: Uint16Array.from(counts) }));

test('numbers and features come back as they were', () => {
  fc.assert(
    fc.property(fc.array(numbers), fc.array(features, { maxLength: 5 }), (values, pages) => {
      const writer = new VarintWriter();
      for (const value of values) writer.push(value);
      for (const page of pages) writer.pushCounts(page);
      const reader = new VarintReader(writer.bytes);
      expect(values.map(() => reader.next())).toEqual(values);
      expect(pages.map(() => sorted(reader.nextCounts() as FeatureCounts))).toEqual(pages.map(sorted));
      expect(reader.atEnd).toBe(true);
    }),
  );
});

test('the weight of a guessed role comes back, and a certain one has none', async () => {
  const [guessed, certain] = rowsOf(2) as [StoredRow, StoredRow];
  const read = await stored([{ ...guessed, weight: 0.75 }, certain]);
  expect(read?.map((row) => row.weight)).toEqual([0.75, undefined]);
  expect(Object.hasOwn(read?.[1] ?? {}, 'weight')).toBe(false);
});

test('lines and template come back, and a row without lines has none', async () => {
  const [lined, bare] = rowsOf(2) as [StoredRow, StoredRow];
  const lines = [0, 7, 7, 2 ** 31 - 1];
  writeFileSync(
    path,
    await encodeTraining({ rows: [{ ...lined, lines }, bare], precision: null, template: [7, 9], wordVectors: 'none' }, EVEN),
  );
  const read = await readTraining(dir);
  expect(read?.template).toEqual([7, 9]);
  expect(read?.rows.map((row) => row.lines)).toEqual([lines, undefined]);
  expect(Object.hasOwn(read?.rows[1] ?? {}, 'lines')).toBe(false);
});

test('bytes that break off, or are none of ours, read as null and never run on', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      const counts = new VarintReader(bytes).nextCounts();
      if (counts !== null) for (const bucket of counts.buckets) expect(bucket).toBeLessThan(BUCKETS);
    }),
    { numRuns: runs(1000) },
  );
  expect(new VarintReader(Uint8Array.of(0x80)).next()).toBeNull();
  expect(new VarintReader(Uint8Array.of(3, 1, 1)).nextCounts()).toBeNull();
  expect(new VarintReader(Uint8Array.of(2, 1)).nextAscending()).toBeNull();
  expect(new VarintReader(Uint8Array.of(1, 0x80)).nextAscending()).toBeNull();
  expect(new VarintReader(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 7)).nextAscending()).toBeNull();
});

test('rows come back whole, features in order of bucket', async () => {
  const rows = rowsOf(30);
  const read = await stored(rows);
  expect(read?.map(({ counts, ...row }) => row)).toEqual(rows.map(({ counts, ...row }) => row));
  expect(read?.map(({ counts }) => sorted(counts))).toEqual(rows.map(({ counts }) => sorted(counts)));
  for (const { counts } of read ?? []) expect([...counts.buckets]).toEqual([...counts.buckets].sort((a, b) => a - b));
});

test('the precision that was asked for is kept, and rows are made of training rows', async () => {
  const [row] = rowsOf(1) as [StoredRow];
  writeFileSync(path, await encodeTraining({ rows: [row], precision: 0.9, template: [], wordVectors: 'none' }, EVEN));
  expect((await readTraining(dir))?.precision).toBe(0.9);
  const { role, host, language, counts, id, url, title } = row;
  expect(storedRow({ role, host, language, counts, page: { id, url, title, text: 'not kept', language } })).toEqual(row);
  expect(storedRow({ role: 'background', host, language, counts, page: null })).toBeNull();
});

test('no text of a page is in the file but its title, cut', async () => {
  const [row] = rowsOf(1) as [StoredRow];
  const read = await stored([{ ...row, title: 'x'.repeat(500), id: 'y'.repeat(5000) }]);
  expect(read?.[0]?.title).toBe('x'.repeat(200));
  expect(read?.[0]?.id.length).toBe(2048);
  expect(gunzipSync(readFileSync(path)).toString('latin1')).not.toContain('sourdough');
});

wholeTest('of more rows than the cap the first are kept, with their heaviest features', async () => {
  const wide: FeatureCounts = { buckets: Int32Array.from({ length: 1000 }, (_, i) => 7 * i), counts: new Uint16Array(1000).fill(1) };
  const idf = new Float32Array(BUCKETS);
  for (let i = 0; i < 1000; i++) idf[7 * i] = i % 2 === 0 ? 2 : 1;
  const scale = { ...EVEN, idf };
  const row: StoredRow = { role: 'example', id: 'a', url: null, host: null, language: null, title: '', counts: wide };
  const rows = Array.from({ length: 3100 }, (_, i) => ({ ...row, id: `row ${i}` }));
  const read = (await stored(rows, scale)) ?? [];
  expect(read.length).toBe(3000);
  expect(read.at(-1)?.id).toBe('row 2999');
  const buckets = [...(read[0]?.counts.buckets ?? [])];
  expect(buckets.length).toBe(800);
  // All 500 of weight 2, and the first 300 of weight 1.
  expect(buckets.filter((bucket) => (bucket / 7) % 2 === 0).length).toBe(500);
  expect(buckets.filter((bucket) => (bucket / 7) % 2 === 1).at(-1)).toBe(7 * 599);
  expect((await stored(rows.slice(0, 100), scale))?.[0]?.counts.buckets.length).toBe(1000);
});

test('a model folder without rows says so; damaged rows are refused, and named', async () => {
  rmSync(path, { force: true });
  expect(await readTraining(dir)).toBeNull();
  const good = await encodeTraining({ rows: rowsOf(5), precision: null, template: [], wordVectors: 'none' }, EVEN);
  const plain = gunzipSync(good);
  const head = plain.subarray(0, plain.indexOf(10)).toString();
  const changed = Buffer.from(plain);
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
  const bad: readonly (readonly [Uint8Array, RegExp])[] = [
    [good.subarray(0, good.length >> 1), /is damaged/],
    [Buffer.from('no gzip'), /is damaged/],
    [gzipSync('{"format":"other"}\n'), /is damaged/],
    [gzipSync(plain.subarray(0, plain.length - 3)), /does not match its checksum/],
    [gzipSync(changed), /does not match its checksum/],
    [gzipSync(plain.toString('latin1').replace('"version":3', '"version":9')), /another version/],
    [gzipSync(head), /is damaged/],
  ];
  for (const [bytes, why] of bad) {
    writeFileSync(path, bytes);
    const error: unknown = await readTraining(dir).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelError);
    expect(String(error)).toMatch(why);
    expect(String(error)).toContain(path);
    expect(String(error)).toContain('train the topic again');
  }
});
