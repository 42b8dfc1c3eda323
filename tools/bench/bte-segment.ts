import { maxSegment, type Segment } from '../../src/reading/extract/tag-density.ts';

/**
 * Body Text Extraction, literally: the run [start, end) of tokens that maximises tags outside plus text tokens inside (Finn, Kushmerick, Smyth 2001,
 * "Fact or Fiction: Content Classification for Digital Libraries"). Tags outside = all tags - tags inside, so this is the run with the largest sum of
 * +1 for a text token and -1 for a tag. `score` is the objective.
 */
export function bteSegment(isTag: readonly boolean[]): Segment {
  const { start, end, score } = maxSegment(isTag.map((tag) => (tag ? -1 : 1)));
  return { start, end, score: score + isTag.filter((tag) => tag).length };
}
