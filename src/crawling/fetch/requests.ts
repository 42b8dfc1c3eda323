/** Everything that a crawl requests. */
import type { PageFetcher } from '../../base/core/parts/fetching.ts';
import type { AddressBook } from './host-policy.ts';
import type { SeedFetcher } from './http-fetcher.ts';
import type { FileFetcher } from './robots-cache.ts';

/** Pages, seeds, and files of any type. */
export type Requests = PageFetcher & FileFetcher & SeedFetcher;

/** The web, or an archive in its place. */
export type WebAccess = Requests & AddressBook;
