import { logOdds } from '../../base/core/odds.ts';
import type { ScorableLink } from '../../base/core/parts/scoring.ts';
import type { Edge, LinkHashes, LinkText, Unit } from '../../base/core/types.ts';
import { hashText } from '../../base/text/hash-text.ts';
import { combineHashes, hashWord, scanWords } from '../../base/text/tokens.ts';
import { SEGMENTED_OF_LINK } from '../../base/text/unspaced-words.ts';

/** Number of weights that hashed features share, as a power of two. 2^18 is the upper end of the range in the literature: one MB as float32. */
export const FEATURE_BITS = 18;
export const FEATURE_MASK = 2 ** FEATURE_BITS - 1;
/** Largest number of features of one link; the rest of an absurdly long anchor or URL is not read. */
export const MAX_FEATURES = 192;
const MAX_PATH_DEPTH = 8;
/** Host and directories. */
export const MAX_PLACES = MAX_PATH_DEPTH + 1;
const MAX_BIN = 6;

/** Kinds of features, each a name space of its own, with the names shown to people. */
export const KINDS = ['anchor', 'anchor2', 'context', 'image', 'url', 'dir', 'ext', 'host', 'relevance', 'words'] as const;
export type LinkFeatureKind = (typeof KINDS)[number];
export const SALT = Object.fromEntries(KINDS.map((kind) => [kind, hashWord(`kind ${kind}`)])) as Record<LinkFeatureKind, number>;

/** The features of each bin, from the least. */
const BINS = { relevance: binsOf('relevance'), words: binsOf('words') };

type Words = Pick<LinkText, 'anchorText' | 'imageAlt' | 'context'>;

const NO_RUN = { kind: 'anchor' as LinkFeatureKind, text: '', withBigrams: false, before: 0, beforeName: '' };

/**
 * The binary features of a link: hashed words and bigrams of its anchor text; words of its block and of its URL; host and directories; and bins of
 * the page model's relevance of referrer and words (Chakrabarti et al. 2002, "Accelerated focused crawling through online relevance feedback", §3,
 * with the block instead of a DOM-offset window). Referrer's title and depth, zone, tag path and "same host" are omitted: without all of them
 * together, the development topics of `npm run bench -- focus` did as well (+.002, standard error .005). One instance is reused for all links.
 */
export class LinkFeatures {
  /** The features of the current link: the first `#count`. */
  readonly #indices = new Uint32Array(MAX_FEATURES);
  #count = 0;
  /** Buckets of the host of its URL and of its directories, from the root down: the first `#placeCount`. */
  readonly #places = new Uint32Array(MAX_PLACES);
  #placeCount = 0;
  #names: string[] = [];
  /** Whether features are named. Only explanations need names, and naming costs more than hashing. */
  #naming = false;
  readonly #without: ReadonlySet<string>;
  /** The text whose words are being read. */
  #run: { kind: LinkFeatureKind; text: string; withBigrams: boolean; before: number; beforeName: string } = NO_RUN;

  /** @param without kinds to omit, to measure their value */
  constructor(without: ReadonlySet<string> = new Set()) {
    this.#without = without;
  }

  /** The hashes of a link that was hashed before; null if it was not, or if kinds are omitted. */
  known({ hashes }: LinkText): LinkHashes | null {
    return hashes !== undefined && this.#without.size === 0 ? hashes : null;
  }

