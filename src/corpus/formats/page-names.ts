/** Names of a page for people: a file name for programs that show the file as the source, and a key for citations. */
import { createHash } from 'node:crypto';
import { publishedDate } from '../select/declared-date.ts';
import type { HarvestedPage } from '../select/harvested-page.ts';

/** The parts of a name. Most file systems allow 255 bytes, and some characters have four. */
const MOST_HOST = 60;
const MOST_TITLE = 40;
/** 64 bits: among a million pages of one host, title and day, two of the same number have a chance of 3 in 10^8. */
const DIGITS = 16;
/** Windows has devices by these names, with any ending (Naming Files, Paths, and Namespaces). */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|_|$)/i;

type Named = Pick<HarvestedPage, 'url' | 'title' | 'metadata' | 'version'>;

/**
 * `example.org_Raised-bogs-of-Ireland_2021-03-14_3f2a9c1b5d6e7f80.txt`: host, title, the date that the page states or `undated`, and a number by its URL;
 * with `-v2` for the second version, in a corpus of all versions.
 * Letters and digits of any script, dots, hyphens and underscores, at most 255 bytes.
 */
export function textFileName({ url, title, metadata: { published }, version }: Named): string {
  const ofUrl = createHash('sha256').update(url).digest('hex').slice(0, DIGITS);
  const number = version === undefined ? ofUrl : `${ofUrl}-v${version}`;
  const parts = [hostPart(url), wordsOf(title, MOST_TITLE) || 'untitled', dateOf(published) ?? 'undated', number];
  return `${parts.join('_').replace(DEVICE, '$&-')}.txt`;
}

/** Is it the name of such a file, or of one of an earlier version? It leads to no other folder. */
export function isTextFileName(name: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*\.txt$/u.test(name);
}

/** `example-org-2021-a1b2c3d4e5f6`, of a page with this id: letters, digits and hyphens of ASCII, which may be typed in any command of LaTeX. */
export function citationKey({ id, url, metadata: { published } }: Named & Pick<HarvestedPage, 'id'>): string {
  const host = hostPart(url).replace(/^www\./, '');
  const year = dateOf(published)?.slice(0, 4) ?? 'nd';
  return [host.replace(/[^a-z0-9]+/g, '-'), year, id.slice(-12)].join('-');
}

/** A title without the name of its site in front or behind, if the page states that name or it is that of the host. */
export function ownTitle({ url, title, metadata: { siteName } }: Named): string {
  const names = [siteName ?? '', new URL(url).hostname.replace(/^www\./, '')].map(plain).filter((name) => name !== '');
  const [, head = '', rest = ''] = /^([^|–—·•»]+?)\s*[|–—·•»]\s*(.+)$/su.exec(title) ?? [];
  const [, start = '', tail = ''] = /^(.+\S)\s*(?:[|–—·•»]|\s-\s)\s*([^|–—·•»]+)$/su.exec(title) ?? [];
  if (names.includes(plain(tail))) return start;
  return names.includes(plain(head)) ? rest : title;
}

/** Letters and digits of a text, for the comparison of names. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
}

function dateOf(published: string | null): string | null {
  return published === null ? null : publishedDate(published);
}

function hostPart(url: string): string {
  const host = new URL(url).host.toLowerCase().replace(/[^a-z0-9.-]+/g, '-');
  return host
    .replace(/^[.-]+/, '')
    .slice(0, MOST_HOST)
    .replace(/[.-]+$/, '');
}

function wordsOf(text: string, most: number): string {
  const words = text
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^[-\p{M}]+/u, '');
  return [...words].slice(0, most).join('').replace(/-+$/, '');
}
