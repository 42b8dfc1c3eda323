import type { LabelledText, TextSet } from '../../../datasets/topics/text-set.ts';
import { languageDetector } from '../../../src/base/text/language.ts';
import { DEFAULT_MAIN_TEXT_METHOD } from '../../../src/reading/extract/text-method-names.ts';
import { type Background, loadBackground } from '../../../src/reading/topic/background.ts';
import { type FeatureKind, kindOf } from '../../../src/reading/topic/features.ts';
import { learnTopic } from '../../../src/reading/topic/train-on-rows.ts';
import type { LearningMethod } from '../../../src/reading/topic/training-methods.ts';
import { type TrainingPage, trainingSet } from '../../../src/reading/topic/training-set.ts';
import { loadWordVectors, type WordVectors } from '../../../src/reading/topic/word-vectors.ts';
import type { Family, Scorer } from './family.ts';
import type { Cell, Draw } from './splits.ts';

/**
 * What `forager train` does: from examples alone, with the pool as `--pool` (or, as a family of its own, as `--irrelevant`), and with
 * labelled texts as `--irrelevant`. The bundled background is used without the pages of hosts that are judged.
 * @param method the one that `--method` asks for; null for that which the data choose
 */
export function forager(name: string, poolAs: 'pool' | 'irrelevant', method: LearningMethod | null): Family {
  return {
    name,
    settings: poolAs === 'irrelevant' ? ['pool'] : method === null ? ['alone', 'pool', 'labelled'] : ['alone', 'pool'],
    calibrated: true,
    open: async (set) => scorerOf(await pagesOf(set), await loadBackground(), { poolAs, method, wordVectors: await loadWordVectors() }),
  };
}

/** The same without a part of it: a kind of features, punctuation, the document frequencies of the background, the latent dimensions of a pool, or word vectors. */
export function foragerWithout(part: FeatureKind | 'punctuation' | 'frequencies' | 'latent' | 'vectors'): Family {
  return {
    name: `forager.no-${part}`,
    settings: part === 'latent' ? ['pool'] : ['alone', 'pool', 'labelled'],
    calibrated: true,
    open: async (set) => {
      const bundled = await loadBackground();
      const isWhole = part === 'latent' || part === 'vectors' || part === 'punctuation';
      return scorerOf(await pagesOf(set), isWhole ? bundled : lessened(bundled, part), {
        poolAs: 'pool',
        method: null,
        isLatent: part !== 'latent',
        isPunctuated: part !== 'punctuation',
        wordVectors: part === 'vectors' ? null : await loadWordVectors(),
      });
    },
  };
}

/** A feature whose idf is 0 counts nowhere; equal ones say nothing about a feature. */
function lessened(background: Background, part: FeatureKind | 'frequencies'): Background {
  const { codes, step } = background.idf;
  const lessen =
    part === 'frequencies' ? () => Math.round(1 / step) : (code: number, bucket: number) => (kindOf(bucket) === part ? 0 : code);
  return { ...background, idf: { step, codes: codes.map(lessen) } };
}

/** The way in which a topic is trained. */
interface Way {
  readonly poolAs: 'pool' | 'irrelevant';
  readonly method: LearningMethod | null;
  readonly isLatent?: boolean;
  readonly isPunctuated?: boolean;
  readonly wordVectors: WordVectors | null;
}

function scorerOf(pages: readonly TrainingPage[], bundled: Background, way: Way): Scorer {
  const { poolAs, method, isLatent = true, isPunctuated = true, wordVectors } = way;
  const at = (places: readonly number[]) => places.flatMap((place) => pages[place] ?? []);
  return {
    async score({ draw, given, positives, others }: Cell) {
      const asIrrelevant = given === 'labelled' || poolAs === 'irrelevant';
      const [irrelevant, extraBackground] = asIrrelevant ? [at(others), []] : [[], at(others)];
      const { rows } = trainingSet({ examples: at(positives), irrelevant, extraBackground }, draw.draw);
      const { model } = await learnTopic(isPunctuated ? rows : rows.map(({ punctuation: _, ...row }) => row), {
        name: draw.topic,
        seed: draw.draw,
        extractor: DEFAULT_MAIN_TEXT_METHOD,
        now: 0,
        software: 'bench',
        background: unseen(bundled, draw),
        isLatent,
        ...(wordVectors && { wordVectors }),
        ...(method === null ? {} : { method }),
      });
      return at(draw.test).map((page) => model.logit(page));
    },
    close() {},
  };
}

async function pagesOf({ texts }: TextSet): Promise<TrainingPage[]> {
  const detect = await languageDetector();
  return texts.map(({ id, url, title, text }: LabelledText) => ({ id, url, title, text, language: detect(text) }));
}

/** A host that is judged must not have been a counter-example. Its document frequencies stay: they know no topic. */
export function unseen(background: Background, { testGroups }: Pick<Draw, 'testGroups'>): Background {
  return { ...background, sample: background.sample.filter(({ host }) => !testGroups.has(host)) };
}
