/** A site of the parallel web as corpus records, with the true twins of its pages. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pagesOf, readManifest } from '../../../datasets/debian-web/manifest.ts';
import { twinOf } from '../../../datasets/parallel-web/sites.ts';
import { NO_METADATA } from '../../../src/base/core/no-metadata.ts';
import { seededRng } from '../../../src/base/core/rng.ts';
import { shareOf } from '../../../src/base/core/share.ts';
import type { CanonicalUrl, CorpusRecord, RecordId, Unit } from '../../../src/base/core/types.ts';
import { languageDetector } from '../../../src/base/text/language.ts';
import { canonicalize } from '../../../src/base/web/url.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';

export interface ParallelPage {
  readonly record: CorpusRecord;
  /** The language by the URL, and the key that twins share. */
  readonly lang: string;
  readonly key: string;
  /** Name of the language as the URL has it. */
  readonly name: string;
  /** The language by the page itself. */
  readonly declared: string | null;
  /** Shares of its long lines by language, by their length. */
  readonly lines: ReadonlyMap<string, Unit>;
}

/** Least share of a page's text that is in its language, by the detected languages of its lines: others are not translated yet. */
const MIN_TRANSLATED = 0.5;
/** Shorter lines are headings, names and code. */
const MIN_LINE_CHARS = 40;
/** Least share for two pages to be the same English text. */
const MIN_SAME = 0.8;

/** The pages of a host, read by the extractor, each text once per payload as in a crawl. Languages are declared, else detected. */
export async function parallelPages(web: string, host: string): Promise<readonly ParallelPage[]> {
  const detect = await languageDetector();
  const extractor = pageExtractor({ productToken: 'forager' });
  const paths = readManifest(web)
    .rows.filter((row) => row.host === host)
    .flatMap((row) => pagesOf(web, row));
  const pages = paths.flatMap((path): ParallelPage[] => {
    const twin = twinOf(path.slice(host.length + 1));
    const url = canonicalize(`http://${path.split('/').map(encodeURIComponent).join('/')}`);
    if (twin === null || url === null) return [];
    const body = readFileSync(join(web, path));
    const { title, text, lang, metadata } = extractor.extract({ url, headers: {}, body });
    return [
      {
        ...twin,
        declared: lang,
        lines: lineLanguages(text, detect),
        record: { ...blankRecord(url), title, text, lang: lang ?? detect(text), metadata, payloadSha256: hash('sha256', body) },
      },
    ];
  });
  return withoutCopies(pages);
}

export function blankRecord(url: CanonicalUrl): CorpusRecord {
  return {
    id: `urn:uuid:${hash('sha256', url).slice(0, 32)}` as RecordId,
    url,
    fetchedAt: '2026-01-01T00:00:00.000Z',
    title: '',
    text: '',
    lang: null,
    relevance: 1,
    threshold: 0.5,
    modelId: '',
    depth: 1,
    referrer: null,
    anchorText: '',
    payloadSha256: '',
    metadata: NO_METADATA,
    fields: {},
  };
}

/** Pages that are not translated yet are copies of another language's page under the name of theirs: a crawl keeps one. */
function withoutCopies(pages: readonly ParallelPage[]): readonly ParallelPage[] {
  const kept = new Map<string, ParallelPage>();
  for (const page of pages) {
    const known = kept.get(page.record.payloadSha256);
    const isOwn = page.record.lang?.startsWith(page.lang.slice(0, 2)) === true;
    if (known === undefined || (isOwn && known.record.lang?.startsWith(known.lang.slice(0, 2)) !== true))
      kept.set(page.record.payloadSha256, page);
  }
  return [...kept.values()];
}

/** The ways in which a bench changes URLs and declarations. */
export const CONDITIONS = ['published', 'stripped', 'renamed', 'texts'] as const;
export type Condition = (typeof CONDITIONS)[number];

/** Records without alternates, with the names of languages or of all pages replaced by random words. */
export function underCondition(pages: readonly ParallelPage[], condition: Condition, seed: number): readonly CorpusRecord[] {
  if (condition === 'published') return pages.map(({ record }) => record);
  const rng = seededRng(seed);
  const words = new Map<string, string>();
  const wordFor = (name: string) => {
    const known = words.get(name) ?? Array.from({ length: 7 }, () => 'abcdefghijklmnopqrstuvwxyz'[Math.floor(rng() * 26)]).join('');
    words.set(name, known);
    return known;
  };
  return pages.map(({ record, name }) => {
    const metadata = { ...record.metadata, alternates: [] };
    return { ...record, metadata, url: renamed(record.url, name, condition, wordFor) };
  });
}

