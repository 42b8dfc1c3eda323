/**
 * Portal hosts: generated pages that link into all subjects' hosts in mixed order. The Debian web has few links across hosts;
 * portals give a crawl the choice among subjects that a directory of links gives on the real web. Results must say that they were used.
 */
import { join } from 'node:path';
import { UsageError } from '../../src/base/core/errors.ts';
import { type Rng, seededRng } from '../../src/base/core/rng.ts';
import type { VirtualPages } from '../page-source.ts';
import { pagesOf, readManifest } from './manifest.ts';
import { headOf } from './source.ts';

export interface PortalOptions {
  /** A built web. */
  readonly dir: string;
  readonly portals: number;
  /** Default 10. */
  readonly pagesPerPortal?: number;
  /** Links into the web on one page, default 40. */
  readonly linksPerPage?: number;
  /** Link only to these hosts; default all built ones. */
  readonly only?: readonly string[];
  readonly seed: number;
}

interface Target {
  readonly url: string;
  readonly title: string;
}

/** The first 8 KB hold the title of nearly every page; a page whose title comes later is not linked. */
const HEAD_BYTES = 8192;
/** Pages tried before a link is given up: pages without a title are rare, so this many in a row mean a host of them. */
const TRIES = 20;

/**
 * Pages of `portal-1.example` … . A link's target is drawn at random: subject, then host of it, then page of that, each alike likely, so
 * that large hosts do not swamp the rest. @throws UsageError when nothing is built to link to.
 */
export function portalPages(options: PortalOptions): VirtualPages {
  const rng = seededRng(options.seed);
  const draw = targetDrawer(options, rng);
  const pages = new Map<string, Map<string, string>>();
  const count = options.pagesPerPortal ?? 10;
  for (let portal = 1; portal <= options.portals; portal++) {
    const site = new Map<string, string>();
    for (let page = 1; page <= count; page++) {
      const targets = Array.from({ length: options.linksPerPage ?? 40 }, draw).filter((target) => target !== null);
      const html = portalHtml(portal, page, count, options.portals, targets, rng);
      site.set(pathOf(page), html);
    }
    pages.set(hostOf(portal), site);
  }
  return pages;
}

function targetDrawer(options: PortalOptions, rng: Rng): () => Target | null {
  const bySubject = new Map<string, Map<string, string[]>>();
  for (const row of readManifest(options.dir).rows) {
    if (options.only !== undefined && !options.only.includes(row.host)) continue;
    const hosts = bySubject.get(row.subject) ?? new Map<string, string[]>();
    bySubject.set(row.subject, hosts.set(row.host, [...(hosts.get(row.host) ?? []), ...pagesOf(options.dir, row)]));
  }
  const subjects = [...bySubject.values()]
    .map((hosts) => [...hosts.values()].filter((pages) => pages.length > 0))
    .filter((hosts) => hosts.length > 0);
  if (subjects.length === 0)
    throw new UsageError(`${options.dir} has no pages for portals to link to; run npm run data -- web-build first`);
  return () => {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const page = pick(pick(pick(subjects, rng), rng), rng);
      const title = titleOf(headOf(join(options.dir, page), HEAD_BYTES));
      if (title !== null) return { url: urlOf(page), title };
    }
    return null;
  };
}

/** Text of the title element, white space collapsed, entities left as they are; null without one. Decoded by the page's meta charset. */
export function titleOf(head: Buffer): string | null {
  const ascii = head.toString('latin1');
  const charset = /charset\s*=\s*["']?\s*([\w-]+)/i.exec(ascii)?.[1] ?? 'utf-8';
  const text = decode(head, charset);
  const title = /<title[^>]*>([^<]*)<\/title\s*>/i.exec(text)?.[1]?.replace(/\s+/g, ' ').trim();
  return title === undefined || title === '' || title.includes('\ufffd') ? null : title;
}

function decode(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return bytes.toString('utf8');
  }
}

/** Ways to introduce a link; each holds nothing but the target's own title, so that a portal adds no words of a subject. */
const PHRASES: readonly ((title: string) => string)[] = [
  (title) => `A page about ${title}.`,
  (title) => `For those who look for ${title}.`,
  (title) => `More to read: ${title}.`,
  (title) => `Listed here is ${title}.`,
];

function portalHtml(portal: number, page: number, pages: number, portals: number, targets: readonly Target[], rng: Rng): string {
  const items = targets.map(({ url, title }) => `<li><a href="${escaped(url)}">${title}</a> ${pick(PHRASES, rng)(title)}</li>`);
  const heading = `Link directory ${portal}, page ${page} of ${pages}`;
  const around = [
    `<a href="${pathOf((page % pages) + 1)}">Next page</a>`,
    `<a href="http://${hostOf((portal % portals) + 1)}/">Next directory</a>`,
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${heading}</title></head>
<body><h1>${heading}</h1>
<ul>
${items.join('\n')}
</ul>
<nav>${around.join(' | ')}</nav>
</body></html>
`;
}

function hostOf(portal: number): string {
  return `portal-${portal}.example`;
}

function pathOf(page: number): string {
  return page === 1 ? '/' : `/page-${page}.html`;
}

function urlOf(page: string): string {
  return `http://${page.split('/').map(encodeURIComponent).join('/').replaceAll('%2B', '+').replaceAll('%2C', ',')}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

function pick<T>(items: readonly T[], rng: Rng): T {
  return items[Math.floor(rng() * items.length)] as T;
}
