/** What competes, by its name. */
import { UsageError } from '../core/errors.ts';
import type { Oracle, Strategy } from '../core/parts.ts';
import type { Unit } from '../core/types.ts';
import { PARTS, type Part } from '../links/apprentice.ts';
import { AIMLESS, BY_GRAPH, linkScorer, STRATEGIES } from '../links/strategies.ts';
import { oracle } from './oracles.ts';
import type { Contestant, Trial } from './trial.ts';

const ORACLES = ['one-step', 'distance'] as const satisfies readonly Oracle[];
/** Depth-first is left out, since it gets lost in one corner of the web, which tells nothing; and those by the graph of links, for the time they take. */
export const DEFAULT_CONTESTANTS: readonly string[] = [
  ...STRATEGIES.filter((name) => name !== 'dfs' && !BY_GRAPH.includes(name)),
  ...ORACLES,
];

/**
 * A strategy with the settings of a crawl, or an oracle. What does not look at the topic, and what knows it, goes through any number of
 * off-topic pages. `apprentice-words-url` is the apprentice without these parts; `apprentice@2` passes through two off-topic pages, and
 * `apprentice+5` makes five visits of a hundred by chance.
 * @param tunnel off-topic pages in a row that the others pass through
 * @throws UsageError for a name that is none
 */
export function contestantOf(name: string, trial: Omit<Trial, 'budget'>, tunnel: number, seed: number): Contestant {
  const { found, without, ownTunnel, explore } = contestantNamed(name);
  if (isOracle(found)) return { name, scorer: () => oracle(found, trial), tunnel: Number.POSITIVE_INFINITY, explore: null };
  const scorer = () => linkScorer(found, { threshold: trial.guide.model.threshold, seed, without });
  return {
    name,
    scorer,
    tunnel: ownTunnel ?? (AIMLESS.includes(found) ? Number.POSITIVE_INFINITY : tunnel),
    explore: explore > 0 ? { share: explore, seed } : null,
  };
}

interface Named {
  readonly found: Strategy | Oracle;
  readonly without: ReadonlySet<Part>;
  /** null where the name does not say. */
  readonly ownTunnel: number | null;
  /** Share of visits by chance. */
  readonly explore: Unit;
}

/** @throws UsageError */
export function contestantNamed(name: string): Named {
  const [, word = '', parts = '', hops, percent = '0'] = /^(one-step|[a-z]+)((?:-[a-z\d ]+)*)(?:@(\d+))?(?:\+(\d{1,2}))?$/.exec(name) ?? [];
  const found = [...STRATEGIES, ...ORACLES].find((known) => known === word);
  if (found === undefined) throw new UsageError(`--strategies ${name}: not one of ${[...STRATEGIES, ...ORACLES].join(', ')}`);
  const without = parts
    .split('-')
    .filter(Boolean)
    .map((part) => partNamed(part, name));
  if (without.length > 0 && found !== 'apprentice')
    throw new UsageError(`--strategies ${name}: only the apprentice has parts to leave out`);
  return {
    found,
    without: new Set(without),
    ownTunnel: hops === undefined ? null : Number(hops),
    explore: Number(percent) / 100,
  };
}

function partNamed(word: string, name: string): Part {
  const part = PARTS.find((known) => known === word);
  if (part !== undefined) return part;
  throw new UsageError(`--strategies ${name}: ${word} is no part of the apprentice; it has ${PARTS.join(', ')}`);
}

function isOracle(name: Strategy | Oracle): name is Oracle {
  return ORACLES.some((known) => known === name);
}
