import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { Clock } from '../../../src/base/core/clock.ts';
import type { SinkMark } from '../../../src/base/core/parts/queueing.ts';
import type { CrawlRecord } from '../../../src/base/core/types.ts';
import { storedRecordLine } from '../../../src/corpus/records/records.ts';
import { newRecordId } from '../../../src/corpus/records/warc-record.ts';
import { Sink, type SinkRun } from '../../../src/crawling/openings/sink.ts';
import { checkSink } from '../../../src/crawling/openings/sink-receivers.ts';
import { freshDir, pageOf, recordOf } from '../../corpus/records/samples.ts';
import { NODE } from '../../support/tested-package.ts';

/** A clock on which a second takes ten milliseconds: pauses are short, and the time of a delivery is that of the machine. */
const HASTY: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => sleep(ms / 100, undefined, { signal }).catch(() => undefined),
};
const LIMITS = { time: 20_000, start: 20_000, heap: 32 * 2 ** 20 };
/** Virtual time that no test takes. */
const LONG = 100 * 60_000;
const NEVER = new AbortController().signal;
let opened: Sink[] = [];
let warnings: string[] = [];
afterEach(async () => {
  for (const sink of opened) await sink.close();
  [opened, warnings] = [[], []];
});

interface Corpus {
  readonly dir: string;
  readonly records: readonly CrawlRecord[];
  readonly end: number;
}

function corpusOf(count: number, words = 20): Corpus {
  const dir = freshDir();
  mkdirSync(dir, { recursive: true });
  const records = Array.from({ length: count }, (_, i) => ({
    ...recordOf(pageOf(`http://orchard.example/${i}`, 'x')),
    id: newRecordId(),
    text: `Apple ${i} ${'word '.repeat(words)}`,
  }));
  return { dir, records, end: write(dir, records) };
}

function write(dir: string, records: readonly CrawlRecord[]): number {
  const bytes = Buffer.concat(records.map(storedRecordLine));
  writeFileSync(join(dir, 'records.jsonl'), bytes);
  return bytes.length;
}

async function sinkOf(corpus: Corpus, sink: string, more: Partial<SinkRun> = {}): Promise<Sink> {
  const found = await Sink.open({
    name: sink,
    ...{ sink, corpus: corpus.dir, end: corpus.end, mark: null, clock: HASTY, limits: LIMITS },
    ...{ warn: (message) => warnings.push(message), note: () => undefined, ...more },
  });
  opened.push(found);
  return found;
}

/** Runs a sink to its end. @returns its last mark */
async function drained(corpus: Corpus, sink: string, more: Partial<SinkRun> = {}): Promise<SinkMark> {
  const found = await sinkOf(corpus, sink, more);
  await found.drain(LONG, NEVER);
  return found.mark;
}

function moduleOf({ dir }: Corpus, code: string): string {
  writeFileSync(join(dir, 'sink.mjs'), code);
  return join(dir, 'sink.mjs');
}

/** A module that appends ids to a list, after `code`. */
const listing = ({ dir }: Corpus, code = '') => `
import { appendFileSync } from 'node:fs';
let calls = 0;
export async function onRecord(record) { calls += 1; ${code}; appendFileSync(${JSON.stringify(join(dir, 'list'))}, JSON.stringify(record) + '\\n'); }`;

function listed<T = { readonly id: string }>({ dir }: Corpus): readonly T[] {
  return readFileSync(join(dir, 'list'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as T);
}

const idsOf = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id);

test('a module gets each record in order, as onKept has it, and nothing twice', async () => {
  const corpus = corpusOf(250);
  const sink = moduleOf(corpus, listing(corpus));
  const mark = await drained(corpus, sink);
  expect(listed(corpus)).toEqual(corpus.records.map(({ votes: _, ...record }) => record));
  expect(mark).toEqual({ sink, bytes: corpus.end, id: corpus.records.at(-1)?.id, records: 250, failures: 0, failure: null });
  expect(await drained(corpus, sink, { mark })).toEqual(mark);
  expect([listed(corpus).length, warnings]).toEqual([250, []]);
});

