import { LINE_HINT } from '../../src/reading/extract/class-hints.ts';
import { EDGE, edgeOfTag, KEEP, keepsOfTag } from '../../src/reading/extract/line-edges.ts';
import { FLAG, type Tag, type TagKind } from '../../src/reading/extract/tags.ts';
import type { Attributes } from './attributes.ts';
import type { ElementStack } from './element-stack.ts';
import { STYLE } from './inline-style.ts';

const PREFORMATTED = KEEP.lines | KEEP.blanks;

/** The edge of an element that is about to open, or of an end tag without a start tag, at the current place. */
export function edgeOf(tag: Tag, kind: TagKind, { flags, keeps }: ElementStack): number {
  if (kind === 'cell') return EDGE.item;
  if (kind !== 'block') return 0;
  if (tag.kind === 'inline') return EDGE.line;
  const edge = edgeOfTag(tag.name);
  if (edge === EDGE.list) return flags & FLAG.list ? EDGE.item : EDGE.section;
  if (edge === EDGE.generic) return keeps & (KEEP.blanks | KEEP.verse) ? EDGE.line : EDGE.paragraph;
  return edge === EDGE.paragraph && keeps & KEEP.blanks ? EDGE.line : edge;
}

/** The edge of an element with class names, which is about to open. */
export function hintedEdge(tag: Tag, kind: TagKind, stack: ElementStack, { lineHints }: Attributes): number {
  if (kind === 'block' && lineHints & LINE_HINT.stanza) return EDGE.section;
  return kind === 'block' && lineHints & LINE_HINT.line ? EDGE.line : edgeOf(tag, kind, stack);
}

/** The white space that an element keeps that is about to open. */
export function keepsOf(tag: Tag, own: number, { flags, keeps }: ElementStack, { style, lineHints }: Attributes): number {
  let kept = keeps | keepsOfTag(tag);
  if (style & STYLE.keepsBlanks) kept |= PREFORMATTED;
  else if (!((flags | own) & FLAG.pre)) {
    if (style & STYLE.keepsLines) kept = (kept & ~KEEP.blanks) | KEEP.lines;
    else if (style & STYLE.keepsNothing) kept &= ~PREFORMATTED;
  }
  const isWhole = tag.name === 'body' || tag.name === 'html' || (own & FLAG.main) !== 0;
  return !isWhole && lineHints & (LINE_HINT.verse | LINE_HINT.stanza) ? kept | KEEP.verse : kept;
}
