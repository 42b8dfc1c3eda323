/** The interface of a strategy: one object in one file of `strategies/`. `strategies.ts` lists them. */
import type { LinkScorer } from '../../base/core/parts/scoring.ts';
import type { ApprenticeOptions } from './apprentice.ts';
import { type Strategy, type StrategyTraits, traitsOf } from './strategy-names.ts';

export interface StrategySettings extends ApprenticeOptions {
  /** Seed of random choices (`random`). */
  readonly seed: number;
}

/** Orders a frontier. */
export interface LinkStrategy<Name extends string = string> extends StrategyTraits {
  /** Name in options, manifests and reports. */
  readonly name: Name;
  /** The URL that comes first, in one line. */
  readonly help: string;
  /** A fresh scorer. */
  scorer(settings: StrategySettings): LinkScorer;
}

/** A strategy with the traits of its name. */
export function strategy<const Name extends Strategy>(given: Omit<LinkStrategy<Name>, keyof StrategyTraits>): LinkStrategy<Name> {
  return { ...traitsOf(given.name), ...given };
}