function renamed(url: CanonicalUrl, name: string, condition: Condition, wordFor: (name: string) => string): CanonicalUrl {
  if (condition === 'stripped') return url;
  const { origin, pathname } = new URL(url);
  if (condition === 'texts') return `${origin}/${wordFor(pathname)}.html` as CanonicalUrl;
  const parts = pathname.split(/([/.])/).map((part) => (part === name && name !== '' ? wordFor(name) : part));
  return `${origin}${parts.join('')}` as CanonicalUrl;
}

export interface TruePairs {
  /** Right ordinal of each left page with a translated twin. */
  readonly twins: ReadonlyMap<number, number>;
  /** Whether a found pair is right, wrong, or neither: untranslated pages of one name. */
  readonly verdict: (left: number, right: number) => 'right' | 'wrong' | 'neither';
}

/**
 * The twins in two languages, by the names of the files. Folders of a language also have pages that are not translated yet: such a page has no twin, and
 * a pair with one whose lines are in the left language, or are those of the left twin, is right.
 */
export function truePairs(pages: readonly ParallelPage[], [left, right]: readonly [string, string]): TruePairs {
  const named = new Map<string, Map<string, number>>();
  for (const [i, { key, lang }] of pages.entries()) {
    const ofKey = named.get(key) ?? new Map<string, number>();
    if (!ofKey.has(lang)) ofKey.set(lang, i);
    named.set(key, ofKey);
  }
  const textOf = (i: number | undefined) => pages[i ?? -1]?.record.text ?? '';
  const twins = new Map<number, number>();
  for (const ofKey of named.values()) {
    const [a, b] = [pageIn(ofKey, left), pageIn(ofKey, right)];
    if (a === undefined || b === undefined) continue;
    const areTranslated = shareIn(pages[a], left) >= MIN_TRANSLATED && shareIn(pages[b], right) >= MIN_TRANSLATED;
    if (areTranslated && declares(pages[a], left) && declares(pages[b], right)) twins.set(a, b);
  }
  const verdict = (a: number, b: number) => {
    const twin = pageIn(named.get(pages[a]?.key ?? '') ?? new Map(), left);
    if (pages[a]?.key !== pages[b]?.key) return 'wrong';
    if (twins.get(twin ?? -1) !== b) return 'neither';
    return a === twin || equalShare(textOf(twin), textOf(a)) >= MIN_SAME || isWholly(pages[a], left) ? 'right' : 'neither';
  };
  return { twins, verdict };
}

function pageIn(ofKey: ReadonlyMap<string, number>, lang: string): number | undefined {
  return ofKey.get(lang) ?? [...ofKey].find(([own]) => own.startsWith(`${lang}-`))?.[1];
}

/** Has the page text, and does it not declare another language than the one of its name? Some packages have pages in the wrong folder. */
function declares(page: ParallelPage | undefined, lang: string): boolean {
  return page !== undefined && page.record.text.trim() !== '' && (page.declared === null || page.declared.split('-', 1)[0] === lang);
}

/** Shares of the long lines by their detected language; none for a page without long lines. */
function lineLanguages(text: string, detect: (text: string) => string | null): ReadonlyMap<string, Unit> {
  const chars = new Map<string, number>();
  for (const line of text.split('\n').slice(0, MAX_LINES)) {
    const found = line.length < MIN_LINE_CHARS ? null : detect(line);
    if (found !== null) chars.set(found, (chars.get(found) ?? 0) + line.length);
  }
  const all = [...chars.values()].reduce((sum, count) => sum + count, 0);
  return new Map([...chars].map(([lang, count]) => [lang, shareOf(count, all)]));
}

/** Copies in the left language lie in folders of other languages that are not translated yet. */
function isWholly(page: ParallelPage | undefined, lang: string): boolean {
  return (page?.lines.size ?? 0) > 0 && shareIn(page, lang) >= MIN_SAME;
}

/** Share of a page's long lines that is in a language; 1 if it has none. */
function shareIn(page: ParallelPage | undefined, lang: string): Unit {
  if (page === undefined) return 0;
  return page.lines.size === 0 ? 1 : (page.lines.get(lang) ?? 0);
}
/** Lines of a page that are looked at, so that a site takes seconds. */
const MAX_LINES = 200;

/** Share of the characters of the right text in lines that the left one has. */
function equalShare(left: string, right: string): number {
  const lines = new Set(left.split('\n'));
  const all = right.split('\n');
  const chars = (some: readonly string[]) => some.reduce((sum, line) => sum + line.length, 0);
  return shareOf(chars(all.filter((line) => lines.has(line))), chars(all));
}
