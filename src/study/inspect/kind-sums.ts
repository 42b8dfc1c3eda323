/** The sums of an explanation by kind: hundreds of small contributions are the reason more often than the few that can be shown. */
import { grouped } from '../../base/core/grouped.ts';
import type { Contribution, Explanation, JudgedPageText } from '../../base/core/parts/reading.ts';
import { foldWord } from '../../base/text/letters.ts';
import { scanWords } from '../../base/text/tokens.ts';
import { featureNames } from '../../reading/topic/feature-names.ts';

export interface KindSum {
  /** Name of the kind in words: `words of the main text`. */
  readonly kind: string;
  readonly sum: number;
  /** Number and sum of the contributions above zero. */
  readonly for: PartSum;
  /** Number and sum of the contributions below zero. */
  readonly against: PartSum;
}

export interface PartSum {
  readonly count: number;
  readonly sum: number;
}

/** Kinds by the prefix of a feature's name (see reading/links/link-features.ts). */
const LINK_KINDS: Readonly<Record<string, string>> = {
  ...{ anchor: 'words of the link', anchor2: 'words of the link', image: 'words of the link' },
  ...{ context: 'words around the link', relevance: 'relevance of referrer and words', words: 'relevance of referrer and words' },
  ...{ url: 'URL of the link', dir: 'URL of the link', ext: 'URL of the link', host: 'host of the link' },
};

/** The largest sums first; with the bias they add up to the logit. */
export function kindSums(explanation: Pick<Explanation, 'contributions'>, kindOf: (feature: string) => string): KindSum[] {
  const parts = grouped(explanation.contributions, ({ feature }) => kindOf(feature));
  return [...parts].map(([kind, all]) => sumOf(kind, all)).sort((a, b) => Math.abs(b.sum) - Math.abs(a.sum));
}

/** The main text has the words of the subject; name, menus and footers have those of the site. */
export function pageKindOf({ text, url }: Pick<JudgedPageText, 'text' | 'url'>): (feature: string) => string {
  const page = { title: '', text, otherText: '', url: null, lang: null };
  // Names that share a bucket are joined, so those of models with punctuation differ.
  const main = new Set([false, true].flatMap((withPunctuation) => [...featureNames(page, withPunctuation).values()]));
  const site = hostWords(url);
  return (feature) => {
    if (feature.startsWith('title:')) return 'title';
    if (feature.startsWith('url:')) return 'URL';
    const isOfSite = feature.split(/[ |]/).every((word) => site.has(word));
    return main.has(feature) && !isOfSite ? 'words of the main text' : 'words of the site: its name, menus and footers';
  };
}

export function linkKindOf(feature: string): string {
  const at = feature.indexOf(':');
  return (at < 0 ? undefined : LINK_KINDS[feature.slice(0, at)]) ?? 'referrer and place of the link';
}

function sumOf(kind: string, all: readonly Contribution[]): KindSum {
  const part = (some: readonly Contribution[]): PartSum => ({
    count: some.length,
    sum: some.reduce((sum, { contribution }) => sum + contribution, 0),
  });
  const [above, below] = [
    part(all.filter(({ contribution }) => contribution > 0)),
    part(all.filter(({ contribution }) => contribution < 0)),
  ];
  return { kind, sum: above.sum + below.sum, for: above, against: below };
}

/** `grass`, `osgeo` of grass.osgeo.org: all labels but the last. */
function hostWords(url: string | null): ReadonlySet<string> {
  const words = new Set<string>();
  const host = url === null ? '' : new URL(url).hostname.replace(/\.[^.]*$/, '').replaceAll('.', ' ');
  scanWords(host, (_, start, end) => words.add(foldWord(host.slice(start, end))));
  return words;
}
