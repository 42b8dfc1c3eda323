import { expect, test } from 'vitest';
import type { ScorableLink } from '../../../src/base/core/parts/scoring.ts';
import { SteeredScorer } from '../../../src/reading/links/steered-scorer.ts';
import { linkScorer } from '../../../src/reading/links/strategies.ts';
import { NO_TEXT, referrer, urlOf } from '../../support/frontier-values.ts';

const settings = { threshold: 0.5, seed: 1 };

function linkTo(path: string, anchorText: string): ScorableLink {
  const of = referrer('http://a.test/from', { relevance: 0.8 });
  return {
    url: urlOf(`http://a.test/${path}`),
    depth: 1,
    offTopicDepth: 0,
    edge: { referrer: of, link: { ...NO_TEXT, anchorText }, learnedFrom: 0 },
  };
}

test.each(['apprentice', 'parent', 'bfs'] as const)('%s: links like those to wanted pages come first', (name) => {
  const scorer = new SteeredScorer(linkScorer(name, settings));
  for (let i = 0; i < 30; i += 1) {
    scorer.learn(linkTo(`bogs/${i}.html`, 'peat bog'), 0.9, true);
    scorer.learn(linkTo(`lawns/${i}.html`, 'mowing lawns'), 0.9, false);
  }
  const links = [linkTo('lawns/new.html', 'mowing lawns'), linkTo('bogs/new.html', 'peat bog')];
  const [lawn = 0, bog = 0] = scorer.score(links);
  expect(bog).toBeGreaterThan(lawn + 0.05);
  expect(scorer.learnedFrom).toBe(60);
  const evidence = scorer.evidenceOf?.(links);
  if (evidence) expect(scorer.scoreAgain?.(evidence)).toEqual(scorer.score(links));
  expect(scorer.evidenceOf === undefined).toBe(name !== 'apprentice');
});
