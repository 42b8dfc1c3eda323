/** Corpora of workers in a bucket: each commit in the log can be read from it, whichever commits never happened. */
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EnvironmentError, StoreError, UsageError } from '../../../src/base/core/errors.ts';
import type { CorpusOffsets } from '../../../src/base/core/parts/queueing.ts';
import { seededRng } from '../../../src/base/core/rng.ts';
import { StoreAwayError } from '../../../src/corpus/object-store/store-away.ts';
import { CorpusBucket, CorpusCopy } from '../../../src/crawling/cluster/corpus-bucket.ts';
import { freshDir } from '../../corpus/records/samples.ts';
import { runs, sample } from '../../support/extent.ts';
import { S3Server } from '../../support/s3-server.ts';

const KEYS = { accessKeyId: 'AKIAFORTHETEST', secretAccessKey: 'wJalr/XUtn+FEMI/secret' };
const ID = '7d4a1f0e-0000-4000-8000-000000000001';
const FOREVER = new AbortController().signal;
const MB = 2 ** 20;

let store: S3Server;
let bucket: CorpusBucket;
const dirs: CorpusBucket[] = [];

async function opened(access: object = {}, place: object = {}): Promise<CorpusBucket> {
  const stored = { corpusBucket: 's3://corpora/shared', s3Endpoint: store.endpoint, s3Region: null, ...place };
  const made = await CorpusBucket.open(stored, 'moss', { s3Credentials: KEYS, attempts: 2, ...access });
  if (made === null) throw new Error('no bucket');
  dirs.push(made);
  return made;
}

beforeEach(async () => {
  // Pauses between tries are short.
  vi.spyOn(Math, 'random').mockReturnValue(0.001);
  store = await S3Server.start();
  bucket = await opened();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(dirs.splice(0).map((one) => one.close()));
  await store.close();
});

/** A corpus folder on a disk. */
class Folder {
  readonly path = freshDir();
  readonly #bytes = new Map<string, Buffer>();

  constructor() {
    mkdirSync(this.path, { recursive: true });
  }

