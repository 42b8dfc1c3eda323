import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EnvironmentError, UsageError } from '../../../src/base/core/errors.ts';
import { Bucket } from '../../../src/corpus/object-store/bucket.ts';
import { S3Server } from '../../support/s3-server.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { freshDir } from '../records/samples.ts';
import { madeRecord } from './made-corpus.ts';
import { harvestOf, type WrittenCrawl, writtenCrawl } from './written-crawl.ts';

const SECRETS = ['AKIAFORTHETEST', 'wJalr/XUtn+FEMI/secret', 'session+token=='] as const;
const [accessKeyId, secretAccessKey, sessionToken] = SECRETS;
const CREDENTIALS = { accessKeyId, secretAccessKey, sessionToken };
const OUT = 's3://corpora/moss & peat/may';
const PREFIX = 'moss & peat/may/';
/** The least that Amazon takes, but for the last part. */
const PART = 5 * 1024 * 1024;
/** Larger than two parts. */
const LONG = 2 * PART + 1024 * 1024;

let store: S3Server;
let crawl: WrittenCrawl;
let tmp: string;

beforeEach(async () => {
  store = await S3Server.start();
  tmp = join(freshDir(), 'tmp');
  mkdirSync(tmp, { recursive: true });
  vi.stubEnv('TMPDIR', tmp);
  // Pauses between tries are short.
  vi.spyOn(Math, 'random').mockReturnValue(0.001);
  crawl = await writtenCrawl(
    freshDir(),
    Array.from({ length: 20 }, (_, i) => ({ ...madeRecord(i), at: madeRecord(i).url })),
  );
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await store.close();
});

type Over = Parameters<typeof harvestOf>[2];

function sent(over: Over = {}) {
  return harvestOf(crawl, OUT, {
    formats: ['jsonl', 'warc', 'text', 'csv'],
    s3Endpoint: store.endpoint,
    s3Credentials: CREDENTIALS,
    ...over,
  });
}

/** The objects below the prefix, by name, as hashes. */
function stored(): Record<string, string> {
  return Object.fromEntries(
    [...store.objects].map(([key, { bytes }]) => [key.replace(PREFIX, ''), sha256(bytes)]).sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  );
}

