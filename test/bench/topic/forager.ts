import type { LabelledText, TextSet } from '../../../datasets/topics/text-set.ts';
import { DEFAULT_MAIN_TEXT_METHOD } from '../../../src/extract/extractor.ts';
import { type Background, loadBackground } from '../../../src/topic/background.ts';
import { type TrainingPage, trainTopic } from '../../../src/topic/train-topic.ts';
import type { Family, Scorer } from './family.ts';
import type { Cell, Draw } from './splits.ts';

/**
 * What `forager train` does: from examples alone, and with other texts as `--irrelevant`; or, as a family of its own, with the pool as further background.
 * The bundled background is used without the pages of hosts that are judged.
 */
export function forager(othersAs: 'irrelevant' | 'background'): Family {
  return {
    name: othersAs === 'irrelevant' ? 'forager' : 'forager.background',
    settings: othersAs === 'irrelevant' ? ['alone', 'pool', 'labelled'] : ['pool'],
    open: async (set) => scorerOf(set, await loadBackground(), othersAs),
  };
}

function scorerOf({ texts }: TextSet, bundled: Background, othersAs: 'irrelevant' | 'background'): Scorer {
  const pages = texts.map(pageOf);
  const at = (places: readonly number[]) => places.flatMap((place) => pages[place] ?? []);
  return {
    async score({ draw, positives, others }: Cell) {
      const given = othersAs === 'irrelevant' ? { irrelevant: at(others) } : { extraBackground: at(others) };
      const { model } = await trainTopic(at(positives), {
        name: draw.topic,
        seed: draw.draw,
        extractor: DEFAULT_MAIN_TEXT_METHOD,
        now: 0,
        software: 'bench',
        background: unseen(bundled, draw),
        ...given,
      });
      return at(draw.test).map((page) => model.logit(page));
    },
    close() {},
  };
}

function pageOf({ id, url, title, text }: LabelledText): TrainingPage {
  return { id, url, title, text };
}

/** A host that is judged must not have been a counter-example. Its document frequencies stay: they know no topic. */
export function unseen(background: Background, { testGroups }: Pick<Draw, 'testGroups'>): Background {
  return { ...background, sample: background.sample.filter(({ host }) => !testGroups.has(host)) };
}
