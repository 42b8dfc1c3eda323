/** Pages of a document: offsets in its HTML become offsets in its text. */
import { decodeHTML } from 'entities';
import type { HtmlOfDocument, PageDocument } from '../../base/core/types.ts';
import type { PageContent } from './blocks.ts';
import { BlockLines, lineEndsBefore } from './line-notes.ts';
import { ROLE } from './main-text.ts';
import type { TextSpans } from './markup-sink.ts';

interface ReadHtml {
  readonly html: string;
  readonly content: PageContent;
  readonly chosen: Uint8Array;
  /** null for a document without pages. */
  readonly spans: TextSpans | null;
}

/** The document of an extraction. @param shift length of the text before that of the blocks */
export function documentIn({ pageStarts, ...stated }: HtmlOfDocument, { spans, ...read }: ReadHtml, shift: number): PageDocument {
  const offsets = spans === null ? [] : pageOffsets(pageStarts, read, spans);
  return { ...stated, pageOffsets: offsets.map((offset) => shift + offset) };
}

/** Steps before the first block of each page that begins on it; a paragraph that goes over the page is on the page on which it begins. */
export function pageSteps(
  pageStarts: readonly number[],
  { starts, blocks }: TextSpans,
  isKept: (block: number) => boolean,
  step: (page: number) => void,
): ReadonlyMap<number, () => void> {
  const steps = new Map<number, () => void>();
  let span = 0;
  for (const [index, start] of pageStarts.entries()) {
    while (span < starts.length && ((starts[span] ?? 0) < start || blocks[span] === blocks[span - 1] || !isKept(blocks[span] ?? -1)))
      span += 1;
    const block = blocks[span];
    if (span >= starts.length || block === undefined) break;
    const before = steps.get(block);
    steps.set(block, () => {
      before?.();
      step(index + 1);
    });
  }
  return steps;
}

/** O(blocks + characters). */
function pageOffsets(
  pageStarts: readonly number[],
  { html, content, chosen }: Omit<ReadHtml, 'spans'>,
  { starts, blocks }: TextSpans,
): number[] {
  const offsets = blockOffsets(content, chosen);
  let next = 0;
  /** Number of the first piece of text in the block of the piece before `next`. */
  let first = 0;
  return pageStarts.map((page) => {
    for (; next < starts.length && (starts[next] ?? 0) < page; next += 1) if (blocks[next] !== blocks[first]) first = next;
    const block = blocks[first] ?? 0;
    const isInside = next > 0 && (blocks[next] === block || html.slice(starts[next - 1], page).indexOf('<') < 0);
    if (isInside) return (offsets[block] ?? 0) + textLength(html.slice(starts[first], page));
    return offsets[blocks[next] ?? content.blocks.length] ?? 0;
  });
}

/** Length of the text of markup within one block. */
function textLength(markup: string): number {
  return decodeHTML(markup.replace(/<[^>]*>/g, '')).replace(/\s+/g, ' ').length;
}

/** Offset of each block in the text of the chosen ones, as `linedText` has it, or of the next chosen one; and of the end. */
function blockOffsets(content: PageContent, chosen: Uint8Array): Int32Array {
  const lines = new BlockLines(content);
  const offsets = new Int32Array(chosen.length + 1);
  let [at, gap] = [0, 0];
  for (let block = 0; block < chosen.length; block += 1) {
    gap = Math.max(gap, lineEndsBefore(content.lineNotes, block));
    const start = at === 0 ? 0 : at + gap;
    offsets[block] = start;
    if (chosen[block] !== ROLE.text) continue;
    at = start + lines.lengthOf(block);
    gap = 0;
  }
  offsets[chosen.length] = at;
  return offsets;
}
