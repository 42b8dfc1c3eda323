import { paragraphGap, paragraphRanges } from '../../base/text/segments.ts';
import type { HarvestedPage, TextRange } from './harvested-page.ts';

/**
 * A page without some of its paragraphs, and without the white space after them. Ranges of columns move with the text.
 * @param cuts paragraphs, in their order
 */
export function withoutParagraphs(page: HarvestedPage, cuts: readonly TextRange[]): HarvestedPage {
  if (cuts.length === 0) return page;
  const starts = new Set(cuts.map(([start]) => start));
  const kept: { readonly range: TextRange; readonly to: number }[] = [];
  const gap = paragraphGap(page.text);
  let length = 0;
  for (const range of paragraphRanges(page.text)) {
    if (starts.has(range[0])) continue;
    kept.push({ range, to: length });
    length += range[1] - range[0] + gap.length;
  }
  const text = kept.map(({ range: [start, end] }) => page.text.slice(start, end)).join(gap);
  if (page.foreign === undefined) return { ...page, text };
  const places = new Map(kept.map(({ range, to }) => [range[0], to]));
  const foreign = page.foreign.flatMap(([start, end, lang]) => {
    const to = places.get(start);
    return to === undefined ? [] : [[to, to + end - start, lang] as const];
  });
  return { ...page, text, foreign };
}
