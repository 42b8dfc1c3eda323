/** The outcome of `forager corpus bias` in words. */
import { counted, countText } from '../../base/text/number-text.ts';
import { FACET_WORDS, gapText } from '../../corpus/describe/measured-words.ts';
import type { FacetBias } from '../../corpus/search/frame-bias.ts';
import { FACETS, type Facet } from '../../corpus/select/facet-names.ts';
import type { CorpusBias } from '../app/corpus-bias.ts';

/** Gaps that are named; JSON has all. */
const MOST_GAPS = 15;

/** @param weights file of the weights; undefined for none */
export function biasLines(corpus: string, bias: CorpusBias, weights: string | undefined): string[] {
  const { frame, pages, framePages, facets, gaps } = bias;
  const missing = FACETS.filter((facet) => facets[facet] === undefined);
  return [
    `${corpus}: ${counted(pages, 'page')} against ${countText(framePages)} of ${frame}`,
    'distance of the shares beyond chance, from 0 to 1, with its 95 % interval:',
    ...FACETS.flatMap((facet) => facetLine(facet, facets[facet])),
    ...(missing.length > 0 ? [`the frame has URLs alone, without ${missing.map((facet) => FACET_WORDS[facet]).join(', ')}`] : []),
    ...(gaps.length === 0
      ? ['no share differs by more than chance']
      : ['shares that differ by more than chance:', ...gaps.slice(0, MOST_GAPS).map((gap) => `  ${gapText(gap)}`)]),
    ...(gaps.length > MOST_GAPS ? [`  ${countText(gaps.length - MOST_GAPS)} more; --json has all`] : []),
    ...(bias.weightedBy === null ? [] : [`${weights}: a weight for each page, by ${FACET_WORDS[bias.weightedBy]}`]),
  ];
}

function facetLine(facet: Facet, bias: FacetBias | undefined): string[] {
  if (bias === undefined) return [];
  const { distance, low, high, values } = bias;
  return [
    `  ${FACET_WORDS[facet].padEnd(17)} ${distance.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]  (${counted(values, 'value')})`,
  ];
}
