/** A web of pages that change, vanish and are born, as a function of time: what a server would send at any moment of a year. */
import { seededRng } from '../../src/base/core/rng.ts';
import type { EpochMs, Ms } from '../../src/base/core/types.ts';

export const DAY: Ms = 86_400_000;
export const BEGIN: EpochMs = Date.parse('2026-01-01T00:00:00Z');
const WORDS = 150;
/** Words of a page that are others in each version: the simhash differs in some 20 bits. */
const CHANGING = 40;
const VOCABULARY = 5000;

export interface YearPage {
  readonly url: string;
  readonly bornAt: EpochMs;
  /** Times of changes, ascending. */
  readonly changes: readonly EpochMs[];
  /** Spans in which it is gone (404). */
  readonly gone: readonly (readonly [from: EpochMs, to: EpochMs])[];
}

export interface YearOptions {
  readonly pages: number;
  readonly hosts: number;
  readonly days: number;
  readonly seed: number;
}

/** Entries of a feed. */
const NEWEST = 20;

/**
 * Hosts with a front page each, which lists the pages of the host that are born; a fifth of them is born during the year. The feed of a host has its newest
 * pages.
 */
export class YearWeb {
  readonly hosts: readonly string[];
  readonly pages: ReadonlyMap<string, YearPage>;
  readonly #byHost = new Map<string, YearPage[]>();
  readonly #end: EpochMs;

  constructor({ pages, hosts, days, seed }: YearOptions) {
    this.#end = BEGIN + days * DAY;
    this.hosts = Array.from({ length: hosts }, (_, i) => `http://h${i}.test/`);
    const all = Array.from({ length: pages }, (_, i) => this.#page(`${this.hosts[i % hosts]}${i}`, seededRng(seed * 1_000_003 + i), i));
    for (const page of all) {
      const host = new URL(page.url).origin;
      this.#byHost.set(host, [...(this.#byHost.get(host) ?? []), page]);
    }
    this.pages = new Map(all.map((page) => [page.url, page]));
  }

  /** Rates over three decades, .001 to 1 a day; each fiftieth page changes hourly, and each twentieth vanishes, half of these for a while. */
  #page(url: string, rng: () => number, i: number): YearPage {
    const bornAt = rng() < 0.2 ? BEGIN + rng() * (this.#end - BEGIN) : BEGIN;
    const rate = i % 50 === 0 ? 24 : 10 ** (3 * rng() - 3);
    const changes: EpochMs[] = [];
    for (let at = bornAt; at < this.#end; ) {
      at += (-Math.log(1 - rng()) / rate) * DAY;
      if (at < this.#end) changes.push(at);
    }
    const from = bornAt + rng() * (this.#end - bornAt);
    const to = rng() < 0.5 ? Number.POSITIVE_INFINITY : from + 30 * DAY;
    return { url, bornAt, changes, gone: rng() < 0.05 ? [[from, to]] : [] };
  }

  /** The URLs in the feed of a host. */
  feed(url: string, now: EpochMs): readonly string[] {
    const born = this.#byHost.get(new URL(url).origin)?.filter(({ bornAt }) => bornAt <= now) ?? [];
    return born
      .toSorted((a, b) => b.bornAt - a.bornAt)
      .slice(0, NEWEST)
      .map((page) => page.url);
  }

  /** @returns null for 404 */
  at(url: string, now: EpochMs): { readonly version: number; readonly text: string; readonly links: readonly string[] } | null {
    if (url.endsWith('/feed')) return { version: 0, text: '', links: [] };
    const page = this.pages.get(url);
    if (page) {
      if (now < page.bornAt || page.gone.some(([from, to]) => now >= from && now < to)) return null;
      const version = countUpTo(page.changes, now);
      return { version, text: textOf(url, version), links: [] };
    }
    const born = this.#byHost.get(url.slice(0, -1))?.filter(({ bornAt }) => bornAt <= now) ?? [];
    if (born.length === 0) return null;
    return {
      version: born.length,
      text: born.map(({ url: one }) => `Page ${one} of the host.`).join('\n'),
      links: born.map((one) => one.url),
    };
  }
}

function countUpTo(times: readonly EpochMs[], now: EpochMs): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= now) low = middle + 1;
    else high = middle;
  }
  return low;
}

function textOf(url: string, version: number): string {
  const [still, moving] = [seededRng(hash(url)), seededRng(hash(`${url} ${version}`))];
  const words = Array.from({ length: WORDS }, () => `w${Math.floor(still() * VOCABULARY)}`);
  for (let i = 0; i < CHANGING; i++) words[Math.floor(moving() * WORDS)] = `v${Math.floor(moving() * VOCABULARY)}`;
  return `${words.join(' ')}\nVersion ${version} of ${url}`;
}

function hash(text: string): number {
  let out = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) out = Math.imul(out ^ text.charCodeAt(i), 0x01000193);
  return out >>> 0;
}
