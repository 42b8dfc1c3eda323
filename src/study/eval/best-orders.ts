/** The largest number of pages that can be found, and a good order of visits, both with knowledge of the whole web. */

/** A web and the pages to find in it. */
export interface Errand {
  /** Targets of the links of each URL, as indices; shape [URLs][links]. */
  readonly links: readonly ArrayLike<number>[];
  /** Number of the page behind a URL if it is to be found, else -1; shape [URLs]. */
  readonly pageOf: ArrayLike<number>;
  readonly starts: readonly number[];
}

/**
 * An upper bound on the pages found after each visit, for every order of visits in which each URL is a start or linked from an earlier one. A page
 * takes at least the visits to other URLs on the path that has the fewest of them. Why it is a bound: of the pages that an order has found after v
 * visits, let the farthest take d visits to other URLs. Then at most v - d of the visits were to pages to find, and all found pages lie within d. The
 * maximum over all d allows for any order. The bound assumes that the path to the farthest page also contains the paths to all others, so perhaps no
 * order reaches it. Shape [visits]. O(links + visits * depth).
 */
export function mostFound(errand: Errand, visits: number): Int32Array {
  const within = foundWithin(errand);
  return Int32Array.from({ length: visits }, (_, i) =>
    within.reduce((most, pages, others) => Math.max(most, Math.min(pages, i + 1 - others)), 0),
  );
}

/** Number of pages that have a path with at most that many URLs that are not to be found; shape [URLs on the path]. */
function foundWithin({ links, pageOf, starts }: Errand): number[] {
  const within: number[] = [];
  const found = new Set<number>();
  const reached = new Uint8Array(links.length);
  const isWanted = (url: number) => (pageOf[url] ?? -1) >= 0;
  let now = starts.filter(isWanted);
  let later = starts.filter((url) => !isWanted(url));
  for (;;) {
    for (let url = now.pop(); url !== undefined; url = now.pop()) {
      if (reached[url] === 1) continue;
      reached[url] = 1;
      if (isWanted(url)) found.add(pageOf[url] ?? -1);
      for (const target of Array.from(links[url] ?? [])) (isWanted(target) ? now : later).push(target);
    }
    within.push(found.size);
    now = later.filter((url) => reached[url] === 0);
    later = [];
    if (now.length === 0) return within;
  }
}

/**
 * The order that always goes to the nearest page not found yet, measured in remaining visits. It is greedy: another order may find more. Contains
 * each URL once, without those that lead to nothing more. O(links) for each page that is not linked from a visited one.
 */
export function nearestFirst({ links, pageOf, starts }: Errand): number[] {
  const order: number[] = [];
  const found = new Set<number>();
  const visited = new Uint8Array(links.length);
  let known = [...new Set(starts)];
  const isWanted = (url: number) => (pageOf[url] ?? -1) >= 0 && !found.has(pageOf[url] ?? -1);
  const visit = (url: number) => {
    visited[url] = 1;
    order.push(url);
    if (isWanted(url)) found.add(pageOf[url] ?? -1);
    for (const target of Array.from(links[url] ?? [])) if (visited[target] === 0) known.push(target);
  };
  for (;;) {
    known = [...new Set(known)].filter((url) => visited[url] === 0);
    const direct = known.filter(isWanted);
    const way = direct.length > 0 ? direct : wayToNearest(known, links, isWanted, visited);
    if (way.length === 0) return order;
    // Of two URLs of one page, the second is no longer wanted.
    for (const url of way) if (direct.length === 0 || isWanted(url)) visit(url);
  }
}

/** The path from one of `known` to the nearest wanted URL, both included; empty if there is none. */
function wayToNearest(
  known: readonly number[],
  links: Errand['links'],
  isWanted: (url: number) => boolean,
  visited: Uint8Array,
): readonly number[] {
  const cameFrom = new Map(known.map((url) => [url, -1]));
  // A Map also iterates over entries added meanwhile: it is its own queue.
  for (const url of cameFrom.keys()) {
    if (isWanted(url)) return wayBack(url, cameFrom);
    for (const target of Array.from(links[url] ?? [])) if (visited[target] === 0 && !cameFrom.has(target)) cameFrom.set(target, url);
  }
  return [];
}

function wayBack(end: number, cameFrom: ReadonlyMap<number, number>): number[] {
  const way: number[] = [];
  for (let url = end; url >= 0; url = cameFrom.get(url) ?? -1) way.unshift(url);
  return way;
}
