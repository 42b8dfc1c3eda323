/** The only list of names of methods that find main text; `text-methods.ts` has the methods themselves. */
export const MAIN_TEXT_METHODS = ['block', 'slope', 'none'] as const;
export type MainTextMethod = (typeof MAIN_TEXT_METHODS)[number];

/** Methods that 0.2 had, with those that read the pages of their models now: a model judges all visible text, so only the corpus changes. */
const FORMER_METHODS: ReadonlyMap<string, MainTextMethod> = new Map([['bte', 'block']]);

/** The method that reads the pages of models which have this name in their file; null for none. */
export function methodNamed(name: string): MainTextMethod | null {
  return MAIN_TEXT_METHODS.find((known) => known === name) ?? FORMER_METHODS.get(name) ?? null;
}

/** The default for training pages and for `extract`. Pages of a crawl are read like the training pages of its topic model. */
export const DEFAULT_MAIN_TEXT_METHOD: MainTextMethod = 'block';
