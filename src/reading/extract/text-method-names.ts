/** The only list of names of methods that find main text; `text-methods.ts` has the methods themselves. */
export const MAIN_TEXT_METHODS = ['block', 'slope', 'bte', 'none'] as const;
export type MainTextMethod = (typeof MAIN_TEXT_METHODS)[number];

/** The default for training pages and for `extract`. Pages of a crawl are read like the training pages of its topic model. */
export const DEFAULT_MAIN_TEXT_METHOD: MainTextMethod = 'block';
