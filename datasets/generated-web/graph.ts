/** Which pages there are, what they are about, and which of them a page links to. */
import type { Rng } from '../../src/base/core/rng.ts';
import { chanceOf, PURPOSE, pick } from './chance.ts';
import { type Knobs, tunnelPages } from './options.ts';

export type NodeKind = 'article' | 'hub' | 'passage' | 'island' | 'near-duplicate';

/** A page with a number. Homes, about pages and the calendar are not nodes. */
export interface PageNode {
  readonly id: number;
  readonly kind: NodeKind;
  /** Index of the topic its words, or a hub's links, are of. */
  readonly topic: number;
  readonly host: number;
  /** The page a near-duplicate repeats, else null. */
  readonly copyOf: PageNode | null;
}

interface Tunnel {
  readonly chain: readonly PageNode[];
  readonly island: readonly PageNode[];
}

/** A link while its page is put together: does it lead to a page of the same topic? */
interface Draft {
  readonly to: PageNode;
  readonly on: boolean;
}

/** Hubs link this many times more than articles, and with this share into their topic. */
const HUB_LINKS = 4;
const HUB_FOCUS = 0.9;
/** Pages of the island's topic that link to the head of its chain. */
const DOORS = 3;
/** Draws that hit a page already linked before a link is looked for off the host, then given up. */
const TRIES = 6;

/** The topic a page counts for; null for hubs, which are off every topic. */
export function labelOf(node: PageNode): number | null {
  return node.kind === 'hub' ? null : node.topic;
}

export class PageGraph {
  readonly nodes: readonly PageNode[];
  readonly #knobs: Knobs;
  /** Pages any page may link to: all but those of tunnels. */
  readonly #open: readonly PageNode[];
  readonly #openByTopic: readonly (readonly PageNode[])[];
  readonly #openByHost: readonly (readonly PageNode[])[];
  readonly #openByHostTopic: ReadonlyMap<number, readonly PageNode[]>;
  readonly #tunnelOf = new Map<PageNode, Tunnel>();
  /** Pages with a door, and the chain heads behind it. */
  readonly #doors = new Map<PageNode, PageNode[]>();

  constructor(knobs: Knobs) {
    this.#knobs = knobs;
    const rng = chanceOf(knobs.seed, PURPOSE.graph, 0);
    const nodes: PageNode[] = openNodes(knobs, rng);
    this.#open = [...nodes];
    this.#openByTopic = grouped(
      this.#open.filter((node) => labelOf(node) !== null),
      knobs.topics,
      (node) => node.topic,
    );
    this.#openByHost = grouped(this.#open, knobs.hosts, (node) => node.host);
    const labelled = this.#open.filter((node) => labelOf(node) !== null);
    const perHost = grouped(labelled, knobs.hosts * knobs.topics, (node) => node.host * knobs.topics + node.topic);
    this.#openByHostTopic = new Map(perHost.entries());
    this.#digTunnels(nodes, rng);
    this.nodes = nodes;
  }

  /** Pages of the host that are not in a tunnel. */
  openOn(host: number): readonly PageNode[] {
    return this.#openByHost[host] ?? [];
  }

  /** Articles and near-duplicates of a topic that are not in a tunnel. */
  openOf(topic: number): readonly PageNode[] {
    return this.#openByTopic[topic] ?? [];
  }

  /**
   * Content links of a page, each target once, in page order; a copy has its original's, and an original does not link to its copies.
   * Also for a page that is not in the graph.
   */
  linksOf(node: PageNode): readonly PageNode[] {
    const source = node.copyOf ?? node;
    const rng = chanceOf(this.#knobs.seed, PURPOSE.links, source.id);
    const mean = this.#knobs.linksPerPage * (source.kind === 'hub' ? HUB_LINKS : 1);
    const count = Math.max(1, Math.round(mean * (0.5 + rng())));
    const drafts: Draft[] = [];
    const used = new Set<PageNode>([source]);
    for (let at = 0; at < count; at++) {
      const on = rng() < (source.kind === 'hub' ? HUB_FOCUS : this.#knobs.locality);
      const to = this.#draw(source, on, used, rng);
      if (to === null) continue;
      used.add(to);
      drafts.push({ to, on });
    }
    for (const to of this.#forced(source)) force(drafts, { to, on: labelOf(to) === source.topic });
    return drafts.map((draft) => draft.to);
  }

  /** Links that tunnels need of this page. */
  #forced(node: PageNode): readonly PageNode[] {
    const tunnel = this.#tunnelOf.get(node);
    if (tunnel === undefined) return this.#doors.get(node) ?? [];
    const at = tunnel.island.indexOf(node);
    const next =
      at < 0 ? (tunnel.chain[tunnel.chain.indexOf(node) + 1] ?? tunnel.island[0]) : tunnel.island[(at + 1) % tunnel.island.length];
    return next === undefined || next === node ? [] : [next];
  }

  #draw(from: PageNode, on: boolean, used: ReadonlySet<PageNode>, rng: Rng): PageNode | null {
    const island = on && from.kind === 'island' && rng() < 0.5 ? this.#tunnelOf.get(from)?.island : undefined;
    const near = rng() < this.#knobs.sameHost ? this.#nearPool(from, on) : undefined;
    for (const pool of [island ?? near, on ? this.openOf(from.topic) : this.#open]) {
      if (pool === undefined || pool.length === 0) continue;
      for (let attempt = 0; attempt < TRIES; attempt++) {
        const node = pick(pool, rng);
        if (!used.has(node) && node.copyOf !== from && (labelOf(node) === from.topic) === on) return node;
      }
    }
    return null;
  }

  #nearPool(from: PageNode, on: boolean): readonly PageNode[] | undefined {
    return on ? this.#openByHostTopic.get(from.host * this.#knobs.topics + from.topic) : this.#openByHost[from.host];
  }

  #digTunnels(nodes: PageNode[], rng: Rng): void {
    const { tunnels, topics, hosts } = this.#knobs;
    if (tunnels === null) return;
    const add = (kind: NodeKind, topic: number): PageNode => {
      const node = { id: nodes.length, kind, topic, host: Math.floor(rng() * hosts), copyOf: null };
      nodes.push(node);
      return node;
    };
    for (let at = 0; at < tunnels.islands; at++) {
      const topic = at % topics;
      const other = (topic + 1 + Math.floor(rng() * (topics - 1))) % topics;
      const chain = Array.from({ length: tunnels.depth }, () => add('passage', other));
      const island = Array.from({ length: tunnels.size }, () => add('island', topic));
      for (const node of [...chain, ...island]) this.#tunnelOf.set(node, { chain, island });
      this.#openDoors(topic, chain[0], rng);
    }
  }

  #openDoors(topic: number, head: PageNode | undefined, rng: Rng): void {
    const articles = this.openOf(topic).filter((node) => node.kind === 'article');
    if (head === undefined || articles.length === 0) return;
    for (let door = 0; door < DOORS; door++) {
      const node = pick(articles, rng);
      const heads = this.#doors.get(node) ?? [];
      if (!heads.includes(head)) this.#doors.set(node, [...heads, head]);
    }
  }
}

