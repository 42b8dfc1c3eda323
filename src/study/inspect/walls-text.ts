/** Pages that a crawl cannot read, for people: a login, a consent wall, an application of scripts. */

import type { RenderChoice } from '../../base/core/rendering.ts';
import { shareOf } from '../../base/core/share.ts';
import type { PageWall } from '../../base/core/types.ts';
import { commandOn } from '../../base/text/forager-command.ts';
import { counted, countText, percentText } from '../../base/text/number-text.ts';
import type { WalledHost } from './wall-tally.ts';

/** Hosts to name. */
const NAMED = 5;
/** Share of the visits to a host from which its walls need a remedy: below, they are single pages of a readable site. */
const MANY = 0.2;

/** A crawl with walls. */
export interface WalledCrawl {
  readonly dir: string;
  readonly render: RenderChoice;
  readonly walls: readonly WalledHost[];
}

const VERBS: Readonly<Record<PageWall, readonly [one: string, many: string]>> = {
  'needs-javascript': ['needs JavaScript', 'need JavaScript'],
  login: ['is a login', 'are a login'],
  'consent-wall': ['is a consent wall', 'are a consent wall'],
};

/**
 * Number of pages that are walls; then the hosts with many, and the remedy: `http://a.example: 8 of 20 pages need JavaScript (40.0 %); …`.
 * Empty without walls.
 */
export function wallLines(crawl: WalledCrawl): string[] {
  const { walls } = crawl;
  if (walls.length === 0) return [];
  const many = walls.filter(({ pages, visited }) => shareOf(pages, visited) >= MANY).slice(0, NAMED);
  const all = totals(walls).map(([wall, n]) => `${counted(n, 'page')} ${verbOf(wall, n)}`);
  return [`pages without a text of their own, so not in the corpus: ${all.join(', ')}`, ...many.map((one) => hostLine(one, crawl))];
}

/** The last words about a crawl that kept nothing, if walls are why; null otherwise. */
export function nothingKeptLine(crawl: WalledCrawl, { kept, visited }: { readonly kept: number; readonly visited: number }): string | null {
  const [most] = totals(crawl.walls);
  if (kept > 0 || most === undefined) return null;
  const [wall, pages] = most;
  return `nothing is kept: ${countText(pages)} of ${counted(visited, 'page')} ${verbOf(wall, pages)}; ${remedyOf(wall, crawl)}`;
}

function hostLine({ host, wall, pages, visited }: WalledHost, crawl: WalledCrawl): string {
  const share = percentText(shareOf(pages, visited));
  return `  ${host}: ${countText(pages)} of ${counted(visited, 'page')} ${verbOf(wall, pages)} (${share}); ${remedyOf(wall, crawl)}`;
}

function remedyOf(wall: PageWall, { dir, render }: WalledCrawl): string {
  switch (wall) {
    case 'login':
      return 'if you have access, --hosts sends a name and password, or a cookie';
    case 'consent-wall':
      return '--cookies keeps cookies, and --hosts sends the cookie of your consent';
    case 'needs-javascript':
      return render === 'never'
        ? `a browser renders them, and requests them again: ${commandOn('crawl', dir, '--render', 'auto')}`
        : 'the browser found no text in them either: look for the same texts in a feed, a print view, another host or an archive';
  }
}

/** Numbers of pages by wall, most first. */
function totals(walls: readonly WalledHost[]): (readonly [PageWall, number])[] {
  const pages = new Map<PageWall, number>();
  for (const one of walls) pages.set(one.wall, (pages.get(one.wall) ?? 0) + one.pages);
  return [...pages].sort(([, a], [, b]) => b - a);
}

function verbOf(wall: PageWall, pages: number): string {
  return VERBS[wall][pages === 1 ? 0 : 1];
}
