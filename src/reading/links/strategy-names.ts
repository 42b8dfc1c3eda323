/** The only list of names of strategies, each with the facts that settings and frontier need; `strategies.ts` has the strategies themselves. */
export const STRATEGIES = [
  'apprentice',
  'parent',
  'anchor',
  'shark',
  'opic',
  'pagerank',
  'hub',
  'authority',
  'bfs',
  'dfs',
  'random',
] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** Path of a module of the user that exports a strategy. */
export type OwnStrategyFile = `${string}.mjs`;

/** Is it the path of a module, and not a name? */
export function isOwnStrategy(strategy: string): strategy is OwnStrategyFile {
  return strategy.endsWith('.mjs');
}

export interface StrategyTraits {
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
}

const TRAITS: { readonly [Name in Strategy]: StrategyTraits } = {
  apprentice: traits({ takesLinkModel: true }),
  parent: traits({}),
  anchor: traits({}),
  shark: traits({}),
  opic: traits({ usesTopic: false, needsGraph: true }),
  pagerank: traits({ usesTopic: false, needsGraph: true }),
  hub: traits({ needsGraph: true }),
  authority: traits({ needsGraph: true }),
  bfs: traits({ usesTopic: false }),
  // It gets lost in one corner of the web, which shows nothing.
  dfs: traits({ usesTopic: false, tie: 'newest', competes: false }),
  random: traits({ usesTopic: false }),
};

/** The usual traits, except the given ones. A strategy that needs the graph competes only if it is named, because it takes longer. */
function traits({ needsGraph = false, ...given }: Partial<StrategyTraits>): StrategyTraits {
  return { usesTopic: true, takesLinkModel: false, tie: 'oldest', competes: !needsGraph, ...given, needsGraph };
}

/** A strategy of the user has the usual traits. */
export function traitsOf(name: Strategy | OwnStrategyFile): StrategyTraits {
  return isOwnStrategy(name) ? traits({}) : TRAITS[name];
}

/** The names of the strategies for which `are` holds. */
export function strategiesThat(are: (traits: StrategyTraits) => boolean): readonly Strategy[] {
  return STRATEGIES.filter((name) => are(TRAITS[name]));
}
