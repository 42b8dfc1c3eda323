import type { DiscoveredLink, Discovery } from '../../base/core/types.ts';
import { LruMap } from './lru-map.ts';

/** Links lately passed on, some 10 MB: pages of a site repeat the same links to other sites. */
const REMEMBERED = 65_536;

/** A refused link is passed on as well: the ledger has every URL. It ranks below all priorities. */
const REFUSED = -1;
/** Added to the priority of an alternate, which takes the place of any other link. */
const ALTERNATE = 1;

type PassedLink = Pick<DiscoveredLink, 'url' | 'priority' | 'refusal'> & Partial<Pick<DiscoveredLink, 'task' | 'alternates'>>;

/** Passes links to hosts of other workers on, but not those that would change nothing there. */
export class ForeignLinks {
  readonly #passed = new LruMap<number>(REMEMBERED);
  readonly pass: (discovery: Discovery) => void;

  constructor(pass: (discovery: Discovery) => void) {
    this.pass = pass;
  }

  /** Is it new, or better than before, or does it state alternates? Then it counts as passed on. */
  wants({ url, priority, refusal, task, alternates }: PassedLink): boolean {
    const rank = refusal !== null ? REFUSED : task?.kind === 'alternate' ? priority + ALTERNATE : priority;
    const before = this.#passed.get(url);
    if (before !== undefined && before >= rank) return alternates !== undefined;
    this.#passed.set(url, rank);
    return true;
  }
}
