/** Corpus files without what is damaged in them: all that is whole stays, and the file as it was is put aside. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checksummedLine } from '../../../src/base/core/checksum.ts';
import { isoTime } from '../../../src/base/core/clock.ts';
import { mendFile } from '../../../src/corpus/records/corpus-mend.ts';
import { FileCorpusWriter, VISITS_FILE } from '../../../src/corpus/records/corpus-writer.ts';
import { FrozenWeb } from '../../../src/corpus/records/frozen-web.ts';
import { recordLine, storedRecordLine } from '../../../src/corpus/records/records.ts';
import { walkWarc } from '../../../src/corpus/records/warc-stream.ts';
import { runs } from '../../support/extent.ts';
import { flushesOf, watchedFlushes } from '../../support/flushes.ts';
import { damages, spared } from './damages.ts';
import { collected, freshDir, INFO, pageOf, recordOf, urlOf } from './samples.ts';

const into = (aside: string) => ({ aside, mayWrite: () => undefined });

interface Extent {
  readonly start: number;
  readonly end: number;
}

const RESERVATIONS = 'reservations.jsonl';
const ABSENCES = 'absences.jsonl';
const record = (i: number) => recordOf(pageOf(`http://orchard.example/${i}`, 'x'), { text: `Old kinds, ${i}` });

/** A folder with one file of these parts, and where each stands. */
function fileOf(name: string, parts: readonly Uint8Array[]) {
  const dir = freshDir();
  const bytes = Buffer.concat(parts);
  const path = join(dir, name);
  writeFileSync(path, bytes);
  const extents: Extent[] = [];
  for (const { length } of parts) {
    const start = extents.at(-1)?.end ?? 0;
    extents.push({ start, end: start + length });
  }
  return { dir, path, name, bytes, extents, aside: join(dir, 'damaged') };
}

/** The same, as a crawl writes it. */
async function writtenFile(name: string) {
  const dir = freshDir();
  const writer = await FileCorpusWriter.open(dir, null, INFO, { record: true });
  for (const i of [0, 1, 2]) {
    const page = pageOf(`http://orchard.example/${i}`, `page ${i}`);
    const kept = recordOf(page);
    const { url, id, fetchedAt: at } = kept;
    writer.append({ kind: 'page', record: kept, page: page });
    writer.append({ kind: 'absence', absence: { url, at, status: 404, state: 'gone', to: null, recordId: id } });
    writer.append({ kind: 'visit', visit: { url: page.url, status: 404, kind: 'failed', code: 'http-4xx' } });
    writer.append({
      kind: 'reservations',
      file: { url: urlOf(`http://${i}.example/.well-known/tdmrep.json`), fetchedAt: isoTime(page.startedAt), to: null, rules: [] },
      page: null,
    });
  }
  await writer.close();
  const bytes = await readFile(join(dir, name));
  const extents = await extentsIn(join(dir, name), bytes);
  return fileOf(
    name,
    extents.map(({ start, end }) => bytes.subarray(start, end)),
  );
}

async function extentsIn(path: string, bytes: Buffer): Promise<readonly Extent[]> {
  if (path.endsWith('.warc.gz')) return collected(walkWarc(path, () => false));
  const ends = path.endsWith('.jsonl') ? lineEnds(bytes) : memberEnds(bytes);
  return ends.map((end, i) => ({ start: ends[i - 1] ?? 0, end }));
}

function lineEnds(bytes: Buffer): number[] {
  return [...bytes.entries()].flatMap(([at, byte]) => (byte === 10 ? [at + 1] : []));
}

/** Every beginning of a member that the rest of the file is whole from. */
function memberEnds(bytes: Buffer): number[] {
  const starts: number[] = [];
  for (let at = bytes.indexOf(Buffer.from([0x1f, 0x8b, 8])); at >= 0; at = bytes.indexOf(Buffer.from([0x1f, 0x8b, 8]), at + 1))
    starts.push(at);
  const isWhole = (at: number) => {
    try {
      return gunzipSync(bytes.subarray(at)).length > 0;
    } catch {
      return false;
    }
  };
  return [...starts.filter((at) => at > 0 && isWhole(at)), bytes.length];
}

