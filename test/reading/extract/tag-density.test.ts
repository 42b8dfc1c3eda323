import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Block, NO_DETAILS } from '../../../src/reading/extract/blocks.ts';
import { ROLE, slopeDecision } from '../../../src/reading/extract/main-text.ts';
import { blockScores, maxSegment } from '../../../src/reading/extract/tag-density.ts';
import { FLAG } from '../../../src/reading/extract/tags.ts';
import { bteSegment } from '../../../tools/bench/bte-segment.ts';

/** Finn et al.'s objective as they write it: tags before i, text from i to j, tags after j. */
function objective(isTag: readonly boolean[], i: number, j: number): number {
  const tags = (from: number, to: number) => isTag.slice(from, to).filter((tag) => tag).length;
  return tags(0, i) + (j - i - tags(i, j)) + tags(j, isTag.length);
}

function bruteForce(isTag: readonly boolean[]): number {
  let best = 0;
  for (let i = 0; i <= isTag.length; i += 1) for (let j = i; j <= isTag.length; j += 1) best = Math.max(best, objective(isTag, i, j));
  return best;
}

test('the literal slope equals brute force', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 40 }), (isTag) => {
      const { start, end, score } = bteSegment(isTag);
      expect(score).toBe(bruteForce(isTag));
      expect(objective(isTag, start, end)).toBe(score);
    }),
  );
});

test('the literal slope of a small page', () => {
  const [T, w] = [true, false];
  expect(bteSegment([T, T, w, T, T, w, w, w, T, w, w, T, T, w, T])).toEqual({ start: 5, end: 11, score: 8 + 5 - 1 });
  expect(bteSegment([])).toEqual({ start: 0, end: 0, score: 0 });
  expect(bteSegment([T, T])).toEqual({ start: 0, end: 0, score: 2 });
});

test('the best run of real scores equals brute force, within bounds', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 30 }), fc.nat(30), fc.nat(30), (scores, a, b) => {
      const from = Math.min(a, b, scores.length);
      const to = Math.min(Math.max(a, b), scores.length);
      let best = 0;
      for (let i = from; i < to; i += 1) {
        let sum = 0;
        for (let j = i; j < to; j += 1) {
          sum += scores[j] ?? 0;
          best = Math.max(best, sum);
        }
      }
      const found = maxSegment(scores, from, to);
      expect(found.score).toBe(best);
      expect(found.start >= from && found.end <= Math.max(from, to)).toBe(true);
    }),
  );
});

function block(words: number, more: Partial<Block> = {}): Block {
  return {
    start: 0,
    end: 0,
    words,
    linkWords: 0,
    blockTags: 2,
    inlineTags: 0,
    sentenceEnds: 0,
    flags: 0,
    details: NO_DETAILS,
    ...more,
  };
}

test('words in links and boilerplate count against, sentences for', () => {
  const [plain = 0, linked = 0, boilerplate = 0, sentence = 0] = blockScores([
    block(10),
    block(10, { linkWords: 10 }),
    block(10, { flags: FLAG.nav }),
    block(10, { sentenceEnds: 1 }),
  ]);
  expect(plain).toBeGreaterThan(0);
  expect(linked).toBeLessThan(0);
  expect(boilerplate).toBeLessThan(linked);
  expect(sentence).toBeGreaterThan(plain);
});

test('a link run inside the main segment belongs to it but not to its text', () => {
  const paragraph = block(60, { sentenceEnds: 3 });
  const roles = slopeDecision([block(4, { linkWords: 4, flags: FLAG.nav }), paragraph, block(3, { linkWords: 3 }), paragraph]).roles;
  expect([...roles]).toEqual([ROLE.outside, ROLE.text, ROLE.links, ROLE.text]);
});

test('next to nothing is not believed: all but the boilerplate then', () => {
  const links = Array.from({ length: 30 }, () => block(8, { linkWords: 8 }));
  const roles = slopeDecision([block(4, { flags: FLAG.nav }), ...links, block(5, { flags: FLAG.footer })]).roles;
  expect([...roles]).toEqual([ROLE.outside, ...links.map(() => ROLE.text), ROLE.outside]);
});

test('a page that is all boilerplate keeps what is not hidden', () => {
  expect([...slopeDecision([block(9, { flags: FLAG.aside }), block(9, { flags: FLAG.hidden })]).roles]).toEqual([ROLE.text, ROLE.outside]);
  expect(slopeDecision([]).roles).toHaveLength(0);
});

test('a second window in the body is kept, one outside is not', () => {
  const gap = Array.from({ length: 12 }, () => block(12, { linkWords: 12, blockTags: 6 }));
  const post = (flags: number) => block(40, { sentenceEnds: 6, flags });
  const roles = slopeDecision([post(FLAG.body), ...gap, post(FLAG.body), ...gap, post(0)]).roles;
  expect([roles[0], roles[13], roles[26]]).toEqual([ROLE.text, ROLE.text, ROLE.outside]);
});
