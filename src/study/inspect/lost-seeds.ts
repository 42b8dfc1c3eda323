import type { Ledger, Standing } from '../../base/core/parts/queueing.ts';
import { isReadRefusal, reasonText, redirectIn } from '../../base/core/reason.ts';
import type { CanonicalUrl, LedgerLine } from '../../base/core/types.ts';

/** A seed that led to no page, and its end. */
export interface LostSeed {
  readonly url: CanonicalUrl;
  readonly state: 'refused' | 'failed';
  readonly reason: string;
  /** HTTP status; null without a response. */
  readonly status: number | null;
}

/** The results of a crawl's seeds. */
export interface SeedEnds {
  /** Seeds that gave a page, or redirect to one that was read: on topic or not, in the corpus or not. */
  readonly seedsWithPage: number;
  /** Seeds that led to no page, in the order given. The others wait. */
  readonly lostSeeds: readonly LostSeed[];
  /** Seeds that are themselves refused as loopback or private addresses, which `allowPrivate` permits. */
  readonly privateSeeds: number;
}

const READ: ReadonlySet<LedgerLine['state']> = new Set(['kept', 'off-topic', 'duplicate']);

/** One pass over the seeds; reads the fate of each settled seed, and of the URL it redirects to. */
export function seedEnds(seeds: readonly CanonicalUrl[], frontier: Pick<Ledger, 'standing'>): SeedEnds {
  const lostSeeds: LostSeed[] = [];
  let [seedsWithPage, privateSeeds] = [0, 0];
  for (const url of seeds) {
    const first = frontier.standing(url);
    if (first?.reason === 'private-address') privateSeeds += 1;
    const { standing: end } = endOfRedirects(url, frontier);
    if (end === null) continue;
    const { state, reason, status, reopened } = end;
    // A reopened seed waits, or has failed since; it was read before.
    if (READ.has(state) || isReadRefusal(reason) || reopened || isList(reason)) seedsWithPage += 1;
    if (!READ.has(state) && !isReadRefusal(reason) && (state === 'refused' || state === 'failed'))
      lostSeeds.push({ url, state, reason: reasonText(reason), status });
  }
  return { seedsWithPage, lostSeeds, privateSeeds };
}

/** A sitemap or feed that named pages is as good as a page. */
function isList(reason: Standing['reason']): boolean {
  return typeof reason === 'object' && reason.kind === 'list' && reason.links > 0;
}

/** The end of a chain of redirects, which may be the page itself; `standing` is null if it was not found. A circular chain ends where it closes. */
export function endOfRedirects(
  from: CanonicalUrl,
  frontier: Pick<Ledger, 'standing'>,
): { readonly url: CanonicalUrl; readonly standing: Standing | null } {
  const passed = new Set([from]);
  let url = from;
  let standing = frontier.standing(from);
  for (let to = standing && redirectIn(standing.reason); to !== null && !passed.has(to); to = standing && redirectIn(standing.reason)) {
    passed.add(to);
    url = to;
    standing = frontier.standing(to);
  }
  return { url, standing };
}