/** Everything but tunnels: articles, hubs, near-duplicates, in mixed order. */
function openNodes(knobs: Knobs, rng: Rng): PageNode[] {
  const count = knobs.pages - tunnelPages(knobs);
  const nodes: PageNode[] = [];
  const articles: PageNode[][] = Array.from({ length: knobs.topics }, () => []);
  const topicAt = topicDrawer(knobs);
  for (let id = 0; id < count; id++) {
    const chance = rng();
    const topic = topicAt(rng());
    const host = hostFor(topic, knobs, rng);
    const originals = articles[topic] ?? [];
    const isCopy = chance >= knobs.hubs && chance < knobs.hubs + knobs.nearDuplicates && originals.length > 0;
    const kind: NodeKind = chance < knobs.hubs ? 'hub' : isCopy ? 'near-duplicate' : 'article';
    const node: PageNode = { id, kind, topic, host, copyOf: isCopy ? pick(originals, rng) : null };
    if (kind === 'article') originals.push(node);
    nodes.push(node);
  }
  return nodes;
}

function topicDrawer(knobs: Knobs): (at: number) => number {
  const shares = knobs.topicShares.length > 0 ? knobs.topicShares : Array.from({ length: knobs.topics }, () => 1);
  const total = shares.reduce((sum, share) => sum + share, 0);
  let sum = 0;
  const ends = shares.map((share) => {
    sum += share / total;
    return sum;
  });
  return (at) => {
    const topic = ends.findIndex((end) => at < end);
    return topic < 0 ? knobs.topics - 1 : topic;
  };
}

/** Host h is given to topic h mod topics; a topic without a host of its own lies anywhere. */
function hostFor(topic: number, knobs: Knobs, rng: Rng): number {
  const own = Math.ceil((knobs.hosts - topic) / knobs.topics);
  if (own < 1 || rng() >= knobs.hostPurity) return Math.floor(rng() * knobs.hosts);
  return topic + knobs.topics * Math.floor(rng() * own);
}

function grouped(nodes: readonly PageNode[], groups: number, groupOf: (node: PageNode) => number): readonly (readonly PageNode[])[] {
  const out: PageNode[][] = Array.from({ length: groups }, () => []);
  for (const node of nodes) out[groupOf(node)]?.push(node);
  return out;
}

/** Put a link in the place of one of its kind, so that locality stays what it was; add it when there is none. */
function force(drafts: Draft[], draft: Draft): void {
  if (drafts.some((other) => other.to === draft.to)) return;
  const at = drafts.findLastIndex((other) => other.on === draft.on);
  if (at < 0) drafts.push(draft);
  else drafts[at] = draft;
}
