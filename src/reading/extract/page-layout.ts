import type { PageContent } from './blocks.ts';

/** Origins of the texts of an extracted page. */
export interface PageLayout {
  readonly content: PageContent;
  /** `ROLE.text` for each block of the main text. */
  readonly chosen: Uint8Array;
  /** `ROLE.text` for each block of the other text. */
  readonly others: Uint8Array;
  /** Six places for each outlink of the body, as `outlinksOf` gives them; those of the head have none. */
  readonly places: ArrayLike<number>;
}
