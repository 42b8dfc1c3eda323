import { maskOf, type PersonalRange } from './personal-names.ts';

/** A text without its finds, and the places of the rest. */
export interface MaskedText {
  readonly text: string;
  /** The masks, as ranges of `text`. */
  readonly masks: readonly PersonalRange[];
  /** Moves a range of the text before; one that ends inside of a find ends after its mask. */
  moved(offset: number): number;
}

/** @param found finds in their order, without overlaps */
export function maskedText(text: string, found: readonly PersonalRange[]): MaskedText {
  let [out, at] = ['', 0];
  const masks = found.map(([start, end, kind]): PersonalRange => {
    out += text.slice(at, start);
    at = end;
    const from = out.length;
    out += maskOf(kind);
    return [from, out.length, kind];
  });
  return { text: out + text.slice(at), masks, moved: (offset) => movedOffset(offset, found, masks) };
}

/** The last find that begins before the offset decides: binary search. */
function movedOffset(offset: number, found: readonly PersonalRange[], masks: readonly PersonalRange[]): number {
  let [low, high] = [0, found.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((found[middle]?.[0] ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  const [before, mask] = [found[low - 1], masks[low - 1]];
  if (before === undefined || mask === undefined) return offset;
  return mask[1] + Math.max(0, offset - before[1]);
}
