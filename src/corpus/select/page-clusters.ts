import { grown } from '../../base/core/columns.ts';

/** Sets of pages, joined pair by pair (union-find with path halving; Tarjan and van Leeuwen 1984). Pages are numbered from 0. 4 bytes a page. */
export class PageClusters {
  /** One more than the parent; 0 for a page that is alone or stands for its cluster. */
  #parents = new Uint32Array(0);

  /** The page that stands for the cluster of this one: always its first. Amortised almost O(1). */
  find(page: number): number {
    const parents = this.#parents;
    let at = page;
    for (let up = parents[at]; up; up = parents[at]) {
      const above = parents[up - 1];
      if (above) parents[at] = above;
      at = (above || up) - 1;
    }
    return at;
  }

  /** Makes one cluster of those of two pages. @returns false if they were one already */
  join(page: number, other: number): boolean {
    const [a, b] = [this.find(page), this.find(other)];
    if (a === b) return false;
    const [first, second] = a < b ? [a, b] : [b, a];
    this.#parents = grown(this.#parents, second + 1, Uint32Array);
    this.#parents[second] = first + 1;
    return true;
  }
}
