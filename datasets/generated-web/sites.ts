/** Names and addresses of the generated web. */
import { TRAP_HOSTS, type Trap, type TrapPlace, trapPath, trapPlace } from './traps.ts';

/** Names of hosts, as they stand in URLs. */
export type HostNames = { readonly kind: 'names' } | { readonly kind: 'loopback'; readonly port: number };

/** What a URL of the web leads to. */
export type Place =
  | { readonly kind: 'page'; readonly id: number; readonly host: number }
  | { readonly kind: 'home'; readonly host: number }
  | { readonly kind: 'about'; readonly host: number }
  | TrapPlace;

/** Last byte of a loopback address runs from 1 to this, to stay clear of .0 and .255. */
const PER_BLOCK = 250;

/** Hosts of the web and the URLs on them. */
export class Sites {
  readonly names: HostNames;
  /** Authorities by index; those of the traps are the last. */
  readonly hosts: readonly string[];
  readonly #count: number;
  readonly #traps: readonly Trap[];
  readonly #indexOf: ReadonlyMap<string, number>;

  constructor(count: number, traps: readonly Trap[], names: HostNames) {
    this.names = names;
    this.#count = count;
    this.#traps = traps;
    this.hosts = Array.from({ length: count + traps.length }, (_, at) => authority(at, this.trapAt(at), names));
    this.#indexOf = new Map(this.hosts.map((host, at) => [host, at]));
  }

  urlOf(place: Place): string {
    const host = 'host' in place ? place.host : this.hostOf(place.kind);
    return `http://${this.hosts[host] ?? ''}${pathOf(place)}`;
  }

  /** Index of a trap's host. */
  hostOf(trap: Trap): number {
    return this.#count + this.#traps.indexOf(trap);
  }

  /** The trap a host is; null for a host of articles. */
  trapAt(host: number): Trap | null {
    return this.#traps[host - this.#count] ?? null;
  }

  /** null for a host of another web. */
  hostIndex(host: string): number | null {
    return this.#indexOf.get(host) ?? null;
  }

  /** The place at a path of a known host; null when nothing can be there. Queries mean something on the hosts of traps only. */
  placeAt(host: number, pathAndQuery: string): Place | null {
    const target = pathAndQuery.replace(/#.*$/s, '');
    const path = target.replace(/\?.*$/s, '');
    const trap = this.trapAt(host);
    if (trap === 'calendar') return trapPlace(trap, target);
    if (path === '/') return { kind: 'home', host };
    if (path === '/about.html') return { kind: 'about', host };
    if (trap !== null) return trapPlace(trap, target);
    const id = /^\/a\/(0|[1-9]\d{0,8})\.html$/.exec(path)?.[1];
    return id === undefined ? null : { kind: 'page', id: Number(id), host };
  }

  /** The place a URL names; null when it is not of this web. */
  placeOf(url: string): Place | null {
    const parsed = httpUrl(url);
    const index = parsed === null ? null : this.hostIndex(parsed.host);
    return parsed === null || index === null ? null : this.placeAt(index, parsed.pathname + parsed.search);
  }

  /** The trap whose host a URL is on, whether or not a page is there; null for any other URL. */
  trapOf(url: string): Trap | null {
    const index = this.hostIndex(httpUrl(url)?.host ?? '');
    return index === null ? null : this.trapAt(index);
  }
}

function httpUrl(url: string): URL | null {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  return parsed?.protocol === 'http:' ? parsed : null;
}

function pathOf(place: Place): string {
  if (place.kind === 'page') return `/a/${place.id}.html`;
  if (place.kind === 'home') return '/';
  return place.kind === 'about' ? '/about.html' : trapPath(place);
}

function authority(at: number, trap: Trap | null, names: HostNames): string {
  if (names.kind === 'loopback') return `127.0.${1 + Math.floor(at / PER_BLOCK)}.${1 + (at % PER_BLOCK)}:${names.port}`;
  return trap === null ? `site-${at + 1}.example` : TRAP_HOSTS[trap];
}
