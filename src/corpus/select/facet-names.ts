/** Names of the properties by which a corpus is compared with a frame, in the order in which equal differences are named. The first three follow from a URL. */
export const FACETS = ['tld', 'host', 'hostSize', 'language', 'year', 'length', 'kind'] as const;
export type Facet = (typeof FACETS)[number];
