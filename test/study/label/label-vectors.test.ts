/** Word vectors in trainings with labels. */
import { beforeAll, expect, test } from 'vitest';
import { trainTopic } from '../../../src/reading/topic/train-topic.ts';
import { storedTraining } from '../../../src/reading/topic/training-file.ts';
import { loadWordVectors, type WordVectors } from '../../../src/reading/topic/word-vectors.ts';
import { type LabelledPage, type TrainedWithLabels, trainWithLabels } from '../../../src/study/label/label-training.ts';
import { smallBackground, syntheticPages } from '../../reading/topic/synthetic.ts';
import { wholeTest } from '../../support/whole-test.ts';

const COMMON = { name: 'bread', seed: 1, now: 0, software: 'test' };
let vectors: WordVectors;
beforeAll(async () => {
  vectors = await loadWordVectors();
});

/** Pages of four hosts. */
function labels(count: number): LabelledPage[] {
  const of = (topic: 'bread' | 'sailing', onTopic: boolean) =>
    [0, 1, 2, 3].flatMap((host) =>
      syntheticPages(topic, 50 * (host + 1), Math.ceil(count / 8), `${topic}-${host}.example.org`).map(
        ({ title, text, url }): LabelledPage => ({ title, text, url: url ?? '', lang: null, language: 'en', onTopic, isNew: true }),
      ),
    );
  return [...of('bread', true), ...of('sailing', false)].slice(0, count);
}

/** The training before the labels, by its vectors: those of one run are the same. */
const before = new Map<WordVectors | null, ReturnType<typeof firstTraining>>();

async function firstTraining(wordVectors: WordVectors | null) {
  const more = { ...COMMON, extractor: 'slope' as const, background: await smallBackground(), ...(wordVectors && { wordVectors }) };
  return trainTopic(syntheticPages('bread', 0, 6), more);
}

async function trained(
  pages: readonly LabelledPage[],
  wordVectors: WordVectors | null,
  isWithoutVectors = false,
): Promise<TrainedWithLabels> {
  const background = await smallBackground();
  const begun = before.get(wordVectors) ?? firstTraining(wordVectors);
  before.set(wordVectors, begun);
  const first = await begun;
  const source = wordVectors === null ? 'none' : 'bundled';
  const training = storedTraining(first.rows, first.model.settings.template, null, source);
  const options = {
    ...COMMON,
    model: first.model,
    rule: null,
    taught: null,
    pool: [],
    share: null,
    background,
    wordVectors,
    isWithoutVectors,
  };
  return trainWithLabels(training, pages, options);
}

test('from 20 labels on, the card has the choice that they made; the data remember what was asked for', async () => {
  const { card, model, training } = await trained(labels(24), vectors);
  expect(card.wordVectors?.choice).toMatchObject({ pages: 24, hosts: 8 });
  expect([card.wordVectors?.used, model.tables.meaning !== undefined, training.wordVectors]).toEqual([true, true, 'bundled']);
});

wholeTest('a model that labels left without them stays without, if both forms rank alike', async () => {
  const { card, model, training } = await trained(labels(24), vectors, true);
  const { without = 0, with: by = 1 } = card.wordVectors?.choice ?? {};
  expect(by).toBeCloseTo(without, 9);
  expect([card.wordVectors?.used, model.tables.meaning, model.settings.wordVectors, training.wordVectors]).toEqual([
    false,
    undefined,
    undefined,
    'bundled',
  ]);
});

wholeTest('fewer labels choose nothing', async () => {
  expect((await trained(labels(16), vectors)).card.wordVectors).toMatchObject({ choice: null, used: true });
});

test('a training without vectors has none', async () => {
  const { card, model, training } = await trained(labels(16), null);
  expect([card.wordVectors, model.tables.meaning, training.wordVectors]).toEqual([undefined, undefined, 'none']);
});
