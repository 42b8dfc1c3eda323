/** Gathers generic texts: pages of a web on disk, and the prose of packages. */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { seededRng, shuffled } from '../../src/base/core/rng.ts';
import { detectLanguage } from '../../src/base/text/language.ts';
import type { PageText } from '../../src/reading/topic/features.ts';
import { hostTable } from '../debian-web/hosts.ts';
import { debianPackage, type PackageFiles as FetchedFiles, type FetchOptions, npmPackage } from '../package-files.ts';
import { htmlFiles, type PageFiles } from './pages.ts';
import type { Source } from './sources.ts';

/** Texts of one host in one language, each there once, in an order drawn by lot. */
export interface TextGroup {
  readonly host: string;
  /** ISO 639-1; null when not known. */
  readonly language: string | null;
  /** As many as count for document frequencies. */
  readonly texts: readonly PageText[];
  /** So many of them, the first, may be in the sample. */
  readonly sampled: number;
}

/** How many texts of a group count, and how many may be sampled. */
export interface Shares {
  readonly counted: number;
  readonly sampled: number;
}

/** Shares of a host of the web, by language: no host's vocabulary must pass for common words, and translations come from few hosts. */
export interface WebShares {
  readonly english: Shares;
  readonly other: Shares;
}

/** Files read of one host in search of translations. */
const READ_PER_HOST = 600;
/** Shorter texts are redirects, frames and empty indexes. Characters; of scripts without spaces a third, for a character says more. */
const MIN_CHARS = 400;
const SEED = 20_240_607;
/** Pages of packages are read as if they stood here: what they are called in their package is no URL. */
const PACKAGE_URL = 'https://corpus.example/';

/** Hosts of a folder of pages laid out as <web>/<host>/…, without those of `excluded`. */
export function hostsOf(web: string, excluded: ReadonlySet<string>): string[] {
  return readdirSync(web, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !excluded.has(entry.name))
    .map((entry) => entry.name)
    .sort();
}

/** A host's texts by language, found by detection; those of no certain language are left out. */
export async function webGroups(files: PageFiles, host: string, shares: WebShares): Promise<TextGroup[]> {
  const groups = new Grouping(host, (language) => (language === 'en' ? shares.english : shares.other));
  const rows = hostTable().filter((row) => row.host === host);
  const onlyEnglish = rows.length > 0 && rows.every(({ lang }) => lang === 'en');
  for (const path of shuffled(htmlFiles(join(files.root, host)), seededRng(SEED)).slice(0, READ_PER_HOST)) {
    if (onlyEnglish && groups.isFull('en')) break;
    const { title, text, otherText } = files.read(host, path);
    groups.add({ title, text, otherText }, longEnough(text) ? await detectLanguage(text) : null);
  }
  return groups.all();
}

/** The texts of one package by language, and its version. @throws EnvironmentError when it cannot be had; DataError when it is damaged. */
export async function packageGroups(
  source: Source,
  files: PageFiles,
  shares: Shares,
  options: FetchOptions,
): Promise<{ readonly groups: TextGroup[]; readonly version: string }> {
  const fetched = await fetchSource(source, options);
  const host = `corpus:${source.name}`;
  const own = { counted: source.counted ?? shares.counted, sampled: source.sampled ?? shares.sampled };
  const groups = new Grouping(host, () => own);
  const all = source.read(fetched, (html) => files.extract(PACKAGE_URL, html));
  for (const { language, ...texts } of shuffled(all, seededRng(SEED)))
    if (longEnough(texts.text)) groups.add(texts, language ?? (await detectLanguage(texts.text)));
  return { groups: groups.all(), version: fetched.version };
}

function fetchSource({ registry, name, version, wanted }: Source, options: FetchOptions): Promise<FetchedFiles> {
  return registry === 'npm' ? npmPackage(name, version ?? '', wanted, options) : debianPackage(name, wanted, options);
}

function longEnough(text: string): boolean {
  const least = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Hangul}\p{sc=Thai}]/u.test(text.slice(0, MIN_CHARS)) ? MIN_CHARS / 3 : MIN_CHARS;
  return text.length >= least;
}

/** Texts of one host by language, each text once. */
class Grouping {
  readonly #host: string;
  readonly #sharesOf: (language: string) => Shares;
  readonly #seen = new Set<string>();
  readonly #texts = new Map<string, PageText[]>();

  constructor(host: string, sharesOf: (language: string) => Shares) {
    this.#host = host;
    this.#sharesOf = sharesOf;
  }

  add(page: PageText, language: string | null): void {
    const digest = createHash('sha256').update(page.text).digest('base64');
    if (language === null || this.#seen.has(digest) || this.isFull(language)) return;
    this.#seen.add(digest);
    this.#texts.set(language, [...(this.#texts.get(language) ?? []), page]);
  }

  isFull(language: string): boolean {
    return (this.#texts.get(language)?.length ?? 0) >= this.#sharesOf(language).counted;
  }

  all(): TextGroup[] {
    return [...this.#texts].map(([language, texts]) => ({
      host: this.#host,
      language,
      texts,
      sampled: Math.min(texts.length, this.#sharesOf(language).sampled),
    }));
  }
}
