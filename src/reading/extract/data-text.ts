/** The text of a page that shows none: `articleBody` or `description` of its work in JSON-LD, or an attribute of microdata. */
import type { TextSource } from '../../base/core/types.ts';
import { squeeze } from '../../base/text/squeeze.ts';
import { LINE, lineNumber, lineText, type PageContent, STOPS } from './blocks.ts';
import { decoded } from './character-references.ts';
import { type LinkedObject, WORK } from './json-ld.ts';
import { LinkedGraph } from './linked-graph.ts';
import { jsonValues } from './loose-json.ts';
import { ROLE } from './main-text.ts';
import { PRODUCT_TYPE } from './product-node.ts';

/** A text in an attribute or a script. */
export interface DataText {
  readonly text: string;
  readonly source: TextSource;
}

/** Shorter ones are no text of a page. */
const MIN_CHARS = 60;
/** The stated text is so many times longer than the labels that the page shows as its main text. */
const LEAST_RATIO = 3;
/** Longest main text that may be labels. */
const MAX_LABELS = 400;
/** The beginning by which the stated text is found on the page. */
const HEAD_CHARS = 60;
const BODIES = ['articleBody', 'text', 'reviewBody', 'description'] as const;
const BREAK = /<(?:br|\/?(?:p|div|li|ul|ol|h[1-6]|tr|table|blockquote|section))\b[^>]*>/gi;

/** The stated text of a page whose main text has labels at most; null for other pages. @param chosen roles of the main text */
export function dataTextOf(page: PageContent, chosen: Uint8Array): DataText | null {
  if (page.jsonLd.length === 0 && !page.metas.some(({ name }) => name === 'articlebody')) return null;
  const shown = shownLength(page, chosen);
  if (shown === null) return null;
  const stated = statedText(page);
  if (stated === null || stated.text.length < Math.max(MIN_CHARS, LEAST_RATIO * shown)) return null;
  // Another rule has decided about text that the page shows.
  return page.text.includes(squeeze(stated.text.slice(0, HEAD_CHARS))) ? null : stated;
}

/** Characters of labels in the main text; null if it has a sentence or is long. */
function shownLength(page: PageContent, chosen: Uint8Array): number | null {
  let length = 0;
  for (let block = 0; block < chosen.length; block += 1) {
    if (chosen[block] !== ROLE.text) continue;
    length += lineNumber(page.lines, block, LINE.end) - lineNumber(page.lines, block, LINE.start);
    if (length > MAX_LABELS || STOPS.includes(lineText(page, block).at(-1) ?? ' ')) return null;
  }
  return length;
}

function statedText({ jsonLd, metas }: PageContent): DataText | null {
  const graph = new LinkedGraph(jsonLd.flatMap(jsonValues));
  const works = [...graph.ofType(WORK), ...graph.ofType(PRODUCT_TYPE)];
  const inScript = paragraphsOf(longest(works.map((work) => bodyOf(work, graph))));
  if (inScript !== '') return { text: inScript, source: 'json-ld' };
  const inMeta = paragraphsOf(longest(metas.filter(({ name }) => name === 'articlebody').map(({ content }) => content)));
  return inMeta === '' ? null : { text: inMeta, source: 'microdata' };
}

function bodyOf(work: LinkedObject, graph: LinkedGraph): string {
  return BODIES.map((name) => graph.text(work[name], ['@value'])).find((text) => text.trim().length >= MIN_CHARS) ?? '';
}

function longest(texts: readonly string[]): string {
  return texts.reduce((best, text) => (text.length > best.length ? text : best), '');
}

/** Paragraphs with a blank line between them, without tags. */
function paragraphsOf(written: string): string {
  const plain = written.includes('<') ? decoded(written.replaceAll(BREAK, '\n\n').replaceAll(/<\/?[a-z][^>]*>/gi, '')) : written;
  return plain
    .split(/\r\n?|\n/)
    .map(squeeze)
    .filter((line) => line !== '')
    .join('\n\n');
}
