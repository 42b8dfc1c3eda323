/** `forager verify`: one byte of each kind of file is changed, and named. */
import { createHash } from 'node:crypto';
import fs, { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { status, type VerifyReport, verify } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checksummedLine } from '../../../src/base/core/checksum.ts';
import type { Absence, CorpusRecord } from '../../../src/base/core/types.ts';
import { thisProcess } from '../../../src/base/disk/lock-owner.ts';
import { refuseBrokenTrees } from '../../../src/crawling/frontier/lmdb-check.ts';
import { type DamageBench, damageBench } from '../../../tools/soak/damage-bench.ts';
import { forager, start } from '../../faces/cli/forager.ts';
import { commitAbsences } from '../../support/committed-absences.ts';
import { IS_WHOLE, size } from '../../support/extent.ts';
import { wholeTest } from '../../support/whole-test.ts';

const folder = mkdtempSync(join(tmpdir(), 'forager-verify-'));
let bench: DamageBench;
beforeAll(async () => {
  bench = await damageBench(folder, IS_WHOLE ? undefined : { runs: [30, 50], wordVectors: 'none' });
});
afterAll(async () => {
  await bench.close();
  rmSync(folder, { recursive: true, force: true });
});

let copies = 0;
function copy(from = bench.dir): string {
  const dir = join(folder, `copy-${copies++}`);
  cpSync(from, dir, { recursive: true });
  return dir;
}

function faultsIn(report: VerifyReport): Record<string, readonly string[]> {
  return Object.fromEntries(report.checks.filter(({ faults }) => faults.length > 0).map(({ check, faults }) => [check, faults]));
}

async function faultsOf(dir: string): Promise<Record<string, readonly string[]>> {
  return faultsIn(await verify({ dir }));
}

function change(path: string, how: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path);
  how(bytes);
  writeFileSync(path, bytes);
}

/** A byte near the middle that is in no head of a gzip member: six bytes of a head (time, system; RFC 1952, 2.3.1) hold nothing that anyone reads. */
function insideMember(bytes: Buffer): number {
  const middle = bytes.length >> 1;
  let at = Math.max(middle, bytes.lastIndexOf(Buffer.from([0x1f, 0x8b, 8]), middle) + 10);
  while (inflatesAlike(bytes, at)) at++;
  return at;
}

/** Some bits of a stream say nothing: those of a code that no symbol has. */
function inflatesAlike(bytes: Buffer, at: number): boolean {
  const damaged = Buffer.from(bytes);
  flip(damaged, at);
  try {
    return gunzipSync(damaged).equals(gunzipSync(bytes));
  } catch {
    return false;
  }
}

const flip = (bytes: Buffer, at: number) => bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);

/** What its files hold, LMDB's lock table aside. */
function contentOf(dir: string): string {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && entry.name !== 'lock.mdb');
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  return paths.map((path) => `${path} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`).join('\n');
}

test('a whole crawl: every check is made, nothing is found, and nothing is written', async () => {
  const before = contentOf(bench.dir);
  const report = await verify({ dir: bench.dir });
  expect(report).toMatchObject({ faults: 0, running: false, notes: [] });
  // Wishes are in test/faces/cli/steering.test.ts, judgements in test/faces/app/judged-crawl.test.ts.
  expect(report.checks.flatMap(({ check, skipped }) => (skipped === null ? [] : [check]))).toEqual([
    'wishes about subtopics',
    'judgements of a judge of yours',
    'reports of a watch',
    'absences.jsonl',
  ]);
  expect(report.checks.find(({ check }) => check === 'WARC files')?.examined).toBeGreaterThan(size(200, 90));
  expect(contentOf(bench.dir)).toBe(before);
});

