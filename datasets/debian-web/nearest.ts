/** The cap of a row: the pages nearest to its index. Pure but for `read`. */
import { posix } from 'node:path';

/** Good enough to walk a package's own pages; not an HTML parser. */
const HREF = /\shref\s*=\s*(?:"([^"]{1,2000})"|'([^']{1,2000})')/gi;

/**
 * At most `cap` of `pages`, breadth first over their links from the index, the rest filled up in sorted order when fewer are linked.
 * @param pages `host/path…`, sorted
 * @param read HTML of a page
 */
export function nearestToIndex(pages: readonly string[], cap: number, read: (page: string) => string): ReadonlySet<string> {
  if (pages.length <= cap) return new Set(pages);
  const known = new Set(pages);
  const kept = new Set<string>();
  for (const start of [indexOf(pages), ...pages]) {
    if (kept.size >= cap) break;
    walk(start, known, kept, cap, read);
  }
  return kept;
}

function walk(start: string, known: ReadonlySet<string>, kept: Set<string>, cap: number, read: (page: string) => string): void {
  if (kept.has(start)) return;
  kept.add(start);
  const queue = [start];
  for (let at = 0; at < queue.length && kept.size < cap; at++) {
    const page = queue[at] ?? start;
    for (const target of linksOf(page, read(page))) {
      if (kept.size >= cap) return;
      if (!known.has(target) || kept.has(target)) continue;
      kept.add(target);
      queue.push(target);
    }
  }
}

/** The index nearest to the root: fewest folders, then `index.html` before other names. */
function indexOf(pages: readonly string[]): string {
  const depth = (page: string) => page.split('/').length;
  const rank = (page: string) => depth(page) * 2 + (/\/index\.x?html?$/i.test(page) ? 0 : 1);
  return pages.reduce((best, page) => (rank(page) < rank(best) ? page : best), pages[0] ?? '');
}

function* linksOf(page: string, html: string): Generator<string> {
  for (const [, double, single] of html.matchAll(HREF)) {
    const href = (double ?? single ?? '').replace(/[#?].*$/s, '');
    if (href === '' || /^[a-z][a-z0-9+.-]*:/i.test(href)) continue;
    const path = href.startsWith('/') ? `${page.slice(0, page.indexOf('/'))}${href}` : posix.join(posix.dirname(page), href);
    yield decoded(path);
    if (path.endsWith('/')) yield decoded(`${path}index.html`);
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
