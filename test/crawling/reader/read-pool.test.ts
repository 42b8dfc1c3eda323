import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ReadOutcome } from '../../../src/base/core/parts/reading.ts';
import { ReadPool, type ReadPoolOptions } from '../../../src/crawling/reader/read-pool.ts';
import { pageOf } from '../../corpus/records/samples.ts';
import { wholeTest } from '../../support/whole-test.ts';

function pool(options: Partial<ReadPoolOptions> = {}) {
  const made = new ReadPool({
    worker: new URL('../../support/faulty-reader.mjs', import.meta.url),
    workerData: 'given data',
    workers: 1,
    maxReadTime: 5_000,
    maxWorkerHeap: 64 * 2 ** 20,
    ...options,
  });
  onTestFinished(() => made.close());
  return (...texts: readonly string[]) => Promise.all(texts.map((text) => made.read(pageOf('http://a.test/', text))));
}

/** The text that was read, or why it was not. */
function gist(outcome: ReadOutcome): string {
  return outcome.kind === 'read' ? outcome.extraction.text : outcome.kind === 'failed' ? outcome.code : outcome.reason;
}

function thread(outcome: ReadOutcome | undefined): string | null {
  return outcome?.kind === 'read' ? outcome.extraction.lang : null;
}

test('each page gets its own outcome, in whatever order it was given', async () => {
  const texts = Array.from({ length: 50 }, (_, i) => `page ${i}`);
  const outcomes = await pool({ workers: 2 })(...texts);
  expect(outcomes.map(gist)).toEqual(texts);
  expect(new Set(outcomes.map(thread)).size).toBe(2);
  expect(outcomes[0]?.kind === 'read' && outcomes[0].extraction.title).toBe('given data');
});

/** The cap includes the start of a thread, which takes a second on a busy machine. */
const PATIENT = 1500;

describe('a page costs its worker, and only itself:', () => {
  test('over the time cap', async () => {
    const outcomes = await pool({ maxReadTime: PATIENT })('first', 'hang', 'second', 'third');
    expect(outcomes.map(gist)).toEqual(['first', 'read-timeout', 'second', 'third']);
    expect(thread(outcomes[2])).not.toBe(thread(outcomes[0]));
    expect(thread(outcomes[3])).toBe(thread(outcomes[2]));
    expect(outcomes[1]).toMatchObject({ detail: `not read within ${PATIENT} ms` });
  });

  test('over the heap cap', async () => {
    const outcomes = await pool()('first', 'hoard', 'second', 'third');
    expect(outcomes.map(gist)).toEqual(['first', 'read-crash', 'second', 'third']);
    expect(outcomes[1]?.kind === 'failed' && outcomes[1].detail).toMatch(/memory/);
  });

  test('a worker that throws or exits', async () => {
    const outcomes = await pool()('throw', 'first', 'exit', 'second', 'throw');
    expect(outcomes.map(gist)).toEqual(['read-crash', 'first', 'read-crash', 'second', 'read-crash']);
    expect(outcomes[0]).toMatchObject({ detail: 'the worker threw' });
  });

  wholeTest('several in a row, on several workers', async () => {
    const texts = ['hang', 'hang', 'throw', 'one', 'two', 'hang', 'three', 'four'];
    const outcomes = await pool({ workers: 2, maxReadTime: 2 * PATIENT })(...texts);
    expect(outcomes.map(gist)).toEqual(texts.map((text) => ({ hang: 'read-timeout', throw: 'read-crash' })[text] ?? text));
  });
});

wholeTest('the time cap holds for a page that is alone, and for each that comes later', async () => {
  const read = pool({ maxReadTime: PATIENT });
  expect((await read('hang')).map(gist)).toEqual(['read-timeout']);
  expect((await read('first')).map(gist)).toEqual(['first']);
  expect((await read('hang')).map(gist)).toEqual(['read-timeout']);
  expect((await read('second', 'hang')).map(gist)).toEqual(['second', 'read-timeout']);
});

test('no page waits behind another while a worker has nothing to do', async () => {
  const read = pool({ workers: 2, maxReadTime: 600_000 });
  void read('hang');
  const threads = new Set<string | null>();
  for (const text of ['one', 'two', 'three', 'four']) threads.add(thread((await read(text))[0]));
  expect(threads.size).toBe(1);
});

wholeTest('the time cap is of reading, not of waiting behind other pages', async () => {
  const outcomes = await pool({ maxReadTime: PATIENT })('hang', 'hang', 'last');
  expect(outcomes.map(gist)).toEqual(['read-timeout', 'read-timeout', 'last']);
});

test('a page is not failed for the time that the process was stopped', async () => {
  const read = pool({ maxReadTime: 600 });
  await read('warm');
  const outcomes = read('slow');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1700);
  expect((await outcomes).map(gist)).toEqual(['slow']);
});

test('a reply to a page that is settled already is not taken for the next one', async () => {
  const outcomes = await pool()('twice', 'one', 'two', 'three');
  expect(outcomes.map(gist)).toEqual(['twice', 'one', 'two', 'three']);
});

describe('replies that became ready while the main thread was busy', () => {
  test('come in the order of the pages, a few in a turn of the event loop', async () => {
    const read = pool();
    await read('warm');
    const texts = Array.from({ length: 20 }, (_, i) => `page ${i}`);
    const [log, turns]: [string[], number[]] = [[], []];
    const settle = ([outcome]: Awaited<ReturnType<typeof read>>) => {
      for (const until = performance.now() + 5; performance.now() < until; );
      log.push(outcome ? gist(outcome) : '');
    };
    const outcomes = texts.map((text) => read(text).then(settle));
    // The pages are given, and nothing else happens until all are read.
    await turnOfLoop();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
    while (log.length < texts.length) {
      const before = log.length;
      await turnOfLoop();
      turns.push(log.length - before);
    }
    await Promise.all(outcomes);
    expect(log).toEqual(texts);
    // A share has room for two that take 5 ms, and a third may begin in it. There is one where they arrive, among the events of the sockets, and one
    // behind these.
    expect(Math.max(...turns)).toBeLessThanOrEqual(6);
  });

  test('are not lost when the next page ends the worker', async () => {
    const read = pool();
    await read('warm');
    const outcomes = read('one', 'two', 'three', 'throw', 'four', 'exit', 'five');
    await turnOfLoop();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
    expect((await outcomes).map(gist)).toEqual(['one', 'two', 'three', 'read-crash', 'four', 'read-crash', 'five']);
  });
});
