/** A route to an archive in place of the network: it answers each request with a record. It opens no socket. */
import type { Dispatcher } from 'undici';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { canonicalize } from '../../base/web/url.ts';
import { EarlyEndError, NotInArchiveError } from '../fetch/failures.ts';
import { controllerOf, type LenientRoute } from '../fetch/lenient-request.ts';
import type { Connection, NetworkRoute } from '../fetch/routes.ts';
import type { ArchivedResponse } from './archived-response.ts';

/** Source of archived answers; null: the archive has none. */
export interface ResponseSource {
  find(url: CanonicalUrl): Promise<ArchivedResponse | null>;
}

/**
 * The fetcher applies its rules of status, type, size and coding to an archived answer as to one from the web, so that a crawl of an archive settles
 * each URL as the crawl that made the archive.
 */
export class ArchiveRoute implements NetworkRoute {
  readonly names = null;
  readonly #source: ResponseSource;
  /** Facts about the answer that is being started; see `get`. */
  #started: Connection | null = null;

  constructor(source: ResponseSource) {
    this.#source = source;
  }

  get(url: URL, _fields: string[], handler: Dispatcher.DispatchHandler): void {
    void this.#answer(url, handler);
  }

  /** No archived answer is refused by a parser, so none is asked for leniently. */
  lenient(url: URL): LenientRoute {
    const open = () => Promise.reject(new NotInArchiveError(url.href));
    return { open, target: url.pathname + url.search, fields: ['host', url.host], connectionOf: () => CLOSED };
  }

  connection(): Connection | null {
    return this.#started;
  }

  addresses(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #answer(url: URL, handler: Dispatcher.DispatchHandler): Promise<void> {
    let isOver = false;
    const control = controllerOf(() => {
      isOver = true;
    });
    try {
      const canonical = canonicalize(url.href);
      const response = canonical && (await this.#source.find(canonical));
      if (response === null) throw new NotInArchiveError(url.href);
      this.#started = { ip: response.ip, requests: 0, h2: false, certificate: null, lenient: false, capturedAt: response.at };
      handler.onRequestStart?.(control, {});
      for (const step of stepsOf(response, control, handler)) if (!isOver) step();
    } catch (error) {
      if (!isOver) handler.onResponseError?.(control, error instanceof Error ? error : new Error(String(error)));
    }
  }
}

const CLOSED: Connection = { ip: null, requests: 0, h2: false, certificate: null, lenient: true };

/** The calls of a handler for a response, in order. It may end the request at each of them. */
function stepsOf(response: ArchivedResponse, control: Control, handler: Dispatcher.DispatchHandler): (() => void)[] {
  const { status, statusText, fields, body, isCut } = response;
  control.rawHeaders = fields.flat();
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return [
    () => handler.onResponseStart?.(control, status, {}, statusText),
    () => (bytes.length > 0 ? handler.onResponseData?.(control, bytes) : undefined),
    () => (isCut ? handler.onResponseError?.(control, new EarlyEndError()) : handler.onResponseEnd?.(control, {})),
  ];
}

type Control = ReturnType<typeof controllerOf>;
