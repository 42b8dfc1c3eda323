/** The classifiers of npm's natural, with Porter's stemmer and its English stop words, as they come. */
import { BayesClassifier, LogisticRegressionClassifier } from 'natural/lib/natural/classifiers/index.js';
import { PorterStemmer } from 'natural/lib/natural/stemmers/index.js';
import type { TextSet } from '../../../datasets/topics/text-set.ts';
import { seededRng, shuffled } from '../../../src/base/core/rng.ts';
import { type Family, type Scorer, wholeText } from './family.ts';
import type { NaturalClassifier } from './natural-types.ts';
import type { Cell } from './splits.ts';

/** Logistic regression is dense, and a product of JavaScript arrays a step: a hundred examples, two hundred others and 60 stems of each took 32 s. */
export const LOGISTIC = { examples: 30, others: 30, stems: 50 };

/** All texts, whole. Its answer is a product of thousands of probabilities, which comes to 0 for both classes; the same product is taken in logarithms here. */
export const bayes: Family = {
  name: 'bayes',
  settings: ['pool', 'labelled'],
  open: async (set) => scorer(set, Number.POSITIVE_INFINITY, scoreBayes),
};

/** Up to 30 examples, 30 other texts drawn by lot, and of each text the first 50 different stems. */
export const logistic: Family = {
  name: 'logistic',
  settings: ['pool', 'labelled'],
  maxSize: LOGISTIC.examples,
  open: async (set) => scorer(set, LOGISTIC.stems, scoreLogistic),
};

type Stems = readonly (readonly string[])[];

function scorer(set: TextSet, stems: number, score: (cell: Cell, stems: Stems) => number[] | null): Scorer {
  const known = stemsOf(set).map((all) => all.slice(0, stems));
  return { score: async (cell) => score(cell, known), close() {} };
}

/** Stemming is a third of the work, and both classifiers want it. */
let last: { readonly set: TextSet; readonly stems: Stems } | null = null;

/** The different stems of each text: the classifiers ask only whether one is there. */
function stemsOf(set: TextSet): Stems {
  if (last?.set === set) return last.stems;
  const stems = set.texts.map((text) => [...new Set(PorterStemmer.tokenizeAndStem(wholeText(text)))]);
  last = { set, stems };
  return stems;
}

function scoreBayes({ draw, positives, others }: Cell, stems: Stems): number[] {
  const classifier = taught(new BayesClassifier(), stems, positives, others);
  const places = new Map(Object.keys(classifier.features).map((feature, at) => [feature, at]));
  const { classFeatures, classTotals, totalExamples, smoothing } = classifier.classifier;
  const logOf = (label: 'on' | 'off', text: readonly string[]) => {
    const total = classTotals[label] ?? 1;
    const seen = text.flatMap((stem) => places.get(stem) ?? []);
    return seen.reduce(
      (sum, place) => sum + Math.log((classFeatures[label]?.[place] ?? smoothing) / total),
      Math.log(total / totalExamples),
    );
  };
  return draw.test.map((place) => logOf('on', stems[place] ?? []) - logOf('off', stems[place] ?? []));
}

/** null when it finds no minimum, which it says by throwing a string. */
function scoreLogistic({ draw, positives, others }: Cell, stems: Stems): number[] | null {
  const some = shuffled(others, seededRng(draw.draw)).slice(0, LOGISTIC.others);
  try {
    const classifier = taught(new LogisticRegressionClassifier(), stems, positives, some);
    const scores = draw.test.map((place) => onTopic(classifier, stems[place] ?? []));
    return scores.some(Number.isNaN) ? null : scores;
  } catch (error) {
    if (typeof error === 'string') return null;
    throw error;
  }
}

function onTopic(classifier: NaturalClassifier, text: readonly string[]): number {
  return classifier.getClassifications([...text]).find(({ label }) => label === 'on')?.value ?? Number.NaN;
}

function taught<C extends NaturalClassifier>(classifier: C, stems: Stems, positives: readonly number[], others: readonly number[]): C {
  classifier.textToFeatures = quickFeatures(classifier);
  for (const place of positives) classifier.addDocument([...(stems[place] ?? [])], 'on');
  for (const place of others) classifier.addDocument([...(stems[place] ?? [])], 'off');
  classifier.train();
  return classifier;
}

/** What natural's own gives, whose search through the text for every feature would take minutes. */
export function quickFeatures(classifier: NaturalClassifier): (observation: string[]) => number[] {
  let names: string[] = [];
  let count = -1;
  return (observation) => {
    if (classifier.docs.length !== count) {
      names = Object.keys(classifier.features);
      count = classifier.docs.length;
    }
    const present = new Set(observation);
    return names.map((name) => (present.has(name) ? 1 : 0));
  };
}