test('records that are committed later are delivered, and those behind the commit are not', async () => {
  const corpus = corpusOf(5);
  const half = Buffer.concat(corpus.records.slice(0, 1).map(storedRecordLine)).length;
  const sink = await sinkOf(corpus, moduleOf(corpus, listing(corpus)), { end: half });
  await expect.poll(() => sink.mark.records, { timeout: 20_000 }).toBe(1);
  sink.committed(corpus.end);
  await expect.poll(() => sink.mark.records, { timeout: 20_000 }).toBe(5);
  expect(idsOf(listed(corpus))).toEqual(idsOf(corpus.records));
});

test('a command gets lines of JSON; exit code 0 acknowledges them, and its output is ignored', async () => {
  const corpus = corpusOf(120);
  const mark = await drained(corpus, `cat >> '${corpus.dir}/list'; echo rubbish`);
  expect([mark.records, mark.failures, warnings]).toEqual([120, 0, []]);
  expect(listed(corpus)).toEqual(corpus.records.map(({ votes: _, ...record }) => record));
});

const onlyModule = (code: string) => (corpus: Corpus) => moduleOf(corpus, listing(corpus, code));
/** A delivery that hangs is given up after this. */
const HANGS_AFTER = 700;
const FAULTS: readonly (readonly [string, (corpus: Corpus) => string, RegExp])[] = [
  ['a command that fails', () => 'cat > /dev/null; echo "no database" >&2; exit 3', /exit code 3: no database/],
  ['a command that is not there', () => 'no-such-program-of-forager', /exit code 127/],
  ['a command that hangs', () => 'sleep 1000', /it took longer than 0\.7 s/],
  ['a command that is killed', () => 'kill -9 $$', /ended by SIGKILL/],
  ['a module that throws', onlyModule('throw new Error("no file")'), /onRecord threw: Error: no file/],
  ['a module that hangs', onlyModule('for (;;);'), /onRecord hung: no answer within 700 ms/],
  ['a module that never answers', onlyModule('await new Promise(() => {})'), /onRecord hung/],
  ['a module that exits', onlyModule('process.exit(0)'), /onRecord exited: its thread ended/],
];

test.each(FAULTS)('%s is named with the record, loses none, and continues there once it is mended', async (name, broken, fault) => {
  const time = /hangs|never/.test(name) ? HANGS_AFTER : LIMITS.time;
  const corpus = corpusOf(500);
  const sink = broken(corpus);
  const mark = await drained(corpus, sink, { limits: { ...LIMITS, time } });
  expect([mark.records, mark.bytes, mark.failures]).toEqual([0, 0, 2]);
  expect(mark.failure).toMatch(fault);
  expect(warnings[0]).toMatch(fault);
  expect(warnings[0]).toContain(`at record ${corpus.records[0]?.id} of http://orchard.example/0; it is delivered again`);
  if (!sink.endsWith('.mjs')) return;
  moduleOf(corpus, listing(corpus));
  expect((await drained(corpus, sink, { mark })).records).toBe(500);
  expect(idsOf(listed(corpus))).toEqual(idsOf(corpus.records));
});

test('a command that ends well without reading more than a pipe holds has acknowledged nothing', async () => {
  const corpus = corpusOf(100, 10_000);
  expect((await drained(corpus, 'exec <&-; sleep .3')).failures).toBeGreaterThan(0);
  expect(warnings[0]).toContain('it ended without reading all records');
});

test('a module that returns rubbish has had its record', async () => {
  const corpus = corpusOf(3);
  const mark = await drained(corpus, moduleOf(corpus, 'export function onRecords() { return () => 1; }'));
  expect([mark.records, mark.failures, warnings]).toEqual([3, 0, []]);
});

test('one record that fails stops at its place; the records before it are acknowledged', async () => {
  const corpus = corpusOf(7);
  const sink = moduleOf(corpus, listing(corpus, "if (record.url.endsWith('/4')) throw new Error('no')"));
  const mark = await drained(corpus, sink);
  expect([mark.records, mark.id, mark.failures]).toEqual([4, corpus.records[3]?.id, 2]);
  expect(warnings).toEqual([expect.stringContaining(`onRecord threw: Error: no, at record ${corpus.records[4]?.id}`)]);
});

