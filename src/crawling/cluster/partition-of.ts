import { fingerprint } from '../../base/core/fingerprint.ts';
import type { HostKey } from '../../base/core/types.ts';
import { registrableDomain } from '../../base/web/domain.ts';
import { canonicalize } from '../../base/web/url.ts';

/** Number of partitions of a new crawl: several a worker on ten machines. */
export const PARTITIONS = 64;

/** Hosts whose partition is remembered: 8 MB. The public suffix list takes 2 µs. */
const REMEMBERED = 65_536;

/**
 * The partition of each host, by the 64-bit fingerprint of its registrable domain: the hosts of one owner are in one partition, so one worker has them in one
 * group. It never changes for a crawl.
 */
export function partitionsOf(count: number): (host: HostKey) => number {
  const known = new Map<HostKey, number>();
  return (host) => {
    const found = known.get(host);
    if (found !== undefined) return found;
    const url = canonicalize(host);
    const partition = fingerprint(url === null ? host : registrableDomain(url), { hi: 0, lo: 0 }).lo % count;
    if (known.size >= REMEMBERED) known.clear();
    known.set(host, partition);
    return partition;
  };
}
