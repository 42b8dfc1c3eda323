/** Decides which pages `--render auto` renders, and learns it by URL pattern. */
import type { RenderedVisit, RenderGround } from '../../base/core/rendering.ts';
import type { CanonicalUrl, Unit } from '../../base/core/types.ts';
import { patternsOf } from '../../base/web/url-pattern.ts';

/** Share of the plain visits that test whether rendering would gain. */
const CHECKED: Unit = 0.05;
/** Share of the renderings of a pattern that must gain. */
const OFTEN: Unit = 0.5;
/** Shells of a pattern that gained nothing in a row, from which on only checks render it. */
const VAIN_SHELLS = 5;
/** Gain: twice the text, or half as many links more, if that is more than a widget has. */
const GAIN = { text: 2, leastText: 200, links: 1.5, leastLinks: 3 };

/** The renderings of a URL pattern. */
interface Habit {
  /** Visits without a mark of a shell that were not rendered. */
  plain: number;
  /** Renderings of pages without the mark, and those that gained. */
  tried: number;
  gained: number;
  /** Shells that gained nothing since the last that did. */
  vainShells: number;
}

/** Learns from renderings. O(directories of the URL) for each page; some 200 bytes for each pattern. */
export class RenderHabits {
  readonly #habits = new Map<string, Habit>();
  #plain = 0;
  #checks = 0;

  /** The ground for rendering a page with scripts; null for none. @param isShell whether it looks empty without them */
  groundFor(url: CanonicalUrl, isShell: boolean): Exclude<RenderGround, 'always'> | null {
    const habit = this.#habitOf(url);
    if (isShell && habit.vainShells < VAIN_SHELLS) return 'shell';
    if (habit.gained > 0 && habit.gained >= OFTEN * habit.tried) return 'pattern';
    return this.#isToCheck(habit) ? 'check' : null;
  }

  /** Notes a page with scripts that was read without a browser. */
  notePlain(url: CanonicalUrl): void {
    this.#habitOf(url).plain += 1;
    this.#plain += 1;
  }

  /** Notes a rendering, of this run or of an earlier one. */
  noteRendered(url: CanonicalUrl, { because, text, links }: Pick<RenderedVisit, 'because' | 'text' | 'links'>): void {
    const habit = this.#habitOf(url);
    const hasGained = isGain(text, links);
    if (because === 'shell') {
      habit.vainShells = hasGained ? 0 : habit.vainShells + 1;
      return;
    }
    habit.tried += 1;
    if (hasGained) habit.gained += 1;
    if (because === 'check') this.#checks += 1;
  }

  /**
   * The checks are a share of all plain visits. A pattern gets its first one as soon as there is room, and then one in so many of its visits, if
   * another pattern could still have a first one.
   */
  #isToCheck({ tried, plain }: Habit): boolean {
    const room = CHECKED * this.#plain - this.#checks;
    return tried === 0 ? room >= 1 : room >= 2 && tried <= CHECKED * plain;
  }

  /** Pages of one directory come from one template; those of the root, from that of the host. */
  #habitOf(url: CanonicalUrl): Habit {
    const name = patternsOf(url).find(({ kind }) => kind === 'directory' || kind === 'host')?.name ?? '';
    const known = this.#habits.get(name);
    if (known !== undefined) return known;
    const habit = { plain: 0, tried: 0, gained: 0, vainShells: 0 };
    this.#habits.set(name, habit);
    return habit;
  }
}

/** Has the rendered document much more than the page as the server sent it? */
export function isGain([plainText, text]: RenderedVisit['text'], [plainLinks, links]: RenderedVisit['links']): boolean {
  if (text === null || links === null) return false;
  const hasText = text >= GAIN.text * plainText && text - plainText >= GAIN.leastText;
  return hasText || (links >= GAIN.links * plainLinks && links - plainLinks >= GAIN.leastLinks);
}