function filesOf(folder: string): Record<string, string> {
  const names = (readdirSync(folder, { recursive: true }) as string[]).filter((name) => /\.|SUMS/.test(name)).sort();
  return Object.fromEntries(names.map((name) => [name, sha256(readFileSync(join(folder, name)))]));
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

test('a bucket gets the files that a folder gets, the card last, and no secret', async () => {
  const folder = join(freshDir(), 'folder');
  await harvestOf(crawl, folder, { formats: ['jsonl', 'warc', 'text', 'csv'] });
  const bytes: number[] = [];
  const report = await sent({ progress: ({ stage, done }) => void (stage === 'upload' && bytes.push(done)) });
  expect(report.outDir).toBe(OUT);
  expect(stored()).toEqual(filesOf(folder));
  const puts = store.requests.filter(({ method }) => method === 'PUT').map(({ key }) => key.replace(PREFIX, ''));
  expect([puts[0], puts.at(-1)]).toEqual(['harvest-in-progress.json', 'corpus-card.json']);
  const total = [...store.objects.values()].reduce((sum, object) => sum + object.bytes.length, 0);
  expect(bytes.at(-1)).toBe(total);
  expect(bytes).toEqual([...bytes].sort((a, b) => a - b));
  for (const { key, headers, method } of store.requests) {
    if (method !== 'PUT') continue;
    expect(headers['x-amz-checksum-sha256'], key).toMatch(/^[\w+/]{43}=$/);
    if (!key.endsWith('harvest-in-progress.json')) expect(headers['if-none-match'], key).toBe('*');
  }
  // Nothing is left on this machine, and no object and no path has a secret; the token is sent in its own field alone.
  expect(readdirSync(tmp).filter((name) => name.startsWith('forager-'))).toEqual([]);
  const all = [...store.objects.values()].map((object) => object.bytes.toString('latin1')).join('\n');
  for (const secret of SECRETS) {
    expect(all.includes(secret)).toBe(false);
    expect(JSON.stringify(report).includes(secret)).toBe(false);
    expect(store.requests.some(({ target }) => target.includes(encodeURIComponent(secret)))).toBe(false);
  }
  expect(store.requests.every(({ headers }) => headers['x-amz-security-token'] === sessionToken)).toBe(true);
  expect(store.requests.some(({ headers }) => JSON.stringify(headers).includes(secretAccessKey))).toBe(false);
});

test('a store that fails, cuts connections and loses answers gets the same corpus', async () => {
  await sent();
  const whole = stored();
  await store.close();
  store = await S3Server.start();
  let n = 0;
  // Few enough that no request meets one at each of its tries, whatever the order of four workers.
  const faults = [503, null, null, null, 'cut', null, null, null, 'after', null, null, null, null] as const;
  store.fault = () => faults[n++ % faults.length] ?? null;
  await sent();
  expect(stored()).toEqual(whole);
  expect(n).toBeGreaterThan(store.objects.size);
});

wholeTest('a store without If-None-Match gets the same corpus', async () => {
  await sent();
  const whole = stored();
  await store.close();
  store = await S3Server.start();
  store.conditional = false;
  await sent();
  expect(stored()).toEqual(whole);
});

wholeTest('a second try sends only what the store lacks, with the date of the first', async () => {
  const long = await writtenCrawl(freshDir(), [{ at: 'http://a.example/', text: 'long '.repeat(LONG / 5) }]);
  const once = (now: number) =>
    harvestOf(long, OUT, { formats: ['jsonl', 'text'], now, s3PartBytes: PART, s3Endpoint: store.endpoint, s3Credentials: CREDENTIALS });
  // The third part of one file never arrives.
  store.fault = ({ query, method }) => (method === 'PUT' && query.get('partNumber') === '3' ? 400 : null);
  await expect(once(1e12)).rejects.toThrow(EnvironmentError);
  expect(store.objects.has(`${PREFIX}corpus-card.json`)).toBe(false);
  const parts = [...store.uploads.values()].map((upload) => [...upload.parts.keys()]);
  expect(parts).toEqual([
    [1, 2],
    [1, 2],
  ]);
  store.fault = () => null;
  const before = store.sentBytes;
  store.requests.length = 0;
  await once(2e12);
  // The last part of each, and the card and the like.
  expect(before).toBeGreaterThan(4 * PART);
  expect(store.sentBytes).toBeLessThan(2 * (LONG - 2 * PART) + 200_000);
  expect(store.uploads.size).toBe(0);
  const card = JSON.parse(store.objects.get(`${PREFIX}corpus-card.json`)?.bytes.toString() ?? '');
  expect(card.harvest.at).toBe(new Date(1e12).toISOString());
  for (const { name, sha256: told } of card.files) expect(stored()[name], name).toBe(told);
});

test('Ctrl-C ends an upload: its parts are removed, and there is no card', async () => {
  const long = await writtenCrawl(freshDir(), [{ at: 'http://a.example/', text: 'long '.repeat(LONG / 5) }]);
  const stop = new AbortController();
  store.fault = ({ query }) => {
    if (query.get('partNumber') === '2') stop.abort(new Error('stopped'));
    return null;
  };
  const options = { s3PartBytes: PART, s3Endpoint: store.endpoint, s3Credentials: CREDENTIALS, signal: stop.signal };
  await expect(harvestOf(long, OUT, options)).rejects.toThrow('stopped');
  expect(store.uploads.size).toBe(0);
  expect(store.objects.has(`${PREFIX}corpus-card.json`)).toBe(false);
  expect(readdirSync(tmp).filter((name) => name.startsWith('forager-'))).toEqual([]);
});

test('a harvest is replaced only by force, and then whole; other objects are never', async () => {
  await sent();
  const whole = stored();
  await expect(sent()).rejects.toThrow(/holds a harvest already/);
  await sent({ formats: ['csv'], force: true });
  expect(Object.keys(stored())).toEqual(expect.arrayContaining(['corpus.csv', 'corpus-card.json']));
  expect(Object.keys(stored()).filter((name) => /jsonl$|^text|warc/.test(name))).toEqual(['left-out.jsonl']);
  await sent({ force: true });
  expect(stored()).toEqual(whole);
  // The card goes before any other object changes.
  const last = store.requests.map(({ method, key }) => `${method} ${key.replace(PREFIX, '')}`);
  const from = last.lastIndexOf('PUT harvest-in-progress.json');
  expect(last.slice(from + 1).find((one) => /^(PUT|DELETE)/.test(one))).toBe('DELETE corpus-card.json');

  await store.close();
  store = await S3Server.start();
  store.objects.set(`${PREFIX}notes.txt`, { bytes: Buffer.from('mine'), etag: '', sha256: '' });
  await expect(sent()).rejects.toThrow(/holds something that is not a harvest \(moss & peat\/may\/notes.txt\)/);
  await expect(sent({ force: true })).rejects.toThrow(UsageError);
  expect(store.objects.size).toBe(1);
});

test.each([
  ['s3://corpora', {}, /is not s3:\/\/BUCKET\/PREFIX/],
  ['s3://corpora/', {}, /is not s3:\/\/BUCKET\/PREFIX/],
  ['s3://corpora/a/../b', {}, /has control characters, a part \. or \.\./],
  ['s3://corpora/a', { s3Region: 'Frankfurt am Main' }, /is not the name of a region/],
  ['s3://corpora/a', { s3Endpoint: 'localhost:9000' }, /is not an http\(s\) URL/],
  ['s3://corpora/a', { s3Endpoint: `http://${accessKeyId}:pass-word@localhost:9000` }, /has a user name or password in it/],
  ['s3://corpora/a', { s3Credentials: { accessKeyId, secretAccessKey: 'line\nbreak-secret' } }, /AWS_SECRET_ACCESS_KEY: is empty or has/],
  ['s3://corpora/a', { s3Credentials: { accessKeyId: 'a/b-secret', secretAccessKey } }, /AWS_ACCESS_KEY_ID: has characters/],
])('%s %o is refused, and no secret is told', async (out, over, message) => {
  const error = await harvestOf(crawl, out, { s3Endpoint: store.endpoint, s3Credentials: CREDENTIALS, ...over } as Over).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(UsageError);
  expect((error as Error).message).toMatch(message);
  expect((error as Error).message).not.toMatch(/secret\b|pass-word|AKIAFORTHETEST|wJalr/);
  expect(store.objects.size).toBe(0);
});

test.each([
  [403, /the store refuses GET \(AccessDenied\); check AWS_ACCESS_KEY_ID/],
  [404, /./],
])('an answer %i is told by its code alone', async (status, message) => {
  store.fault = ({ method }) => (method === 'GET' ? status : null);
  const error = await sent().catch((thrown: unknown) => thrown);
  if (status === 403) expect((error as Error).message).toMatch(message);
  expect(String(error)).not.toMatch(/secret-in-an-answer|wJalr/);
});

test('pauses double up to a bound, and Ctrl-C ends one', async () => {
  vi.restoreAllMocks();
  const shares: number[] = [];
  store.fault = () => 503;
  const options = { bucket: 'b', endpoint: new URL(store.endpoint), region: 'us-east-1', credentials: CREDENTIALS, firstPause: 1 };
  const jitter = () => {
    shares.push(1);
    return 1;
  };
  const bucket = new Bucket({ ...options, jitter });
  const from = performance.now();
  await expect(bucket.get('key')).rejects.toThrow(/GET failed \(SlowDown\)/);
  // 1, 2, 4, 8, 16 and 32 ms.
  expect(shares).toHaveLength(6);
  expect(performance.now() - from).toBeGreaterThan(60);
  await bucket.close();
  const stop = new AbortController();
  const slow = new Bucket({ ...options, firstPause: 60_000, jitter: () => 1, signal: stop.signal });
  setTimeout(() => stop.abort(new Error('stopped')), 50);
  await expect(slow.get('key')).rejects.toThrow('stopped');
  await slow.close();
});
