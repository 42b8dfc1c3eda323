/** The one order in which all workers learn. */
import type { Lesson } from '../../base/core/parts/scoring.ts';
import { unpackLessons } from './lesson-rows.ts';
import type { LessonRow } from './worker.ts';

/** Lessons of one batch of this worker. */
export interface OwnLessons {
  readonly lessons: readonly Lesson[];
  /** Number of lessons, from the first, that are already learned. */
  readonly ahead: number;
}

/**
 * A lesson gets its number from the commit that stores it. A worker that is alone learns its lessons before they have a number, since no lesson of others
 * can come in between: others get partitions only after this worker has committed and released them.
 */
export class LessonOrder {
  /** The number of the last lesson that is learned or ready. */
  #known = 0;
  #fresh: Lesson[] = [];
  #freshAhead = 0;
  /** Lessons that were learned and have no number yet. */
  #ahead = 0;
  /** Lessons that wait for a number. */
  #unplaced = 0;
  /** The number of the last lesson that is known to exist. */
  #last = 0;
  #ready: Lesson[] = [];
  /** Batches of this worker that were committed after lessons of others, which it has not read yet; by number of the first lesson. */
  readonly #own = new Map<number, OwnLessons>();

  /** Notes that so many lessons exist. */
  exist(count: number): void {
    this.#last = Math.max(this.#last, count);
  }

  /** The first lesson that is not known. */
  get next(): number {
    return this.#known + 1;
  }

  get isBehind(): boolean {
    return this.#known + this.#ahead < this.#last;
  }

  /** @param isAlone no other worker has partitions. @returns whether to learn it now */
  teach(lesson: Lesson, isAlone: boolean): boolean {
    this.#fresh.push(lesson);
    const now = isAlone && this.#unplaced === 0 && this.#ready.length === 0 && !this.isBehind;
    if (now) {
      this.#freshAhead += 1;
      this.#ahead += 1;
    } else this.#unplaced += 1;
    return now;
  }

  /** The lessons since the last batch. */
  batch(): OwnLessons {
    const batch = { lessons: this.#fresh, ahead: this.#freshAhead };
    [this.#fresh, this.#freshAhead] = [[], 0];
    return batch;
  }

  /** A batch was committed; its lessons are numbered from `first`. */
  placed(batch: OwnLessons, first: number): void {
    const { lessons, ahead } = batch;
    if (lessons.length === 0) return;
    this.#ahead -= ahead;
    this.#unplaced -= lessons.length - ahead;
    this.exist(first + lessons.length - 1);
    if (first === this.next) this.#take(batch);
    else this.#own.set(first, batch);
  }

  /** Rows from `next` on. @param isOwn is a row of this worker? */
  read(rows: readonly LessonRow[], isOwn: (row: LessonRow) => boolean): void {
    for (const row of rows) {
      // A commit has placed it meanwhile.
      if (row.first < this.next) continue;
      const own = this.#own.get(row.first);
      // The answer to its commit is on its way.
      if (row.first > this.next || (isOwn(row) && own === undefined)) return;
      this.#own.delete(row.first);
      this.#take(own ?? { lessons: unpackLessons(row.body), ahead: 0 });
    }
  }

  *learned(): Iterable<Lesson> {
    for (let next = this.#ready.shift(); next !== undefined; next = this.#ready.shift()) yield next;
  }

  #take({ lessons, ahead }: OwnLessons): void {
    this.#known += lessons.length;
    this.#ready.push(...lessons.slice(ahead));
  }
}
