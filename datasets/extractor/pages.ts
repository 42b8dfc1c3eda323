/** Pages with their human main text, parsed, labelled and turned into rows. */

import { hashText } from '../../src/base/text/hash-text.ts';
import { blockFeatures, FEATURE_COUNT } from '../../src/reading/extract/block-features.ts';
import type { PageContent } from '../../src/reading/extract/blocks.ts';
import { slopeDecision } from '../../src/reading/extract/main-text.ts';
import { CoreParser } from '../../src/reading/wasm-reader/core-parser.ts';
import { WasmCore } from '../../src/reading/wasm-reader/wasm-core.ts';
import type { TrainingRows } from './boosting.ts';
import { domainOf, type GoldPage, HELD_ASIDE, readGold, thirdOf } from './gold.ts';
import { labelsOf } from './labels.ts';
import { plainMarkup } from './markup.ts';

export interface LabelledPage extends GoldPage {
  readonly content: PageContent;
  readonly features: Float32Array;
  /** Share of each block that is main text. */
  readonly labels: Float32Array;
  /** Pages of one registrable domain have one number. */
  readonly group: number;
}

/** The pages of the two thirds for tuning. The held-aside third is not read. @throws DataError when the folder has no pages. */
export function tuningPages(folder: string): GoldPage[] {
  return readGold(folder).filter((page) => thirdOf(page) !== HELD_ASIDE);
}

/** The pages ready to train on. @param markup what becomes of the markup before it is parsed */
export function labelledPages(pages: readonly GoldPage[], markup: (html: string) => string = (html) => html): LabelledPage[] {
  const parser = new CoreParser(new WasmCore());
  return pages.map((page) => labelled({ ...page, html: markup(page.html) }, parser));
}

/**
 * The same pages with nothing left of their markup but element names that say nothing, and links: a model that has seen some of these
 * does not fall apart where class names and semantic elements are missing.
 */
export function withoutHints(pages: readonly GoldPage[]): LabelledPage[] {
  return labelledPages(pages, plainMarkup);
}

function labelled(page: GoldPage, parser: CoreParser): LabelledPage {
  const content = parser.parse(page.html);
  const domain = domainOf(page);
  const group = Math.floor((hashText(domain, 0, domain.length) >>> 0) / 3);
  return { ...page, content, features: blockFeatures(content, slopeDecision(content.blocks)), labels: labelsOf(content, page.text), group };
}

/** Rows of pages; each page weighs the same, each block by the square root of its words. */
export function rowsOf(pages: readonly LabelledPage[]): TrainingRows {
  const count = pages.reduce((sum, page) => sum + page.labels.length, 0);
  const features = new Float32Array(count * FEATURE_COUNT);
  const labels = new Float32Array(count);
  const weights = new Float32Array(count);
  let at = 0;
  for (const page of pages) {
    features.set(page.features, at * FEATURE_COUNT);
    labels.set(page.labels, at);
    const own = page.content.blocks.map((block) => Math.sqrt(block.words + 1));
    const sum = own.reduce((a, b) => a + b, 0);
    for (const [i, weight] of own.entries()) weights[at + i] = (PAGE_WEIGHT * weight) / Math.max(1, sum);
    at += page.labels.length;
  }
  return { features, width: FEATURE_COUNT, labels, weights };
}

/** A page in the units of the boosting options: about its number of blocks. */
const PAGE_WEIGHT = 100;
