/** Subjects inside single manuals, by the manual's own structure and not by folders: see README. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { UsageError } from '../../src/base/core/errors.ts';
import { pagesOf, readManifest } from './manifest.ts';

/**
 * Kinds of structure: `chapter` follows the links "up" of the pages; `keyword` reads `<meta name="keywords">`; `index` reads the entries of the manual's
 * index that have the word; `group` reads the groups that Doxygen names at the head of a page.
 */
export const STRUCTURES = ['chapter', 'keyword', 'index', 'group'] as const;
export type Structure = (typeof STRUCTURES)[number];

/** One subject of one manual. */
export interface ManualSubject {
  readonly split: 'dev' | 'report';
  /** Host, and the folder of the manual in it: `www.gnucash.org/docs/v5/gnucash-guide-en/`. The web of the subject has only its pages. */
  readonly manual: string;
  readonly structure: Structure;
  /** A word; of a chapter or a group, the path of its page in the manual. */
  readonly value: string;
}

const TABLE = join(import.meta.dirname, 'manuals.tsv');

/** The rows of manuals.tsv. @throws UsageError naming the line */
export function manualSubjects(text = readFileSync(TABLE, 'utf8')): ManualSubject[] {
  const lines = text.split('\n').map((line, i) => ({ cells: line.split('\t'), at: i + 1 }));
  return lines.slice(1).flatMap(({ cells, at }) => {
    const [split, manual = '', structure, value = ''] = cells;
    if (cells.length === 1 && split === '') return [];
    const known = STRUCTURES.find((one) => one === structure);
    if ((split !== 'dev' && split !== 'report') || known === undefined || !manual.endsWith('/') || value === '')
      throw new UsageError(`manuals.tsv:${at}: not a split, a manual, a structure and a value`);
    return [{ split, manual, structure: known, value }];
  });
}

/** Pages of a manual in a built web, `host/path…`, with its index. */
export function pagesOfManual(dir: string, manual: string): string[] {
  return readManifest(dir)
    .rows.filter(({ host }) => manual.startsWith(`${host}/`))
    .flatMap((row) => pagesOf(dir, row))
    .filter((page) => page.startsWith(manual));
}

/** Pages of a subject, `host/path…`. @param read the HTML of a page */
export function pagesOfSubject(
  { manual, structure, value }: Pick<ManualSubject, 'manual' | 'structure' | 'value'>,
  pages: readonly string[],
  read: (page: string) => string,
): Set<string> {
  switch (structure) {
    case 'chapter':
      return chapterOf(`${manual}${value}`, pages, read);
    case 'keyword':
      return new Set(pages.filter((page) => keywordsIn(read(page)).includes(value)));
    case 'index':
      return indexed(value, pages, read);
    case 'group':
      return new Set(pages.filter((page) => page === `${manual}${value}` || groupsOf(page, read(page)).includes(`${manual}${value}`)));
  }
}

/** The HTML of a page of a built web; each is read once. */
export function pageReader(dir: string): (page: string) => string {
  const known = new Map<string, string>();
  return (page) => {
    const html = known.get(page) ?? readFileSync(join(dir, page), 'utf8');
    known.set(page, html);
    return html;
  };
}

const UP = /<(?:a|link)\b[^>]*(?:\brel="up"|\baccesskey="u")[^>]*>/i;
const HREF = /\bhref="([^"#?]+)/i;

/** Pages with a chain of links "up" to the page of a chapter, and that page. */
function chapterOf(chapter: string, pages: readonly string[], read: (page: string) => string): Set<string> {
  const above = new Map(pages.map((page) => [page, upOf(page, read(page))]));
  const isWithin = (page: string) => {
    const way = new Set<string>();
    for (let at: string | null = page; at !== null && !way.has(at); at = above.get(at) ?? null) way.add(at);
    return way.has(chapter);
  };
  return new Set(pages.filter(isWithin));
}

function upOf(page: string, html: string): string | null {
  const [tag = ''] = UP.exec(html) ?? [];
  return resolved(page, HREF.exec(tag)?.[1]);
}

const KEYWORDS = /<meta\s+name="keywords"\s+content="([^"]*)"/i;

function keywordsIn(html: string): string[] {
  const [, words = ''] = KEYWORDS.exec(html) ?? [];
  return words.split(',').map((word) => word.trim());
}

/** Where Doxygen names the groups of a page: above its title, and in its path. */
const GROUPS = /<(?:div class="ingroups"|li class="navelem")>(.*?)<\/(?:div|li)>/gis;

function groupsOf(page: string, html: string): (string | null)[] {
  const heads = [...html.matchAll(GROUPS)].map(([, inner = '']) => inner).join(' ');
  return [...heads.matchAll(/\bhref="([^"#?]+)/gi)].map(([, href]) => resolved(page, href));
}

/** The pages of an index, as Sphinx, Macaulay2, DocBook, Scribble and SQLite name them. */
const INDEX = /(?:^|\/)(?:genindex[\w-]*|master|bookindex|doc-index|keyword_index)\.html$/;
const ENTRY = /<a\b[^>]*\bhref="([^"#?]+)[^>]*>(.*?)<\/a>/gis;

/** Is it a page of an index? It names the label of what it links to, so a web of subjects by index goes without it. */
export function isIndexPage(page: string): boolean {
  return INDEX.test(page);
}

/** Pages that an entry of an index leads to; an entry has its words between tags. */
function indexed(word: string, pages: readonly string[], read: (page: string) => string): Set<string> {
  const found = new Set<string>();
  const known = new Set(pages.filter((page) => !INDEX.test(page)));
  for (const page of pages.filter((one) => INDEX.test(one))) {
    for (const [, href, inner = ''] of read(page).matchAll(ENTRY)) {
      const target = resolved(page, href);
      if (target !== null && known.has(target) && wordsOf(inner).has(word)) found.add(target);
    }
  }
  return found;
}

function wordsOf(html: string): Set<string> {
  return new Set(
    html
      .replace(/<[^>]*>|&\w+;/g, ' ')
      .toLowerCase()
      .match(/[a-z]+/g) ?? [],
  );
}

function resolved(page: string, href: string | undefined): string | null {
  return href === undefined || /^[a-z]+:/i.test(href) ? null : posix.normalize(posix.join(posix.dirname(page), href));
}
