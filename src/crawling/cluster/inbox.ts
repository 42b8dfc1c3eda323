/** Links that other workers pass on to the partitions of this one. They leave the database with the commit that has them. */
import type { Discovery } from '../../base/core/types.ts';
import { unpackPassedOn } from '../frontier/log-rows.ts';
import type { EngineWorker, ForwardedLinks } from './worker.ts';

export class Inbox {
  readonly #worker: Pick<EngineWorker, 'letters'>;
  /** Letters that are in the frontier, for the next commit. */
  #read: ForwardedLinks[] = [];
  /** Keys of letters that are in the frontier, and still in the database. */
  readonly #known = new Set<string>();

  constructor(worker: Pick<EngineWorker, 'letters'>) {
    this.#worker = worker;
  }

  /** Is nothing in the frontier that waits for a commit? */
  get isEmpty(): boolean {
    return this.#read.length === 0;
  }

  /**
   * Reads the links that have come.
   * @param open the partitions whose links are wanted; asked again when the answer is there, since some may leave meanwhile
   * @param add puts a link into the frontier
   * @returns whether there was anything
   */
  async read(open: () => readonly number[], add: (discovery: Discovery) => void): Promise<boolean> {
    const asked = open();
    if (asked.length === 0) return false;
    const letters = await this.#worker.letters(asked);
    const still = new Set(open());
    const fresh = letters.filter((letter) => !this.#known.has(keyOf(letter)) && still.has(letter.partition));
    for (const letter of fresh) {
      this.#known.add(keyOf(letter));
      this.#read.push(letter);
      for (const discovery of unpackPassedOn(letter.body)) add(discovery);
    }
    return fresh.length > 0;
  }

  /** The letters for a commit. */
  batch(): readonly ForwardedLinks[] {
    const read = this.#read;
    this.#read = [];
    return read;
  }

  /** Forgets letters whose commit is in the database, and has taken them out. */
  committed(letters: readonly ForwardedLinks[]): void {
    for (const letter of letters) this.#known.delete(keyOf(letter));
  }

  /** Another frontier is opened. Links that the earlier one did not commit are still in the database. */
  reset(): void {
    this.#read = [];
    this.#known.clear();
  }
}

function keyOf({ partition, commit, place }: ForwardedLinks): string {
  return `${partition} ${commit} ${place}`;
}
