import type { Contribution } from '../../base/core/parts/reading.ts';
import type { LinkExplanation, LinkObserver, LinkScorer, ScorableLink } from '../../base/core/parts/scoring.ts';
import { nextRescoring } from '../../base/core/rescoring-schedule.ts';
import type { CanonicalUrl, Unit } from '../../base/core/types.ts';
import { LinkGraph, type Node, type Page } from './link-graph.ts';

/** Values of the nodes of a graph, from 0 up. */
export interface Ranking {
  /** A page was read; it is the last one of the graph. `isSeed`: no page led the crawl to it. From now on its links have a value. */
  read(page: Page, isSeed: boolean): void;
  /** A redirect makes two nodes one. */
  join(from: Node, to: Node): void;
  /** Computes all values again. Called immediately before waiting links are rescored. */
  refresh(): void;
  /** -1 is a URL that no page links to. */
  worth(node: Node): number;
  /** The share of each linking page in the value of a node. */
  shares(node: Node): { readonly bias: number; readonly contributions: readonly Contribution[] };
  /** The name of `worth` in explanations, and the name of the part that `shares` does not contain. */
  readonly words: { readonly worth: string; readonly rest: string };
}

/** Smaller shares of the value are rounding errors. */
const ROUNDING = 1e-12;

/**
 * Priorities by the value of a URL in the graph of all links seen so far: worth / (1 + worth), which keeps the order. A lesson teaches only that a
 * page was read. Lessons are counted, and all values are computed again at each rescoring. Deterministic: the same pages, redirects and lessons in
 * the same order give the same values, bit for bit. The words of links are not read.
 */
export class GraphScorer implements LinkScorer {
  readonly strategy: string;
  readonly judgement = 'none';
  learnedFrom = 0;
  readonly observer: LinkObserver = {
    page: (page, relevance, urls) => this.#read(page, relevance, urls),
    redirect: (from, to) => this.#follow(from, to),
  };
  readonly #graph = new LinkGraph();
  readonly #ranking: Ranking;
  #refreshAt = nextRescoring(0);

  constructor(strategy: string, rankingOf: (graph: LinkGraph) => Ranking) {
    this.strategy = strategy;
    this.#ranking = rankingOf(this.#graph);
  }

  learn(): void {
    this.learnedFrom += 1;
    if (this.learnedFrom < this.#refreshAt) return;
    this.#ranking.refresh();
    this.#refreshAt = nextRescoring(this.learnedFrom);
  }

  score(links: readonly ScorableLink[]): Float32Array {
    return Float32Array.from(links, (link) => (link.edge === null ? 1 : unitOf(this.#worth(link))));
  }

  explain(link: ScorableLink): LinkExplanation {
    if (link.edge === null)
      return { logit: 1, bias: 0, contributions: [{ feature: 'seed', contribution: 1 }], priority: 1, rule: 'a seed has priority 1' };
    const logit = this.#worth(link);
    const { bias, contributions } = this.#ranking.shares(this.#graph.find(link.url));
    const { worth, rest } = this.#ranking.words;
    const untold = logit - bias - contributions.reduce((sum, { contribution }) => sum + contribution, 0);
    const shown = contributions.filter(({ contribution }) => contribution !== 0);
    if (Math.abs(untold) > ROUNDING * logit) shown.push({ feature: rest, contribution: untold });
    shown.sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution));
    const rule = `priority = logit / (1 + logit), where the logit is ${worth}`;
    return { logit, bias, contributions: shown, priority: Math.fround(unitOf(logit)), rule };
  }

  #worth({ url }: ScorableLink): number {
    return this.#ranking.worth(this.#graph.find(url));
  }

  #read({ url, edge }: ScorableLink, relevance: Unit, urls: readonly CanonicalUrl[]): void {
    const page = this.#graph.add(url, relevance, urls);
    if (page !== null) this.#ranking.read(page, edge === null);
  }

  #follow({ url }: ScorableLink, to: CanonicalUrl): void {
    const joined = this.#graph.redirect(url, to);
    if (joined) this.#ranking.join(joined.from, joined.to);
  }
}

/** The contributions of the linking pages, one each. */
export function sharesOf(graph: LinkGraph, node: Node, name: string, share: (page: Page) => number): readonly Contribution[] {
  const shares = new Map<Page, number>();
  for (const page of graph.pagesLinkingTo(node)) shares.set(page, (shares.get(page) ?? 0) + share(page));
  return Array.from(shares, ([page, contribution]) => ({ feature: `${name} ${graph.urlOf(page) ?? ''}`, contribution }));
}

function unitOf(worth: number): Unit {
  return worth / (1 + worth);
}
