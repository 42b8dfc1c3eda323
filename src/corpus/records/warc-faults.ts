/** The records of a WARC file, each checked against its own digests. */
import { createHash } from 'node:crypto';
import type { Bytes, RecordId } from '../../base/core/types.ts';
import { decodeBody, parseResponse } from './http-message.ts';
import { documentIdOf } from './page-entries.ts';
import { isOfScript, isRendered, pageUrlOf } from './render-records.ts';
import { bareId, sha1Base32 } from './warc-record.ts';
import { walkWarcBehindDamage } from './warc-recovery.ts';
import type { WarcEntry } from './warc-stream.ts';

/** The response of a page, or of a file of a host. */
export interface WarcResponse {
  /** Id of the record, without brackets. */
  readonly id: string;
  readonly url: string;
  /** SHA-256 of the body as pages are read, decoded; null if the fetch cut it, if no decoder knows its coding, or if there is a `document`. */
  readonly payloadSha256: string | null;
  /** Id of the rendered document by which the page is kept. Absent without one. */
  readonly document?: RecordId;
}

/** A record of a rendering: a rendered document, or the response to a script. */
export interface RenderingPart {
  readonly id: RecordId;
  /** Id of the page whose rendered document it is; null for a response. */
  readonly documentOf: RecordId | null;
  /** URL of the page, or of the response. */
  readonly url: string;
  /** SHA-256 of the document; null for a response. */
  readonly payloadSha256: string | null;
}

/** One record, or damage: then both may be null. */
export interface ExaminedRecord {
  /** null for a record of another kind, or a damaged one. */
  readonly response: WarcResponse | null;
  /** Absent for a record of another kind, or a damaged one. */
  readonly part?: RenderingPart;
  /** The fault, in one line; null without one. */
  readonly fault: string | null;
}

/** The largest body that a fetch unpacks. */
const MAX_BODY_BYTES: Bytes = 32 * 1024 * 1024;
/** A fetch takes no more, and a record also has a head. */
const MAX_RECORD_BYTES: Bytes = 2 * MAX_BODY_BYTES;

/** Every record up to a byte; damage is reported and skipped. Needs the memory of one record. @throws DataError if the file cannot be read */
export async function* examinedWarc(path: string, end: Bytes): AsyncGenerator<ExaminedRecord> {
  const faults: string[] = [];
  const isSmall = (_: unknown, length: Bytes) => length <= MAX_RECORD_BYTES;
  for await (const entry of walkWarcBehindDamage(path, isSmall, end, (fault) => faults.push(fault))) {
    yield* faults.splice(0).map(damageOf);
    yield examined(path, entry);
  }
  yield* faults.map(damageOf);
}

function damageOf(fault: string): ExaminedRecord {
  return { response: null, fault };
}

function examined(path: string, entry: WarcEntry): ExaminedRecord {
  const id = bareId(entry.fields.get('warc-record-id'));
  const why = faultIn(entry);
  const fault = why === null ? null : `${path}: damaged at byte ${entry.start} (${why}; record ${id}); restore the file from a copy`;
  const part = fault === null ? partIn(entry) : null;
  if (part !== null) return { response: null, part, fault };
  const response = fault === null && entry.fields.get('warc-type') === 'response' ? responseIn(entry, id) : null;
  return { response, fault };
}

function partIn({ fields, content }: WarcEntry): RenderingPart | null {
  const isDocument = isRendered(fields);
  if (!isDocument && !isOfScript(fields)) return null;
  return {
    id: bareId(fields.get('warc-record-id')),
    documentOf: isDocument ? bareId(fields.get('warc-concurrent-to')) : null,
    url: pageUrlOf(fields),
    payloadSha256: isDocument ? sha256(content ?? new Uint8Array()) : null,
  };
}

/** Fault of the record's digests in words; null if all are right. */
function faultIn({ fields, content }: WarcEntry): string | null {
  if (content === null) return 'it is longer than any record of a crawl';
  if (fields.get('warc-block-digest') !== sha1Base32([content])) return 'its block does not match its digest';
  if (isRendered(fields))
    return fields.get('warc-payload-digest') === sha1Base32([content]) ? null : 'its payload does not match its digest';
  // The payload of other kinds is not in the record itself.
  if (fields.get('warc-type') !== 'response') return null;
  const response = parseResponse(content);
  if (response === null) return 'it is not an HTTP response';
  return fields.get('warc-payload-digest') === sha1Base32([response.body]) ? null : 'its payload does not match its digest';
}

function responseIn({ fields, content }: WarcEntry, id: string): WarcResponse {
  const document = documentIdOf(fields);
  const url = fields.get('warc-target-uri') ?? '';
  if (document !== null) return { id, url, payloadSha256: null, document };
  const response = content && parseResponse(content);
  const decoded = response && decodeBody(response, MAX_BODY_BYTES);
  const isWhole = decoded?.kind === 'decoded' && !fields.has('warc-truncated');
  return { id, url, payloadSha256: isWhole ? sha256(decoded.body) : null };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
