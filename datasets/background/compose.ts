/** Makes a background of texts: document frequencies over all that count, and a sample of pages. Pure. */
import { type Background, type BackgroundOrigin, type BackgroundPage, pagesByLanguage } from '../../src/reading/topic/background.ts';
import { BUCKETS, FeatureCounter, type FeatureCounts } from '../../src/reading/topic/features.ts';
import { idfTable, KIND_FACTORS, type Scale, scaleTable, weigh } from '../../src/reading/topic/weighting.ts';
import type { TextGroup } from './collect.ts';

/** The heaviest features of a sampled page that are kept: they hold nearly all of its length, and the file stays small. */
const FEATURES_PER_PAGE = 600;
/** Pages with fewer are hardly text. */
const MIN_FEATURES = 60;
/**
 * What stands in this share of a language's pages is a common word of it, however few pages of all are in that language. The less common words are left to the count over all: with
 * 25 languages they would fill the buckets, and rare words of one would pass for common for sharing a bucket with another's.
 */
const COMMON_SHARE = 0.2;
/** Languages with fewer pages say too little of what is common in them. */
const MIN_LANGUAGE_PAGES = 40;

/** Counted pages of one host in one language. */
interface CountedGroup {
  readonly host: string;
  readonly language: string | null;
  readonly pages: readonly FeatureCounts[];
  readonly sampled: number;
}

/** A background and its table of hosts, one entry for each host and language, in that order. Same groups, same background. O(words). */
export function composeBackground(groups: readonly TextGroup[]): { background: Background; hosts: BackgroundOrigin['hosts'] } {
  const counted = merged(groups);
  const pages = counted.flatMap((group) => group.pages);
  const idf = idfTable(frequenciesByLanguage(counted, pages.length), pages.length);
  const scale = scaleTable(idf, KIND_FACTORS);
  const sample = counted.flatMap(({ host, language, pages: own, sampled }) =>
    own.slice(0, sampled).map((counts): BackgroundPage => ({ host, language, counts: heaviest(counts, scale) })),
  );
  const hosts = counted.map(({ host, language, pages: own, sampled }) => ({
    host,
    language,
    documents: own.length,
    sampled: Math.min(own.length, sampled),
  }));
  return { background: { documents: pages.length, idf, languages: pagesByLanguage(hosts), sample }, hosts };
}

/** Groups with their features; those of the same host and language as one, in order of host and language. The pages to be sampled come first. */
function merged(groups: readonly TextGroup[]): CountedGroup[] {
  const counter = new FeatureCounter();
  const out = new Map<string, CountedGroup>();
  for (const { host, language, texts, sampled } of groups) {
    const pages = texts.map((text) => counter.snapshot(text)).filter(({ buckets }) => buckets.length >= MIN_FEATURES);
    if (pages.length === 0) continue;
    const key = `${host} ${language ?? ''}`;
    const { pages: before, sampled: drawn } = out.get(key) ?? { pages: [], sampled: 0 };
    const chosen = Math.min(sampled, pages.length);
    const all = [...before.slice(0, drawn), ...pages.slice(0, chosen), ...before.slice(drawn), ...pages.slice(chosen)];
    out.set(key, { host, language, pages: all, sampled: drawn + chosen });
  }
  return [...out].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

/** Pages that hold each feature; for a common word of a language as many as if all pages were of that language. */
function frequenciesByLanguage(groups: readonly CountedGroup[], documents: number): Float64Array {
  const frequencies = documentFrequencies(groups.flatMap(({ pages }) => pages));
  for (const language of new Set(groups.map((group) => group.language))) {
    const pages = groups.filter((group) => group.language === language).flatMap((group) => group.pages);
    if (pages.length < MIN_LANGUAGE_PAGES) continue;
    documentFrequencies(pages).forEach((count, bucket) => {
      const share = count / pages.length;
      if (share >= COMMON_SHARE) frequencies[bucket] = Math.max(frequencies[bucket] ?? 0, share * documents);
    });
  }
  return frequencies;
}

function documentFrequencies(pages: readonly FeatureCounts[]): Float64Array {
  const frequencies = new Float64Array(BUCKETS);
  for (const { buckets } of pages) for (const bucket of buckets) frequencies[bucket] = (frequencies[bucket] ?? 0) + 1;
  return frequencies;
}

/** The features that make up most of its vector. */
function heaviest(counted: FeatureCounts, scale: Scale): FeatureCounts {
  const { values } = weigh(counted, scale);
  const order = [...counted.buckets.keys()].sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0)).slice(0, FEATURES_PER_PAGE);
  return {
    buckets: Int32Array.from(order, (i) => counted.buckets[i] ?? 0),
    counts: Uint16Array.from(order, (i) => counted.counts[i] ?? 0),
  };
}