  append(file: string, bytes: Buffer): void {
    const all = Buffer.concat([this.#bytes.get(file) ?? Buffer.alloc(0), bytes]);
    this.#bytes.set(file, all);
    writeFileSync(join(this.path, file), all);
  }

  cut(sizes: CorpusOffsets): void {
    for (const [file, bytes] of this.#bytes) {
      this.#bytes.set(file, bytes.subarray(0, sizes[file] ?? 0));
      truncateSync(join(this.path, file), sizes[file] ?? 0);
    }
  }

  get sizes(): CorpusOffsets {
    return Object.fromEntries([...this.#bytes].map(([file, bytes]) => [file, bytes.length]));
  }

  upTo(file: string, size: number): Buffer {
    return Buffer.from((this.#bytes.get(file) ?? Buffer.alloc(0)).subarray(0, size));
  }
}

function copyOf(folder: Folder, worker: string, sizes: CorpusOffsets, onGone: (why: string | null) => void = () => undefined, limits = {}) {
  return new CorpusCopy(bucket, { id: ID, folder: folder.path }, worker, sizes, onGone, limits);
}

async function read(file: string, start: number, end: number, from = bucket): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of from.read(ID, file, start, end)) parts.push(part);
  return Buffer.concat(parts);
}

const noise = (length: number, seed: number) => {
  const rng = seededRng(seed);
  return Buffer.from(Array.from({ length }, () => Math.floor(rng() * 256)));
};

test('each file is read as of each commit, from any commit on; a commit without bytes sends nothing', async () => {
  const folder = new Folder();
  const copy = copyOf(folder, '9', {});
  const commits: CorpusOffsets[] = [];
  for (let i = 0; i < 6; i++) {
    folder.append('forager-00000.warc.gz', noise(300 + i, i));
    if (i % 3 === 0) folder.append('records.jsonl', noise(50, 100 + i));
    await copy.keep(folder.sizes, FOREVER);
    commits.push(folder.sizes);
  }
  const before = store.requests.length;
  await copy.keep(folder.sizes, FOREVER);
  expect(store.requests.length).toBe(before);
  for (const file of ['forager-00000.warc.gz', 'records.jsonl'])
    for (const [i, { [file]: end = 0 }] of commits.entries())
      for (const { [file]: start = 0 } of [{ [file]: 0 }, ...commits.slice(0, i)])
        expect((await read(file, start, end)).equals(folder.upTo(file, end).subarray(start))).toBe(true);
});

test('the bytes of one commit are several objects if they are many, and at most four of them are in memory', async () => {
  const folder = new Folder();
  const large = Buffer.alloc(17 * MB, 'moss and peat ');
  folder.append('forager-00000.warc.gz', large);
  await copyOf(folder, '9', {}).keep(folder.sizes, FOREVER);
  expect([...store.objects.values()].map(({ bytes }) => bytes.length).sort()).toEqual([MB, 8 * MB, 8 * MB]);
  expect((await read('forager-00000.warc.gz', 0, large.length)).equals(large)).toBe(true);

  folder.append('records.jsonl', noise(20, 1));
  let [inFlight, most] = [0, 0];
  const put = bucket.put.bind(bucket);
  vi.spyOn(bucket, 'put').mockImplementation(async (...object) => {
    most = Math.max(most, ++inFlight);
    // Longer than the others take to begin.
    await sleep(5);
    await put(...object).finally(() => {
      inFlight -= 1;
    });
  });
  await copyOf(folder, '10', { 'forager-00000.warc.gz': large.length }, undefined, { piece: 1 }).keep(folder.sizes, FOREVER);
  expect([store.objects.size, most]).toEqual([23, 4]);
});

test('random histories of workers that die between their objects and the commit: each commit of the log reads as it was', async () => {
  const step = fc.record({
    bytes: fc.integer({ min: 0, max: 40 }),
    seed: fc.nat(),
    /** Dies after so many objects, and before the commit; null: it commits. */
    dies: fc.option(fc.nat(3), { freq: 2 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      store.objects.clear();
      const folder = new Folder();
      let [worker, committed]: [number, CorpusOffsets] = [7, {}];
      let copy = copyOf(folder, String(worker), committed, undefined, { piece: 16 });
      const log: { readonly size: number; readonly bytes: Buffer }[] = [];
      for (const { bytes, seed, dies } of steps) {
        folder.append('records.jsonl', noise(bytes, seed));
        let left = dies ?? Number.POSITIVE_INFINITY;
        // A worker that dies has stored some of its objects.
        store.fault = ({ method }) => (method === 'PUT' && left-- <= 0 ? 403 : null);
        await copy.keep(folder.sizes, FOREVER).catch(() => undefined);
        store.fault = () => null;
        if (dies !== null) {
          folder.cut(committed);
          copy = copyOf(folder, String(++worker), committed, undefined, { piece: 16 });
          continue;
        }
        committed = folder.sizes;
        const size = committed['records.jsonl'] ?? 0;
        log.push({ size, bytes: folder.upTo('records.jsonl', size) });
      }
      // The last commit, and one in the middle of what came later.
      for (const { size, bytes } of [...log.slice(-1), ...log.slice(log.length >> 1).slice(0, 1)])
        expect((await read('records.jsonl', 0, size)).equals(bytes)).toBe(true);
    }),
    { numRuns: runs(25) },
  );
});

test('an object that a fenced worker stores late changes nothing, though its number has fewer digits', async () => {
  const folder = new Folder();
  folder.append('records.jsonl', Buffer.from('of the log'));
  await copyOf(folder, '10', {}).keep(folder.sizes, FOREVER);
  await bucket.put(`${ID}/records.jsonl/${'0'.repeat(16)}-9`, Buffer.from('late, and longer than it'));
  expect((await read('records.jsonl', 0, 10)).toString()).toBe('of the log');
});

describe('faults', () => {
  let folder: Folder;
  beforeEach(() => {
    folder = new Folder();
    folder.append('records.jsonl', Buffer.from('a line\n'));
    folder.append('forager-00000.warc.gz', Buffer.from('a page'));
  });

  const FAULTS = [
    ['refuses for a moment', 503 as const],
    ['cuts connections', 'cut' as const],
    ['answers are lost', 'after' as const],
  ] as const;
  test.each(sample(FAULTS, [1]))('a store that %s is waited for: told once, and once when it is back', async (_, fault) => {
    const told: (string | null)[] = [];
    const copy = copyOf(folder, '9', {}, (why) => told.push(why));
    let faults = 12;
    store.fault = () => (faults-- > 0 ? fault : null);
    await copy.keep(folder.sizes, FOREVER);
    expect(told).toEqual([expect.stringContaining('s3://corpora/shared/moss/'), null]);
    expect(told[0]).not.toContain('run the same command again');
    expect((await read('records.jsonl', 0, 7)).toString()).toBe('a line\n');
    expect((await read('forager-00000.warc.gz', 0, 6)).toString()).toBe('a page');
  });

  test('a store that gives no answer is told of before the request fails', async () => {
    const told: (string | null)[] = [];
    store.fault = () => 'silent';
    const kept = copyOf(folder, '9', {}, (why) => told.push(why), { tellAfter: 100 }).keep(folder.sizes, FOREVER);
    await vi.waitUntil(() => told.length > 0);
    expect(told).toEqual(['s3://corpora/shared/moss: no answer for 0.1 s']);
    store.fault = () => null;
    store.cut();
    await kept;
    expect(told.slice(1)).toEqual([null]);
    expect((await read('records.jsonl', 0, 7)).toString()).toBe('a line\n');
  });

  test('a crawl that ends while the store is away does not wait for it', async () => {
    store.fault = () => 'cut';
    const ended = AbortSignal.timeout(200);
    await expect(copyOf(folder, '9', {}).keep(folder.sizes, ended)).rejects.toThrow(StoreAwayError);
  });

  test('keys that are refused end it, and the error names no secret', async () => {
    store.fault = () => 403;
    const refused: unknown = await copyOf(folder, '9', {})
      .keep(folder.sizes, FOREVER)
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(EnvironmentError);
    expect(String(refused)).toContain('check AWS_ACCESS_KEY_ID');
    for (const secret of Object.values(KEYS)) expect(String(refused)).not.toContain(secret);
    await expect(bucket.announce()).rejects.toThrow('check AWS_ACCESS_KEY_ID');
  });

  test('a file that is shorter than the commit is not stored', async () => {
    truncateSync(join(folder.path, 'records.jsonl'), 3);
    await expect(copyOf(folder, '9', {}).keep(folder.sizes, FOREVER)).rejects.toThrow(StoreError);
  });

  test.each([
    ['is gone', (key: string) => store.objects.delete(key)],
    ['is shorter', (key: string) => store.objects.set(key, { bytes: Buffer.from('a'), etag: '', sha256: '' })],
  ])('an object that %s is told of, and no bytes are made up', async (_, damage) => {
    const copy = copyOf(folder, '9', {});
    await copy.keep(folder.sizes, FOREVER);
    folder.append('records.jsonl', Buffer.from('another\n'));
    await copy.keep(folder.sizes, FOREVER);
    const key = [...store.objects.keys()].find((one) => one.includes('records.jsonl/'));
    damage(key ?? '');
    await expect(read('records.jsonl', 0, 15)).rejects.toThrow('the bucket lacks bytes before 15; restore its objects from a copy');
    expect((await read('records.jsonl', 7, 15)).toString()).toBe('another\n');
  });

  const WRONG: readonly [string, (bytes: Buffer) => Buffer][] = [
    ['truncated', (bytes: Buffer) => bytes.subarray(0, bytes.length - 2)],
    ['with a flipped bit', (bytes: Buffer) => Buffer.from(bytes.map((byte, i) => (i === 1 ? byte ^ 4 : byte)))],
    ['of another object', () => Buffer.from('b line\n')],
    ['empty', () => Buffer.alloc(0)],
    ['longer', (bytes: Buffer) => Buffer.concat([bytes, bytes])],
  ];
  describe.each(sample(WRONG, [1, 4]))('an object that the store answers %s', (_, wrong) => {
    test('twice is asked for again', async () => {
      await copyOf(folder, '9', {}).keep(folder.sizes, FOREVER);
      let left = 2;
      store.answered = (_key, bytes) => (left-- > 0 ? wrong(bytes) : bytes);
      expect((await read('records.jsonl', 0, 7)).toString()).toBe('a line\n');
      expect(left).toBe(-1);
    });

    test('each time is an error, and no bytes are given', async () => {
      await copyOf(folder, '9', {}).keep(folder.sizes, FOREVER);
      store.answered = (_key, bytes) => wrong(bytes);
      await expect(read('records.jsonl', 0, 7)).rejects.toMatchObject({ code: 'STORE_CORRUPT', exitCode: 3 });
    });
  });

  test('objects of Forager 0.2, whose names have no sums, are read; names of nothing of ours are not', async () => {
    for (const [name, bytes] of [
      [`${'0'.repeat(16)}-9`, 'a line\n'],
      [`${'0'.repeat(15)}7-../../x`, 'no'],
      [`${'0'.repeat(15)}7-9-zzzzzzzz`, 'no'],
    ] as const)
      await bucket.put(`${ID}/records.jsonl/${name}`, Buffer.from(bytes));
    expect((await read('records.jsonl', 0, 7)).toString()).toBe('a line\n');
    await expect(read('records.jsonl', 0, 9)).rejects.toThrow('lacks bytes before');
  });

  test('access without keys, to no bucket or with a password in its URL is refused', async () => {
    await expect(opened({ s3Credentials: undefined })).rejects.toThrow('--corpus-bucket s3://corpora/shared: needs credentials');
    await expect(opened({}, { corpusBucket: 's3://corpora' })).rejects.toThrow('--corpus-bucket s3://corpora: is not s3://BUCKET/PREFIX');
    await expect(opened({}, { s3Endpoint: 'http://a:b@localhost' })).rejects.toThrow(UsageError);
    expect(await CorpusBucket.open({ corpusBucket: null, s3Endpoint: null, s3Region: null }, 'moss', {})).toBeNull();
  });
});

test('a notice describes the objects', async () => {
  await bucket.announce();
  const [[key, object] = []] = [...store.objects];
  expect(key).toBe('shared/moss/forager-corpora.json');
  expect(JSON.parse(object?.bytes.toString() ?? '')).toMatchObject({
    crawl: 'moss',
    objects: '<corpus>/<file>/<first byte>-<worker>-<crc32>',
  });
});
