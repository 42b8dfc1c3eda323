/** The index lines of web archives. */
import type { Bytes } from '../../base/core/types.ts';
import { surt } from '../../base/web/surt.ts';
import { parseResponse } from './http-message.ts';
import { isRendered } from './render-records.ts';

/** A record in a WARC file. */
export interface IndexedRecord {
  /** Named fields of the record, lower-case names. */
  readonly fields: ReadonlyMap<string, string>;
  /** The start of its content, with the whole head of the HTTP response. */
  readonly content: Uint8Array | null;
  /** The place of its gzip member in the file. */
  readonly offset: Bytes;
  readonly length: Bytes;
  /** Name of the file, without folders. */
  readonly filename: string;
}

/** Enough for the head of a response: a fetch ends at 64 KB of header fields. */
export const HEAD_BYTES: Bytes = 256 * 1024;

/** Is it a record that answers for its URL? Others, such as requests, are found next to them. */
export function isCapture(fields: ReadonlyMap<string, string>): boolean {
  const type = fields.get('warc-type');
  return type === 'response' || type === 'revisit';
}

/** Has it a line in an index? Captures have, and rendered documents, as other programs index them. */
export function isIndexed(fields: ReadonlyMap<string, string>): boolean {
  return isCapture(fields) || isRendered(fields);
}

/**
 * One line of CDXJ, without its line feed: SURT key, time to the second, and JSON with the fields and the order of `warcio cdx-index`. The digest keeps
 * its prefix, `sha1:`. The line has no mime type and no status if the record has no HTTP head.
 */
export function cdxjLine({ fields, content, offset, length, filename }: IndexedRecord): string {
  const url = fields.get('warc-target-uri') ?? '';
  const time = (fields.get('warc-date') ?? '').replace(/[-:T]/g, '').slice(0, 14);
  const response = content && parseResponse(content);
  const mime = mimeOf(fields, response?.headers['content-type']);
  const digest = fields.get('warc-payload-digest');
  const json = {
    url,
    ...(mime !== undefined && { mime }),
    ...(response && { status: String(response.status) }),
    ...(digest !== undefined && { digest }),
    length: String(length),
    offset: String(offset),
    filename,
  };
  return `${surt(url)} ${time} ${JSON.stringify(json)}`;
}

/** Type of a record as `warcio cdx-index` has it: of a rendered document with its charset. undefined without one. @param type of the HTTP head */
function mimeOf(fields: ReadonlyMap<string, string>, type: string | undefined): string | undefined {
  if (isRendered(fields)) return fields.get('content-type');
  return fields.get('warc-type') === 'revisit' ? 'warc/revisit' : type ? type.split(';', 1)[0]?.trim() : undefined;
}
