/** `harvest --out s3://` and `verify` of a corpus, by the built command. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crawl } from 'forager';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { VerifyReport } from '../../../src/study/repair/verify-crawl.ts';
import { IS_WHOLE } from '../../support/extent.ts';
import { S3Server } from '../../support/s3-server.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, forager, start } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb();
const { path } = small;
const dir = path('crawl');
const SECRETS = {
  AWS_ACCESS_KEY_ID: 'AKIAOFTHISTEST',
  AWS_SECRET_ACCESS_KEY: 'wJalr/secret+KEY',
  AWS_SESSION_TOKEN: 'tok+en/of=session',
} as const;
const EPOCH = 1_700_000_000;
let store: S3Server;

beforeAll(async () => {
  const { proxy } = await small.serve({});
  const topic = await trainedOn(small);
  await crawl({ dir, topic, seeds: small.seeds, proxy, delay: 0, maxPages: 12 });
  store = await S3Server.start();
});
afterAll(async () => {
  await store.close();
  await small.close();
});

function filesBelow(folder: string): Map<string, Buffer> {
  const names = (readdirSync(folder, { recursive: true }) as string[]).filter((name) => statSync(join(folder, name)).isFile());
  return new Map(names.sort().map((name) => [name, readFileSync(join(folder, name))]));
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

test('SOURCE_DATE_EPOCH gives the same bytes each time, in a folder and in a bucket; keys are told to nobody', async () => {
  mkdirSync(path('tmp'), { recursive: true });
  for (const [name, value] of Object.entries({ ...SECRETS, SOURCE_DATE_EPOCH: String(EPOCH), TMPDIR: path('tmp') }))
    vi.stubEnv(name, value);
  const all = ['--format', IS_WHOLE ? 'jsonl,warc,wacz,parquet,sqlite,csv,text,links' : 'jsonl,warc,text'];
  const outputs: string[] = [];
  const ran = async (...args: string[]) => {
    const ended = await forager(...args);
    outputs.push(ended.stdout, ended.stderr);
    return ended;
  };
  try {
    expect(await ran('harvest', dir, '--out', path('one'), ...all)).toMatchObject({ code: 0 });
    expect(await ran('harvest', dir, '--out', path('two'), ...all)).toMatchObject({ code: 0 });
    const sent = await ran('harvest', dir, '--out', 's3://corpora/moss', '--s3-endpoint', store.endpoint, ...all, '--json');
    expect(sent.code).toBe(0);
    expect(JSON.parse(sent.stdout).harvest.at).toBe(new Date(EPOCH * 1000).toISOString());
    store.fault = () => 403;
    const refused = await ran('harvest', dir, '--out', 's3://corpora/peat', '--s3-endpoint', store.endpoint);
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY')]);
    store.fault = () => null;
  } finally {
    vi.unstubAllEnvs();
  }
  const [one, two] = [filesBelow(path('one')), filesBelow(path('two'))].map((files) =>
    [...files].map(([name, bytes]) => [name, sha256(bytes)]),
  );
  expect(two).toEqual(one);
  expect([...store.objects].map(([key, { bytes }]) => [key.replace('moss/', ''), sha256(bytes)]).sort()).toEqual(one?.sort());
  const written = [...filesBelow(path('.')).values(), ...[...store.objects.values()].map(({ bytes }) => bytes)];
  for (const secret of Object.values(SECRETS)) {
    expect(outputs.some((text) => text.includes(secret))).toBe(false);
    expect(written.some((bytes) => bytes.includes(secret))).toBe(false);
  }
});

test('a bucket needs keys, and an epoch is a number', async () => {
  for (const name of Object.keys(SECRETS)) vi.stubEnv(name, '');
  const without = await forager('harvest', dir, '--out', 's3://corpora/peat');
  expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('needs credentials; set AWS_ACCESS_KEY_ID')]);
  vi.stubEnv('SOURCE_DATE_EPOCH', 'yesterday');
  const wrong = await forager('harvest', dir, '--out', path('three'));
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('SOURCE_DATE_EPOCH yesterday: is not a number')]);
  vi.unstubAllEnvs();
  const merge = await forager('corpus', 'merge', dir, '--out', 's3://corpora/peat');
  expect([merge.code, merge.stderr]).toEqual([2, expect.stringContaining('needs credentials; set AWS_ACCESS_KEY_ID')]);
});

wholeTest('a merge in a bucket has the bytes of one in a folder, also after kill -9 and a second try', async () => {
  mkdirSync(path('tmp'), { recursive: true });
  for (const [name, value] of Object.entries({ ...SECRETS, SOURCE_DATE_EPOCH: String(EPOCH), TMPDIR: path('tmp') }))
    vi.stubEnv(name, value);
  const merge = ['corpus', 'merge', dir, '--format', 'jsonl,warc,text'];
  const toStore = [...merge, '--out', 's3://corpora/merged', '--s3-endpoint', store.endpoint];
  try {
    await done(...merge, '--out', path('merged'));
    store.objects.clear();
    const killed = start(toStore);
    let puts = 0;
    store.fault = ({ method }) => {
      if (method !== 'PUT' || ++puts < 6) return null;
      killed.child.kill('SIGKILL');
      return 'cut';
    };
    const { code, stdout, stderr } = await killed.ended;
    expect(code).toBeNull();
    for (const secret of Object.values(SECRETS)) expect(stdout + stderr).not.toContain(secret);
    expect([...store.objects.keys()]).toContain('merged/harvest-in-progress.json');
    expect([...store.objects.keys()]).not.toContain('merged/corpus-card.json');
    const sent = store.objects.size - 1;
    store.fault = () => null;
    store.requests.length = 0;
    // The first try tells the time.
    vi.stubEnv('SOURCE_DATE_EPOCH', String(EPOCH + 1000));
    const card = JSON.parse(await done(...toStore, '--json'));
    expect(card.harvest.at).toBe(new Date(EPOCH * 1000).toISOString());
    const objects = [...store.objects].map(([key, { bytes }]) => [key.replace('merged/', ''), sha256(bytes)]);
    expect(objects.sort()).toEqual([...filesBelow(path('merged'))].map(([name, bytes]) => [name, sha256(bytes)]).sort());
    const again = store.requests.filter(({ method, key }) => method === 'PUT' && !key.endsWith('harvest-in-progress.json'));
    expect(again.length).toBe(objects.length - sent);
    expect(sent).toBeGreaterThan(0);
  } finally {
    store.fault = () => null;
    vi.unstubAllEnvs();
  }
});

test('verify checks a corpus, and names a damaged file', async () => {
  await done('harvest', dir, '--out', path('moss'), '--format', 'jsonl,csv');
  expect(await done('verify', path('moss'))).toMatch(/: nothing is damaged\n$/);
  const file = path('moss', 'corpus.jsonl');
  const text = readFileSync(file, 'utf8');
  const [, second = ''] = text.split('\n');
  writeFileSync(file, text.replace(second, second.replace('"title":"', '"title":"x')));
  const { code, stdout } = await forager('verify', path('moss'), '--json');
  expect(code).toBe(3);
  const report = JSON.parse(stdout) as VerifyReport;
  const faults = report.checks.flatMap((check) => check.faults);
  expect(faults).toEqual([expect.stringContaining('corpus.jsonl: has changed')]);
  expect((await forager('verify', path('moss'))).stdout).toContain('restore the files from a copy, or harvest again');
});
