/** Descriptions in CommonMark, as services and feeds have them, as HTML: paragraphs, items, links, texts of programs, and the HTML in between. */
import { escapeSigns } from '../../base/text/escape-signs.ts';
import { squeeze } from '../../base/text/squeeze.ts';
import { knownTags } from '../extract/tags.ts';
import { headingName, type TextBlock, writtenBlocks } from './blocks-html.ts';
import { cleanHtml } from './clean-html.ts';
import { hrefOf, linked } from './document-html.ts';

const TAGS_IN = /<\/?([a-z][a-z0-9]*)(?:\s[^<>]*)?\/?>/gi;
const TAGS = knownTags();
const ITEM = /^( {0,11})(?:[-*+]|(\d{1,9})[.)]) +(.*)$/;
const LINK = /!?\[([^[\]]*)\]\(<?([^\s()<>]*)>?(?:\s+"[^"]*")?\)/g;
/** Blanks of one level of items. */
const INDENT = 2;

/** @param level of headings in it: they are below the one above. */
export function describedHtml(text: string | null, base: string | null, level = 3): string {
  if (text === null) return '';
  if (hasTag(text)) return cleanHtml(text, { href: (written) => hrefOf(written, base), id: null }).html;
  return writtenBlocks(blocksOf(text, base, level)).join('\n');
}

/** Has it a tag of HTML? `<id>` is a word of the author. */
function hasTag(text: string): boolean {
  for (const [, name = ''] of text.matchAll(TAGS_IN)) if (TAGS.has(name.toLowerCase())) return true;
  return false;
}

function blocksOf(text: string, base: string | null, level: number): readonly TextBlock[] {
  const blocks: TextBlock[] = [];
  let paragraph = '';
  let isCode = false;
  const flush = () => {
    if (paragraph !== '') blocks.push({ kind: 'element', name: 'p', html: inlineHtml(paragraph, base) });
    paragraph = '';
  };
  for (const line of text.split(/\r\n?|\n/)) {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    const block = isFence || isCode ? null : lineBlock(line, base, level);
    if (isFence || isCode || block !== null || line.trim() === '') flush();
    if (isFence) isCode = !isCode;
    else if (isCode) blocks.push({ kind: 'pre', html: escapeSigns(line) });
    else if (block !== null) blocks.push(block);
    else paragraph += ` ${line.trim()}`;
  }
  flush();
  return blocks;
}

/** A heading or an item; null for a line of a paragraph. */
function lineBlock(line: string, base: string | null, level: number): TextBlock | null {
  const [, signs = '', heading] = /^ {0,3}(#{1,6}) +(.*)$/.exec(line) ?? [];
  if (heading !== undefined) return { kind: 'element', name: headingName(level + signs.length - 1), html: inlineHtml(heading, base) };
  const [, blanks = '', number, item] = ITEM.exec(line) ?? [];
  if (item === undefined) return null;
  const depth = Math.floor(blanks.length / INDENT);
  return { kind: 'item', level: depth, isOrdered: number !== undefined, isNext: false, html: inlineHtml(item, base) };
}

/** Text with its links; signs of emphasis and code are dropped. */
function inlineHtml(text: string, base: string | null): string {
  let html = '';
  let at = 0;
  for (const { 0: whole, 1: shown = '', 2: href = '', index } of text.matchAll(LINK)) {
    html += plainHtml(text.slice(at, index)) + (whole.startsWith('!') ? '' : linked(plainHtml(shown), href, base));
    at = index + whole.length;
  }
  return (html + plainHtml(text.slice(at))).trim();
}

function plainHtml(text: string): string {
  return escapeSigns(text.replaceAll(/(\*\*|__|`{1,3})(?=\S)([^*`]{0,500}?\S)\1/g, '$2'));
}

/** A text in one line, without markup. */
export function oneLine(text: string | null): string | null {
  return text === null ? null : squeeze(text.replaceAll(TAGS_IN, ' ')) || null;
}
