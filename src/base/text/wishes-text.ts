/** Wishes of persons about subtopics, in words. */

/** A wish as status, page and card show it. */
interface ShownWish {
  readonly way: 'more' | 'none';
  readonly name: string;
  /** ISO 8601. */
  readonly at: string;
  readonly by?: string | undefined;
}

/** The wish, its person and its day. */
export function wishText({ way, name, at, by }: ShownWish): string {
  return `${way} of “${name}” (${by === undefined ? '' : `${by}, `}${at.slice(0, 10)})`;
}

/** The effect of a wish on a page of its subtopic. */
export function wishedPageText({ way, subtopic }: { readonly way: 'more' | 'none'; readonly subtopic: string }): string {
  const effect = way === 'none' ? 'a person wants none of it, so the page is off topic with relevance 0' : 'a person wants more of it';
  return `subtopic “${subtopic}”: ${effect}`;
}

/** One line for all wishes; none without any. */
export function wishesLine(wishes: readonly ShownWish[]): string[] {
  return wishes.length === 0 ? [] : [`wishes about subtopics: ${wishes.map(wishText).join('; ')}`];
}
