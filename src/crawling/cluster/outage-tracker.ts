/** The attempts of a worker that fail while the database cannot serve it. */
export class OutageTracker {
  /** The kinds of attempts whose last one failed, with the reason. */
  readonly #failed = new Map<'look' | 'commit' | 'claim', string>();
  readonly #onGone: (why: string | null) => void;

  /** @param onGone is called with the reason at the first failure, and with null when all attempts succeed again */
  constructor(onGone: (why: string | null) => void) {
    this.#onGone = onGone;
  }

  get any(): boolean {
    return this.#failed.size > 0;
  }

  /** A database with a full disk may still answer looks, and store nothing. @param gone null: the attempt succeeded */
  tried(what: 'look' | 'commit' | 'claim', gone: Error | null): void {
    const before = this.any;
    if (gone === null) this.#failed.delete(what);
    else this.#failed.set(what, gone.message);
    if (!before && gone !== null) this.#onGone(gone.message);
    if (before && !this.any) this.#onGone(null);
  }
}
