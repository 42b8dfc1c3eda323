import { type TextColumns, textColumns, textsOf, valueAt, valuesOf } from '../../base/core/text-columns.ts';
import {
  type Alternate,
  type AlternateTask,
  type CanonicalUrl,
  type DiscoveredLink,
  type HostKey,
  type LinkTask,
  type LinkText,
  type ListKind,
  type OwnScore,
  PAGE,
  type RefusalReason,
  type Unit,
} from '../../base/core/types.ts';
import type { StoredDiscovery } from './store.ts';

/** The form in the database of a task that is not a page, since version 0.1. */
type ListMark =
  | { readonly kind: ListKind | 'reservations'; readonly level: number }
  /** `level`: its hops. */
  | (Omit<AlternateTask, 'hops'> & { readonly level: number });

/** The form of a discovery in the database, its links as columns; `npm run bench -- frontier` shows the gain. Strings are joined as in `TextColumns`. */
export interface PackedDiscovery extends Omit<StoredDiscovery, 'links'> {
  readonly count: number;
  readonly urls: string;
  /** '' for the same host as that of the link before. */
  readonly hosts: string;
  /** '' for a link that may be followed. */
  readonly refusals: string;
  readonly texts: Omit<TextColumns, 'scores'>;
  /** The priority of each link, then the scores of their texts. Little-endian doubles. */
  readonly numbers: Uint8Array;
  /** Links to anything other than a page, by position. */
  readonly lists: readonly (readonly [position: number, ListMark])[];
  /** Weights that a hook gave, by position. Absent without any. */
  readonly weights?: readonly (readonly [position: number, weight: Unit])[];
  /** Scores by a strategy of the user, by position. Absent without any. */
  readonly owns?: readonly (readonly [position: number, own: OwnScore])[];
  /** Alternates that a list states, by position. Absent without any. */
  readonly alternates?: readonly (readonly [position: number, stated: readonly Alternate[]])[];
}

/** The facts about a link that decide how it changes its URL. */
export type LinkEnds = Pick<DiscoveredLink, 'url' | 'host' | 'priority' | 'refusal' | 'task' | 'alternates'>;

/** A discovery whose links are unpacked when they are first read. `linkEndsOf` does not unpack their words, and `packDiscovery` returns the stored form. */
export class StoredLinks implements StoredDiscovery {
  readonly referrer: StoredDiscovery['referrer'];
  readonly depth: number;
  readonly offTopicDepth: number;
  readonly redirects: number;
  readonly learnedFrom: number;
  readonly shorterWayOnly: readonly number[];
  readonly #stored: PackedDiscovery;
  #links: readonly DiscoveredLink[] | null = null;
  /** Was a link unpacked alone? */
  #isAsked = false;

  constructor(stored: PackedDiscovery) {
    this.#stored = stored;
    this.referrer = stored.referrer;
    this.depth = stored.depth;
    this.offTopicDepth = stored.offTopicDepth;
    this.redirects = stored.redirects;
    this.learnedFrom = stored.learnedFrom;
    this.shorterWayOnly = stored.shorterWayOnly;
  }

  /** The stored form. A copy of this object with other links does not have it. */
  get stored(): PackedDiscovery {
    return this.#stored;
  }

  /** @throws Error of any kind for data that `packDiscovery` did not make */
  get links(): readonly DiscoveredLink[] {
    this.#links ??= linksOf(this.#stored);
    return this.#links;
  }

  get count(): number {
    return this.#stored.count;
  }

