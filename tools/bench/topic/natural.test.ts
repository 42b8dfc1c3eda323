import { BayesClassifier, LogisticRegressionClassifier } from 'natural/lib/natural/classifiers/index.js';
import { PorterStemmer } from 'natural/lib/natural/stemmers/index.js';
import { expect, test } from 'vitest';
import type { LabelledText, TextSet } from '../../../datasets/topics/text-set.ts';
import { bayes, quickFeatures } from './natural.ts';
import type { NaturalClassifier } from './natural-types.ts';
import type { Cell } from './splits.ts';

const TEXTS: readonly (readonly [string[], 'on' | 'off'])[] = [
  [['grain', 'ship', 'port'], 'on'],
  [['grain', 'price', 'toString'], 'on'],
  [['stock', 'price', 'ship'], 'off'],
  [['stock', 'bank'], 'off'],
];

function taught(classifier: NaturalClassifier, quick: boolean): NaturalClassifier {
  if (quick) classifier.textToFeatures = quickFeatures(classifier);
  for (const [stems, label] of TEXTS) classifier.addDocument([...stems], label);
  classifier.train();
  return classifier;
}

test.each([BayesClassifier, LogisticRegressionClassifier])('the quick features of %o give what its own do', (Classifier) => {
  const [own, quick] = [taught(new Classifier(), false), taught(new Classifier(), true)];
  for (const stems of [['grain', 'stock'], ['ship', 'never', 'seen'], []])
    expect(quick.getClassifications([...stems])).toEqual(own.getClassifications([...stems]));
});

test('the log odds of Bayes are those of its probabilities, and stay finite where those are 0', async () => {
  const words = [...TEXTS.map(([stems]) => stems.join(' ')), 'grain stock', 'ship price bank'];
  const long = Array.from({ length: 4000 }, (_, at) => `word${at}`).join(' ');
  const texts = [...words, `${long} grain`].map(
    (text, at): LabelledText => ({ id: `${at}`, group: null, labels: [], title: '', text, url: null, side: null }),
  );
  const set: TextSet = { name: 'spam', texts };
  const draw = {
    set: 'spam',
    topic: 't',
    draw: 1,
    positives: [0, 1],
    pool: [],
    negatives: [2, 3],
    test: [4, 5, 6],
    testGroups: new Set<string>(),
  };
  const cell: Cell = { draw, given: 'labelled', size: 2, positives: [0, 1], others: [2, 3] };
  const scorer = await bayes.open(set);
  const scores = await scorer.score(cell);
  const own = new BayesClassifier();
  for (const place of [0, 1]) own.addDocument(stemsOf(texts[place]), 'on');
  for (const place of [2, 3]) own.addDocument(stemsOf(texts[place]), 'off');
  own.train();
  const odds = draw.test.map((place) => {
    const of = (label: string) =>
      own.getClassifications(stemsOf(texts[place])).find((answer) => answer.label === label)?.value ?? Number.NaN;
    return Math.log(of('on') / of('off'));
  });
  expect(scores).toHaveLength(3);
  scores?.forEach((score, at) => {
    expect(score).toBeCloseTo(odds[at] ?? Number.NaN, 9);
  });
});

/** natural's own stemming of a text of these. */
function stemsOf(text: LabelledText | undefined): string[] {
  return [...new Set(PorterStemmer.tokenizeAndStem(text?.text ?? ''))];
}
