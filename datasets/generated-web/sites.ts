/** Names and addresses of the generated web. */

/** Names of hosts, as they stand in URLs. */
export type HostNames = { readonly kind: 'names' } | { readonly kind: 'loopback'; readonly port: number };

/** What a URL of the web leads to. */
export type Place =
  | { readonly kind: 'page'; readonly id: number; readonly host: number }
  | { readonly kind: 'home'; readonly host: number }
  | { readonly kind: 'about'; readonly host: number }
  | { readonly kind: 'calendar'; readonly year: number; readonly month: number };

/** Last byte of a loopback address runs from 1 to this, to stay clear of .0 and .255. */
const PER_BLOCK = 250;
/** The calendar has years enough to be endless for any crawl; the page after the last month is a 404. */
const LAST_YEAR = 999_999;

/** Hosts of the web and the URLs on them. */
export class Sites {
  readonly names: HostNames;
  /** Authorities by index; the calendar's, when there is one, is the last. */
  readonly hosts: readonly string[];
  readonly #count: number;
  readonly #indexOf: ReadonlyMap<string, number>;

  constructor(count: number, calendar: boolean, names: HostNames) {
    this.names = names;
    this.#count = count;
    this.hosts = Array.from({ length: count + (calendar ? 1 : 0) }, (_, at) => authority(at, at === count, names));
    this.#indexOf = new Map(this.hosts.map((host, at) => [host, at]));
  }

  urlOf(place: Place): string {
    return `http://${this.hosts[place.kind === 'calendar' ? this.#count : place.host] ?? ''}${pathOf(place)}`;
  }

  /** null for a host of another web. */
  hostIndex(host: string): number | null {
    return this.#indexOf.get(host) ?? null;
  }

  /** The place at a path of a known host; null when nothing can be there. The query is ignored. */
  placeAt(host: number, pathAndQuery: string): Place | null {
    const path = pathAndQuery.replace(/[?#].*$/s, '');
    if (host === this.#count) return calendarPlace(path);
    if (path === '/') return { kind: 'home', host };
    if (path === '/about.html') return { kind: 'about', host };
    const id = /^\/a\/(0|[1-9]\d{0,8})\.html$/.exec(path)?.[1];
    return id === undefined ? null : { kind: 'page', id: Number(id), host };
  }

  /** The place a URL names; null when it is not of this web. */
  placeOf(url: string): Place | null {
    if (!URL.canParse(url)) return null;
    const { host, pathname, protocol } = new URL(url);
    const index = protocol === 'http:' ? this.hostIndex(host) : null;
    return index === null ? null : this.placeAt(index, pathname);
  }
}

/** The month `step` months on; null outside the years 1 to 999999. */
export function monthOn(year: number, month: number, step: number): Place | null {
  const months = year * 12 + month - 1 + step;
  const place = { kind: 'calendar', year: Math.floor(months / 12), month: (months % 12) + 1 } as const;
  return place.year < 1 || place.year > LAST_YEAR ? null : place;
}

function pathOf(place: Place): string {
  if (place.kind === 'page') return `/a/${place.id}.html`;
  if (place.kind === 'calendar') return `/calendar/${place.year}/${String(place.month).padStart(2, '0')}`;
  return place.kind === 'home' ? '/' : '/about.html';
}

function calendarPlace(path: string): Place | null {
  const match = /^\/calendar\/([1-9]\d{0,5})\/(0[1-9]|1[0-2])$/.exec(path);
  return match === null ? null : { kind: 'calendar', year: Number(match[1]), month: Number(match[2]) };
}

function authority(at: number, calendar: boolean, names: HostNames): string {
  if (names.kind === 'loopback') return `127.0.${1 + Math.floor(at / PER_BLOCK)}.${1 + (at % PER_BLOCK)}:${names.port}`;
  return calendar ? 'calendar.example' : `site-${at + 1}.example`;
}
