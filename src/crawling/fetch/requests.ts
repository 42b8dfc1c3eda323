/** Everything that a crawl requests. */
import type { PageFetcher } from '../../base/core/parts/fetching.ts';
import type { AddressBook } from './host-policy.ts';
import type { ResourceFetcher, SeedFetcher } from './http-fetcher.ts';
import type { FileFetcher } from './robots-cache.ts';

/** Pages, seeds, files of any type, and resources of rendered pages. */
export type Requests = PageFetcher & FileFetcher & SeedFetcher & ResourceFetcher;

/** The web, or an archive in its place. */
export type WebAccess = Requests & AddressBook;
