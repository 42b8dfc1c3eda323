/** Places in a page's body that name its author and its days: microdata, `<time>` and `rel=author`. */
import type { EpochMs } from '../../base/core/types.ts';
import type { PageContent } from './blocks.ts';
import { CreditSink } from './credit-sink.ts';
import { type StructuredData, statedBy } from './json-ld.ts';
import { mainItems } from './microdata.ts';
import { hasSign } from './page-signs.ts';
import { authorsOfPage, PageTimes } from './times.ts';

/** The credits in the body of a page; it is read when something asks for the first of them. */
export class Credits {
  readonly hasMicrodata: boolean;
  readonly #hasTimes: boolean;
  readonly #html: string;
  #read: CreditSink | null = null;
  #data: StructuredData | null = null;

  constructor(html: string, content: Pick<PageContent, 'signs'>) {
    this.#html = html;
    this.hasMicrodata = hasSign(content, 'itemprop');
    this.#hasTimes = hasSign(content, 'time');
  }

  /** Declarations of the page's microdata. */
  get data(): StructuredData {
    this.#data ??= statedBy(mainItems(this.#sink.items, this.#sink.loose));
    return this.#data;
  }

  /** The days of its times. @param now a later day is no day of publication */
  times(now: EpochMs): Pick<PageTimes, 'published' | 'modified'> {
    if (!this.#hasTimes) return NO_TIMES;
    const { times, title, textBetween } = this.#sink;
    return new PageTimes(times, title, textBetween, now);
  }

  /** Texts of the `rel=author` links of the page itself. */
  get authors(): readonly string[] {
    const { authors, title, textBetween } = this.#sink;
    return authorsOfPage(authors, title, textBetween).map(({ text }) => text);
  }

  get #sink(): CreditSink {
    if (this.#read !== null) return this.#read;
    this.#read = new CreditSink(this.#html);
    this.#read.run();
    return this.#read;
  }
}

const NO_TIMES = { published: null, modified: null } as const;
