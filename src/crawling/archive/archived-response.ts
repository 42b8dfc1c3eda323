/** Reads records of an archive as the answers that servers gave. */
import type { Bytes, CanonicalUrl, EpochMs } from '../../base/core/types.ts';
import { headEnd, parseHead } from '../../base/web/http-head.ts';
import { canonicalize } from '../../base/web/url.ts';
import { FileBytes } from '../../corpus/records/file-bytes.ts';
import { dechunked } from '../../corpus/records/http-message.ts';
import { type WarcEntry, walkWarc } from '../../corpus/records/warc-stream.ts';
import type { ArchiveIndex } from './archive-index.ts';
import { bareDigest } from './captures.ts';
import type { StoredCapture } from './packed-captures.ts';
import type { ArchiveFile } from './read-sources.ts';

/** An answer as it was archived. */
export interface ArchivedResponse {
  /** Time of the capture: of a revisit, its own. */
  readonly at: EpochMs;
  readonly status: number;
  readonly statusText: string;
  /** Fields as stored, names in their own case; characters are bytes (Latin-1). */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Bytes without chunk framing; their content coding stays. */
  readonly body: Uint8Array;
  /** Is it the beginning of a longer body? */
  readonly isCut: boolean;
  /** Address of the server; null if it is not stored. */
  readonly ip: string | null;
}

/** Bytes of a record at an address. */
export type ReadRange = (url: string, offset: Bytes, length: Bytes) => Promise<FileBytes>;

/** A record of the largest page that a crawl reads, with its head; the rest of a longer one is cut. */
const MAX_RECORD: Bytes = 33 * 1024 * 1024;
/** Captures of a URL that are tried: revisits may refer to files that the archive does not have. */
const MAX_TRIED = 20;
/** Captures among which the original of a revisit is looked for. */
const MAX_ORIGINALS = 1000;

/** Answers of an archive by URL. */
export class ArchivedResponses {
  readonly #index: ArchiveIndex;
  readonly #at: EpochMs | null;
  readonly #files: readonly ArchiveFile[];
  readonly #readRemote: ReadRange;

  /** @param files by their numbers in the index. @param at the time that answers are to be nearest to; null for the newest */
  constructor(index: ArchiveIndex, files: readonly ArchiveFile[], at: EpochMs | null, readRemote: ReadRange) {
    [this.#index, this.#files, this.#at, this.#readRemote] = [index, files, at, readRemote];
  }

  /**
   * The answer for a URL; else a page under the same URL with the other of http and https, as web archives do not tell them apart (their keys have no
   * scheme). null if the archive has none.
   * @throws DataError if its record is damaged
   */
  async find(url: CanonicalUrl): Promise<ArchivedResponse | null> {
    const own = await this.#captured(url);
    if (own !== null) return own;
    const other = canonicalize(url.startsWith('https:') ? `http:${url.slice('https:'.length)}` : `https:${url.slice('http:'.length)}`);
    const found = other && new URL(url).port === '' ? await this.#captured(other) : null;
    // A redirect from http to https would lead to itself.
    return found && found.status >= 200 && found.status < 300 ? found : null;
  }

  async #captured(url: CanonicalUrl): Promise<ArchivedResponse | null> {
    let tried = 0;
    for (const place of this.#index.find(url, this.#at)) {
      const response = place.kind === 'revisit' ? await this.#revisited(url, place) : await this.#responseAt(place);
      if (response !== null) return response;
      tried += 1;
      if (tried === MAX_TRIED) break;
    }
    return null;
  }

  async #responseAt(place: StoredCapture): Promise<ArchivedResponse | null> {
    const entry = await this.#entryAt(place);
    return entry && responseOf(entry, place);
  }

  /** ISO 28500 §6.7: the payload is that of an earlier record, which a revisit names by URL and time, or by the digest of its payload. */
  async #revisited(url: CanonicalUrl, place: StoredCapture): Promise<ArchivedResponse | null> {
    const entry = await this.#entryAt(place);
    if (entry === null) return null;
    const own = finalHeadIn(entry.content ?? new Uint8Array());
    const isNotModified = own?.status === 304 || /server-not-modified/i.test(entry.fields.get('warc-profile') ?? '');
    const original = this.#originalOf(entry, url, place, isNotModified);
    const response = original && (await this.#responseAt(original));
    if (response === null) return null;
    // A 304 has no fields of the page (RFC 9110 §15.4.5).
    const head = own === null || isNotModified ? response : own;
    return { ...response, at: place.at, status: head.status, statusText: head.statusText, fields: head.fields };
  }

  #originalOf(
    { fields }: WarcEntry,
    url: CanonicalUrl,
    { at, digest: indexed }: StoredCapture,
    isNotModified: boolean,
  ): StoredCapture | null {
    const target = canonicalize(fields.get('warc-refers-to-target-uri') ?? '') ?? url;
    const named = Date.parse(fields.get('warc-refers-to-date') ?? '');
    const digest = bareDigest(fields.get('warc-payload-digest')) || indexed;
    let latest: StoredCapture | null = null;
    let looked = 0;
    for (const place of this.#index.find(target, Number.isNaN(named) ? at : named)) {
      looked += 1;
      if (looked > MAX_ORIGINALS) break;
      if (place.kind !== 'response') continue;
      if (place.at === named || (place.digest !== '' && digest.startsWith(place.digest))) return place;
      if (place.at <= at) latest ??= place;
    }
    // A server that says "not modified" means the version before, whose digest may be that of another coding.
    return isNotModified ? latest : null;
  }

  async #entryAt(place: StoredCapture): Promise<WarcEntry | null> {
    for await (const entry of walkWarc(await this.#bytesOf(place), () => MAX_RECORD)) return entry;
    return null;
  }

  #bytesOf({ file: number, offset, length }: StoredCapture): Promise<FileBytes> {
    const file = this.#files[number];
    if (file?.kind === 'disk') return FileBytes.open(file.place.path, Math.min(file.place.end, offset + (length ?? MAX_RECORD)), offset);
    return this.#readRemote(file?.url ?? '', offset, length ?? MAX_RECORD);
  }
}

function responseOf({ fields, content, length }: WarcEntry, { at, kind }: StoredCapture): ArchivedResponse | null {
  const bytes = content ?? new Uint8Array();
  const ip = fields.get('warc-ip-address') ?? null;
  const isCut = fields.has('warc-truncated') || length > MAX_RECORD;
  if (kind === 'resource') {
    const type = fields.get('content-type') ?? '';
    return { at, ip, isCut, status: 200, statusText: 'OK', fields: [['content-type', type]], body: bytes };
  }
  const head = finalHeadIn(bytes);
  if (head === null) return null;
  const isChunked = head.fields.some(([name, value]) => /^transfer-encoding$/i.test(name) && /\bchunked\b/i.test(value));
  const body = isChunked ? dechunked(head.body) : head.body;
  return { at, ip, isCut, status: head.status, statusText: head.statusText, fields: head.fields, body };
}

/** The head behind interim responses; null if the bytes are no HTTP response. */
export function finalHeadIn(bytes: Uint8Array) {
  let rest: Buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (;;) {
    const { end, bodyAt } = headEnd(rest) ?? { end: rest.length, bodyAt: rest.length };
    const head = parseHead(rest.toString('latin1', 0, end));
    if (head === null) return null;
    rest = rest.subarray(bodyAt);
    if (head.status >= 200) return { ...head, body: rest };
  }
}