test('a sink that is well again is told, with growing pauses before', async () => {
  const corpus = corpusOf(20);
  const pauses: number[] = [];
  const clock: Clock = {
    ...HASTY,
    sleep: (ms, signal) => {
      pauses.push(ms);
      return HASTY.sleep(ms, signal);
    },
  };
  const sink = await sinkOf(corpus, moduleOf(corpus, listing(corpus, "if (calls <= 3) throw new Error('busy')")), { clock });
  await expect.poll(() => sink.mark.records, { timeout: 20_000 }).toBe(20);
  expect(pauses.slice(0, 3)).toEqual([1000, 2000, 4000]);
  expect(warnings).toEqual([expect.stringContaining('busy'), expect.stringContaining('delivers again, after 3 failures')]);
  expect([sink.mark.failures, sink.mark.failure]).toEqual([3, null]);
});

test('a slow sink gets all, and a drain ends after its time with the rest waiting', async () => {
  const corpus = corpusOf(40);
  const slow = moduleOf(corpus, listing(corpus, 'await new Promise((resolve) => setTimeout(resolve, 20))'));
  const first = await sinkOf(corpus, slow);
  await first.drain(10_000, NEVER);
  const { records } = first.mark;
  expect(records).toBeLessThan(40);
  expect(await first.waiting()).toBe(40 - records);
  const last = await drained(corpus, slow, { mark: first.mark });
  expect(last.records).toBe(40);
  expect(new Set(idsOf(listed(corpus)))).toEqual(new Set(idsOf(corpus.records)));
  expect(warnings).toEqual([]);
});

test('another sink starts at the first record', async () => {
  const corpus = corpusOf(3);
  const mark = await drained(corpus, 'cat > /dev/null');
  expect((await drained(corpus, moduleOf(corpus, listing(corpus)), { mark })).records).toBe(3);
  expect(idsOf(listed(corpus))).toEqual(idsOf(corpus.records));
});

test('the place is found again after a repair moved it, and everything is delivered if its record is lost', async () => {
  const corpus = corpusOf(6);
  const sink = moduleOf(corpus, listing(corpus, "if (record.url.endsWith('/3')) throw new Error('no')"));
  const mark = await drained(corpus, sink);
  moduleOf(corpus, listing(corpus));
  const without = (lost: number) => corpus.records.filter((_, i) => i !== lost);
  const moved = { ...corpus, end: write(corpus.dir, without(0)) };
  expect((await drained(moved, sink, { mark })).records).toBe(6);
  expect(idsOf(listed(corpus))).toEqual(idsOf(corpus.records));
  warnings = [];
  expect((await drained({ ...corpus, end: write(corpus.dir, without(2)) }, sink, { mark })).records).toBe(5);
  expect(warnings).toEqual([expect.stringContaining('no longer has the last record that was delivered')]);
});

test('a damaged record is named once, and the others are delivered', async () => {
  const corpus = corpusOf(4);
  const bytes = readFileSync(join(corpus.dir, 'records.jsonl'));
  bytes[corpus.end - 60] = (bytes[corpus.end - 60] ?? 0) ^ 1;
  writeFileSync(join(corpus.dir, 'records.jsonl'), bytes);
  const mark = await drained(corpus, moduleOf(corpus, listing(corpus)));
  expect([mark.records, mark.bytes]).toEqual([3, corpus.end]);
  expect(warnings).toEqual([expect.stringContaining('the record is not delivered')]);
});

test('a module that cannot be loaded, or has no function for records, is refused before the crawl', async () => {
  const corpus = corpusOf(1);
  await expect(checkSink(moduleOf(corpus, 'export const onRecord = ('))).rejects.toThrow(
    /cannot be loaded as a sink \(SyntaxError: .*; mend it, or give --sink none/,
  );
  await expect(checkSink(moduleOf(corpus, 'export function onrecord() {}'))).rejects.toThrow('exports no function for records');
  await expect(checkSink(moduleOf(corpus, 'export function onRecord() {} export function onRecords() {}'))).rejects.toThrow(
    'exports two functions for records',
  );
  await checkSink(`${NODE} sink.mjs`);
});
