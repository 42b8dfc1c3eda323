import type { PageMetadata } from './types.ts';

/** The metadata of a page that states none. */
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
