/** Something that can be aborted from outside. */
export interface Abortable {
  abort(): void;
}

/** One listener per signal for any number of requests. Without it, the one signal of a crawl would have hundreds, and Node warns from eleven on. */
export class AbortFanout {
  readonly #under = new WeakMap<AbortSignal, { readonly all: Set<Abortable>; readonly listener: () => void }>();

  /** Aborts `one` when the signal aborts. */
  add(signal: AbortSignal, one: Abortable): void {
    const known = this.#under.get(signal);
    if (known !== undefined) {
      known.all.add(one);
      return;
    }
    const all = new Set([one]);
    const listener = () => {
      for (const each of [...all]) each.abort();
    };
    this.#under.set(signal, { all, listener });
    signal.addEventListener('abort', listener, { once: true });
  }

  delete(signal: AbortSignal, one: Abortable): void {
    const known = this.#under.get(signal);
    if (known === undefined || !known.all.delete(one) || known.all.size > 0) return;
    signal.removeEventListener('abort', known.listener);
    this.#under.delete(signal);
  }
}
