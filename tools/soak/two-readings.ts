/** A page read in the core, and parsed and judged by the oracle in JavaScript. */

import { isDeepStrictEqual } from 'node:util';
import type { LinkJudgement } from '../../src/base/core/parts/reading.ts';
import { packLinks } from '../../src/crawling/reader/packed-links.ts';
import { type PageReading, pageReading } from '../../src/crawling/reader/page-reading.ts';
import { readPage } from '../../src/crawling/reader/read-page.ts';
import { type ExtractorOptions, PageExtractor } from '../../src/reading/extract/extractor.ts';
import type { LinearTopicModel } from '../../src/reading/topic/model.ts';
import { PageParser } from '../../test/oracle/page-parser.ts';

type Page = Parameters<typeof readPage>[0];

/** One link in four is unwanted. */
const OPTIONS: ExtractorOptions = { productToken: 'forager', isSettled: ({ lo }) => lo % 4 === 0 };

export class TwoReadings {
  readonly core: PageReading;
  readonly plain: PageReading;

  private constructor(core: PageReading) {
    this.core = core;
    this.plain = { ...core, extractor: new PageExtractor(OPTIONS, new PageParser()), core: null };
  }

  static async of(models: readonly LinearTopicModel[], judgement: LinkJudgement = 'anchor-and-context'): Promise<TwoReadings> {
    return new TwoReadings(await pageReading(models, judgement, OPTIONS, true));
  }

  /** What differs between the two readings of a page, '' for nothing. */
  difference(page: Page): string {
    const [inCore, plain] = [readOf(page, this.core), readOf(page, this.plain)];
    if (isDeepStrictEqual(inCore, plain)) return '';
    const parts = [
      ...keysThatDiffer(inCore.extraction, plain.extraction),
      ...keysThatDiffer({ ...inCore, extraction: null }, { ...plain, extraction: null }),
    ];
    return parts.join(', ');
  }
}

/** With its links as another thread gets them: their hashes may stand in one array or in several. */
function readOf(page: Page, reading: PageReading) {
  const read = readPage(page, reading);
  return { ...read, links: packLinks(read.links) };
}

function keysThatDiffer<T extends object>(one: T, other: T): string[] {
  return (Object.keys(one) as (string & keyof T)[]).filter((key) => !isDeepStrictEqual(one[key], other[key]));
}