  /** The features that do not depend on the page of the link, for `LinkText.hashes`. */
  hashesOf(url: string, text: Words): LinkHashes {
    this.#begin();
    this.#link(url, text);
    const numbers = new Uint32Array(this.#count + this.#placeCount);
    numbers.set(this.#indices.subarray(0, this.#count));
    numbers.set(this.#places.subarray(0, this.#placeCount), this.#count);
    return { numbers, start: 0, places: this.#count, end: numbers.length };
  }

  /** The feature of a relevance of the page model; null if its kind is omitted. */
  binOf(kind: 'relevance' | 'words', relevance: Unit): number | null {
    return this.#without.has(kind) ? null : (BINS[kind][MAX_BIN + binOf(relevance)] ?? null);
  }

  #begin(): void {
    this.#count = 0;
    this.#placeCount = 0;
  }

  #link(url: string, { anchorText, imageAlt, context }: Words): void {
    this.#words('anchor', anchorText, true);
    this.#words('image', imageAlt, false);
    this.#words('context', context, false);
    this.#url(url);
  }

  /** The names of the features of one link, in their order. */
  namesOf(link: ScorableLink & { readonly edge: Edge }): readonly string[] {
    const { link: text, referrer } = link.edge;
    this.#begin();
    this.#names = [];
    this.#naming = true;
    this.#link(link.url, text);
    for (const [kind, relevance] of [
      ['relevance', referrer.relevance],
      ['words', text.contextScore ?? 0],
    ] as const)
      this.#add(kind, binOf(relevance), String(binOf(relevance)));
    this.#naming = false;
    return this.#names;
  }

  #add(kind: LinkFeatureKind, hash: number, name: string): void {
    if (this.#count === MAX_FEATURES || (this.#without.size > 0 && this.#without.has(kind))) return;
    this.#indices[this.#count++] = combineHashes(SALT[kind], hash) & FEATURE_MASK;
    if (this.#naming) this.#names.push(`${kind}:${name}`);
  }

  #words(kind: LinkFeatureKind, text: string, withBigrams: boolean): void {
    if (text === '') return;
    this.#run = { kind, text, withBigrams, before: 0, beforeName: '' };
    scanWords(text, this.#onWord, SEGMENTED_OF_LINK);
  }

  #onWord = (hash: number, start: number, end: number): void => {
    const run = this.#run;
    const name = this.#naming ? run.text.slice(start, end).toLowerCase() : '';
    this.#add(run.kind, hash, name);
    if (!run.withBigrams) return;
    if (run.before !== 0) this.#add('anchor2', combineHashes(run.before, hash), this.#naming ? `${run.beforeName} ${name}` : '');
    run.before = hash;
    run.beforeName = name;
  };

  /** Host, each directory of the path from the root down, the words of path and query, and the extension. */
  #url(url: string): void {
    const hostEnd = hostEndOf(url);
    this.#place('host', url, hostEnd);
    const query = url.indexOf('?', hostEnd);
    const pathEnd = query < 0 ? url.length : query;
    let slash = url.indexOf('/', hostEnd + 1);
    for (let depth = 0; slash > 0 && slash < pathEnd && depth < MAX_PATH_DEPTH; depth++) {
      this.#place('dir', url, slash + 1);
      slash = url.indexOf('/', slash + 1);
    }
    this.#words('url', url.slice(hostEnd), false);
    const dot = url.lastIndexOf('.', pathEnd);
    if (dot > url.lastIndexOf('/', pathEnd)) this.#part('ext', url, dot, pathEnd);
    else this.#add('ext', 0, 'none');
  }

  #place(kind: 'host' | 'dir', url: string, end: number): void {
    this.#places[this.#placeCount++] = combineHashes(SALT[kind], hashText(url, 0, end)) & FEATURE_MASK;
    this.#part(kind, url, 0, end);
  }

  #part(kind: LinkFeatureKind, url: string, start: number, end: number): void {
    this.#add(kind, hashText(url, start, end), this.#naming ? url.slice(start, end) : '');
  }
}

function binsOf(kind: LinkFeatureKind): Uint32Array {
  return Uint32Array.from({ length: 2 * MAX_BIN + 1 }, (_, i) => combineHashes(SALT[kind], i - MAX_BIN) & FEATURE_MASK);
}

/** Log-odds of a relevance, rounded to a whole number from -6 to 6: the judgement of a page model without the assumption of a straight line. */
function binOf(relevance: Unit): number {
  return Math.round(Math.max(-MAX_BIN, Math.min(MAX_BIN, logOdds(relevance))));
}

/** The end of scheme, host and port of a canonical URL: the index of the path's slash. */
function hostEndOf(url: string): number {
  const slash = url.indexOf('/', url.indexOf('://') + 3);
  return slash < 0 ? url.length : slash;
}
