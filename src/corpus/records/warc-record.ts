import { createHash, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Bytes, CorpusRecord, EpochMs, FetchedPage, RecordId, Reservation, RevisitRecord } from '../../base/core/types.ts';
import { REDACTED } from '../../base/web/header-fields.ts';
import { withoutRoute } from '../../base/web/url.ts';
import { storedMember } from './stored-member.ts';

/** The content of the warcinfo record of a WARC file. */
export interface CorpusInfo {
  /** Name and version, e.g. `forager/0.1.0`. */
  readonly software: string;
  /** Treatment of robots.txt by the crawl, e.g. `obey` or `ignore`. */
  readonly robots: string;
  readonly description: string;
  /** The User-Agent that the crawl sent; null if it varied. */
  readonly userAgent: string | null;
  /** Id of the crawl that the file belongs to; absent if there is none. */
  readonly crawl?: string;
}

/** The members of one kept page, in the order of writing. */
export interface PageMembers {
  readonly response: Uint8Array;
  readonly request: Uint8Array;
  readonly metadata: Uint8Array;
}

type Field = readonly [name: string, value: string];

const END_OF_RECORD = Buffer.from('\r\n\r\n');
/** Level 1 gave x3.99 at 157 MB/s, and level 6 x4.54 at 81. Output comes in pieces of 8 KB: most members fit in one. */
const GZIP = { level: 1, chunkSize: 8 * 1024 };
/**
 * Shorter records are stored as they are: nearly all requests and metadata, of ids, digests and addresses. Compression makes each some 250 bytes smaller, and the
 * two of a page took half as long as that of its response: Node sets up a stream and tables each time (profiles of `npm run bench -- crawl`).
 */
const STORED_BYTES: Bytes = 2048;
/** Prefix of web archives for header fields that no longer describe the stored body. */
const ORIGINAL = 'X-Archive-Orig-';
/** A corpus is made to be shared. Values with which others could log in as the crawler are omitted; the names of their fields stay. */
const SECRET = new Set(['authorization', 'proxy-authorization', 'cookie']);

/** Crawls have ids like records (RFC 9562). */
const CRAWL_URN = 'urn:uuid:';

/** A fresh random record id, `urn:uuid:` and a version 4 UUID (RFC 9562 §5.4). With `recordIdOf` and `bareId`, the only factory of the RecordId brand. */
export function newRecordId(): RecordId {
  return `urn:uuid:${randomUUID()}` as RecordId;
}

