/** Pages whose URLs give no page any more, by their absences. */

import { isoTime } from '../../base/core/clock.ts';
import { grown } from '../../base/core/columns.ts';
import type { Absence, EpochMs, IsoTime, RecordId } from '../../base/core/types.ts';
import { UrlNumbers } from '../../base/core/url-numbers.ts';

/** Is it a state in which the URL gives no page? */
function isGone({ state }: Pick<Absence, 'state'>): boolean {
  return state === 'gone' || state === 'moved';
}

/** The moments since which versions are the last ones of pages that are gone. Memory: some 30 bytes for each version with an absence, outside of the heap. */
export class GonePages {
  readonly #ids = new UrlNumbers();
  /** Time of the last change of state, and time since which the page is gone or 0, by version. */
  #last = new Float64Array(0);
  #since = new Float64Array(0);

  /** @param until later absences do not count */
  static async of(absences: AsyncIterable<Absence>, until: EpochMs = Number.POSITIVE_INFINITY): Promise<GonePages> {
    const gone = new GonePages();
    for await (const absence of absences) if (Date.parse(absence.at) <= until) gone.#add(absence);
    return gone;
  }

  /** null for a version whose page is there, or was when it was last requested. */
  since(id: RecordId): IsoTime | null {
    const since = this.#since[this.#ids.find(id)] ?? 0;
    return since > 0 ? isoTime(since) : null;
  }

  /** Lines of several workers are not in the order of time. */
  #add(absence: Absence): void {
    const [version, at] = [this.#ids.of(absence.recordId), Date.parse(absence.at)];
    this.#last = grown(this.#last, version + 1, Float64Array);
    this.#since = grown(this.#since, version + 1, Float64Array);
    if (at < (this.#last[version] as number)) return;
    this.#last[version] = at;
    if (!isGone(absence)) this.#since[version] = 0;
    else if (this.#since[version] === 0) this.#since[version] = at;
  }
}