test.each(['records.jsonl', RESERVATIONS, ABSENCES, VISITS_FILE, 'forager-00000.warc.gz'])(
  'all of %s that is whole stays, whatever is damaged in it',
  async (name) => {
    const { dir, path, bytes, extents, aside } = await writtenFile(name);
    expect(extents.length).toBeGreaterThanOrEqual(3);
    await fc.assert(
      fc.asyncProperty(damages(bytes.length), async (all) => {
        const damaged = Buffer.from(bytes);
        for (const damage of all) damage.apply(damaged);
        writeFileSync(path, damaged);
        rmSync(aside, { recursive: true, force: true });
        const mended = await mendFile(dir, name, into(aside));
        const left = await readFile(path);
        // With the end of the line before it a line has lost its beginning.
        const whole = extents.filter(({ start, end }) => spared([{ start: start - 1, end }], all).length > 0);
        expect(mended).toMatchObject({ name, before: bytes.length });
        if (left.equals(damaged)) expect(mended).toMatchObject({ damage: [], after: bytes.length });
        else {
          expect(mended.damage).toEqual(mended.damage.map(() => expect.stringContaining(path)));
          expect(mended.damage.length).toBeGreaterThan(0);
          expect(readFileSync(join(aside, name)).equals(damaged)).toBe(true);
          // A frozen web without its header gets another one, whose length is not counted.
          const head = extents[0]?.end ?? 20;
          const isHeaded = name === VISITS_FILE && !left.subarray(0, head).equals(damaged.subarray(0, head));
          if (!isHeaded) expect(mended.after).toBe(left.length);
        }
        for (const { start, end } of whole) expect(left.includes(bytes.subarray(start, end))).toBe(true);
        expect(await mendFile(dir, name, into(join(dir, 'second')))).toEqual({ name, damage: [], before: left.length, after: left.length });
      }),
      { numRuns: runs(60) },
    );
  },
);

test.each(['records.jsonl', RESERVATIONS, ABSENCES, VISITS_FILE, 'forager-00000.warc.gz'])(
  'of %s cut anywhere the parts before the cut stay, and nothing else',
  async (name) => {
    const { dir, path, bytes, extents, aside } = await writtenFile(name);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length), async (size) => {
        writeFileSync(path, bytes.subarray(0, size));
        const end = Math.max(0, ...extents.map((one) => one.end).filter((one) => one <= size));
        const mended = await mendFile(dir, name, into(aside));
        expect(mended.before).toBe(size);
        if (name === VISITS_FILE && end === 0 && size > 0) expect(headerOf(path)).toMatchObject({ software: 'forager/repair' });
        else {
          expect(readFileSync(path).equals(bytes.subarray(0, end))).toBe(true);
          expect(mended.after).toBe(end);
        }
        expect(mended.damage.length > 0).toBe(end < size);
      }),
      { numRuns: runs(40) },
    );
  },
);

test('a file that is whole is left alone', async () => {
  for (const name of ['records.jsonl', RESERVATIONS, ABSENCES, VISITS_FILE, 'forager-00000.warc.gz']) {
    const { dir, path, bytes, aside } = await writtenFile(name);
    const before = statSync(path).ino;
    expect(await mendFile(dir, name, into(aside))).toEqual({ name, damage: [], before: bytes.length, after: bytes.length });
    expect([statSync(path).ino, readdirSync(dir)]).toEqual([before, [name]]);
  }
});

const garbled = (line: Buffer) => Buffer.from(line.toString('utf8').replace('Old kinds', 'Old minds'));
const old = (i: number) => Buffer.from(recordLine(record(i)));
const summed = (i: number) => storedRecordLine(record(i));

test.each<[string, string, readonly (readonly [line: Buffer, stays: boolean])[]]>([
  [
    'a record that was changed',
    'records.jsonl',
    [
      [summed(0), true],
      [garbled(summed(1)), false],
      [summed(2), true],
    ],
  ],
  [
    'records of Forager 0.1, which have no checksum, at the front',
    'records.jsonl',
    [
      [old(0), true],
      [old(1), true],
      [summed(2), true],
    ],
  ],
  [
    'a record without a checksum behind one that has it',
    'records.jsonl',
    [
      [old(0), true],
      [summed(1), true],
      [old(2), false],
    ],
  ],
  [
    'a record of which a field is lost',
    'records.jsonl',
    [
      [Buffer.from('{"id":"a"}\n'), false],
      [summed(1), true],
    ],
  ],
  [
    'what is no record, but has a right checksum',
    'records.jsonl',
    [
      [checksummedLine({ id: 'a' }), false],
      [summed(1), true],
    ],
  ],
  [
    'no record at all',
    'records.jsonl',
    [
      [Buffer.from('no JSON\n'), false],
      [Buffer.from('\n'), false],
    ],
  ],
  [
    'a last line that breaks off',
    'records.jsonl',
    [
      [summed(0), true],
      [summed(1).subarray(0, -1), false],
    ],
  ],
  [
    'answers about reservations, whatever they hold',
    RESERVATIONS,
    [
      [checksummedLine({ a: 1 }), true],
      [Buffer.from('{"a":1}\n'), false],
      [checksummedLine({ b: 1 }), true],
    ],
  ],
  [
    'answers of Forager 0.1',
    RESERVATIONS,
    [
      [Buffer.from('{"a":1}\n'), true],
      [Buffer.from('{"a":\n'), false],
      [Buffer.from('{"b":1}\n'), true],
    ],
  ],
])('lines: %s', async (_, name, lines) => {
  const { dir, path, bytes, aside } = fileOf(
    name,
    lines.map(([line]) => line),
  );
  const mended = await mendFile(dir, name, into(aside));
  const stay = Buffer.concat(lines.flatMap(([line, stays]) => (stays ? [line] : [])));
  expect(readFileSync(path, 'utf8')).toBe(stay.toString('utf8'));
  const left = lines.flatMap(([, stays], i) => (stays ? [] : [`${path}:${i + 1}: has changed since it was written`]));
  expect(mended).toEqual({ name, damage: left, before: bytes.length, after: stay.length });
  if (left.length > 0) expect(readFileSync(join(aside, name))).toEqual(bytes);
  else expect(existsSync(aside)).toBe(false);
});

