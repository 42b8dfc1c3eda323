/**
 * Number of the page, from 1, that has a place of a text.
 * @param pageOffsets offset at which each page begins, ascending
 * @returns null for a text without pages
 */
export function pageNumberAt(pageOffsets: readonly number[], place: number): number | null {
  if (pageOffsets.length === 0) return null;
  const behind = pageOffsets.findIndex((offset) => offset > place);
  return Math.max(1, behind < 0 ? pageOffsets.length : behind);
}
