import type { CanonicalUrl } from '../core/types.ts';
import { registrableDomain } from './domain.ts';

/** `path` is the path with all its queries, `shape` those with the same parameters, `domain` all hosts of a registrable domain. */
export type PatternKind = 'shape' | 'path' | 'directory' | 'host' | 'domain';

/**
 * The pattern of URLs that a site makes by the same rule. The name is unique over all kinds: `http://a.example/list?colour,page`,
 * `http://a.example/list`, `http://a.example/shop/*`, `http://a.example/*`, `*.example`.
 */
export interface UrlPattern {
  readonly kind: PatternKind;
  readonly name: string;
}

/** Number of directories from the root that are patterns: the rule of one of them makes everything below. */
const MAX_DIRECTORIES = 8;
/** Largest number of segments and parameters of one pattern, and of characters of its name; the rest of an absurdly long URL is ignored. */
const MAX_SEGMENTS = 16;
const MAX_PARAMETERS = 16;
const MAX_CHARS = 200;
/** Largest number of segments in a repeated block: `/a/b/a/b/` is a block of two. Heritrix takes up to three (PathologicalPathDecideRule: one). */
const MAX_BLOCK = 3;

/**
 * The patterns of a URL, narrowest first: its shape if it has a query, its path, its directories from the deepest up, its host, its registrable
 * domain. Path and shape have `#` for a run of digits, `<id>` for a hexadecimal or opaque id, and `(a/b)+` for repeated segments; a shape has the
 * sorted names of the parameters. O(length), some microseconds.
 */
export function patternsOf(url: CanonicalUrl): readonly UrlPattern[] {
  const hostEnd = url.indexOf('/', 8);
  const path = pathPattern(url);
  const shape = shapePattern(url, path);
  return [
    ...(shape === path ? [] : [{ kind: 'shape', name: shape } as const]),
    { kind: 'path', name: path },
    ...directories(url, hostEnd),
    { kind: 'host', name: `${url.slice(0, hostEnd)}/*` },
    { kind: 'domain', name: domainPattern(url) },
  ];
}

/** The patterns of all URLs of one directory, with the parts that they share made once. */
export class DirectoryPatterns {
  /** Directories from the deepest up, host, domain. */
  readonly #wide: readonly UrlPattern[];
  /** Segments of the directories; their general form is the start of the path of each URL. */
  readonly #segments: readonly string[];
  readonly #start: string;
  /** Is there room for another segment? */
  readonly #hasRoom: boolean;

