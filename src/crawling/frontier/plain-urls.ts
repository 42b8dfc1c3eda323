/** The URLs that a frontier never requested, in columns. */
import type { PlainUrls } from '../../base/core/parts/queueing.ts';
import type { LedgerLine } from '../../base/core/types.ts';
import type { FrontierParts } from './frontier-parts.ts';
import type { HostState } from './hosts.ts';
import type { Slot } from './url-table.ts';

type Kind = PlainUrls['kinds'][number];
type Parts = Pick<FrontierParts, 'urls' | 'hosts' | 'store' | 'guard'>;

/** Numbers kinds as they come. */
class Kinds {
  readonly all: Kind[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(state: LedgerLine['state'], reason: string): number {
    const key = `${state} ${reason}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.all.length);
    return this.all.push({ state, reason }) - 1;
  }
}

/**
 * Takes some nanoseconds a URL.
 * @param reasonSkipped why nothing is requested from a host; null if it may be
 */
export function plainUrlsOf(parts: Parts, reasonSkipped: (host: HostState) => string | null): PlainUrls {
  const { urls, hosts } = parts;
  const { size } = urls;
  const kinds = new Kinds();
  const waits = kindsOfHosts(parts, kinds, reasonSkipped);
  const [ended, others]: [number[], number[]] = [[], []];
  const columns = {
    places: new Uint32Array(size),
    hosts: new Uint32Array(size),
    priorities: new Float32Array(size),
    depths: new Uint16Array(size),
    discoveries: new Uint32Array(size),
    kindOf: new Uint8Array(size),
  };
  let plain = 0;
  for (let slot: Slot = 0; slot < size; slot++) {
    const kind = kindOf(parts, slot, waits, kinds);
    if (kind < 0) {
      (kind === ENDED ? ended : others).push(slot);
      continue;
    }
    columns.places[plain] = slot;
    columns.hosts[plain] = urls.hostOf(slot);
    columns.priorities[plain] = urls.priorityOf(slot);
    columns.depths[plain] = urls.depthOf(slot);
    columns.discoveries[plain] = urls.discoveryOf(slot);
    columns.kindOf[plain++] = kind;
  }
  return { ...columns, size: plain, kinds: kinds.all, ended, others, hostKey: (host) => hosts.known(host).key };
}

const [OTHER, ENDED] = [-1, -2];

/** The kind of the waiting URLs of each host; `OTHER` where a pattern may be parked. */
function kindsOfHosts({ hosts, guard }: Parts, kinds: Kinds, reasonSkipped: (host: HostState) => string | null): Int16Array {
  const isParkedOn = guard?.parkedHosts() ?? (() => false);
  const waiting = kinds.numberOf('waiting', '');
  return Int16Array.from(hosts.all(), (host) => {
    const reason = reasonSkipped(host);
    if (reason !== null) return kinds.numberOf('parked', reason);
    return isParkedOn(host.key) ? OTHER : waiting;
  });
}

/** A link that looks like a document is of interest for its name. */
function kindOf({ urls, store }: Parts, slot: Slot, waits: Int16Array, kinds: Kinds): number {
  const state = urls.state(slot);
  if (state === 'waiting') return urls.attemptsOf(slot) > 0 || store.hasFate(slot) ? OTHER : (waits[urls.hostOf(slot)] ?? OTHER);
  const refusal = state === 'refused' ? urls.refusal(slot) : null;
  if (refusal === null) return state === 'leased' ? OTHER : ENDED;
  return refusal === 'content-type' ? OTHER : kinds.numberOf(state, refusal);
}
