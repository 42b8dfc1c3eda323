/** What a crawl reads besides pages: sitemaps and feeds, and hosts' files of reservations. */
import type { ListSource, ReservationSource } from '../core/parts/reading.ts';
import { MAX_LIST_BYTES } from '../extract/url-list.ts';
import type { HttpFetcher } from '../fetch/http-fetcher.ts';
import { MAX_RESERVATIONS_BYTES, parseReservations, reservationsUrlOf } from '../web/reservation.ts';
import type { ReadPool } from './read-pool.ts';

/** Fetched by the crawl's own fetcher, with its guards and deadlines, and read in its reading threads. */
export function listSource(fetcher: HttpFetcher, reader: ReadPool): ListSource {
  return {
    fetch: (url, signal) => fetcher.fetchFile(url, MAX_LIST_BYTES, signal),
    read: (page, kind) => reader.readList(page, kind),
  };
}

/** The `tdmrep.json` of hosts, by the crawl's own fetcher. One byte too many tells that a file is over the cap. */
export function reservationSource(fetcher: HttpFetcher): ReservationSource {
  return {
    urlOf: reservationsUrlOf,
    fetch: (url, signal) => fetcher.fetchFile(url, MAX_RESERVATIONS_BYTES + 1, signal),
    rulesIn: parseReservations,
  };
}
