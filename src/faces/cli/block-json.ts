/** The explanation of a page's main text as JSON: the table in numbers. `explainPages` of the library returns all of it. */

import type { BlockExplanation, ModelExplanation } from '../../reading/extract/explanation.ts';
import type { ExplainedPage } from '../app/extract-pages.ts';

/** Reasons of each block, as many as in the table. All of them (about 60) would make the line 15 to 70 times as long as the page. */
const REASONS = 3;
/** Enough digits for probabilities and log odds. */
const DIGITS = 4;

/** One line per page: see docs/guides/extraction.md. */
export function explanationLine({ id, url, extraction, extractor, explanation }: ExplainedPage) {
  const { title, warnings } = extraction;
  const threshold = explanation?.threshold ?? null;
  return {
    ...{ id, url, title, extractor },
    threshold: threshold === null ? null : short(threshold),
    blocks: explanation?.blocks.map(blockOf) ?? null,
    warnings,
  };
}

function blockOf({ slope, model, ...block }: BlockExplanation) {
  return {
    ...block,
    slope: slope === null ? null : { ...slope, score: short(slope.score) },
    model: model === null ? null : modelOf(model),
  };
}

/** `others` is the sum of all further reasons. `bias`, `reasons` and `others` add up to `logit`, except for rounding. */
function modelOf({ probability, logit, bias, reasons }: ModelExplanation) {
  const others = reasons.slice(REASONS).reduce((sum, { contribution }) => sum + contribution, 0);
  return {
    probability: short(probability),
    logit: short(logit),
    bias: short(bias),
    reasons: reasons
      .slice(0, REASONS)
      .map(({ feature, value, contribution }) => ({ feature, value: short(value), contribution: short(contribution) })),
    others: short(others),
  };
}

function short(x: number): number {
  return Number(x.toPrecision(DIGITS));
}
