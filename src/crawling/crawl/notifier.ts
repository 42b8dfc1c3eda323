/** One bell, many waiters: `wait` resolves at the next `ring`. Cheaper than racing a thousand promises. */
export class Notifier {
  #waiters: (() => void)[] = [];

  wait(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  ring(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }
}