const headerLine = (bytes: Buffer): object => JSON.parse(gunzipSync(bytes).toString('utf8').split('\n')[0] ?? '');
const headerOf = (path: string) => headerLine(readFileSync(path));

async function webOf(path: string): Promise<FrozenWeb> {
  const web = await FrozenWeb.open(path);
  web.close();
  return web;
}

test('a recording whose first line is lost gets another, and all its visits stay', async () => {
  const { dir, path, bytes, extents, aside } = await writtenFile(VISITS_FILE);
  writeFileSync(path, Buffer.from(bytes).fill(0, 0, extents[0]?.end));
  const mended = await mendFile(dir, VISITS_FILE, into(aside));
  expect((await webOf(path)).urls).toEqual([0, 1, 2].map((i) => `http://orchard.example/${i}`));
  expect(mended).toMatchObject({ before: bytes.length, after: bytes.length - (extents[0]?.end ?? 0) });
  expect(mended.damage).toHaveLength(1);
  expect(headerOf(path)).toEqual({ ...headerLine(bytes), software: 'forager/repair' });
});

test('a recording that keeps its first line gets no other', async () => {
  const { dir, path, bytes, extents, aside } = await writtenFile(VISITS_FILE);
  const [, first] = extents;
  writeFileSync(path, Buffer.from(bytes).fill(0, first?.start, first?.end));
  await mendFile(dir, VISITS_FILE, into(aside));
  expect(await readFile(path)).toEqual(Buffer.concat([bytes.subarray(0, first?.start), bytes.subarray(first?.end)]));
});

test('a member that is no line of a recording ends nothing', async () => {
  const { dir, path, bytes, extents, aside } = await writtenFile(VISITS_FILE);
  const [, first, second] = extents;
  const broken = Buffer.from(bytes).fill(0, first?.start, first?.end);
  const other = gzipSync('WARC/1.1\r\n');
  writeFileSync(path, Buffer.concat([broken.subarray(0, second?.start), other, broken.subarray(second?.start)]));
  await mendFile(dir, VISITS_FILE, into(aside));
  expect(await readFile(path)).toEqual(Buffer.concat([bytes.subarray(0, first?.start), bytes.subarray(second?.start)]));
});

test('runs longer than are copied at once are copied whole', async () => {
  const long = (i: number) => storedRecordLine({ ...record(i), text: `${i}`.repeat(1_500_000) });
  const parts = [long(0), long(1), garbled(summed(2)), long(3), summed(4)];
  const { dir, path, aside } = fileOf('records.jsonl', parts);
  await mendFile(dir, 'records.jsonl', into(aside));
  expect((await readFile(path)).equals(Buffer.concat(parts.filter((_, i) => i !== 2)))).toBe(true);
});

test('what an attempt that was killed put aside stays beside what this one does', async () => {
  const { dir, path, bytes, aside } = fileOf('records.jsonl', [garbled(summed(0)), summed(1)]);
  await mkdir(aside);
  writeFileSync(join(aside, 'records.jsonl'), 'of the attempt before');
  writeFileSync(`${path}.mended`, 'x'.repeat(10 * bytes.length));
  await mendFile(dir, 'records.jsonl', into(aside));
  expect(await readFile(join(aside, 'records.jsonl'), 'utf8')).toBe('of the attempt before');
  const [second] = readdirSync(aside).filter((name) => name !== 'records.jsonl');
  expect(await readFile(join(aside, second ?? ''))).toEqual(bytes);
  expect(await readFile(path, 'utf8')).toMatch(/^\{"id":.*"text":"Old kinds, 1".*\}\n$/);
  expect(readdirSync(dir).sort()).toEqual(['damaged', 'records.jsonl']);
});

test('the new file takes its place when it is on disk, and the old one aside', async () => {
  const { dir, path, bytes, aside } = fileOf('records.jsonl', [garbled(summed(0)), summed(1)]);
  const old = statSync(path).ino;
  const done = await watchedFlushes(() => ({ isOld: statSync(path).ino === old, isAside: existsSync(join(aside, 'records.jsonl')) }));
  await mendFile(dir, 'records.jsonl', into(aside));
  expect(await readFile(join(aside, 'records.jsonl'))).toEqual(bytes);
  expect(flushesOf(done, path)[0]?.seen.isOld).toBe(true);
  if (process.platform === 'win32') return;
  expect(flushesOf(done, aside).map(({ seen }) => seen)).toEqual([{ isOld: true, isAside: true }]);
  expect(flushesOf(done, dir).map(({ seen }) => seen)).toEqual([{ isOld: false, isAside: true }]);
});
