/** The explanation of a page's main text as JSON: what the table shows, in numbers. `explainPages` of the library has all of it. */
import type { ExplainedPage } from '../app/extract-pages.ts';
import type { BlockExplanation, ModelExplanation } from '../extract/explanation.ts';

/** Reasons of each block, as many as the table has; all some 60 of them make the line 15 to 70 times the page. */
const REASONS = 3;
/** What probabilities and log odds are read for. */
const DIGITS = 4;

/** One line of a page: see docs/guides/extraction.md. */
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

/** `others` is what all further reasons add together, so that it, `bias` and `reasons` sum to `logit`, but for rounding. */
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