  constructor(directory: string) {
    const url = directory as CanonicalUrl;
    const hostEnd = url.indexOf('/', 8);
    this.#wide = patternsOf(url).filter(({ kind }) => kind !== 'path' && kind !== 'shape');
    this.#segments = url
      .slice(hostEnd + 1)
      .split('/')
      .slice(0, -1);
    const general = collapse(this.#segments);
    this.#hasRoom = general.length < MAX_SEGMENTS;
    this.#start = [url.slice(0, hostEnd), ...general, ''].join('/');
  }

  /** The URL up to the last slash of its path. */
  static directoryOf(url: CanonicalUrl): string {
    const question = url.indexOf('?');
    return url.slice(0, url.lastIndexOf('/', question < 0 ? url.length : question) + 1);
  }

  static of(directory: string): DirectoryPatterns {
    return new DirectoryPatterns(directory);
  }

  /** The patterns of a URL of this directory: those of the function of that name. */
  patternsOf(url: CanonicalUrl): readonly UrlPattern[] {
    const path = this.#path(url);
    const shape = shapePattern(url, path);
    const own: UrlPattern[] = shape === path ? [] : [{ kind: 'shape', name: shape }];
    own.push({ kind: 'path', name: path }, ...this.#wide);
    return own;
  }

  /** The name of the file can only make a repetition if a directory has it. */
  #path(url: CanonicalUrl): string {
    const question = url.indexOf('?');
    const end = question < 0 ? url.length : question;
    const file = url.slice(url.lastIndexOf('/', end) + 1, end);
    return this.#hasRoom && !this.#segments.includes(file) ? cut(this.#start + general(file)) : pathPattern(url);
  }
}

/** Does a URL match a pattern that `patternsOf` returned for another URL? */
export function matches({ kind, name }: UrlPattern, url: CanonicalUrl): boolean {
  if (kind === 'domain') return domainPattern(url) === name;
  if (kind === 'host' || kind === 'directory') return escapeStars(url).startsWith(name.slice(0, -1));
  if (!name.startsWith(url.slice(0, url.indexOf('/', 8) + 1))) return false;
  const path = pathPattern(url);
  return (kind === 'path' ? path : shapePattern(url, path)) === name;
}

/**
 * Does one pattern, by its name, contain all URLs of the other? Names do not show everything: a directory does not contain the shapes in it that
 * start with an id.
 */
export function covers(wide: string, narrow: string): boolean {
  if (wide === narrow) return true;
  if (wide.startsWith('*.')) return hostNameIn(narrow).endsWith(wide.slice(1)) || hostNameIn(narrow) === wide.slice(2);
  return wide.endsWith('/*') ? narrow.startsWith(wide.slice(0, -1)) : narrow.startsWith(`${wide}?`);
}

function hostNameIn(name: string): string {
  return name.replace(/^https?:\/\//, '').replace(/(?::\d+)?\/.*$/s, '');
}

function domainPattern(url: CanonicalUrl): string {
  return `*.${registrableDomain(url)}`;
}

function directories(url: CanonicalUrl, hostEnd: number): UrlPattern[] {
  const question = url.indexOf('?', hostEnd);
  const pathEnd = question < 0 ? url.length : question;
  const out: UrlPattern[] = [];
  for (let slash = url.indexOf('/', hostEnd + 1); slash > 0 && slash < pathEnd; slash = url.indexOf('/', slash + 1)) {
    if (slash > MAX_CHARS || out.length === MAX_DIRECTORIES) break;
    out.unshift({ kind: 'directory', name: `${escapeStars(url.slice(0, slash))}/*` });
  }
  return out;
}

function pathPattern(url: CanonicalUrl): string {
  const hostEnd = url.indexOf('/', 8);
  const question = url.indexOf('?', hostEnd);
  const segments = url.slice(hostEnd + 1, question < 0 ? url.length : question).split('/');
  return cut(url.slice(0, hostEnd + 1) + collapse(segments).slice(0, MAX_SEGMENTS).join('/'));
}

function shapePattern(url: CanonicalUrl, path: string): string {
  const question = url.indexOf('?');
  if (question < 0) return path;
  const names = url
    .slice(question + 1)
    .split('&')
    .map((parameter) => general(parameter.replace(/=.*$/s, '')));
  return cut(`${path}?${[...new Set(names)].sort().slice(0, MAX_PARAMETERS).join(',')}`);
}

/** Segments with generalised ids, and each repeated block written once: `a/b/a/b/c` is `(a/b)+/c`. */
function collapse(segments: readonly string[]): string[] {
  const out: string[] = [];
  for (let at = 0; at < segments.length && out.length < MAX_SEGMENTS; ) {
    const { length, times } = repetition(segments, at);
    const block = segments
      .slice(at, at + length)
      .map(general)
      .join('/');
    out.push(times === 1 ? block : `(${block})+`);
    at += length * times;
  }
  return out;
}

/** The block at `at` that covers the most segments by repetition; one segment, once, if nothing repeats. */
function repetition(segments: readonly string[], at: number): { readonly length: number; readonly times: number } {
  let best = { length: 1, times: 1 };
  for (let length = 1; length <= MAX_BLOCK; length++) {
    let times = 1;
    while (repeats(segments, at, at + length * times, length)) times++;
    if (times > 1 && length * times > best.length * best.times) best = { length, times };
  }
  return best;
}

function repeats(segments: readonly string[], at: number, again: number, length: number): boolean {
  if (again + length > segments.length) return false;
  for (let i = 0; i < length; i++) if (segments[at + i] !== segments[again + i] || segments[at + i] === '') return false;
  return true;
}

/** UUIDs; escapes, which are not ids although they contain digits; runs of letters and digits. */
const TOKENS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|%[0-9A-F]{2}|[0-9a-z]+/gi;

/** A short part without a digit has no id. */
const NO_ID = /^\D{0,40}$/;

function general(part: string): string {
  if (NO_ID.test(part)) return escapeStars(part);
  return escapeStars(part.replace(TOKENS, (token) => (token.startsWith('%') ? token : generalToken(token))));
}

/** Least number of characters of a hexadecimal id: a short commit hash has 7, but so do words like `decade5`. */
const HEX = /^[0-9a-f]{8,}$/i;
/** Least length of an opaque id, and least number of changes between digits and letters: `dQw4w9WgXcQ` has 5, `mp3-to-mp4` none in one run. */
const OPAQUE = { length: 10, changes: 3 } as const;
/** No word is so long: see `MAX_WORD_CHARS` in base/text/tokens.ts. */
const WORD_CHARS = 40;

function generalToken(token: string): string {
  if (token.length > WORD_CHARS) return '<id>';
  if (!/\d/.test(token)) return token;
  if (/^\d+$/.test(token)) return '#';
  const changes = token.match(/\d(?=\D)|\D(?=\d)/g)?.length ?? 0;
  return HEX.test(token) || (token.length >= OPAQUE.length && changes >= OPAQUE.changes) ? '<id>' : token.replace(/\d+/g, '#');
}

/** The star is ours: it means "all below". */
function escapeStars(text: string): string {
  return text.includes('*') ? text.replaceAll('*', '%2A') : text;
}

function cut(name: string): string {
  return name.length > MAX_CHARS ? `${name.slice(0, MAX_CHARS)}…` : name;
}
