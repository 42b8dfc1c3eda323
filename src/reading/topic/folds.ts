import { type Rng, shuffled } from '../../base/core/rng.ts';

/** More folds cost time and change little (Kohavi 1995 finds 10 enough; 5 halves the work). */
const MAX_FOLDS = 5;
/** Number of hosts from which on whole hosts are held out: page templates leak from one page of a host to the next. */
export const MIN_HOSTS = 3;

export interface FoldMember {
  /** null if unknown. */
  readonly host: string | null;
  readonly onTopic: boolean;
  /** Whether all pages of its host must be held out together even if examples are held out one by one. */
  readonly alwaysByHost: boolean;
}

export interface Folds {
  /** The unit that is held out: whole hosts, single examples, or nothing (a single example leaves nothing to learn from). */
  readonly kind: 'by-host' | 'by-example' | 'none';
  readonly count: number;
  /** The fold of each member, in [0, count). Empty if `kind` is 'none'. */
  readonly of: Int32Array;
}

/** Assigns members to folds in groups, each group to the fold with the fewest of its kind; on-topic members first. Deterministic for equal `rng`. */
export function assignFolds(members: readonly FoldMember[], rng: Rng): Folds {
  const onTopic = members.filter((member) => member.onTopic);
  const hosts = new Set(onTopic.map((member) => member.host).filter((host) => host !== null));
  const kind = hosts.size >= MIN_HOSTS ? 'by-host' : 'by-example';
  const keyOf = (member: FoldMember, i: number) =>
    member.host !== null && (kind === 'by-host' || member.alwaysByHost) ? `host ${member.host}` : `page ${i}`;
  const keys = members.map(keyOf);
  const groups = new Set(keys.filter((_, i) => members[i]?.onTopic));
  const count = Math.min(MAX_FOLDS, groups.size);
  if (count < 2) return { kind: 'none', count: 0, of: new Int32Array(0) };
  const foldOf = new Map<string, number>();
  deal(sizes(keys.filter((_, i) => members[i]?.onTopic)), count, foldOf, rng);
  deal(sizes(keys.filter((key) => !foldOf.has(key))), count, foldOf, rng);
  return { kind, count, of: Int32Array.from(keys, (key) => foldOf.get(key) ?? 0) };
}

function sizes(keys: readonly string[]): Map<string, number> {
  const out = new Map<string, number>();
  for (const key of keys) out.set(key, (out.get(key) ?? 0) + 1);
  return out;
}

/** The largest groups first, so that the folds become about equal. */
function deal(groups: Map<string, number>, count: number, foldOf: Map<string, number>, rng: Rng): void {
  const load = new Array<number>(count).fill(0);
  const order = shuffled([...groups], rng).sort((a, b) => b[1] - a[1]);
  for (const [key, size] of order) {
    const fold = load.indexOf(Math.min(...load));
    foldOf.set(key, fold);
    load[fold] = (load[fold] ?? 0) + size;
  }
}
