/** Places in a page's body that name its author and its days: microdata, `<time>` and `rel=author`. */
import type { EpochMs } from '../../base/core/types.ts';
import type { PageContent } from './blocks.ts';
import { CreditPlaces } from './credit-places.ts';
import { type StructuredData, statedBy } from './json-ld.ts';
import { isRead, mainItems } from './microdata.ts';
import type { PageElements } from './page-elements.ts';
import { hasSign } from './page-signs.ts';
import { authorsOfPage, PageTimes } from './times.ts';

/** The credits in the body of a page; it is read when something asks for the first of them. */
export class Credits {
  readonly hasMicrodata: boolean;
  readonly #hasTimes: boolean;
  readonly #elements: () => PageElements;
  #read: CreditPlaces | null = null;
  #data: StructuredData | null = null;

  constructor(elements: () => PageElements, content: Pick<PageContent, 'signs'>) {
    this.#elements = elements;
    this.hasMicrodata = hasSign(content, 'itemprop');
    this.#hasTimes = hasSign(content, 'time');
  }

  /** Declarations of the page's microdata. */
  get data(): StructuredData {
    this.#data ??= statedBy(hasCredits(this.#elements()) ? mainItems(this.#places.items, this.#places.loose) : []);
    return this.#data;
  }

  /** The days of its times. @param now a later day is no day of publication */
  times(now: EpochMs): Pick<PageTimes, 'published' | 'modified'> {
    if (!this.#hasTimes) return NO_TIMES;
    const { times, title, textBetween } = this.#places;
    return new PageTimes(times, title, textBetween, now);
  }

  /** Texts of the `rel=author` links of the page itself. */
  get authors(): readonly string[] {
    const { authors, title, textBetween } = this.#places;
    return authorsOfPage(authors, title, textBetween).map(({ text }) => text);
  }

  get #places(): CreditPlaces {
    this.#read ??= new CreditPlaces(this.#elements(), this.hasMicrodata);
    return this.#read;
  }
}

const NO_TIMES = { published: null, modified: null } as const;

/** Is a property of some element read? Most pages with microdata only mark their text by it. The text of a site's item is its name. */
function hasCredits(elements: PageElements): boolean {
  for (let index = 0; index < elements.count; index += 1) {
    const property = elements.attribute(index, 'itemprop');
    if (property !== undefined && isRead(property)) return true;
    if (elements.attribute(index, 'itemtype')?.includes('WebSite')) return true;
  }
  return false;
}
