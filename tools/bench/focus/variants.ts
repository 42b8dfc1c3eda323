/**
 * Strategies changed in one thing, by name: what is a part worth, a longer tunnel, a visit by chance? `apprentice-context-url` is the
 * apprentice without these parts; `apprentice@2` passes through two off-topic pages in a row; `apprentice+5` makes five visits of a hundred by
 * chance (`crawl --explore 5%`). All three go together, in this order: `apprentice-url@2+5`. A suffix of `suffixOf` comes last: `apprentice@2=truth`, `apprentice+5@ask30`.
 */
import { UsageError } from '../../../src/base/core/errors.ts';
import type { Unit } from '../../../src/base/core/types.ts';
import { PARTS, type Part } from '../../../src/reading/links/apprentice.ts';
import { linkScorer } from '../../../src/reading/links/strategies.ts';
import { suffixOf } from '../../../src/study/eval/contestant-suffix.ts';
import { contestantNamed, contestantOf } from '../../../src/study/eval/contestants.ts';
import type { Contestant, Trial } from '../../../src/study/eval/trial.ts';

export interface Variant {
  /** A name that `contestantNamed` knows, with the aid. */
  readonly plain: string;
  readonly without: ReadonlySet<Part>;
  /** null where the name does not say. */
  readonly ownTunnel: number | null;
  /** Share of visits by chance. */
  readonly explore: Unit;
}

/** As `contestantOf`, of variants too. @throws UsageError for a name that is none */
export function variantOf(name: string, trial: Omit<Trial, 'budget'>, tunnel: number, seed: number): Contestant {
  const { plain, without, ownTunnel, explore } = variantNamed(name);
  const contestant = contestantOf(plain, trial, tunnel, seed);
  return {
    ...contestant,
    name,
    ...(without.size > 0 && { scorer: (threshold) => linkScorer('apprentice', { threshold, seed, without }) }),
    tunnel: ownTunnel ?? contestant.tunnel,
    explore: explore > 0 ? { share: explore, seed } : null,
  };
}

/** @throws UsageError */
export function variantNamed(name: string): Variant {
  const { plain: varied } = suffixOf(name);
  const aid = name.slice(varied.length);
  // What does not match is no plain name either: `contestantNamed` refuses it.
  const [, strategy = varied, parts = '', hops, percent = '0'] =
    /^(one-step|[a-z]+)((?:-[a-z\d ]+)*)(?:@(\d+))?(?:\+(\d{1,2}))?$/.exec(varied) ?? [];
  const plain = `${strategy}${aid}`;
  contestantNamed(plain);
  const without = parts
    .split('-')
    .filter(Boolean)
    .map((part) => partNamed(part, name));
  if (without.length > 0 && strategy !== 'apprentice')
    throw new UsageError(`--strategies ${name}: only the apprentice has parts to leave out`);
  return { plain, without: new Set(without), ownTunnel: hops === undefined ? null : Number(hops), explore: Number(percent) / 100 };
}

function partNamed(word: string, name: string): Part {
  const part = PARTS.find((known) => known === word);
  if (part !== undefined) return part;
  throw new UsageError(`--strategies ${name}: ${word} is no part of the apprentice; it has ${PARTS.join(', ')}`);
}
