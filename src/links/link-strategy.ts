/** What a strategy is: one object in one file of `strategies/`. `strategies.ts` has the list of them. */
import type { LinkScorer } from '../core/parts/scoring.ts';
import type { ApprenticeOptions } from './apprentice.ts';

export interface StrategySettings extends ApprenticeOptions {
  /** Of chance (random, portfolio). */
  readonly seed: number;
}

/** What orders a frontier. */
export interface LinkStrategy<Name extends string = string> {
  /** As options, manifests and reports have it. */
  readonly name: Name;
  /** Which URL comes first, in one line. */
  readonly help: string;
  /** Does the topic matter to it? One without passes through any number of off-topic pages, and waits for no host. */
  readonly usesTopic: boolean;
  /** Does it go by the graph of all links seen? A crawl by it is recorded, since a frontier has not all links. */
  readonly needsGraph: boolean;
  /** Can it begin with what another crawl learned? */
  readonly takesLinkModel: boolean;
  /** Which of two URLs with one priority comes first: the one discovered last, or first. */
  readonly tie: 'newest' | 'oldest';
  /** Does an evaluation run it where none is named? */
  readonly competes: boolean;
  /** A fresh scorer. */
  scorer(settings: StrategySettings): LinkScorer;
}

type Ordinary = 'usesTopic' | 'needsGraph' | 'takesLinkModel' | 'tie' | 'competes';

/** A strategy, as most are but for what is given. One by the graph of links competes where it is named: it takes longer. */
export function strategy<const Name extends string>(
  given: Omit<LinkStrategy<Name>, Ordinary> & Partial<Pick<LinkStrategy, Ordinary>>,
): LinkStrategy<Name> {
  const { needsGraph = false } = given;
  return { usesTopic: true, takesLinkModel: false, tie: 'oldest', competes: !needsGraph, ...given, needsGraph };
}
