import type { HostPolicy } from '../../base/core/parts.ts';
import type { HostKey } from '../../base/core/types.ts';
import { registrableDomain } from '../../base/web/domain.ts';
import { canonicalize } from '../../base/web/url.ts';
import type { OptOutList } from './opt-out.ts';
import { addressIsLoopback } from './ssrf.ts';
import type { WithdrawnList } from './withdrawn-list.ts';

/** Source of the addresses of hosts; `HttpFetcher` is one. */
export interface AddressBook {
  addressesOf(host: HostKey): Promise<readonly string[] | null>;
}

export interface SharedDelays {
  /** Do hosts of one address share a delay? */
  readonly perIp: boolean;
  /** Do hosts of one registrable domain share a delay? */
  readonly perDomain: boolean;
}

/** Lists of hosts and pages that are not requested; null for none. */
export interface HostLists {
  readonly optOut: OptOutList | null;
  readonly withdrawn: WithdrawnList | null;
}

/** Decides which hosts are one machine or have one owner, and who opted out. */
export function hostPolicyOf({ perIp, perDomain }: SharedDelays, book: AddressBook, { optOut, withdrawn }: HostLists): HostPolicy {
  return {
    optedOut: (url) => optOut?.has(url) ?? false,
    withdrawn: (url) => withdrawn?.has(url) ?? false,
    groupsOf: async (host) => {
      const addresses = perIp ? await book.addressesOf(host) : [];
      if (addresses === null) return null;
      const domain = perDomain ? domainGroup(host) : null;
      return [domain, machineGroup(addresses)].filter((key) => key !== null);
    },
  };
}

function domainGroup(host: HostKey): string | null {
  const url = canonicalize(host);
  return url && `domain ${registrableDomain(url)}`;
}

/**
 * Hosts with the same addresses are one group, in any order of the addresses: the least one names the group. Loopback addresses form no group:
 * servers there belong to the user, or to a test of many hosts on one machine. Through a proxy, no address is known.
 */
function machineGroup(addresses: readonly string[]): string | null {
  const [least] = addresses.filter((address) => !addressIsLoopback(address)).sort();
  return least === undefined ? null : `ip ${least}`;
}
