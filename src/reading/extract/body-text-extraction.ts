/**
 * Body Text Extraction, literally (Finn, Kushmerick, Smyth 2001): the baseline from which the weighted slope and the block model were developed. Its
 * words are separated by spaces; in scripts without spaces, each character is a word.
 */
import type { PageContent } from './blocks.ts';
import { ROLE } from './main-text.ts';
import type { PageParser } from './page-parser.ts';
import { bteSegment } from './tag-density.ts';
import { isUnspaced } from './text-buffer.ts';
import type { TokenSink } from './tokenizer.ts';

/** The places of a page's tags in its visible text. Given to `PageParser.parse`. */
export class TagOffsets {
  readonly offsets: number[] = [];

  add(): void {}

  /** `parser`, with each of its tags recorded. */
  recording(parser: PageParser): TokenSink {
    const note = () => this.offsets.push(parser.textLength);
    return {
      text: (start, end, references) => parser.text(start, end, references),
      startTag: (start, end) => parser.startTag(start, end),
      attribute: (nameStart, nameEnd, valueStart, valueEnd) => parser.attribute(nameStart, nameEnd, valueStart, valueEnd),
      endTag: (start, end) => {
        note();
        parser.endTag(start, end);
      },
      startTagEnd: (selfClosing) => {
        note();
        return parser.startTagEnd(selfClosing);
      },
      isForeign: () => parser.isForeign(),
    };
  }
}

/** The `ROLE` of each block: text if a part of it is in the run that maximises tags outside plus words inside. O(length). */
export function bteBlocks({ text, blocks }: PageContent, offsets: readonly number[]): Uint8Array {
  const isTag: boolean[] = [];
  /** The end of each token in the text. */
  const ends: number[] = [];
  let from = 0;
  for (const to of [...offsets, text.length]) {
    for (const end of wordEnds(text, from, to)) {
      isTag.push(false);
      ends.push(end);
    }
    from = to;
    isTag.push(true);
    ends.push(to);
  }
  isTag.pop(); // the end of the page is not a tag
  const best = bteSegment(isTag);
  const start = ends[best.start - 1] ?? 0;
  const end = best.end === 0 ? 0 : (ends[best.end - 1] ?? 0);
  return Uint8Array.from(blocks, (block) => {
    const inside = Math.min(block.end, end) - Math.max(block.start, start);
    return inside > 0 ? ROLE.text : ROLE.outside;
  });
}

/** The ends of the words in `text[from, to)`: runs without white space, split at each character of an unspaced script. */
function* wordEnds(text: string, from: number, to: number): Generator<number> {
  let isInWord = false;
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    const isSpace = code <= 32 || (code >= 0xa0 && /\s/.test(text[at] ?? ''));
    if (isInWord && (isSpace || isUnspaced(code))) yield at;
    if (isUnspaced(code)) yield at + 1;
    isInWord = !isSpace && !isUnspaced(code);
  }
  if (isInWord) yield to;
}
