import type { Contribution } from '../core/parts/reading.ts';
import type { LinkExplanation, LinkScorer, ScorableLink } from '../core/parts/scoring.ts';
import { nextRescoring } from '../core/rescoring-schedule.ts';
import type { CanonicalUrl, Unit } from '../core/types.ts';
import { LinkGraph, type Node, type Page } from './link-graph.ts';

/** What the nodes of a graph are worth, from 0 up. */
export interface Ranking {
  /** A page came, the last one of the graph. `isSeed`: no page led the crawl to it. Its links are worth something from here on. */
  read(page: Page, isSeed: boolean): void;
  /** Two nodes are one from here on, by a redirect. */
  join(from: Node, to: Node): void;
  /** Work out anew what all are worth. Called right before waiting links are scored anew. */
  refresh(): void;
  /** -1 stands for a URL that no page links to. */
  worth(node: Node): number;
  /** What the pages that link to a node give to its worth. */
  shares(node: Node): { readonly bias: number; readonly contributions: readonly Contribution[] };
  /** What `worth` is called, and what is in it that `shares` cannot tell. */
  readonly words: { readonly worth: string; readonly rest: string };
}

/** Shares of the worth that are told apart from rounding. */
const ROUNDING = 1e-12;

/**
 * Priorities by what a URL is worth in the graph of links seen so far: worth / (1 + worth), which keeps the order. A lesson teaches nothing but
 * that a page was read: lessons are counted, and at the moments of rescoring everything is worked out anew. Deterministic: the same pages,
 * redirects and lessons in the same order give the same worth to the bit. The words of links are not read.
 */
export class GraphScorer implements LinkScorer {
  readonly strategy: string;
  readonly judgement = 'none';
  learnedFrom = 0;
  readonly #graph = new LinkGraph();
  readonly #ranking: Ranking;
  #refreshAt = nextRescoring(0);

  constructor(strategy: string, rankingOf: (graph: LinkGraph) => Ranking) {
    this.strategy = strategy;
    this.#ranking = rankingOf(this.#graph);
  }

  see({ url, edge }: ScorableLink, relevance: Unit | null, urls: readonly CanonicalUrl[]): void {
    if (relevance === null) this.#follow(url, urls);
    else {
      const page = this.#graph.add(url, relevance, urls);
      if (page !== null) this.#ranking.read(page, edge === null);
    }
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

  #follow(from: CanonicalUrl, [to]: readonly CanonicalUrl[]): void {
    const joined = to === undefined ? null : this.#graph.redirect(from, to);
    if (joined) this.#ranking.join(joined.from, joined.to);
  }
}

/** The contributions of pages, one each. */
export function sharesOf(graph: LinkGraph, node: Node, name: string, share: (page: Page) => number): readonly Contribution[] {
  const shares = new Map<Page, number>();
  for (const page of graph.pagesLinkingTo(node)) shares.set(page, (shares.get(page) ?? 0) + share(page));
  return Array.from(shares, ([page, contribution]) => ({ feature: `${name} ${graph.urlOf(page) ?? ''}`, contribution }));
}

function unitOf(worth: number): Unit {
  return worth / (1 + worth);
}
