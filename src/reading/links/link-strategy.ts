/** The interface of a strategy: one object in one file of `strategies/`. `strategies.ts` lists them. */
import type { LinkScorer } from '../../base/core/parts/scoring.ts';
import type { ApprenticeOptions } from './apprentice.ts';

export interface StrategySettings extends ApprenticeOptions {
  /** Seed of random choices (`random`). */
  readonly seed: number;
}

/** Orders a frontier. */
export interface LinkStrategy<Name extends string = string> {
  /** Its name in options, manifests and reports. */
  readonly name: Name;
  /** The URL that comes first, in one line. */
  readonly help: string;
  /** Does the topic matter to it? A strategy without a topic crosses any number of off-topic pages, and waits for no host. */
  readonly usesTopic: boolean;
  /** Does it need the graph of all links seen? Its crawls are recorded, because a frontier does not contain all links. */
  readonly needsGraph: boolean;
  /** Can it start with the link model of another crawl? */
  readonly takesLinkModel: boolean;
  /** The first of two URLs with the same priority: the one discovered last, or first. */
  readonly tie: 'newest' | 'oldest';
  /** Does an evaluation run it by default? */
  readonly competes: boolean;
  /** A fresh scorer. */
  scorer(settings: StrategySettings): LinkScorer;
}

type Ordinary = 'usesTopic' | 'needsGraph' | 'takesLinkModel' | 'tie' | 'competes';

/** A strategy with the usual properties, except the given ones. A strategy that needs the graph competes only if it is named, because it takes longer. */
export function strategy<const Name extends string>(
  given: Omit<LinkStrategy<Name>, Ordinary> & Partial<Pick<LinkStrategy, Ordinary>>,
): LinkStrategy<Name> {
  const { needsGraph = false } = given;
  return { usesTopic: true, takesLinkModel: false, tie: 'oldest', competes: !needsGraph, ...given, needsGraph };
}
