/** Tells open pages that there is something new to show, at most once a second. */
import type { Ms } from '../../base/core/types.ts';
import { fetches, type OpenedCrawl } from './opened-crawl.ts';
import { OutlookNotes } from './outlook-notes.ts';

/** Open pages ask again at most so often. */
const LOOKED: Ms = 1000;

export class ChangeNotifier {
  readonly #place: () => OpenedCrawl | null;
  readonly #tell: () => void;
  readonly #timer: NodeJS.Timeout;
  readonly #notes = new WeakMap<OpenedCrawl, OutlookNotes>();
  #isNew = false;
  #hasVisits = false;

  /** @param place the crawl that is shown now; null without one */
  constructor(place: () => OpenedCrawl | null, tell: () => void) {
    this.#place = place;
    this.#tell = tell;
    this.#timer = setInterval(() => void this.#look(), LOOKED).unref();
  }

  /** Announces a change that is shown at once. */
  some(): void {
    this.#isNew = true;
  }

  /** Announces visits, which are shown when the crawl is counted again. */
  visits(): void {
    this.#hasVisits = true;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    const place = this.#place();
    if (place !== null) await this.#ask(place);
    const isDue = place === null || !(await fetches(place)) || place.survey.isDue;
    if (!this.#isNew && !(this.#hasVisits && isDue)) return;
    [this.#isNew, this.#hasVisits] = [false, false];
    this.#tell();
  }

  async #ask(place: OpenedCrawl): Promise<void> {
    const notes = this.#notes.get(place) ?? new OutlookNotes(place);
    this.#notes.set(place, notes);
    void notes.look();
    const news = await place.aside?.news();
    if (news === 'state') this.some();
    else if (news === 'visits') this.visits();
  }
}
