/** The part that knows which hosts have pages under names of files. */
import type { CanonicalUrl, Discovery } from '../types.ts';

/** A link of a page that was read. */
export interface LinkOfPage {
  readonly url: CanonicalUrl;
  /** The page that has it. */
  readonly from: CanonicalUrl;
  readonly onTopic: boolean;
  /** Words of the link, without those of a picture. */
  readonly words: string;
}

/** Names that end like a picture, a sound or a film, which are not requested unless their host has pages under such names. */
export interface FileNames {
  /** Does its host have pages under such names? */
  mayBePage(url: CanonicalUrl): boolean;
  /** Whether this URL is requested to find that out. At most one for each ending of a host, and few in all. */
  tries(link: LinkOfPage): boolean;
  /** The links that were found with a URL that is tried, and refused for their names. */
  keep(tried: CanonicalUrl, found: Discovery): void;
  /** The URL was answered. @returns the kept links that may be requested now, if this was the first page of its host under such a name; otherwise null */
  answered(url: CanonicalUrl, isPage: boolean): Discovery | null;
}
