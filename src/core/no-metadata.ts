import type { PageMetadata } from './types.ts';

/** A page that says nothing of itself. */
export const NO_METADATA: PageMetadata = {
  canonical: null,
  description: null,
  authors: [],
  siteName: null,
  published: null,
  modified: null,
  licences: [],
  rights: null,
  alternates: [],
  robots: [],
};
