/** Wishes of a person about subtopics, and the pages that they are about. */
import { FeatureCounter } from './features.ts';
import { type SubtopicWords, subtopicFinder } from './subtopic-words.ts';

/** `more`: links to the subtopic come first. `none`: its pages are off topic. */
export type SteeringWay = 'more' | 'none';

/** One wish. */
export interface Steer {
  readonly way: SteeringWay;
  /** Id and name of the subtopic. */
  readonly id: string;
  readonly name: string;
  /** Place of the subtopic among those that it was found with: a page belongs to the one whose words it has most of. */
  readonly place: number;
  readonly subtopics: readonly SubtopicWords[];
}

/** Wishes about a page: `unwanted` if one of them is for none of its subtopic, else `wanted` if one is for more of it; null otherwise. */
export type SteeredAs = 'wanted' | 'unwanted' | null;

type Steered = Pick<Steer, 'way' | 'name'>;

/** Finds the wish about a page. The last page is remembered: a page is asked about more than once. */
export class SteeringJudge {
  readonly #wishes: readonly (Steered & { readonly isOf: (counts: ReturnType<FeatureCounter['snapshot']>) => boolean })[];
  readonly #counter = new FeatureCounter();
  #last: { readonly page: object; readonly wish: Steered | null } | null = null;

  constructor(steering: readonly Steer[]) {
    this.#wishes = steering.map(({ way, name, place, subtopics }) => {
      const find = subtopicFinder(subtopics);
      return { way, name, isOf: (counts) => find(counts)?.place === place };
    });
  }

  of(page: { readonly title: string; readonly text: string }): SteeredAs {
    const wish = this.wishOf(page);
    return wish === null ? null : wish.way === 'none' ? 'unwanted' : 'wanted';
  }

  /** The wish itself. O(words of the page). */
  wishOf(page: { readonly title: string; readonly text: string }): Steered | null {
    if (this.#last?.page === page) return this.#last.wish;
    // The text outside the main text is that of the host.
    const counts = this.#counter.snapshot({ title: page.title, text: page.text });
    const own = this.#wishes.filter(({ isOf }) => isOf(counts));
    const wish = own.find(({ way }) => way === 'none') ?? own[0] ?? null;
    this.#last = { page, wish };
    return wish;
  }
}