/** A record id that follows from a text: version 8 (RFC 9562 §5.8) of its SHA-256. Equal texts have equal ids. */
export function recordIdOf(text: string): RecordId {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`, hex.slice(20, 32)];
  return `urn:uuid:${parts.join('-')}` as RecordId;
}

/** An id in a WARC field, without its brackets; '' if it is absent. */
export function bareId(id: string | undefined): RecordId {
  return (id ?? '').replace(/^<|>$/g, '') as RecordId;
}

/** The warcinfo record at the start of a file or session (ISO 28500:2017 §6.2), as one gzip member. */
export function warcInfoMember(id: RecordId, info: CorpusInfo, filename: string, at: EpochMs): Uint8Array {
  const fields: Field[] = [
    ['software', info.software],
    ['format', 'WARC File Format 1.1'],
    ['conformsTo', 'https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/'],
    ['robots', info.robots],
    ['description', info.description],
  ];
  if (info.crawl !== undefined) fields.push(['isPartOf', `${CRAWL_URN}${info.crawl}`]);
  if (info.userAgent !== null) fields.push(['http-header-user-agent', info.userAgent]);
  const head: Field[] = [
    ['WARC-Type', 'warcinfo'],
    ['WARC-Record-ID', `<${id}>`],
    ['WARC-Date', new Date(at).toISOString()],
    ['WARC-Filename', filename],
    ['Content-Type', 'application/warc-fields'],
  ];
  return warcMember(head, [Buffer.from(fieldLines(fields))]);
}

/**
 * One kept page as three gzip members: its response under the id of the corpus record, the request, and a metadata record. The last two refer to the
 * response by WARC-Concurrent-To (ISO 28500:2017 §5.7).
 *
 * The body is stored as received, still content-encoded, but without chunked framing. So `Transfer-Encoding`, and any `Content-Length` that differs
 * from the stored length, are renamed with `X-Archive-Orig-`, and a right `Content-Length` is added.
 */
export function pageMembers(record: CorpusRecord, page: FetchedPage, warcinfoId: RecordId): PageMembers {
  const { rendering } = record;
  return {
    response: responseMember(record.id, page, warcinfoId, rendering && [['WARC-Concurrent-To', `<${rendering.document}>`]]),
    request: requestMember(record.id, page, warcinfoId),
    metadata: metadataMember(record, page, warcinfoId),
  };
}

/** A file that is no page, as two gzip members: its response under that id, and the request. @param more fields of the response */
export function fileMembers(id: RecordId, page: FetchedPage, warcinfoId: RecordId, more?: readonly Field[]): readonly Uint8Array[] {
  return [responseMember(id, page, warcinfoId, more), requestMember(id, page, warcinfoId)];
}

/** An unchanged page, as two gzip members. */
export interface RevisitMembers {
  readonly revisit: Uint8Array;
  readonly request: Uint8Array;
}

const PROFILE = 'http://netpreserve.org/warc/1.1/revisit/';

/**
 * A page that has not changed since its response was stored: a revisit record with the new header, and the request. The payload digest is that of the
 * stored response (ISO 28500:2017 §6.7.2). Payloads are compared after decoding, so a different compression does not matter.
 */
export function revisitMembers({ profile, of, stored }: RevisitRecord, page: FetchedPage, warcinfoId: RecordId): RevisitMembers {
  const id = newRecordId();
  const head: Field[] = [
    ['WARC-Type', 'revisit'],
    ['WARC-Record-ID', `<${id}>`],
    ...captureFields(page, warcinfoId),
    ['WARC-Profile', PROFILE + profile],
    ['WARC-Refers-To', `<${of}>`],
    ['WARC-Refers-To-Target-URI', withoutRoute(page.url)],
    ...(stored === null ? [] : [['WARC-Refers-To-Date', stored.date] as const]),
    ['Content-Type', 'application/http; msgtype=response'],
  ];
  if (profile === 'identical-payload-digest') head.push(['WARC-Payload-Digest', stored?.payloadDigest ?? sha1Base32([page.wireBody])]);
  return { revisit: warcMember(head, [httpBytes(responseHead(page, page.rawHeaders))]), request: requestMember(id, page, warcinfoId) };
}

const IS_PART_OF = /^isPartOf: *urn:uuid:([0-9a-f-]{36})\r?$/im;

/** The id of the crawl that a warcinfo record names; null if it names none. */
export function crawlNamedIn(warcinfo: Uint8Array): string | null {
  return IS_PART_OF.exec(Buffer.from(warcinfo).toString('utf8'))?.[1] ?? null;
}

function responseHead({ status, statusText }: FetchedPage, headers: readonly Field[]): string {
  return `HTTP/1.1 ${status} ${oneLine(statusText)}\r\n${fieldLines(headers)}\r\n`;
}

function responseMember(id: RecordId, page: FetchedPage, warcinfoId: RecordId, more: readonly Field[] = []): Uint8Array {
  const block = [httpBytes(responseHead(page, storedHeaders(page))), page.wireBody];
  const head: Field[] = [
    ['WARC-Type', 'response'],
    ['WARC-Record-ID', `<${id}>`],
    ...captureFields(page, warcinfoId),
    ...more,
    ['WARC-Payload-Digest', sha1Base32([page.wireBody])],
    ['Content-Type', 'application/http; msgtype=response'],
  ];
  // Which cap cut it, or whether the other end did, is unknown here (§5.13).
  if (page.truncated) head.push(['WARC-Truncated', 'unspecified']);
  return isCompressed(page) ? storedMember(recordBytes(head, block)) : warcMember(head, block);
}

/** @param answer the record of the response */
function requestMember(answer: RecordId, page: FetchedPage, warcinfoId: RecordId): Uint8Array {
  const url = new URL(page.url);
  const sent = page.requestHeaders.map((field): Field => (SECRET.has(field[0].toLowerCase()) ? [field[0], REDACTED] : field));
  const host: Field[] = sent.some(([name]) => name.toLowerCase() === 'host') ? [] : [['Host', url.host]];
  const head: Field[] = [
    ['WARC-Type', 'request'],
    ['WARC-Record-ID', `<${newRecordId()}>`],
    ...captureFields(page, warcinfoId),
    ['WARC-Concurrent-To', `<${answer}>`],
    ['Content-Type', 'application/http; msgtype=request'],
  ];
  return warcMember(head, [httpBytes(`GET ${url.pathname}${url.search} HTTP/1.1\r\n${fieldLines([...host, ...sent])}\r\n`)]);
}

function metadataMember(record: CorpusRecord, page: FetchedPage, warcinfoId: RecordId): Uint8Array {
  const head: Field[] = [
    ['WARC-Type', 'metadata'],
    ['WARC-Record-ID', `<${newRecordId()}>`],
    ...captureFields(page, warcinfoId),
    ['WARC-Concurrent-To', `<${record.id}>`],
    ['Content-Type', 'application/warc-fields'],
  ];
  return warcMember(head, [Buffer.from(fieldLines(judgement(record, page)))]);
}

/**
 * Fields that say why the page is in the corpus; with several topics, one `topic` field each. `fetchTimeMs` is the customary name for the
 * duration of a capture.
 */
function judgement(record: CorpusRecord, page: FetchedPage): Field[] {
  const known: (readonly [string, string | number | null])[] = [
    ['relevance', record.relevance],
    ['threshold', record.threshold],
    ['modelId', record.modelId],
    ['depth', record.depth],
    ['referrer', record.referrer],
    ['anchorText', record.anchorText],
    ['title', record.title],
    ['lang', record.lang],
    ['payloadSha256', record.payloadSha256],
    ['fetchTimeMs', page.endedAt - page.startedAt],
    ['renderTimeMs', record.rendered?.ms ?? null],
  ];
  if (record.certificate !== undefined) known.push(['certificate', `not to be trusted: ${record.certificate}`]);
  if (record.reservation) known.push(['reservation', reservationText(record.reservation)]);
  for (const { name, modelId, relevance, threshold } of record.topics ?? [])
    known.push(['topic', `${name}; modelId=${modelId}; relevance=${relevance}; threshold=${threshold}`]);
  return known.flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, String(value)] as const]));
}

function reservationText({ reserved, by, policy }: Reservation): string {
  return `tdm-reservation=${reserved ? 1 : 0}; by=${by}${policy === null ? '' : `; tdm-policy=${policy}`}`;
}

/** The fields that all records of one capture share. WARC-Date is the start of the capture (§5.4), to the millisecond. */
function captureFields(page: FetchedPage, warcinfoId: RecordId): Field[] {
  const fields: Field[] = [
    ['WARC-Warcinfo-ID', `<${warcinfoId}>`],
    ['WARC-Date', new Date(page.startedAt).toISOString()],
    ['WARC-Target-URI', withoutRoute(page.url)],
  ];
  if (page.ip !== null) fields.push(['WARC-IP-Address', page.ip]);
  // Not in ISO 28500, but other crawlers write it: the messages are stored in the form of HTTP/1.1, regardless of the protocol.
  if (page.protocol !== undefined) fields.push(['WARC-Protocol', page.protocol]);
  return fields;
}

function storedHeaders(page: FetchedPage): readonly Field[] {
  const framing = page.rawHeaders.filter(([name]) => isFraming(name.toLowerCase()));
  const right = String(page.wireBody.length);
  if (framing.length === 0) return page.rawHeaders;
  if (framing.length === 1 && framing[0]?.[0].toLowerCase() === 'content-length' && framing[0][1].trim() === right) return page.rawHeaders;
  const kept = page.rawHeaders.map(([name, value]): Field => [isFraming(name.toLowerCase()) ? ORIGINAL + name : name, value]);
  return [...kept, ['Content-Length', right]];
}

function isFraming(name: string): boolean {
  return name === 'content-length' || name === 'transfer-encoding';
}

/** A second compression gains only the 300 bytes of the header fields, some 3 % of a page of 20 KB, and takes 40 times as long. */
function isCompressed({ headers, wireBody, body }: FetchedPage): boolean {
  return headers['content-encoding'] !== undefined && wireBody.length < body.length;
}

/** A record as a gzip member. @param head its named fields, without digest and length of the block */
export function warcMember(head: readonly Field[], block: readonly Uint8Array[]): Uint8Array {
  const bytes = recordBytes(head, block);
  return bytes.length < STORED_BYTES ? storedMember(bytes) : gzipSync(bytes, GZIP);
}

function recordBytes(head: readonly Field[], block: readonly Uint8Array[]): Buffer {
  let length = 0;
  for (const part of block) length += part.length;
  const fields: Field[] = [...head, ['WARC-Block-Digest', sha1Base32(block)], ['Content-Length', String(length)]];
  return Buffer.concat([Buffer.from(`WARC/1.1\r\n${fieldLines(fields)}\r\n`), ...block, END_OF_RECORD]);
}

function fieldLines(fields: readonly Field[]): string {
  let out = '';
  for (const [name, value] of fields) out += `${fieldName(name)}: ${oneLine(value)}\r\n`;
  return out;
}

/** A field name must not contain its own end, nor look like a folded line; other characters are kept as received. */
function fieldName(name: string): string {
  return /^[!-9;-~]+$/.test(name) ? name : name.trim().replace(/[\r\n\0:]+/g, '_') || '_';
}

function oneLine(value: string): string {
  return /[\r\n\0]/.test(value) ? value.replace(/[\r\n\0]+/g, ' ') : value;
}

/** HTTP fields are bytes (RFC 9110 §5.5): Latin-1 restores the received ones. Only a string that cannot come from bytes is UTF-8. */
function httpBytes(head: string): Buffer {
  return Buffer.from(head, /^[\0-\xff]*$/.test(head) ? 'latin1' : 'utf8');
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** `sha1:` and the digest in Base32 (RFC 4648 §6), the form of web archives; 20 bytes need no padding. */
export function sha1Base32(parts: readonly Uint8Array[]): string {
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part);
  let out = 'sha1:';
  let bits = 0;
  let held = 0;
  for (const byte of hash.digest()) {
    held = ((held << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      out += BASE32[(held >>> bits) & 31];
    }
  }
  return out;
}
