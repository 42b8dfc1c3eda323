/** Patterns between the URLs of two languages, such as `/en/` and `/fr/`: learned from pairs, and applied to the other pages of the hosts. */
import { fingerprint } from '../../base/core/fingerprint.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { hostNameOf } from '../../base/web/url.ts';
import type { Evidence } from './page-evidence.ts';
import type { Side } from './page-sketch.ts';
import type { PairLanguages } from './pair-languages.ts';

/** Parts of a URL that a pattern replaces together: `en-us`, `lang=fr`. */
const MAX_RUN = 2;
/** Longer URLs are none of a pattern; sites have URLs of some hundred characters. */
const MAX_URL_CHARS = 2000;
/** Pairs that agree before a pattern is believed: two could be chance, as two pages with slugs of one change. */
const LEAST_PAIRS = 3;
/** Share of a host's pairs that must agree. A site has some schemes side by side, such as folders for pages and endings for files. */
const LEAST_SHARE = 0.05;
/** Patterns of two hosts that are applied, the most frequent ones. */
const MAX_PATTERNS = 8;
/** Patterns of one left host that are applied, and runs that are looked for in the URLs of one right host, over all hosts that it has patterns with. */
const MAX_RUNS = 32;
/** Pages with one rest: without the language their URLs differ, apart from some with a region. */
const MAX_SAME_REST = 8;

/** Parts of the URL of the left page that give way to other parts in that of the right page; '' for none, e.g. `en` and `fr`, or '' and `fr`. */
export interface LanguagePattern {
  readonly leftHost: string;
  readonly rightHost: string;
  readonly left: string;
  readonly right: string;
  /** Pairs it was learned from. */
  readonly pairs: number;
}

type Parts = readonly string[];

/** The parts of a URL between its signs, without its scheme. */
export function urlParts(url: string): Parts {
  const from = url.indexOf('://') + 3;
  return url
    .slice(from, from + MAX_URL_CHARS)
    .split(/[^\p{L}\p{N}%]+/u)
    .filter(Boolean);
}

/** The parts without each occurrence of a run; null if it has none. */
function without(parts: Parts, run: Parts): Parts | null {
  if (run.length === 0) return parts;
  const rest: string[] = [];
  for (let i = 0; i < parts.length; ) {
    if (run.every((part, k) => parts[i + k] === part)) i += run.length;
    else {
      rest.push(parts[i] as string);
      i += 1;
    }
  }
  return rest.length === parts.length ? null : rest;
}

