/**
 * The words of a subject, with weights: for titles and queries, which are too short for a page model. A word counts if examples of several hosts have it:
 * a word of one host says more about that site than about the subject.
 */
import { grouped } from '../../base/core/grouped.ts';
import { squeeze } from '../../base/text/squeeze.ts';
import { hashWord, wordsOf } from '../../base/text/tokens.ts';
import type { ModelCard } from './card.ts';
import { sublinear, WORD_BUCKETS, wordBucket } from './features.ts';
import type { LinearTopicModel } from './model.ts';
import type { StoredRow, StoredTraining } from './training-file.ts';
import type { WordVectors } from './word-vectors.ts';

export interface TopicWord {
  readonly word: string;
  /** Weight above 0 and at most 1, that of the strongest word. */
  readonly weight: number;
}

export interface TopicWords {
  /** The subject as the user wrote it; '' without one. */
  readonly subject: string;
  /** The strongest first. */
  readonly words: readonly TopicWord[];
  /** Terms of several words, the strongest first. */
  readonly phrases: readonly string[];
}

export interface TopicWordSource {
  readonly model: Pick<LinearTopicModel, 'tables' | 'paired'>;
  readonly card: Pick<ModelCard, 'termsFor'> & Partial<Pick<ModelCard, 'subject'>>;
  /** null for a topic of keywords. */
  readonly training: Pick<StoredTraining, 'rows'> | null;
  /** Words that may have a name: the training has only their hashes. The card's terms are added. */
  readonly vocabulary: Pick<WordVectors, 'words'>;
  /** Does a word say nothing about any subject? */
  readonly isCommon: (word: string) => boolean;
}

/** `npm run bench -- seed-queries --split dev`: rankings by 40 words. */
const MOST = 40;
const LEAST_LETTERS = 3;

/** O(features of the examples + vocabulary). */
export function topicWords(source: TopicWordSource): TopicWords {
  const { card, isCommon } = source;
  const terms = card.termsFor.flatMap(({ feature }) => nameOf(feature));
  const phrases = [...new Set(terms)].filter((term) => term.includes(' ') && term.split(' ').every(isWord) && !isCommon(term));
  const single = [...new Set(terms.flatMap((term) => term.split(' ')))].filter((word) => isWord(word) && !isCommon(word));
  const rows = (source.training?.rows ?? []).filter(({ role }) => role === 'example');
  const words = rows.length === 0 ? single.map((word) => ({ word, weight: 1 })) : sharedWords(source, rows, single);
  return { subject: squeeze(card.subject ?? ''), words: words.slice(0, MOST), phrases };
}

/** A term without its kind and, of keywords, its quotes. Names that share a bucket are joined: the first is that of the first page. */
function nameOf(feature: string): string[] {
  const [name = ''] = feature.split('|');
  return name.startsWith('character:') ? [] : [name.replace(/^(?:title|url):/, '').replaceAll('"', '')];
}

export function isWord(word: string): boolean {
  return [...word].length >= LEAST_LETTERS && /^[\p{L}\p{M}]+$/u.test(word);
}

function sharedWords({ model, vocabulary, isCommon }: TopicWordSource, rows: readonly StoredRow[], terms: readonly string[]): TopicWord[] {
  const strengths = strengthsOf(rows, model);
  const named = new Map<number, string>();
  for (const word of [...terms, ...vocabulary.words]) {
    const bucket = wordBucket(hashWord(word));
    if (strengths.has(bucket) && !named.has(bucket) && isWord(word) && !isCommon(word)) named.set(bucket, word);
  }
  const found = Array.from(named, ([bucket, word]) => ({ word, weight: strengths.get(bucket) ?? 0 }));
  const inOrder = found.sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1));
  const most = inOrder[0]?.weight ?? 1;
  return inOrder.map(({ word, weight }) => ({ word, weight: weight / most }));
}

/** Mean contribution of each word to the examples of a host, averaged over the hosts, times the share of hosts that have it. Words of one host alone have none. */
function strengthsOf(rows: readonly StoredRow[], { tables, paired }: TopicWordSource['model']): Map<number, number> {
  const hosts = grouped(rows, ({ host, id }) => host ?? id);
  const sums = new Map<number, { sum: number; hosts: number }>();
  for (const own of hosts.values())
    for (const [bucket, sum] of sumsOf(own)) {
      const known = sums.get(bucket) ?? { sum: 0, hosts: 0 };
      sums.set(bucket, { sum: known.sum + sum / own.length, hosts: known.hosts + 1 });
    }
  const least = Math.min(2, hosts.size);
  const strong = [...sums].filter(([bucket, { hosts: having }]) => having >= least && (tables.weights[bucket] ?? 0) > 0);
  const strength = (bucket: number, sum: number, having: number) =>
    (sum * having * (paired[2 * bucket] ?? 0) * (tables.weights[bucket] ?? 0)) / hosts.size ** 2;
  return new Map(strong.map(([bucket, { sum, hosts: having }]) => [bucket, strength(bucket, sum, having)]));
}

/** Sums of the term frequencies of words. */
function sumsOf(rows: readonly StoredRow[]): Map<number, number> {
  const sums = new Map<number, number>();
  for (const { counts } of rows)
    counts.buckets.forEach((bucket, i) => {
      if (bucket < WORD_BUCKETS) sums.set(bucket, (sums.get(bucket) ?? 0) + sublinear(counts.counts[i] ?? 0));
    });
  return sums;
}

/** Words of a subject without those that say nothing. */
export function subjectWords(subject: string, isCommon: (word: string) => boolean): string[] {
  return [...new Set(wordsOf(subject))].filter((word) => isWord(word) && !isCommon(word));
}
