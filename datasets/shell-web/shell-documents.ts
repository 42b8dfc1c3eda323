/** The HTML of the web of shells: one page in its kind, and its true text and links. */
import type { ShellKind } from './shell-kinds.ts';

/** A page before it is a shell. */
export interface ShellContent {
  readonly id: number;
  readonly title: string;
  /** Navigation. */
  readonly before: string;
  /** Heading and paragraphs: the main text. */
  readonly main: string;
  /** Sidebar and footer. */
  readonly after: string;
}

/** Items that the HTML of a list has, and that a request for more brings. */
export const LIST_BATCH = 10;

const NOSCRIPT = '<noscript>You need to enable JavaScript to run this app.</noscript>';

/** HTML of a page that needs no scripts. Three of four have one, as on the real web. */
export function staticDocument(content: ShellContent): string {
  const script = (content.id >> 1) % 4 === 0 ? '' : '<script src="/assets/site.js" defer></script>';
  return documentOf(content.title, `${bodyOf(content)}${script}`);
}

/** Content of an article as a browser shows it. */
export function bodyOf({ before, main, after }: ShellContent): string {
  return `${before}<main><article>${main}</article></main>\n${after}`;
}

/** HTML that the server sends for a shell. Half of the pages that start empty ask for JavaScript. */
export function shellDocument(kind: ShellKind, content: ShellContent): string {
  const script =
    kind === 'module' ? '<script type="module" src="/assets/module.js"></script>' : `<script src="/assets/${kind}.js" defer></script>`;
  if (kind === 'hydrated') return documentOf(content.title, `<div id="root">${bodyOf(content)}</div>${script}`);
  if (kind === 'list') return documentOf(content.title, `${listBody(content)}${script}`);
  const noscript = content.id % 4 === 0 ? NOSCRIPT : '';
  return documentOf('App', `${noscript}<div id="root"></div>${kind === 'xhr' ? FORBIDDEN : ''}${script}`);
}

/** A script that robots.txt forbids, and what a crawl never asks for. */
const FORBIDDEN =
  '<script src="/private/track.js"></script><link rel="icon" href="/icon.png"><img src="/logo.png" alt=""><style>@font-face{font-family:own;src:url(/own.woff2)}body{font-family:own}</style><video src="/film.mp4" preload="auto"></video>';

/** Sentences of the main text, each with its links: the items of a list. */
export function itemsOf({ main }: ShellContent): readonly string[] {
  const flow = main.replace(/^<h1>.*<\/h1>/, '').replace(/<\/?(?:p|ul|li)>/g, ' ');
  return flow
    .split(/(?<=[.?!:>])\s+(?=[A-Z<])/)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function listBody(content: ShellContent): string {
  const items = itemsOf(content)
    .slice(0, LIST_BATCH)
    .map((item) => `<li>${item}</li>`)
    .join('\n');
  const heading = /^<h1>.*<\/h1>/.exec(content.main)?.[0] ?? '';
  const main = `<main>${heading}<ul id="items">${items}</ul><div id="end" style="margin-top:1200px;height:1px"></div></main>`;
  return `${content.before}${main}\n${content.after}`;
}

function documentOf(title: string, body: string): string {
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>\n<body>\n${body}\n</body></html>\n`;
}

/** Text of our own HTML: without tags, white space as one blank. */
export function plainText(html: string): string {
  const untagged = html.replace(/<\/?a\b[^>]*>/g, '').replace(/<[^>]*>/g, ' ');
  return untagged.replaceAll('&amp;', '&').replace(/\s+/g, ' ').trim();
}
