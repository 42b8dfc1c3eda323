/** Words about pages that a browser rendered. */
import { isWall } from '../../base/core/reason.ts';
import { renderTroubleText } from '../../base/core/render-words.ts';
import type { RenderChoice, RenderGround } from '../../base/core/rendering.ts';
import type { LedgerLine, StateName } from '../../base/core/types.ts';
import { counted, countText } from '../../base/text/number-text.ts';
import type { RenderedPages } from './rendering-tally.ts';

const GROUNDS: Readonly<Record<RenderGround, string>> = {
  always: 'by --render always',
  shell: 'empty without scripts',
  pattern: 'like pages that gained by it',
  check: 'to check their pattern',
};

/**
 * `rendered 12 pages (10 empty without scripts, 2 like pages that gained by it): 9 gained text or links, in the median 1,204 characters and 14 links;
 * 412 ms, 3 requests a page`, and the troubles. Empty if no page was rendered.
 */
export function renderedLines({ pages, because, used, medianGain, troubles, msAPage, requests }: RenderedPages): string[] {
  if (pages === 0) return [];
  const grounds = numbered(because, GROUNDS).join(', ');
  const gain =
    medianGain === null
      ? 'none gained text or links'
      : `${countText(used)} gained text or links, in the median ${counted(medianGain.text, 'character')} and ${counted(medianGain.links, 'link')}`;
  const each = `${countText(msAPage ?? 0)} ms and ${counted(Math.round(requests / pages), 'request')} a page`;
  const names = Object.entries(troubles).map(([name, n]) => `${countText(n)} ${name}`);
  return [
    `rendered by a browser: ${counted(pages, 'page')} (${grounds}); ${gain}; ${each}`,
    ...(names.length === 0 ? [] : [`  troubles of the browser: ${names.join(', ')}; why of a page has the consequence`]),
  ];
}

/** States of pages that were read. */
const READ: ReadonlySet<StateName> = new Set(['kept', 'off-topic', 'duplicate']);

/** The part of a browser in a visit: why it rendered the page or did not, with which gain and at which cost; null for a URL without a page. @param choice of the last run */
export function renderedVisitText({ rendered, state, reason }: VisitLine, choice: RenderChoice): string | null {
  if (rendered === undefined) return READ.has(state) || isWall(reason) ? NOT_RENDERED[choice] : null;
  const { because, text, links, used, ms, requests, trouble } = rendered;
  const change = `${changeText(text, 'character')}, ${changeText(links, 'link')}`;
  const verdict = used ? 'the rendered document counts' : 'the page counts as the server sent it';
  const end = trouble === undefined ? '' : `; ${trouble}: ${renderTroubleText(trouble)}`;
  return `rendered by a browser (${GROUNDS[because]}): ${change}; ${verdict}; ${countText(ms)} ms, ${counted(requests, 'request')}${end}`;
}

type VisitLine = Pick<LedgerLine, 'rendered' | 'state' | 'reason'>;

const NOT_RENDERED: Readonly<Record<RenderChoice, string | null>> = {
  never: null,
  auto: 'not rendered by a browser: it has no scripts, or a text of its own and pages like it gained none; or a run without --render visited it',
  always: 'not rendered by a browser: it is not HTML; or a run without --render always visited it',
};

function changeText([plain, rendered]: readonly [number, number | null], what: string): string {
  return rendered === null ? counted(plain, what) : `${countText(plain)} to ${counted(rendered, what)}`;
}

function numbered<K extends string>(counts: Readonly<Partial<Record<K, number>>>, words: Readonly<Record<K, string>>): string[] {
  return (Object.entries(counts) as [K, number][]).map(([name, n]) => `${countText(n)} ${words[name]}`);
}
