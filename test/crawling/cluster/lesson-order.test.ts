import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Lesson } from '../../../src/base/core/parts/scoring.ts';
import { LessonOrder, type OwnLessons } from '../../../src/crawling/cluster/lesson-order.ts';
import { packLessons } from '../../../src/crawling/cluster/lesson-rows.ts';
import type { LessonRow } from '../../../src/crawling/cluster/worker.ts';
import { runs } from '../../support/extent.ts';
import { hostOf, urlOf } from '../../support/frontier-values.ts';

const lesson = (n: number): Lesson => ({
  relevance: n / 10_000,
  entry: {
    url: urlOf(`http://a.test/${n}`),
    task: { kind: 'page' },
    host: hostOf('http://a.test/'),
    priority: 0.5,
    depth: 1,
    offTopicDepth: 0,
    edge: null,
    attempts: 0,
    redirects: 0,
  },
});

/** A worker that learns, over a list of rows that all share. */
class Learner {
  readonly #rows: LessonRow[];
  readonly #order = new LessonOrder();
  readonly learned: number[] = [];
  readonly #name: string;
  #waiting: OwnLessons | null = null;
  #stored: { readonly batch: OwnLessons; readonly first: number } | null = null;

  constructor(rows: LessonRow[], name: string) {
    [this.#rows, this.#name] = [rows, name];
  }

  teach(n: number, isAlone: boolean): void {
    if (this.#order.teach(lesson(n), isAlone)) this.learned.push(n);
  }
  /** A commit begins; */
  begin(): void {
    if (this.#waiting === null && this.#stored === null) this.#waiting = this.#order.batch();
  }
  /** it is stored; */
  store(): void {
    const batch = this.#waiting;
    if (batch === null) return;
    const first = this.#rows.reduce((sum, { count }) => sum + count, 0) + 1;
    const packed = packLessons(batch.lessons);
    if (packed) this.#rows.push({ ...packed, first, worker: this.#name });
    [this.#waiting, this.#stored] = [null, { batch, first }];
  }
  /** its answer comes. */
  answer(): void {
    if (this.#stored) this.#order.placed(this.#stored.batch, this.#stored.first);
    this.#stored = null;
    this.take();
  }
  look(): void {
    this.#order.exist(this.#rows.reduce((sum, { count }) => sum + count, 0));
    this.#order.read(
      this.#rows.filter(({ first }) => first >= this.#order.next),
      ({ worker }) => worker === this.#name,
    );
    this.take();
  }
  take(): void {
    for (const { relevance } of this.#order.learned()) this.learned.push(Math.round(relevance * 10_000));
  }
}

test('several workers learn all lessons in one order, whenever their commits are stored, answered and read', () => {
  const step = fc.record({ who: fc.nat(2), what: fc.constantFrom('teach', 'teach', 'begin', 'store', 'answer', 'look') });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.nat(30), (steps, aloneUntil) => {
      const rows: LessonRow[] = [];
      const workers = ['a', 'b', 'c'].map((name) => new Learner(rows, name));
      const commit = (worker: Learner | undefined) => {
        worker?.begin();
        worker?.store();
        worker?.answer();
      };
      let taught = 0;
      // As long as the first is alone, the others have nothing to teach.
      for (const { what } of steps.slice(0, aloneUntil)) {
        if (what === 'teach') workers[0]?.teach(++taught, true);
        else if (what === 'begin') commit(workers[0]);
      }
      commit(workers[0]);
      for (const { who, what } of steps.slice(aloneUntil)) {
        if (what === 'teach') workers[who]?.teach(++taught, false);
        else workers[who]?.[what]();
      }
      for (let i = 0; i < 2; i++)
        for (const worker of workers) {
          worker.store();
          worker.answer();
          commit(worker);
        }
      for (let i = 0; i < 3; i++) for (const worker of workers) worker.look();
      expect(workers[0]?.learned.toSorted((a, b) => a - b)).toEqual(Array.from({ length: taught }, (_, i) => i + 1));
      expect(workers[1]?.learned).toEqual(workers[0]?.learned);
      expect(workers[2]?.learned).toEqual(workers[0]?.learned);
    }),
    { numRuns: runs(500) },
  );
});

test('a worker that is alone learns at once, and not again when its lessons are numbered', () => {
  const rows: LessonRow[] = [];
  const worker = new Learner(rows, 'a');
  worker.teach(1, true);
  worker.teach(2, true);
  expect(worker.learned).toEqual([1, 2]);
  worker.begin();
  worker.store();
  worker.look();
  worker.answer();
  worker.look();
  expect(worker.learned).toEqual([1, 2]);
});