test.each<[file: string, check: string, at: (bytes: Buffer) => number]>([
  ['crawl.json', 'crawl.json', (bytes) => bytes.indexOf('"rngSeed": ') + 11],
  ['model/weights.bin', 'topic models', () => 4000],
  ['model/card.json', 'topic models', () => 0],
  ['model/training.bin.gz', 'topic models', (bytes) => bytes.length >> 1],
  ['models/*/weights.bin', 'topic models', () => 4000],
  ['fields.yaml', 'field rules', (bytes) => bytes.indexOf('heading')],
  ['link-model.json.gz', 'link model', (bytes) => bytes.length >> 1],
  ['labels.jsonl', 'labels', (bytes) => bytes.length >> 1],
  ['labelling/held-out-*.json', 'labels', (bytes) => bytes.length >> 1],
  ['corpus/records.jsonl', 'records.jsonl', (bytes) => bytes.length >> 1],
  ['corpus/reservations.jsonl', 'reservations.jsonl', (bytes) => bytes.length >> 1],
  ['corpus/forager-00000.warc.gz', 'WARC files', insideMember],
  ['corpus/visits.jsonl.gz', 'visits.jsonl.gz', insideMember],
])('one bit of %s', async (file, check, at) => {
  const dir = copy();
  const name = file.replace('*', readdirSync(join(dir, 'models'))[0] ?? '');
  change(join(dir, name), (bytes) => flip(bytes, at(bytes)));
  const faults = await faultsOf(dir);
  expect(Object.keys(faults)).toContain(check);
  expect(faults[check]?.[0]).toContain(join(dir, name.startsWith('model') ? name.replace(/\/[^/]*$/, '') : name));
  expect(faults[check]?.[0]).not.toContain('\n');
});

test('one bit of corpus/absences.jsonl', async () => {
  const dir = copy();
  const [first] = readFileSync(join(dir, 'corpus/records.jsonl'), 'utf8').split('\n');
  const { url, id } = JSON.parse(first ?? '') as CorpusRecord;
  const absence: Absence = { url, at: '2026-10-01T10:00:00.000Z', status: 404, state: 'gone', to: null, recordId: id };
  await commitAbsences(dir, [absence, { ...absence, status: 200, state: 'back' }]);
  expect((await verify({ dir })).checks.find(({ check }) => check === 'absences.jsonl')).toMatchObject({
    examined: 2,
    faults: [],
    skipped: null,
  });
  change(join(dir, 'corpus/absences.jsonl'), (bytes) => flip(bytes, bytes.length >> 1));
  expect(await faultsOf(dir)).toEqual({ 'absences.jsonl': [expect.stringContaining('absences.jsonl:2: cannot be read')] });
});

test('a stored value that is another: the table and the entry are named, and the rest is looked at', async () => {
  const dir = copy();
  change(join(dir, 'frontier/data.mdb'), (bytes) => {
    // Pages that are free hold older copies: all of them, one is in use.
    for (let at = bytes.indexOf('offTopicDepth'); at >= 0; at = bytes.indexOf('offTopicDepth', at + 1)) flip(bytes, at);
  });
  const faults = await faultsOf(dir);
  expect(Object.keys(faults)).toEqual(['frontier, values']);
  expect(faults['frontier, values']?.[0]).toMatch(/data\.mdb: damaged \(log: the checksum of entry \d+ is wrong\)/);
  expect(faults['frontier, values']?.length).toBeGreaterThan(5);
});

