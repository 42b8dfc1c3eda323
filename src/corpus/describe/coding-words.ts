/** The agreement of the people who labelled, in words: the same on the terminal and on the card. */
import { counted, countText } from '../../base/text/number-text.ts';
import type { CoderAlpha, CoderPair, CodingFacts } from '../select/coding-facts.ts';
import { dateSpan } from './card-tables.ts';

/** Lines about the agreement, and about the pages that people answered differently. */
export function codingText(coding: CodingFacts): string[] {
  return [...agreementText(coding), ...disagreementText(coding)];
}

/** Kappa of every two people, and alpha of three or more. */
export function agreementText({ pairs, alpha }: Pick<CodingFacts, 'pairs' | 'alpha'>): string[] {
  return [...pairs.map(pairText), ...(alpha === null ? [] : [alphaText(alpha)])];
}

function pairText({ names: [a, b], pages, equal, kappa, low, high }: CoderPair): string {
  return `${a} and ${b}: ${counted(pages, 'page')} that both answered, ${countText(equal)} equally; ${kappaText(kappa, { low, high })}`;
}

/** `Cohen's kappa 0.40 (95 % interval -0.02 to 0.73)` */
export function kappaText(kappa: number | null, interval: Pick<CoderPair, 'low' | 'high'>): string {
  return kappa === null ? 'kappa not known' : `Cohen's kappa ${withInterval(kappa, interval)}`;
}

function alphaText({ people, pages, alpha, ...interval }: CoderAlpha): string {
  const figure = alpha === null ? 'alpha not known' : `Krippendorff's alpha ${withInterval(alpha, interval)}`;
  return `${people} people: ${counted(pages, 'page')} that two of them or more answered; ${figure}`;
}

function withInterval(figure: number, { low, high }: Pick<CoderPair, 'low' | 'high'>): string {
  return `${figure.toFixed(2)} (95 % interval ${low.toFixed(2)} to ${high.toFixed(2)})`;
}

/** Nothing where all people agree. */
function disagreementText({ open, decided, decisions }: CodingFacts): string[] {
  if (open + decided === 0) return [];
  const by = decisions === null || decisions.names.length === 0 ? '' : ` by ${decisions.names.join(', ')}`;
  const when = decisions === null ? '' : ` (${dateSpan(decisions.first.slice(0, 10), decisions.last.slice(0, 10))})`;
  const rest = open === 0 ? '' : `, ${countText(open)} without a decision: there the later answer counts`;
  return [`pages that people answered differently: ${countText(open + decided)}, ${countText(decided)} decided${by}${when}${rest}`];
}
