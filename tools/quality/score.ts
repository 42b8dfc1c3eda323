/** F1, precision and recall of a main text against the one a person marked. */
import type { Unit } from '../../src/base/core/types.ts';

/**
 * What is compared, as a multiset: words; runs of four words, pooled over the pages (as article-extraction-benchmark does,
 * Scrapinghub 2020); or, where words are not spaced, characters.
 */
export type Metric = 'words' | 'shingles' | 'characters';

/** By the name of the file. */
export function metricOf(file: string): Metric {
  return file.includes('zh') ? 'characters' : file.includes('news') ? 'shingles' : 'words';
}

export interface Score {
  readonly f1: Unit;
  readonly precision: Unit;
  readonly recall: Unit;
}

export interface PageScore extends Score {
  /** Units found that are in the gold; units found; units in the gold. */
  readonly hit: number;
  readonly found: number;
  readonly gold: number;
}

const SHINGLE = 4;

function unitsOf(text: string, metric: Metric): string[] {
  const plain = text.replaceAll('\u00ad', '').toLowerCase();
  if (metric === 'characters') return plain.match(/[\p{L}\p{N}]/gu) ?? [];
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (metric === 'words' || words.length === 0) return words;
  const count = Math.max(1, words.length - SHINGLE + 1);
  return Array.from({ length: count }, (_, i) => words.slice(i, i + SHINGLE).join(' '));
}

/** Where neither has a unit all is right; where one has none nothing is. */
export function scorePage(foundText: string, goldText: string, metric: Metric): PageScore {
  const found = unitsOf(foundText, metric);
  const gold = unitsOf(goldText, metric);
  const hit = overlap(found, gold);
  const isRight = found.length + gold.length === 0;
  return {
    f1: isRight ? 1 : (2 * hit) / (found.length + gold.length),
    precision: isRight ? 1 : hit / Math.max(1, found.length),
    recall: isRight ? 1 : hit / Math.max(1, gold.length),
    hit,
    found: found.length,
    gold: gold.length,
  };
}

function overlap(found: readonly string[], gold: readonly string[]): number {
  const left = new Map<string, number>();
  for (const unit of gold) left.set(unit, (left.get(unit) ?? 0) + 1);
  let hit = 0;
  for (const unit of found) {
    const count = left.get(unit) ?? 0;
    if (count > 0) hit += 1;
    left.set(unit, count - 1);
  }
  return hit;
}

/** Each page counts once. */
export function meanScore(scores: readonly Score[]): Score {
  const mean = (of: (score: Score) => number) => scores.reduce((sum, score) => sum + of(score), 0) / scores.length;
  return { f1: mean(({ f1 }) => f1), precision: mean(({ precision }) => precision), recall: mean(({ recall }) => recall) };
}

/** Of the pages' counts, each page's divided by the size of the union of found and gold. */
export function pooledScore(scores: readonly PageScore[]): Score {
  const sum = (of: (score: PageScore) => number) => scores.reduce((total, score) => total + of(score) / unionOf(score), 0);
  const hit = sum((score) => score.hit);
  const found = sum((score) => score.found);
  const gold = sum((score) => score.gold);
  return { f1: (2 * hit) / (found + gold), precision: hit / found, recall: hit / gold };
}

/** The figure a file is judged by. */
export function headlineScore(scores: readonly PageScore[], metric: Metric): Score {
  return metric === 'shingles' ? pooledScore(scores) : meanScore(scores);
}

/** The headline F1 is the sum of the pages' first term divided by that of their second: so it can be taken over any draw of them. */
export function headlineTerms(score: PageScore, metric: Metric): readonly [number, number] {
  if (metric !== 'shingles') return [score.f1, 1];
  return [(2 * score.hit) / unionOf(score), (score.found + score.gold) / unionOf(score)];
}

function unionOf({ hit, found, gold }: PageScore): number {
  return Math.max(1, found + gold - hit);
}
