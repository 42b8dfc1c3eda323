/** Whether a training uses word vectors, by evidence: on, unless labels of this crawl say otherwise. */
import type { ModelCard } from './card.ts';
import { averagePrecision } from './evaluate.ts';
import { type PrecisionChange, precisionChange } from './paired-change.ts';
import { wordCoverage } from './row-meaning.ts';
import type { TrainingRow } from './training-set.ts';
import type { WordVectors } from './word-vectors.ts';

/** Labels that choose. With fewer, the interval of a difference is wider than any difference. */
const LEAST_LABELS = 20;

/** Held-out scores of all rows with word vectors and without them. */
export interface BothWays {
  readonly with: Float64Array;
  readonly without: Float64Array;
}

/** The labels of a crawl that choose. */
export interface ChoosingLabels {
  readonly rows: readonly TrainingRow[];
  /** Is the active model one that such a choice has left without vectors? It then needs evidence for them. */
  readonly isWithout: boolean;
}

/** Are there labels enough for a choice? */
export function canChoose({ rows }: Pick<ChoosingLabels, 'rows'>): boolean {
  return rows.length >= LEAST_LABELS && new Set(rows.map(({ role }) => role)).size === 2;
}

/** A choice between two forms of a model. */
export interface VectorChoice extends PrecisionChange {
  readonly isWith: boolean;
}

/** Chooses on the labelled rows. A difference inside its interval changes nothing. @param rows the rows of the scores, in their order */
export function vectorChoice(
  rows: readonly TrainingRow[],
  scores: BothWays,
  { rows: labelled, isWithout }: ChoosingLabels,
  seed: number,
): VectorChoice {
  const own = new Set(labelled);
  const held = rows.flatMap((row, i) => {
    if (!own.has(row)) return [];
    const [before, after] = [scores.without[i] ?? 0, scores.with[i] ?? 0];
    return [{ host: row.host ?? `row ${i}`, onTopic: row.role === 'example', before, after }];
  });
  const isOfOneHost = new Set(held.map(({ host }) => host)).size === 1;
  const found = precisionChange(held, isOfOneHost, seed);
  return { ...found, isWith: isWithout ? found.change.low > 0 : found.change.high >= 0 };
}

/** The word vectors of a training, for its card. @param places rows of the scores that figures count */
export function vectorFacts(
  rows: readonly TrainingRow[],
  vectors: WordVectors,
  counted: readonly number[],
  scores: BothWays | null,
  choice: VectorChoice | null,
): NonNullable<ModelCard['wordVectors']> {
  const precisionBy = (of: Float64Array) =>
    averagePrecision(counted.map((i) => ({ score: of[i] ?? 0, onTopic: rows[i]?.role === 'example' })));
  const { name, sha256, dimensions } = vectors;
  return {
    name,
    sha256,
    dimensions,
    exampleWords: wordCoverage(
      rows.filter(({ role }) => role === 'example'),
      vectors,
    ),
    used: choice?.isWith ?? true,
    averagePrecision: scores && { without: precisionBy(scores.without), with: precisionBy(scores.with) },
    choice: choice && { pages: choice.pages, hosts: choice.hosts, without: choice.before, with: choice.after, change: choice.change },
  };
}
