/** Values by mutual reinforcement: pages that link to good pages, and pages that those link to. */

import { grown } from '../../base/core/columns.ts';
import type { Unit } from '../../base/core/types.ts';
import { GraphScorer, type Ranking, sharesOf } from './graph-scorer.ts';
import type { LinkGraph, Node, Page } from './link-graph.ts';

/**
 * Hubs and authorities (Kleinberg 1999) with relevance weights (Chakrabarti, van den Berg, Dom 1999, "Focused crawling"). The authority of a URL is
 * the sum, over the pages that link to it, of their hub score · the relevance of the URL. The hub score of a page is its own relevance · the sum of
 * the authorities that it links to. So an off-topic page neither receives nor passes on much. An unread page counts as relevant as the page that
 * links to it, which is the paper's rule of soft focus.
 *
 * `authority` orders by the authority of the URL itself. `hub` orders by the hub score of the best page that links to it, because an unread page has
 * no hub score of its own. Three things differ from the papers. Links within a host count, or a crawl of one site would have none (both papers omit
 * them). All pages seen take part, not the neighbourhood of a query nor only those above a threshold. And the scores order the whole frontier, while
 * the paper only sometimes raises the links of the best hubs.
 *
 * Scores are shares of the greatest score. Each rescoring iterates them from their last state until hub scores change by less than a thousandth of
 * their sum, or twenty times. Kleinberg found twenty iterations enough for the order of the best, so the scores need not have settled. Between two
 * rescorings, a page that is read has the hub score that the authorities then give it, and its links gain that much. 16 bytes a URL and 8 a page; an
 * iteration touches each link twice. With all iterations of a crawl's life, a link takes one to four microseconds (82 µs for a page of 79 links on
 * en.cppreference.com, 102 µs for one of 22 links on a generated web).
 */
export const authorityScorer = () => new GraphScorer('authority', (graph) => new Hubs(graph, 'authority'));
export const hubScorer = () => new GraphScorer('hub', (graph) => new Hubs(graph, 'hub'));

const START_CAPACITY = 1024;
/** Total change of all hub scores, as a share of their sum. Chosen a priori. */
const SETTLED = 1e-3;
/** Kleinberg 1999, who starts from 1 for all; here each iteration starts from the last state. */
const MAX_ITERATIONS = 20;

class Hubs implements Ranking {
  readonly words;
  readonly #graph: LinkGraph;
  readonly #by: 'hub' | 'authority';
  #hub = new Float64Array(START_CAPACITY);
  #authority = new Float64Array(START_CAPACITY);
  /** Highest hub score of a page that links to a node, for each node. */
  #best = new Float64Array(START_CAPACITY);
  /** The divisors of the sums, so that the greatest score is 1; 0 for hubs before the first iteration. */
  #greatest = { hub: 0, authority: 1 };

  constructor(graph: LinkGraph, by: 'hub' | 'authority') {
    this.#graph = graph;
    this.#by = by;
    this.words = {
      worth: by === 'hub' ? 'the hub score of the best page that links to it' : 'its authority as last iterated',
      rest: 'scores of these pages, which have changed since it was worked out',
    };
  }

  read(page: Page): void {
    this.#grow();
    const relevance = this.#graph.relevanceOf(page);
    const { hub } = this.#greatest;
    this.#hub[page] = hub === 0 ? relevance : Math.min(1, this.#hubSum(page) / hub);
    this.#passOn(page, this.#authority, 1 / this.#greatest.authority);
    this.#offer(page);
  }

  join(from: Node, to: Node): void {
    this.#grow();
    this.#authority[to] = (this.#authority[to] ?? 0) + (this.#authority[from] ?? 0);
    this.#best[to] = Math.max(this.#best[to] ?? 0, this.#best[from] ?? 0);
  }

  refresh(): void {
    this.#graph.flatten();
    for (let i = 0; i < MAX_ITERATIONS; i++) if (this.#iterate() < SETTLED) break;
    this.#best.fill(0);
    for (let page = 0; page < this.#graph.pages; page++) this.#offer(page);
  }

  worth(node: Node): number {
    return (this.#by === 'hub' ? this.#best[node] : this.#authority[node]) ?? 0;
  }

  shares(node: Node): ReturnType<Ranking['shares']> {
    const graph = this.#graph;
    if (this.#by === 'authority') {
      const share = (page: Page) => (this.#hubOf(page) * this.#weight(node, page)) / this.#greatest.authority;
      return { bias: 0, contributions: sharesOf(graph, node, 'hub score, weighted, of', share) };
    }
    const all = sharesOf(graph, node, 'hub score of', (page) => this.#hubOf(page));
    return { bias: 0, contributions: all.filter(({ contribution }) => contribution === this.worth(node)).slice(0, 1) };
  }

  /** @returns the total change of all hub scores, as a share of their sum */
  #iterate(): number {
    const { pages } = this.#graph;
    this.#authority.fill(0);
    for (let page = 0; page < pages; page++) this.#passOn(page, this.#authority, 1);
    this.#greatest.authority = scaled(this.#authority);
    const before = this.#hub.slice(0, pages);
    for (let page = 0; page < pages; page++) this.#hub[page] = this.#hubSum(page);
    this.#greatest.hub = scaled(this.#hub);
    let [changes, sum] = [0, 0];
    for (let page = 0; page < pages; page++) {
      changes += Math.abs(this.#hubOf(page) - (before[page] ?? 0));
      sum += this.#hubOf(page);
    }
    return sum === 0 ? 0 : changes / sum;
  }

  #hubOf(page: Page): number {
    return this.#hub[page] ?? 0;
  }

  /** Relevance of a node; of an unread node, that of the page that links to it. */
  #weight(node: Node, from: Page): Unit {
    const page = this.#graph.pageOf(node);
    return this.#graph.relevanceOf(page < 0 ? from : page);
  }

  /** The hub score of a page before scaling. */
  #hubSum(page: Page): number {
    const targets = this.#graph.targetsOf(page);
    let sum = 0;
    for (let i = 0; i < targets.length; i++) sum += this.#authority[targets[i] ?? 0] ?? 0;
    return this.#graph.relevanceOf(page) * sum;
  }

  #passOn(page: Page, to: Float64Array, scale: number): void {
    const targets = this.#graph.targetsOf(page);
    const share = this.#hubOf(page) * scale;
    for (let i = 0; i < targets.length; i++) {
      const node = targets[i] ?? 0;
      to[node] = (to[node] ?? 0) + share * this.#weight(node, page);
    }
  }

  #offer(page: Page): void {
    const hub = this.#hubOf(page);
    for (const node of this.#graph.targetsOf(page)) if (hub > (this.#best[node] ?? 0)) this.#best[node] = hub;
  }

  #grow(): void {
    const { nodes, pages } = this.#graph;
    this.#hub = grown(this.#hub, pages, Float64Array);
    this.#authority = grown(this.#authority, nodes, Float64Array);
    this.#best = grown(this.#best, nodes, Float64Array);
  }
}

/** Divides by the greatest value. @returns that value; 1 if all are 0 */
function scaled(values: Float64Array): number {
  let greatest = 0;
  for (const value of values) if (value > greatest) greatest = value;
  if (greatest === 0) return 1;
  for (let i = 0; i < values.length; i++) values[i] = (values[i] ?? 0) / greatest;
  return greatest;
}
