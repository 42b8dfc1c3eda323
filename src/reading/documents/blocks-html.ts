/** Paragraphs of word processors, which know no elements around several of them: lists, texts of programs. */
import { elementHtml } from './document-html.ts';

export type TextBlock =
  | { readonly kind: 'element'; readonly name: 'p' | 'h1' | 'h2' | 'h3' | 'h4' | 'h5' | 'h6' | 'blockquote'; readonly html: string }
  /** A line of text whose white space counts. */
  | { readonly kind: 'pre'; readonly html: string }
  /** @param level from 0; isNext: a further paragraph of the item before it */
  | { readonly kind: 'item'; readonly level: number; readonly isOrdered: boolean; readonly isNext: boolean; readonly html: string }
  /** A table, or anything else that is complete. */
  | { readonly kind: 'html'; readonly html: string };

/** Blocks as HTML, those that belong together in one piece. Blocks without content are omitted. */
export function writtenBlocks(blocks: readonly TextBlock[]): string[] {
  const pieces: string[] = [];
  const shown = blocks.filter(({ html }) => html.trim() !== '');
  for (let at = 0; at < shown.length; ) {
    const end = endOfPiece(shown, at);
    pieces.push(pieceOf(shown.slice(at, end)));
    at = end;
  }
  return pieces;
}

/** The block behind those that are one piece with the block at `start`. */
function endOfPiece(blocks: readonly TextBlock[], start: number): number {
  const kind = blocks[start]?.kind;
  let end = start + 1;
  while ((kind === 'item' || kind === 'pre') && blocks[end]?.kind === kind) end += 1;
  return end;
}

/** Blocks inside of another one. A paragraph that is alone needs no element. */
export function innerBlocks(blocks: readonly TextBlock[]): string {
  const shown = blocks.filter(({ html }) => html.trim() !== '');
  const [only] = shown;
  return shown.length === 1 && only?.kind === 'element' && only.name === 'p' ? only.html : writtenBlocks(shown).join('\n');
}

function pieceOf(blocks: readonly TextBlock[]): string {
  const [first] = blocks;
  if (first?.kind === 'pre') return elementHtml('pre', blocks.map(({ html }) => html).join('\n'));
  if (first?.kind === 'item') return listHtml(blocks.filter((block) => block.kind === 'item'));
  return first?.kind === 'element' ? elementHtml(first.name, first.html) : (first?.html ?? '');
}

type Item = Extract<TextBlock, { kind: 'item' }>;

interface OpenList {
  readonly level: number;
  readonly name: 'ol' | 'ul';
}

/** Items by their levels; a list of a deeper level is inside of the item before it. */
function listHtml(items: readonly Item[]): string {
  const open: OpenList[] = [];
  let html = '';
  for (const { level, isOrdered, isNext, html: content } of items) {
    const name = isOrdered ? 'ol' : 'ul';
    while ((open.at(-1)?.level ?? -1) > level) html += closed(open.pop());
    const around = open.at(-1);
    if (around !== undefined && isNext) {
      html += elementHtml('p', content);
      continue;
    }
    if (around?.level === level && around.name === name) html += '</li>\n<li>';
    else {
      if (around?.level === level) html += closed(open.pop());
      open.push({ level, name });
      html += `<${name}><li>`;
    }
    html += content;
  }
  while (open.length > 0) html += closed(open.pop());
  return html;
}

function closed(list: OpenList | undefined): string {
  return list === undefined ? '' : `</li></${list.name}>`;
}

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const;

/** @param level from 1; HTML has six */
export function headingName(level: number): (typeof HEADINGS)[number] {
  return HEADINGS[Math.min(Math.max(level, 1), HEADINGS.length) - 1] ?? 'h6';
}
