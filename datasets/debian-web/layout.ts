/** Which file of a package becomes which page of a row. Pure. */
import { posix } from 'node:path';
import type { HostRow } from './hosts.ts';

/** What of a package matters: its HTML files by name, and its symbolic links (name → target as written). */
export interface PackageTree {
  readonly files: ReadonlySet<string>;
  readonly symlinks: ReadonlyMap<string, string>;
}

export interface LaidPage {
  /** Name inside the package. */
  readonly from: string;
  /** `host/path…` below the output folder. */
  readonly to: string;
}

export interface Layout {
  /** One for each HTML file below the row's folder, sorted by `to`. */
  readonly pages: readonly LaidPage[];
  /** The same files again under the names that symbolic links give them, sorted by `to`. */
  readonly aliases: readonly LaidPage[];
  /** Symbolic links below the row's folder that might hold pages but lead outside it, or nowhere. */
  readonly droppedLinks: readonly string[];
}

/** As many links in a chain as Linux follows (ELOOP, path_resolution(7)). */
const MAX_LINK_HOPS = 40;

const HTML_NAME = /\.(?:html?|xhtml)(?:\.gz)?$/i;

/** Is this the name of an HTML page, gzipped or not? */
export function isHtmlName(name: string): boolean {
  return HTML_NAME.test(name);
}

/** Pages of the row: the HTML below its folder, links that stay inside the folder followed. O(files × links). */
export function layOut(row: HostRow, tree: PackageTree): Layout {
  const folder = resolveLinks(row.path, tree.symlinks);
  if (folder === null) return { pages: [], aliases: [], droppedLinks: [row.path] };
  const base = `${row.host}${row.urlPrefix}`;
  const files = [...tree.files].filter((name) => isInside(name, folder));
  const pages = new Map(files.map((name) => [base + pageName(name.slice(folder.length + 1)), name]));
  const aliases = new Map<string, string>();
  const dropped: string[] = [];
  for (const link of tree.symlinks.keys()) {
    if (!isInside(link, folder)) continue;
    const target = resolveLinks(link, tree.symlinks);
    const found = target === null ? [] : files.filter((name) => name === target || isInside(name, target));
    if (target === null || (found.length === 0 && mayHoldPages(link))) dropped.push(link);
    // A link to a folder above itself would repeat that folder below itself; it brings no page of its own.
    if (target === null || isInside(link, target)) continue;
    for (const name of found) {
      const to = base + pageName(link.slice(folder.length + 1) + name.slice(target.length));
      if (!pages.has(to)) aliases.set(to, name);
    }
  }
  return { pages: sortedPages(pages), aliases: sortedPages(aliases), droppedLinks: dropped };
}

function sortedPages(pages: ReadonlyMap<string, string>): readonly LaidPage[] {
  return [...pages].map(([to, from]) => ({ from, to })).sort((a, b) => (a.to < b.to ? -1 : 1));
}

/** Name with every symbolic link in it followed, inside the package; null for a loop or a target outside the root. */
export function resolveLinks(name: string, symlinks: ReadonlyMap<string, string>): string | null {
  let path = name;
  for (let hop = 0; hop < MAX_LINK_HOPS; hop++) {
    const link = prefixes(path).find((prefix) => symlinks.has(prefix));
    if (link === undefined) return path;
    const target = symlinks.get(link) ?? '';
    const at = target.startsWith('/') ? posix.normalize(target.slice(1)) : posix.normalize(`${posix.dirname(link)}/${target}`);
    if (at === '..' || at.startsWith('../')) return null;
    path = at.replace(/\/$/, '') + path.slice(link.length);
  }
  return null;
}

/** `a/b/c` → `a`, `a/b`, `a/b/c`. */
function prefixes(path: string): string[] {
  const out: string[] = [];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) out.push(path.slice(0, at));
  return [...out, path];
}

function isInside(name: string, folder: string): boolean {
  return name.startsWith(`${folder}/`);
}

/** Links to scripts, styles and pictures are not worth a word; a name without an ending may be a folder. */
function mayHoldPages(link: string): boolean {
  return isHtmlName(link) || posix.extname(link) === '';
}

function pageName(name: string): string {
  return isHtmlName(name) ? name.replace(/\.gz$/i, '') : name;
}
