/** The elements of a short page, read when a rule first asks: most pages have too many words, and their tags are not read a second time. */
import { type ShellSignals, shellSignals } from './shell-signals.ts';
import { type WallSignals, wallSignals } from './wall-signals.ts';

export class PageSigns {
  readonly #html: string;
  #wall: WallSignals | null = null;
  #shell: ShellSignals | null = null;

  constructor(html: string) {
    this.#html = html;
  }

  /** Has the page such markup? A search for it is cheaper than `wall`. O(length). */
  hasMarkup(markup: RegExp): boolean {
    return markup.test(this.#html);
  }

  get wall(): WallSignals {
    this.#wall ??= wallSignals(this.#html);
    return this.#wall;
  }

  get shell(): ShellSignals {
    this.#shell ??= shellSignals(this.#html);
    return this.#shell;
  }
}
