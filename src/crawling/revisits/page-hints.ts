import { grown } from '../../base/core/columns.ts';
import type { EpochMs } from '../../base/core/types.ts';
import { HINT_SOURCES, type HintSource } from './change-evidence.ts';

/** The newest word of each source about each row: the date that it gives, and when it was read. No memory until there is one. */
export class PageHints {
  readonly #changedAt = HINT_SOURCES.map(() => new Float64Array(0));
  readonly #readAt = HINT_SOURCES.map(() => new Float64Array(0));

  set(row: number, source: HintSource, changedAt: EpochMs, readAt: EpochMs): void {
    const i = HINT_SOURCES.indexOf(source);
    this.#changedAt[i] = place(this.#changedAt[i], row, changedAt);
    this.#readAt[i] = place(this.#readAt[i], row, readAt);
  }

  /** Time of reading the source, if it is after a moment; 0 otherwise. */
  readAfter(row: number, source: number, seenAt: EpochMs): EpochMs {
    const readAt = this.#readAt[source]?.[row] ?? 0;
    return readAt > seenAt ? readAt : 0;
  }

  changedAt(row: number, source: number): EpochMs {
    return this.#changedAt[source]?.[row] ?? 0;
  }

  clear(row: number): void {
    for (const column of this.#readAt) if (row < column.length) column[row] = 0;
  }

  /** Gives the words of a row to another one. */
  move(from: number, to: number): void {
    for (const column of [...this.#changedAt, ...this.#readAt]) {
      if (to < column.length) column[to] = column[from] ?? 0;
      if (from < column.length) column[from] = 0;
    }
  }
}

function place(column: Float64Array<ArrayBuffer> | undefined, row: number, value: number): Float64Array<ArrayBuffer> {
  const larger = grown(column ?? new Float64Array(0), row + 1, Float64Array);
  larger[row] = value;
  return larger;
}
