import type { IsoTime, Unit } from '../../base/core/types.ts';
import type { PairFormatName } from '../formats/format-names.ts';
import type { CorpusFileFacts } from '../select/harvest-facts.ts';
import { LEAST_LEARNED } from './aligned-pages.ts';
import { type DropReason, PAIR_FILTERS } from './pair-filters.ts';
import type { PageCounts, PageReason, PairedFacts } from './paired-pages.ts';
import type { DropCounts, PairCounts, PairsTally } from './pairs-tally.ts';

export const PAIRS_CARD_FORMAT = 'forager-pairs-card/1';
/** Number of rows that a reader still scans; the rest is summed up. */
const TOP_HOSTS = 50;

/** A host: its pages by reason, and the counts of the page pairs whose left page it has. */
export interface PairsHost extends Partial<Pick<PairCounts, 'pagePairs' | 'aligned' | 'dropped' | 'kept'>> {
  readonly host: string;
  readonly pages: PageCounts;
}

/** The card of sentence pairs as data; `format` names its layout and version. */
export interface PairsCard {
  readonly format: typeof PAIRS_CARD_FORMAT;
  readonly at: IsoTime;
  readonly software: string;
  /** Left and right language. */
  readonly languages: readonly [string, string];
  /** Topic of the pages, as their crawl has it. */
  readonly topic: { readonly name: string; readonly modelId: string };
  readonly formats: readonly PairFormatName[];
  readonly minScore: Unit;
  /** Rules of the filters by name, in the order in which they decide. */
  readonly filters: Readonly<Record<DropReason, string>>;
  readonly pages: {
    readonly read: number;
    readonly paired: number;
    /** Places of damage that were skipped. */
    readonly damaged: number;
    /** Each page that is in no pair is in `pages.tsv`, with one reason. */
    readonly without: Readonly<Partial<Record<PageReason, number>>>;
  };
  readonly pagePairs: Pick<PairedFacts, 'by' | 'reciprocal'> & {
    readonly count: number;
    readonly empty: number;
    readonly capped: number;
  };
  readonly sentences: Pick<PairCounts, 'sentences' | 'alone'>;
  /** `aligned` less each of `dropped` is `kept`. */
  readonly pairs: {
    readonly aligned: number;
    readonly dropped: DropCounts;
    readonly kept: number;
    readonly kinds: Readonly<Record<string, number>>;
  };
  /** Parts of the split in percent, and their sentence pairs. Absent without a split. */
  readonly split?: { readonly shares: readonly number[]; readonly rngSeed: number; readonly pairs: Readonly<Record<string, number>> };
  readonly hosts: {
    readonly count: number;
    readonly top: readonly PairsHost[];
    readonly rest: { readonly hosts: number; readonly kept: number };
  };
  /** Pairs from which the table of words was learned; 0 if they were too few. */
  readonly learned: number;
  /** Patterns of URLs that were learned. */
  readonly patterns: PairedFacts['patterns'];
  /** Facts that rest on the word of a model of Forager alone. */
  readonly byModelAlone: readonly string[];
  readonly files: readonly CorpusFileFacts[];
}

export interface PairsCardFacts
  extends Pick<PairsCard, 'at' | 'software' | 'languages' | 'topic' | 'formats' | 'minScore' | 'learned' | 'files'>,
    Partial<Pick<NonNullable<PairsCard['split']>, 'shares' | 'rngSeed'>> {
  readonly paired: PairedFacts;
  readonly tally: PairsTally;
}

/** Puts the card together. Pure. */
export function pairsCard({ paired, tally, shares, rngSeed, files, ...facts }: PairsCardFacts): PairsCard {
  const { paired: inPairs = 0, ...without } = paired.pages;
  const { pagePairs: count, empty, capped, sentences, alone, aligned, dropped, kept } = tally.all;
  return {
    format: PAIRS_CARD_FORMAT,
    ...facts,
    filters: Object.fromEntries(PAIR_FILTERS.map(({ name, rule }) => [name, rule(facts.minScore)])) as Record<DropReason, string>,
    pages: {
      read: Object.values(without).reduce((sum, pages) => sum + pages, inPairs),
      paired: inPairs,
      damaged: paired.damaged,
      without: byCount(without),
    },
    pagePairs: { count, by: byCount(paired.by), reciprocal: paired.reciprocal, empty, capped },
    sentences: { sentences, alone },
    pairs: { aligned, dropped: inOrder(dropped), kept, kinds: tally.kinds() },
    ...(shares && { split: { shares, rngSeed: rngSeed ?? 1, pairs: tally.parts() } }),
    hosts: hostsOf(paired, tally),
    patterns: paired.patterns,
    byModelAlone: modelLines(paired, kept, facts.learned),
    files,
  };
}

/** Counts with the most frequent reason first. */
function byCount<K extends string>(counts: Readonly<Partial<Record<K, number>>>): Partial<Record<K, number>> {
  const rows = Object.entries<number | undefined>(counts) as [K, number][];
  return Object.fromEntries(rows.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))) as Partial<Record<K, number>>;
}

/** Counts in the order of the filters. */
function inOrder(dropped: DropCounts): DropCounts {
  return Object.fromEntries(PAIR_FILTERS.flatMap(({ name }) => (dropped[name] ? [[name, dropped[name]]] : [])));
}

function hostsOf({ hosts }: PairedFacts, tally: PairsTally): PairsCard['hosts'] {
  const pagesOf = (pages: PageCounts) => Object.values(pages).reduce((sum, count) => sum + count, 0);
  const rows = Object.entries(hosts).map(([host, pages]): PairsHost => {
    const counts = tally.hosts.get(host);
    const { pagePairs, aligned, dropped, kept } = counts ?? {};
    return { host, pages: byCount(pages), ...(counts && { pagePairs, aligned, dropped: inOrder(dropped ?? {}), kept }) } as PairsHost;
  });
  rows.sort((a, b) => (b.kept ?? 0) - (a.kept ?? 0) || pagesOf(b.pages) - pagesOf(a.pages) || (a.host < b.host ? -1 : 1));
  const rest = rows.slice(TOP_HOSTS);
  return {
    count: rows.length,
    top: rows.slice(0, TOP_HOSTS),
    rest: { hosts: rest.length, kept: rest.reduce((sum, { kept = 0 }) => sum + kept, 0) },
  };
}

function modelLines({ by, pagePairs }: PairedFacts, kept: number, learned: number): string[] {
  const { structure = 0 } = by;
  return [
    ...(structure > 0
      ? [`${structure} of ${pagePairs} page pairs: by equal structure, numbers and names; no page of them names the other`]
      : []),
    `the alignment and the scores of the ${kept} sentence pairs: by lengths, numbers, similar words, and ${wordsText(learned)}; no person has checked them`,
    'languages of pages that declare none, and of sentences: as detected by their letters',
  ];
}

function wordsText(learned: number): string {
  return learned === 0
    ? `no table of words, since fewer than ${LEAST_LEARNED} pairs teach too little`
    : `a table of words that was learned from ${learned} pairs of these pages`;
}