/** The one replacement that makes a URL of the other; null if they differ in more. */
export function urlChange(left: string, right: string): { readonly left: string; readonly right: string } | null {
  const [a, b] = [urlParts(left), urlParts(right)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const middle = [a.slice(start, a.length - end), b.slice(start, b.length - end)] as const;
  const heads = [middle[0].slice(0, 1), middle[1].slice(0, 1)] as const;
  const tails = [middle[0].slice(-1), middle[1].slice(-1)] as const;
  for (const [from, to] of [middle, heads, tails, [[], heads[1]], [heads[0], []]] as const) {
    if (from.length > MAX_RUN || to.length > MAX_RUN || from.length + to.length === 0) continue;
    const rest = without(a, from);
    const other = without(b, to);
    if (rest !== null && other !== null && rest.join('/') === other.join('/')) return { left: from.join(' '), right: to.join(' ') };
  }
  return null;
}

/** Counts of changes between the URLs of pairs. Memory: one entry for each change of each two hosts, and only changes by one run have one. */
export class PatternLearner {
  readonly #changes = new Map<string, LanguagePattern>();
  readonly #totals = new Map<string, number>();

  add(left: CanonicalUrl, right: CanonicalUrl): void {
    const [leftHost, rightHost] = [hostNameOf(left), hostNameOf(right)];
    const hosts = `${leftHost} ${rightHost}`;
    this.#totals.set(hosts, (this.#totals.get(hosts) ?? 0) + 1);
    const change = urlChange(left, right);
    if (change === null) return;
    const key = `${hosts}\n${change.left}\n${change.right}`;
    this.#changes.set(key, { leftHost, rightHost, ...change, pairs: (this.#changes.get(key)?.pairs ?? 0) + 1 });
  }

  /** The patterns with enough pairs, the most frequent first, at most eight for two hosts, and 32 for a left host: a wildcard domain has ever new right hosts. */
  patterns(): readonly LanguagePattern[] {
    const taken = new Map<string, number>();
    const takenOf = (hosts: string) => taken.get(hosts) ?? 0;
    return [...this.#changes.values()]
      .sort((x, y) => y.pairs - x.pairs || (keyOf(x) < keyOf(y) ? -1 : 1))
      .filter(({ leftHost, rightHost, pairs }) => {
        const hosts = `${leftHost} ${rightHost}`;
        if (pairs < LEAST_PAIRS || pairs < LEAST_SHARE * (this.#totals.get(hosts) ?? 0)) return false;
        if (takenOf(hosts) >= MAX_PATTERNS || takenOf(leftHost) >= MAX_RUNS) return false;
        for (const key of [hosts, leftHost]) taken.set(key, takenOf(key) + 1);
        return true;
      });
  }
}

function keyOf({ leftHost, rightHost, left, right }: LanguagePattern): string {
  return [leftHost, rightHost, left, right].join('\n');
}

/** Pages by their URL without the parts that name a language. */
export class PatternIndex {
  readonly #patterns = new Map<string, LanguagePattern[]>();
  readonly #rightRuns = new Map<string, Set<string>>();
  readonly #mostPairs = new Map<string, number>();
  readonly #languages: PairLanguages;
  readonly #pages = new Map<string, number | number[]>();

  constructor(patterns: readonly LanguagePattern[], languages: PairLanguages) {
    this.#languages = languages;
    for (const pattern of patterns) {
      const known = this.#patterns.get(pattern.leftHost);
      if (known === undefined) this.#patterns.set(pattern.leftHost, [pattern]);
      else known.push(pattern);
      this.#mostPairs.set(pattern.rightHost, Math.max(pattern.pairs, this.#mostPairs.get(pattern.rightHost) ?? 0));
      const runs = this.#rightRuns.get(pattern.rightHost) ?? new Set();
      if (runs.size < MAX_RUNS) this.#rightRuns.set(pattern.rightHost, runs.add(pattern.right));
    }
  }

  addRight(url: CanonicalUrl, page: number): void {
    const parts = urlParts(url);
    for (const run of this.#rightRuns.get(hostNameOf(url)) ?? []) this.#add(keyOfRest(`l ${run}`, without(parts, runOf(run))), page);
    this.#add(keyOfRest('n', withoutNames(parts, 1, this.#languages)), page);
  }

  /** The pages whose URL follows from that of a left page, by patterns and by names; a page may come twice. */
  *rightsOf(url: CanonicalUrl): Generator<{ readonly page: number } & Pick<Evidence, 'pattern' | 'isNamed'>> {
    const parts = urlParts(url);
    for (const { left, right, rightHost, pairs } of this.#patterns.get(hostNameOf(url)) ?? []) {
      const key = keyOfRest(`l ${right}`, without(parts, runOf(left)));
      for (const page of this.#at(key)) yield { page, pattern: pairs / (this.#mostPairs.get(rightHost) ?? pairs), isNamed: false };
    }
    for (const page of this.#at(keyOfRest('n', withoutNames(parts, 0, this.#languages)))) yield { page, pattern: 0, isNamed: true };
  }

  #add(key: string | null, page: number): void {
    if (key === null) return;
    const known = this.#pages.get(key);
    if (known === undefined) this.#pages.set(key, page);
    else if (typeof known === 'number') this.#pages.set(key, [known, page]);
    else if (known.length < MAX_SAME_REST) known.push(page);
  }

  #at(key: string | null): readonly number[] {
    const found = key === null ? undefined : this.#pages.get(key);
    return found === undefined ? [] : typeof found === 'number' ? [found] : found;
  }
}

function runOf(words: string): Parts {
  return words === '' ? [] : words.split(' ');
}

/** A fingerprint: URLs are long. */
function keyOfRest(kind: string, rest: Parts | null): string | null {
  if (rest === null) return null;
  const { hi, lo } = fingerprint(`${kind}\n${rest.join('/')}`, { hi: 0, lo: 0 });
  return `${hi.toString(36)} ${lo.toString(36)}`;
}

const LANGUAGE_FIELDS = new Set(['lang', 'language', 'hl', 'locale', 'l', 'lng']);
/** Country or script after a language, as in `en-us`, `pt_br`, `zh-hant`. */
const REGION = /^(?:[A-Za-z]{2}|[Hh]an[st])$/;

/** The URL without the names of its language; for a URL without any, as it is. */
function withoutNames(parts: Parts, side: Side, languages: PairLanguages): Parts {
  const rest: string[] = [];
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as string;
    if (!languages.isName(part.toLowerCase(), side)) {
      rest.push(part);
      continue;
    }
    if (LANGUAGE_FIELDS.has(rest.at(-1) ?? '')) rest.pop();
    if (REGION.test(parts[i + 1] ?? '') && i + 2 < parts.length) i += 1;
  }
  return rest;
}
