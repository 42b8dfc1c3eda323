import { InvariantError } from '../core/errors.ts';
import type { ReadLink } from '../core/parts.ts';
import type { CanonicalUrl, LinkZone } from '../core/types.ts';

/**
 * The links of a page as columns: some strings pass between threads at half the cost of some hundred. Each string column has its values
 * joined by line feeds, which none of them holds.
 */
export interface PackedLinks {
  readonly count: number;
  readonly urls: string;
  readonly anchorTexts: string;
  readonly contexts: string;
  readonly imageAlts: string;
  readonly zones: string;
  readonly tagPaths: string;
  /** Anchor score and context score of each link; NaN stands for null. Shape [count, 2]. */
  readonly scores: Float64Array;
}

export function packLinks(links: readonly ReadLink[]): PackedLinks {
  const scores = new Float64Array(2 * links.length);
  for (let i = 0; i < links.length; i += 1) {
    scores[2 * i] = links[i]?.text.anchorScore ?? Number.NaN;
    scores[2 * i + 1] = links[i]?.text.contextScore ?? Number.NaN;
  }
  return {
    count: links.length,
    urls: links.map(({ url }) => url).join('\n'),
    anchorTexts: links.map(({ text }) => text.anchorText).join('\n'),
    contexts: links.map(({ text }) => text.context).join('\n'),
    imageAlts: links.map(({ text }) => text.imageAlt).join('\n'),
    zones: links.map(({ text }) => text.zone).join('\n'),
    tagPaths: links.map(({ text }) => text.tagPath).join('\n'),
    scores,
  };
}

/** @throws InvariantError when a value held a line feed. */
export function unpackLinks(packed: PackedLinks): ReadLink[] {
  const { count, scores } = packed;
  if (count === 0) return [];
  const column = (joined: string): string[] => {
    const values = joined.split('\n');
    if (values.length !== count) throw new InvariantError('a line feed in a link between threads');
    return values;
  };
  const anchorTexts = column(packed.anchorTexts);
  const contexts = column(packed.contexts);
  const imageAlts = column(packed.imageAlts);
  const zones = column(packed.zones) as LinkZone[];
  const tagPaths = column(packed.tagPaths);
  return (column(packed.urls) as CanonicalUrl[]).map((url, i) => ({
    url,
    text: {
      anchorText: anchorTexts[i] ?? '',
      context: contexts[i] ?? '',
      imageAlt: imageAlts[i] ?? '',
      zone: zones[i] ?? 'other',
      tagPath: tagPaths[i] ?? '',
      anchorScore: scoreOf(scores[2 * i]),
      contextScore: scoreOf(scores[2 * i + 1]),
    },
  }));
}

function scoreOf(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
