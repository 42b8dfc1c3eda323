import type { QueryMethod } from '../training-method.ts';

/** Made by `trainKeywords`: its weights follow from the query and the background. */
export const keywords = {
  name: 'keywords',
  help: 'the words of a query alone',
  learnsFrom: 'query',
} as const satisfies QueryMethod;
