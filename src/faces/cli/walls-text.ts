/** Pages that a crawl cannot read, for people: a login, a consent wall, an application of scripts. */

import { shareOf } from '../../base/core/share.ts';
import type { PageWall } from '../../base/core/types.ts';
import { counted, countText, percentText } from '../../base/text/number-text.ts';
import type { WalledHost } from '../../study/inspect/wall-tally.ts';

/** Hosts to name. */
const NAMED = 5;
/** Share of the visits to a host from which its walls need a remedy: below, they are single pages of a readable site. */
const MANY = 0.2;

const WORDS: Readonly<Record<PageWall, { readonly one: string; readonly many: string; readonly remedy: string }>> = {
  'needs-javascript': {
    one: 'needs JavaScript',
    many: 'need JavaScript',
    remedy: 'this version runs no scripts: look for the same texts in a feed, a print view, another host or an archive',
  },
  login: { one: 'is a login', many: 'are a login', remedy: 'if you have access, --hosts sends a name and password, or a cookie' },
  'consent-wall': {
    one: 'is a consent wall',
    many: 'are a consent wall',
    remedy: '--cookies keeps cookies, and --hosts sends the cookie of your consent',
  },
};

/**
 * Number of pages that are walls; then the hosts with many, and the remedy: `http://a.example: 8 of 20 pages need JavaScript (40.0 %); …`.
 * Empty without walls.
 */
export function wallLines(walls: readonly WalledHost[]): string[] {
  if (walls.length === 0) return [];
  const many = walls.filter(({ pages, visited }) => shareOf(pages, visited) >= MANY).slice(0, NAMED);
  return [`pages without a text of their own, so not in the corpus: ${totals(walls).join(', ')}`, ...many.map(hostLine)];
}

function hostLine({ host, wall, pages, visited }: WalledHost): string {
  const share = percentText(shareOf(pages, visited));
  return `  ${host}: ${countText(pages)} of ${counted(visited, 'page')} ${verbOf(wall, pages)} (${share}); ${WORDS[wall].remedy}`;
}

function totals(walls: readonly WalledHost[]): string[] {
  const pages = new Map<PageWall, number>();
  for (const one of walls) pages.set(one.wall, (pages.get(one.wall) ?? 0) + one.pages);
  return [...pages].sort(([, a], [, b]) => b - a).map(([wall, n]) => `${counted(n, 'page')} ${verbOf(wall, n)}`);
}

function verbOf(wall: PageWall, pages: number): string {
  return WORDS[wall][pages === 1 ? 'one' : 'many'];
}