  /** One link. The others stay packed until a second one is asked for: a lease needs one, a ledger all. */
  linkAt(position: number): DiscoveredLink | undefined {
    if (this.#links !== null || this.#isAsked) return this.links[position];
    this.#isAsked = true;
    return position < this.count ? linksOf(partAt(this.#stored, position))[0] : undefined;
  }
}

export function packDiscovery(discovery: StoredDiscovery): PackedDiscovery {
  return discovery instanceof StoredLinks ? discovery.stored : packed(discovery);
}

function packed({ links, ...rest }: StoredDiscovery): PackedDiscovery {
  const count = links.length;
  const { scores, ...texts } = textColumns(links);
  const numbers = new Float64Array(3 * count);
  numbers.set(scores, count);
  const [urls, hosts, refusals] = [[], [], []] as [string[], string[], string[]];
  const lists: [number, ListMark][] = [];
  const weights: [number, Unit][] = [];
  const owns: [number, OwnScore][] = [];
  const stated: [number, readonly Alternate[]][] = [];
  let before: HostKey | null = null;
  for (const { url, host, priority, refusal, text, task, alternates } of links) {
    const at = urls.length;
    numbers[at] = priority;
    const mark = markOf(task);
    if (mark) lists.push([at, mark]);
    if (text.weight !== undefined) weights.push([at, text.weight]);
    if (text.own !== undefined) owns.push([at, text.own]);
    if (alternates !== undefined) stated.push([at, alternates]);
    hosts.push(host === before ? '' : host);
    refusals.push(refusal ?? '');
    urls.push(url);
    before = host;
  }
  return {
    ...rest,
    count,
    urls: urls.join('\n'),
    hosts: hosts.join('\n'),
    refusals: refusals.join('\n'),
    texts,
    numbers: new Uint8Array(numbers.buffer),
    lists,
    ...(weights.length > 0 && { weights }),
    ...(owns.length > 0 && { owns }),
    ...(stated.length > 0 && { alternates: stated }),
  };
}

/** @throws Error of any kind for data that `packDiscovery` did not make */
export function unpackDiscovery(stored: PackedDiscovery): StoredDiscovery {
  return { ...withoutLinks(stored), links: linksOf(stored) };
}

function withoutLinks(stored: PackedDiscovery): Omit<StoredDiscovery, 'links'> {
  const { referrer, depth, offTopicDepth, redirects, learnedFrom, shorterWayOnly } = stored;
  return { referrer, depth, offTopicDepth, redirects, learnedFrom, shorterWayOnly };
}

/** The links of a discovery without their words. @throws Error of any kind for data that `packDiscovery` did not make */
export function linkEndsOf(discovery: StoredDiscovery): readonly LinkEnds[] {
  return discovery instanceof StoredLinks ? linkEndsIn(discovery.stored, doublesOf(discovery.stored)) : discovery.links;
}

function linkEndsIn(stored: PackedDiscovery, doubles: Float64Array): LinkEnds[] {
  const { count, urls, refusals, lists, alternates = [] } = stored;
  const tasks = new Map(lists.map(([at, mark]) => [at, taskOf(mark)]));
  const hosts = hostsOf(stored);
  const refusalOf = valuesOf(refusals, count) as (RefusalReason | '')[];
  const ends: LinkEnds[] = (valuesOf(urls, count) as CanonicalUrl[]).map((url, i) => ({
    url,
    host: hosts[i] as HostKey,
    priority: doubles[i] as number,
    refusal: refusalOf[i] || null,
    task: tasks.get(i) ?? PAGE,
  }));
  for (const [at, stated] of alternates) ends[at] = { ...(ends[at] as LinkEnds), alternates: stated };
  return ends;
}

function linksOf(stored: PackedDiscovery): readonly DiscoveredLink[] {
  const { count, texts, weights = [], owns = [] } = stored;
  const doubles = doublesOf(stored);
  const unpacked = textsOf({ ...texts, scores: doubles.subarray(count) }, count);
  for (const [at, weight] of weights) unpacked[at] = { ...(unpacked[at] as LinkText), weight };
  for (const [at, own] of owns) unpacked[at] = { ...(unpacked[at] as LinkText), own };
  return linkEndsIn(stored, doubles).map((facts, i) => ({ ...facts, text: unpacked[i] as LinkText }));
}

/** The number of links of a discovery. It unpacks none. */
export function linkCountOf(discovery: StoredDiscovery): number {
  return discovery instanceof StoredLinks ? discovery.count : discovery.links.length;
}

/** One link of a discovery; undefined beyond its last one. @throws Error of any kind for data that `packDiscovery` did not make */
export function linkAt(discovery: StoredDiscovery, position: number): DiscoveredLink | undefined {
  return discovery instanceof StoredLinks ? discovery.linkAt(position) : discovery.links[position];
}

/** A part of a discovery, with the places of its links in the whole. */
export interface DiscoveryPart {
  readonly part: PackedDiscovery;
  readonly places: readonly number[];
}

/** The part of a discovery that has one of its links. */
function partAt(stored: PackedDiscovery, position: number): PackedDiscovery {
  const { count, texts, numbers, lists, weights, owns, alternates } = stored;
  const view = new DataView(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  const double = (at: number) => view.getFloat64(at * Float64Array.BYTES_PER_ELEMENT, true);
  const scores = count + 2 * position;
  const its = <T>(marks: readonly (readonly [number, T])[] = []) =>
    marks.flatMap(([at, mark]) => (at === position ? [[0, mark] as const] : []));
  return {
    ...withoutLinks(stored),
    shorterWayOnly: [],
    count: 1,
    urls: valueAt(stored.urls, position),
    hosts: hostAt(stored, position),
    refusals: valueAt(stored.refusals, position),
    texts: {
      anchorTexts: valueAt(texts.anchorTexts, position),
      contexts: valueAt(texts.contexts, position),
      imageAlts: valueAt(texts.imageAlts, position),
      zones: valueAt(texts.zones, position),
      tagPaths: valueAt(texts.tagPaths, position),
    },
    numbers: new Uint8Array(Float64Array.of(double(position), double(scores), double(scores + 1)).buffer),
    lists: its(lists),
    ...(weights && { weights: its(weights) }),
    ...(owns && { owns: its(owns) }),
    ...(alternates && { alternates: its(alternates) }),
  };
}

/** One discovery from parts of it, its links in the order of their places. No link is unpacked. */
export function joinParts(parts: readonly DiscoveryPart[]): PackedDiscovery {
  const positions = positionsOf(parts);
  const column = (of: (part: PackedDiscovery) => string[]) => {
    const values: string[] = [];
    for (const [i, { part }] of parts.entries()) for (const [at, value] of of(part).entries()) values[positions[i]?.[at] ?? 0] = value;
    return values;
  };
  const joined = (of: (part: PackedDiscovery) => string) => column((part) => valuesOf(of(part), part.count)).join('\n');
  const moved = <T>(of: (part: PackedDiscovery) => readonly (readonly [number, T])[] = () => []) =>
    parts.flatMap(({ part }, i) => of(part).map(([at, value]) => [positions[i]?.[at] ?? 0, value] as const)).sort(([a], [b]) => a - b);
  const hosts = column((part) => hostsOf(part));
  const [weights, owns] = [moved((part) => part.weights ?? []), moved((part) => part.owns ?? [])];
  const alternates = moved((part) => part.alternates ?? []);
  return {
    ...withoutLinks((parts[0] as DiscoveryPart).part),
    shorterWayOnly: moved((part) => part.shorterWayOnly.map((at) => [at, null])).map(([at]) => at),
    count: hosts.length,
    urls: joined(({ urls }) => urls),
    hosts: hosts.map((host, i) => (host === hosts[i - 1] ? '' : host)).join('\n'),
    refusals: joined(({ refusals }) => refusals),
    texts: {
      anchorTexts: joined(({ texts }) => texts.anchorTexts),
      contexts: joined(({ texts }) => texts.contexts),
      imageAlts: joined(({ texts }) => texts.imageAlts),
      zones: joined(({ texts }) => texts.zones),
      tagPaths: joined(({ texts }) => texts.tagPaths),
    },
    numbers: joinNumbers(parts, positions, hosts.length),
    lists: moved((part) => part.lists),
    ...(weights.length > 0 && { weights }),
    ...(owns.length > 0 && { owns }),
    ...(alternates.length > 0 && { alternates }),
  };
}

/** Positions in the joined discovery: for each part, that of each of its links. */
function positionsOf(parts: readonly DiscoveryPart[]): readonly Int32Array[] {
  const inOrder = Int32Array.from(parts.flatMap(({ places }) => places)).sort();
  const ranks = new Int32Array((inOrder.at(-1) ?? 0) + 1);
  for (const [rank, place] of inOrder.entries()) ranks[place] = rank;
  return parts.map(({ places }) => Int32Array.from(places, (place) => ranks[place] ?? 0));
}

function joinNumbers(parts: readonly DiscoveryPart[], positions: readonly Int32Array[], total: number): Uint8Array {
  const numbers = new Float64Array(3 * total);
  for (const [i, { part }] of parts.entries()) {
    const [from, { count }] = [doublesOf(part), part];
    for (const [at, position] of (positions[i] ?? new Int32Array()).entries()) {
      numbers[position] = from[at] ?? 0;
      numbers[total + 2 * position] = from[count + 2 * at] ?? 0;
      numbers[total + 2 * position + 1] = from[count + 2 * at + 1] ?? 0;
    }
  }
  return new Uint8Array(numbers.buffer);
}

/** A copy, since memory from a database can start at any address. */
function doublesOf({ numbers }: PackedDiscovery): Float64Array {
  return new Float64Array(new Uint8Array(numbers).buffer);
}

/** The host of each link. */
function hostsOf({ hosts, count }: PackedDiscovery): HostKey[] {
  const known = valuesOf(hosts, count) as HostKey[];
  for (let i = 1; i < known.length; i++) known[i] ||= known[i - 1] as HostKey;
  return known;
}

/** The host of one link. */
function hostAt({ hosts }: PackedDiscovery, position: number): string {
  for (let at = position; at > 0; at--) {
    const host = valueAt(hosts, at);
    if (host !== '') return host;
  }
  return valueAt(hosts, 0);
}

function markOf(task: LinkTask): ListMark | null {
  if (task.kind === 'page') return null;
  if (task.kind === 'alternate') {
    const { hops, ...rest } = task;
    return { ...rest, level: hops };
  }
  return task.kind === 'list' ? { kind: task.list, level: task.level } : { kind: task.kind, level: 0 };
}

function taskOf(mark: ListMark): LinkTask {
  if (mark.kind === 'alternate') {
    const { level: hops, ...rest } = mark;
    return { ...rest, hops };
  }
  const { kind, level } = mark;
  return kind === 'reservations' ? { kind } : { kind: 'list', list: kind, level };
}
