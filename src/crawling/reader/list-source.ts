/** Sources other than pages: sitemaps and feeds, and the reservations files of hosts. */
import type { DocumentKindName } from '../../base/core/document-kind-names.ts';
import type { ListSource, ReservationSource, SeedSource } from '../../base/core/parts/reading.ts';
import type { CanonicalUrl, UseTerms, WrittenStatement } from '../../base/core/types.ts';
import { unpacked } from '../../base/web/content-coding.ts';
import { isReadableType, looksBinary, parseContentType } from '../../base/web/content-type.ts';
import { leadsToList, usualSitemapOf } from '../../base/web/media-names.ts';
import { MAX_RESERVATIONS_BYTES, parseReservations, reservationsUrlOf } from '../../base/web/reservation.ts';
import { canonicalize, hostKeyOf } from '../../base/web/url.ts';
import { documentKindOf, documentKindsNamed } from '../../reading/documents/document-kinds.ts';
import { listKindOf } from '../../reading/extract/list-kind.ts';
import { readRslTerms } from '../../reading/extract/rsl-reader.ts';
import { MAX_LIST_BYTES } from '../../reading/extract/url-list.ts';
import type { SeedFetcher } from '../fetch/http-fetcher.ts';
import type { FileFetcher } from '../fetch/robots-cache.ts';
import { linkOfList } from './read-list.ts';
import type { ReadPool } from './read-pool.ts';

/** The crawl's own fetcher requests them, with its guards and deadlines; its reading threads read them. */
export function listSource(fetcher: FileFetcher, reader: ReadPool): ListSource {
  return {
    usualPlaceOf: usualSitemapOf,
    mayBeList: leadsToList,
    fetch: (url, signal) => fetcher.fetchFile(url, MAX_LIST_BYTES, signal),
    read: (page, kind) => reader.readList(page, kind),
    linksTo: async (pages) => {
      if (pages.some(({ title }) => title !== '')) return reader.readTitles(pages);
      return { kind: 'list', lists: [], links: pages.map((page) => linkOfList(page, 'url-list')) };
    },
  };
}

/** Seeds are requested as pages are, and may be sitemaps or feeds. */
export function seedSource(fetcher: SeedFetcher, documents: readonly DocumentKindName[] = []): SeedSource {
  const kinds = documentKindsNamed(documents);
  return {
    mayBeList: leadsToList,
    fetch: (url, signal) => fetcher.fetchSeed(url, signal),
    kindOf: ({ url, headers, body }) => {
      const { mime } = parseContentType(headers['content-type']);
      if (documentKindOf(body, mime, url, kinds) !== null) return 'page';
      const kind = listKindOf(body);
      if (kind !== null) return kind;
      return isReadableType(mime) && !looksBinary(body) ? 'page' : null;
    },
  };
}

/** The files of hosts about rights, requested by the crawl's own fetcher. One byte over the cap shows that a file is too long. */
export function reservationSource(fetcher: FileFetcher): ReservationSource {
  return {
    urlsFor: (host, stated) => [reservationsUrlOf(host), ...licenceUrls(stated)],
    fetch: (url, signal) => fetcher.fetchFile(url, MAX_RESERVATIONS_BYTES + 1, signal),
    read: (body, url) =>
      url === reservationsUrlOf(hostKeyOf(url)) ? { rules: parseReservations(body, url) } : { rules: [], terms: termsIn(body) },
  };
}

/** RSL documents requested for one page: each is a request. */
const MAX_LICENCES = 3;

/** The RSL documents that statements name. RSL in the page is read already. */
function licenceUrls(stated: readonly WrittenStatement[]): readonly CanonicalUrl[] {
  const named = stated.filter(({ protocol, from }) => protocol === 'rsl' && from !== 'script');
  return named.slice(0, MAX_LICENCES).flatMap(({ statement }) => canonicalize(statement) ?? []);
}

function termsIn(body: Uint8Array): readonly UseTerms[] {
  const file = unpacked(body, MAX_RESERVATIONS_BYTES + 1);
  return file.byteLength > MAX_RESERVATIONS_BYTES ? [] : readRslTerms(file);
}
