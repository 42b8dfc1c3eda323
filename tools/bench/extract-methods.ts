/** What is compared: our modes, and the npm peers on their defaults. A peer is loaded only where it runs. */
import { Parser } from 'htmlparser2';
import { parseHTML } from 'linkedom';
import { MODES, ourExtract, type PageInput, urlOr } from '../quality/extract-modes.ts';
import { bteSegment } from './bte-segment.ts';

/** What a method gives back. HTML becomes text afterwards, off the clock. */
export type Output = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'html'; readonly html: string };

export type Extract = (page: PageInput) => Output | Promise<Output>;

export interface Method {
  readonly name: string;
  /** One of our modes, an npm package, or a baseline. */
  readonly kind: 'ours' | 'peer' | 'baseline';
  readonly load: () => Extract | Promise<Extract>;
}

/** Ours, the default mode first; then the others. */
export const METHODS: readonly Method[] = [
  ...MODES.map((mode): Method => ({ name: `forager ${mode}`, kind: 'ours', load: () => ours(ourExtract(mode)) })),
  { name: 'readability', kind: 'peer', load: readability },
  { name: 'defuddle', kind: 'peer', load: defuddle },
  { name: 'article-extractor', kind: 'peer', load: articleExtractor },
  { name: 'bte', kind: 'baseline', load: () => plainBte },
];

function ours(extract: (page: PageInput) => string): Extract {
  return (page) => ({ kind: 'text', text: extract(page) });
}

async function readability(): Promise<Extract> {
  const { Readability } = await import('@mozilla/readability');
  return ({ html }) => {
    const { document } = parseHTML(html);
    return { kind: 'html', html: new Readability(document).parse()?.content ?? '' };
  };
}

/**
 * As its own loader sets linkedom up; no site's API is asked, as the page is what is measured. Replies: its `includeReplies: true`
 * changed no score on 485 pages, 31 of them of forums, and is left at its default.
 */
async function defuddle(): Promise<Extract> {
  const { Defuddle } = await import('defuddle/node');
  return async ({ id, url, html }) => {
    const { document } = parseHTML(html);
    const { defaultView } = document;
    Object.assign(document, { styleSheets: document.styleSheets ?? [], URL: urlOr(id, url) });
    if (defaultView && !defaultView.getComputedStyle) Object.assign(defaultView, { getComputedStyle: () => ({ display: '' }) });
    const found = await Defuddle(document, urlOr(id, url), { useAsync: false });
    return { kind: 'html', html: found.content };
  };
}

async function articleExtractor(): Promise<Extract> {
  const { extractFromHtml } = await import('@extractus/article-extractor');
  return async ({ id, url, html }) => ({ kind: 'html', html: (await extractFromHtml(html, urlOr(id, url)))?.content ?? '' });
}

/** A token is a tag, a word, or a character of a script without spaces. */
const TOKEN = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]+/gu;
const TAG = '';

/** Body Text Extraction and nothing else (Finn, Kushmerick, Smyth 2001), scripts and styles left out, on htmlparser2's tokens. */
function plainBte({ html }: PageInput): Output {
  const tokens: string[] = [];
  let unseen = false;
  const parser = new Parser({
    onopentagname: (name) => {
      unseen = name === 'script' || name === 'style';
      tokens.push(TAG);
    },
    onclosetag: () => {
      unseen = false;
      tokens.push(TAG);
    },
    ontext: (text) => {
      if (!unseen) tokens.push(...(text.match(TOKEN) ?? []));
    },
  });
  parser.end(html);
  const { start, end } = bteSegment(tokens.map((token) => token === TAG));
  return { kind: 'text', text: tokens.slice(start, end).join(' ') };
}
