/** Sources other than pages: sitemaps and feeds, and the reservations files of hosts. */
import type { ListSource, ReservationSource } from '../core/parts/reading.ts';
import { MAX_LIST_BYTES } from '../extract/url-list.ts';
import type { FileFetcher } from '../fetch/robots-cache.ts';
import { MAX_RESERVATIONS_BYTES, parseReservations, reservationsUrlOf } from '../web/reservation.ts';
import type { ReadPool } from './read-pool.ts';

/** The crawl's own fetcher requests them, with its guards and deadlines; its reading threads read them. */
export function listSource(fetcher: FileFetcher, reader: ReadPool): ListSource {
  return {
    fetch: (url, signal) => fetcher.fetchFile(url, MAX_LIST_BYTES, signal),
    read: (page, kind) => reader.readList(page, kind),
  };
}

/** The `tdmrep.json` of hosts, requested by the crawl's own fetcher. One byte over the cap shows that a file is too long. */
export function reservationSource(fetcher: FileFetcher): ReservationSource {
  return {
    urlOf: reservationsUrlOf,
    fetch: (url, signal) => fetcher.fetchFile(url, MAX_RESERVATIONS_BYTES + 1, signal),
    rulesIn: parseReservations,
  };
}