test('a broken tree: the page is named, and LMDB never opens the file', async () => {
  const dir = copy();
  change(join(dir, 'frontier/data.mdb'), (bytes) => {
    for (let page = 2; page < bytes.length / 4096; page++) bytes.writeUInt16LE(60_000, page * 4096 + 20);
  });
  const report = await verify({ dir });
  expect(faultsIn(report)).toEqual({ 'frontier, trees': [expect.stringMatching(/data\.mdb: damaged \(page \d+ is/)] });
  expect(report.checks.find(({ check }) => check === 'kept pages')?.skipped).toBe('frontier, ledger: was not checked');
});

/** Give a record of `records.jsonl` another value, and its line the right checksum. */
function alter(dir: string, field: 'id' | 'payloadSha256'): string {
  const path = join(dir, 'corpus/records.jsonl');
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const { crc32: _, ...record } = JSON.parse(lines[3] ?? '') as Record<string, string>;
  const value = String(record[field]);
  const other = { ...record, [field]: `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}` };
  writeFileSync(path, Buffer.concat(lines.map((line, i) => (i === 3 ? checksummedLine(other) : Buffer.from(`${line}\n`)))));
  return String(record['url']);
}

test('a response that is not the one the record speaks of', async () => {
  const dir = copy();
  const url = alter(dir, 'payloadSha256');
  expect(await faultsOf(dir)).toEqual({ 'WARC files': [expect.stringContaining(`the response of ${url} is another`)] });
});

test('ids on both sides: a record missing, one too many, and a response without one', async () => {
  const dir = copy(bench.older);
  const url = alter(dir, 'id');
  const faults = await faultsOf(dir);
  expect(faults).toEqual({
    'kept pages': [
      expect.stringMatching(`the page ${url} is kept, and records.jsonl has no record urn:uuid:`),
      expect.stringMatching(/has a record urn:uuid:\S+ of \S+ that the frontier does not know/),
      expect.stringMatching(/has a record urn:uuid:\S+ of \S+, and no WARC file has its response/),
      expect.stringMatching(/a WARC file has a response urn:uuid:\S+, and records\.jsonl has no record/),
    ],
  });
});

test('files cut short, and files that are gone: sizes, and at most 20 ids before a count', async () => {
  const dir = copy();
  truncateSync(join(dir, 'corpus/records.jsonl'), 5000);
  rmSync(join(dir, 'corpus/visits.jsonl.gz'));
  const report = await verify({ dir });
  expect(faultsIn(report)['commits and sizes']?.join('\n')).toMatch(/records\.jsonl: has 5000 bytes, but \d+ were committed/);
  expect(faultsIn(report)['commits and sizes']?.join('\n')).toMatch(/visits\.jsonl\.gz: has 0 bytes, but/);
  const ids = report.checks.find(({ check }) => check === 'kept pages');
  expect(ids?.faults.length).toBe(20);
  expect(ids?.moreFaults).toBeGreaterThan(20);
  expect(report.faults).toBe(report.checks.reduce((sum, { faults, moreFaults }) => sum + faults.length + moreFaults, 0));
});

test('labels that models were trained with are missed', async () => {
  const dir = copy();
  const path = join(dir, 'labels.jsonl');
  writeFileSync(path, `${readFileSync(path, 'utf8').split('\n').slice(0, 3).join('\n')}\n`);
  expect(await faultsOf(dir)).toEqual({
    labels: [expect.stringMatching(/labels\.jsonl: has \d+ bytes where \d+ with \d+ lines were stored/)],
  });
});

test('an older frontier, and one of another crawl: both sides are named', async () => {
  const dir = copy();
  cpSync(join(bench.other, 'frontier'), join(dir, 'frontier'), { recursive: true });
  expect((await faultsOf(dir))['frontier, values']?.[0]).toMatch(/is the frontier of crawl \S+, but this is crawl/);
  const behind = copy(bench.older);
  const corpus = join(behind, 'corpus');
  rmSync(corpus, { recursive: true });
  cpSync(join(bench.dir, 'corpus'), corpus, { recursive: true });
  expect((await faultsOf(behind))['commits and sizes']?.[0]).toMatch(/the frontier is at commit \d+, and the corpus at \d+/);
});

test.each(['', 'missing'])('a database that is %s empty or gone', async (gone) => {
  const dir = copy();
  if (gone) rmSync(join(dir, 'frontier/data.mdb'));
  else truncateSync(join(dir, 'frontier/data.mdb'));
  expect(Object.values(await faultsOf(dir))).toEqual([[expect.stringMatching(/data\.mdb: is (missing|empty)/)]]);
  expect(existsSync(join(dir, 'frontier/data.mdb'))).toBe(!gone);
});

test('bytes that were never committed and folders of what was cut off are no fault, and told', async () => {
  const dir = copy();
  writeFileSync(join(dir, 'corpus/records.jsonl'), 'half a line', { flag: 'a' });
  cpSync(join(bench.dir, 'model'), join(dir, 'corpus/cut-2026-01-01T00-00-00.000Z'), { recursive: true });
  const { faults, notes } = await verify({ dir });
  expect(faults).toBe(0);
  expect(notes).toEqual([
    expect.stringContaining('records.jsonl: 11 bytes were never committed'),
    expect.stringMatching(/cut-2026-01-01T00-00-00\.000Z: \d+ bytes in \d+ files?, moved there/),
  ]);
});

wholeTest('a crawl at work: what it had committed is whole, however often it is looked at', async () => {
  const dir = copy();
  const more = ['--proxy', bench.proxy, '--max-pages', String(bench.visited + 120), '--concurrency', '2', '--delay', '30ms'];
  const run = start(['crawl', dir, ...more, '--json']);
  let ended = false;
  void run.ended.then(() => {
    ended = true;
  });
  const reports: VerifyReport[] = [];
  while (!ended) reports.push(await verify({ dir }));
  expect((await run.ended).code).toBe(0);
  const atWork = reports.filter(({ running }) => running);
  expect(atWork.length).toBeGreaterThan(2);
  expect(reports.map(faultsIn)).toEqual(reports.map(() => ({})));
  // What was not looked at is not called whole; all else is made.
  for (const { checks } of atWork)
    expect(checks.flatMap(({ check, skipped }) => (skipped === null ? [] : [[check, skipped]]))).toEqual([
      ['wishes about subtopics', 'there are none'],
      ['judgements of a judge of yours', 'there are none'],
      ['reports of a watch', 'there are none'],
      ['frontier, trees', 'a crawl is at work'],
      ['absences.jsonl', 'nothing is committed to it'],
    ]);
});

test('each thing counts once, and a check of one thing has no count', async () => {
  const { checks } = await verify({ dir: bench.dir });
  const { counts } = await status(bench.dir);
  const examined = Object.fromEntries(checks.map(({ check, examined }) => [check, examined]));
  expect(examined).toMatchObject({ 'kept pages': counts.kept, 'frontier, ledger': counts.discovered });
  expect((await forager('verify', bench.dir)).stdout).not.toMatch(/(^|\D)0 checked/);
});

test('the command line: exit codes, one line a fault, JSON, and no crawl', async () => {
  const whole = await forager('verify', bench.dir);
  expect(whole).toMatchObject({ code: 0, stderr: '' });
  expect(whole.stdout).toContain(`${bench.dir}: nothing is damaged`);
  const dir = copy();
  change(join(dir, 'labels.jsonl'), (bytes) => flip(bytes, 200));
  const damaged = await forager('verify', dir);
  expect(damaged.code).toBe(3);
  expect(damaged.stdout).toMatch(/^ {2}DAMAGED: \S+labels\.jsonl:\d: is not a line of a label file/m);
  expect(damaged.stdout).toContain('1 fault; npx forager repair');
  const json = await forager('verify', dir, '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({ dir, faults: 1 });
  expect(await forager('verify', folder)).toMatchObject({ code: 2, stderr: expect.stringContaining('no crawl and no corpus is here') });
});

test('it is stopped by its signal', async () => {
  await expect(verify({ dir: bench.dir, signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow('stop');
});

/** As a process of another machine leaves it: nobody here can tell whether it lives. */
function leaveUnclearLock(dir: string): void {
  const owner = { ...thisProcess(), pid: 7, boot: 'another', host: 'moss-2', token: 'f00', held: 'no', file: '' };
  writeFileSync(join(dir, 'lock'), `${JSON.stringify(owner)}\n0000000000\n`);
}

test('a lock that does not tell: perhaps a crawl is at work, and a tree that is broken is told all the same', async () => {
  const dir = copy();
  leaveUnclearLock(dir);
  expect(await verify({ dir })).toMatchObject({ running: true, unclear: true, faults: 0 });
  change(join(dir, 'frontier/data.mdb'), (bytes) => {
    for (let page = 2; page < bytes.length / 4096; page++) bytes.writeUInt16LE(60_000, page * 4096 + 20);
  });
  expect(Object.keys(await faultsOf(dir))).toEqual(['frontier, trees']);
});

test('pages that look damaged while somebody commits are no damage, where nobody knows whether one is at work', () => {
  const path = join(copy(), 'frontier/data.mdb');
  change(path, (bytes) => {
    for (let page = 2; page < bytes.length / 4096; page++) bytes.writeUInt16LE(60_000, page * 4096 + 20);
  });
  const { readSync } = fs;
  const commitMeanwhile = (() => {
    // Before the first page is read: what another process writes meanwhile.
    change(path, (bytes) => flip(bytes, 4096 - 1));
    fs.readSync = readSync;
    syncBuiltinESMExports();
  }) as () => void;
  let reads = 0;
  fs.readSync = ((...args: Parameters<typeof readSync>) => {
    const position = (args as readonly unknown[])[4];
    if (typeof position === 'number' && position >= 8192 && reads++ === 0) commitMeanwhile();
    return readSync(...args);
  }) as typeof readSync;
  syncBuiltinESMExports();
  try {
    expect(() => refuseBrokenTrees(path, true)).not.toThrow();
  } finally {
    fs.readSync = readSync;
    syncBuiltinESMExports();
  }
  expect(() => refuseBrokenTrees(path, true)).toThrow('damaged');
});
