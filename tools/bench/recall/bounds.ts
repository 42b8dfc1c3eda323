/** Are the figures that may be upper bounds of the recall at least the recall? */
import type { CanonicalUrl, Unit } from '../../../src/base/core/types.ts';
import { clopperPearson } from '../../../src/study/inspect/binomial.ts';
import { boundByCitations, boundByOther, boundByQueue } from './bound-figures.ts';
import { type Crawl, recallAfter, visitsAt } from './crawls.ts';

/** Recalls at which the bounds are looked at; the last is the end of the crawl. */
const LEVELS = [0.25, 0.5, 0.75, 0.9, 1];

interface Bound {
  readonly by: string;
  readonly level: Unit;
  readonly truth: Unit;
  readonly value: Unit;
}

export class Bounds {
  readonly #bounds: Bound[] = [];

  /** @param others crawls of the same topic, by name */
  add(crawl: Crawl, others: Readonly<Record<string, Crawl>>): void {
    for (const level of LEVELS) {
      const visits = level === 1 ? crawl.run.order.length : visitsAt(crawl, level);
      if (visits === null) continue;
      const truth = recallAfter(crawl, visits);
      const put = (by: string, value: Unit | null) => value !== null && this.#bounds.push({ by, level, truth, value });
      put('citations', boundByCitations(citedIn(crawl, visits)));
      for (const [name, other] of Object.entries(others)) {
        // Both have made as many visits.
        const theirs = keptBy(other, visits);
        const both = theirs.filter((url) => (crawl.allKeptAt.get(url) ?? Number.POSITIVE_INFINITY) <= visits).length;
        put(`overlap with ${name}`, boundByOther(both, theirs.length));
        const onTopic = theirs.filter((url) => crawl.keptAt.has(url));
        const bothOnTopic = onTopic.filter((url) => (crawl.keptAt.get(url) ?? Number.POSITIVE_INFINITY) <= visits).length;
        put(`overlap with ${name}, pages on topic alone`, boundByOther(bothOnTopic, onTopic.length));
        if (theirs.length > 0) put(`overlap with ${name}, upper end at 95 %`, clopperPearson(both, theirs.length).high);
      }
    }
  }

  /** Of a crawl with random visits. */
  addRandom(crawl: Crawl): void {
    for (const level of LEVELS) {
      const visits = level === 1 ? crawl.run.order.length : visitsAt(crawl, level);
      if (visits === null) continue;
      const { waiting, random } = queueAt(crawl, visits);
      const value = boundByQueue(keptBy(crawl, visits).length, waiting, random);
      if (value !== null) this.#bounds.push({ by: 'random sample of the queue', level, truth: recallAfter(crawl, visits), value });
    }
  }

  *lines(): Generator<string> {
    yield '\n| upper bound by | true recall | crawls | mean excess | at least the recall |';
    yield '| --- | ---: | ---: | ---: | ---: |';
    for (const by of new Set(this.#bounds.map((bound) => bound.by))) {
      const own = this.#bounds.filter((bound) => bound.by === by);
      for (const level of LEVELS)
        yield row(
          by,
          level === 1 ? 'the end' : String(level),
          own.filter((bound) => bound.level === level),
        );
      yield row(by, 'all', own);
    }
  }
}

function row(by: string, level: string, bounds: readonly Bound[]): string {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const excess = mean(bounds.map(({ value, truth }) => value - truth));
  const holds = mean(bounds.map(({ value, truth }) => Number(value >= truth)));
  return `| ${by} | ${level} | ${bounds.length} | ${excess.toFixed(3)} | ${(100 * holds).toFixed(1)} % |`;
}

function keptBy({ allKeptAt }: Crawl, visits: number): CanonicalUrl[] {
  return [...allKeptAt].flatMap(([url, place]) => (place <= visits ? [url] : []));
}

/** Number of kept pages that cite each kept page. */
function citedIn(crawl: Crawl, visits: number): number[] {
  const { web, graph } = crawl.trial;
  const kept = new Set(keptBy(crawl, visits).map((url) => web.indexOf(url)));
  const cited = new Map([...kept].map((page) => [page, 0]));
  for (const page of kept)
    for (const target of new Set(graph.targets[page]))
      if (target !== page && kept.has(target)) cited.set(target, (cited.get(target) ?? 0) + 1);
  return [...cited.values()];
}

/** URLs that wait after so many visits, and the random visits until then. */
function queueAt(crawl: Crawl, visits: number) {
  const { web, graph, starts } = crawl.trial;
  const visited = crawl.run.order.slice(0, visits);
  const seen = new Set(starts.map((url) => web.indexOf(url)));
  for (const page of visited) for (const target of graph.targets[page] ?? []) seen.add(target);
  for (const page of visited) seen.delete(page);
  const random = visited.filter((_, place) => crawl.run.explored[place] === true);
  const onTopic = random.filter((page) => crawl.allKeptAt.has(web.urls[page] ?? ('' as CanonicalUrl))).length;
  return { waiting: seen.size, random: { visits: random.length, onTopic } };
}
