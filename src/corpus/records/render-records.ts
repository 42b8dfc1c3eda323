/**
 * WARC records of a rendered page. Its response, request and metadata are those of any page; in addition there are the rendered document, and a response
 * with its request for each file that the scripts got.
 *
 * The rendered document is a `resource` record (ISO 28500:2017 §6.4) behind the response. Its URI is not that of the page: with two records of one URI
 * and moment, a viewer may show either, and the scripts of the document would run a second time on their own results. With `urn:render:` it shows the
 * response, whose scripts ask for the files as they did in the crawl. Other crawlers name texts and screenshots of pages `urn:text:` and `urn:view:`.
 * WARC-Concurrent-To joins response and document, since a resource record has no WARC-Refers-To (§5.8).
 */
import { costOf, RENDERED_TYPE, type RenderCost, type RenderedDocument } from '../../base/core/rendering.ts';
import type { CorpusRecord, FetchedPage, RecordId } from '../../base/core/types.ts';
import { parseContentType } from '../../base/web/content-type.ts';
import { bareId, fileMembers, sha1Base32, warcMember } from './warc-record.ts';

const RENDER_URN = 'urn:render:';
/** Field of browser-based crawlers for the use of a response, which replay tools know. Here it is on responses that are not those of pages. */
const RESOURCE_TYPE = 'WARC-Resource-Type';

type Fields = ReadonlyMap<string, string>;

/** Facts that the rendered document repeats, so that a lost line of `records.jsonl` can be written again. */
export type RenderFacts = Pick<CorpusRecord, 'rendered' | 'rendering'>;

/** The rendered document of a page, as one gzip member. @param record with the ids of the rendering */
export function documentMember(
  { id, url, rendered, rendering }: CorpusRecord,
  { startedAt }: FetchedPage,
  { html }: RenderedDocument,
  warcinfoId: RecordId,
): Uint8Array {
  return warcMember(
    [
      ['WARC-Type', 'resource'],
      ['WARC-Record-ID', `<${rendering?.document}>`],
      ['WARC-Warcinfo-ID', `<${warcinfoId}>`],
      ['WARC-Date', new Date(startedAt).toISOString()],
      ['WARC-Target-URI', RENDER_URN + url],
      ['WARC-Concurrent-To', `<${id}>`],
      ['WARC-JSON-Metadata', JSON.stringify({ rendered, resources: rendering?.resources ?? [] })],
      ['WARC-Payload-Digest', sha1Base32([html])],
      ['Content-Type', RENDERED_TYPE],
    ],
    [html],
  );
}

/** A file that scripts got, as two gzip members. */
export function resourceMembers(id: RecordId, file: FetchedPage, warcinfoId: RecordId): readonly Uint8Array[] {
  return fileMembers(id, file, warcinfoId, [[RESOURCE_TYPE, resourceType(file)]]);
}

/** Value of the field, by the type of the answer: the answer does not tell whether a script asked by `fetch` or by XMLHttpRequest. */
function resourceType({ headers }: FetchedPage): 'script' | 'stylesheet' | 'fetch' {
  const { mime } = parseContentType(headers['content-type']);
  return /\b(?:java|ecma)script$/.test(mime) ? 'script' : mime === 'text/css' ? 'stylesheet' : 'fetch';
}

/** Is it the response to a script, and not that of a page? Other crawlers call pages and frames `document`. */
export function isOfScript(fields: Fields): boolean {
  const use = fields.get(RESOURCE_TYPE.toLowerCase())?.toLowerCase();
  return fields.get('warc-type') === 'response' && use !== undefined && use !== 'document';
}

/** Is it the rendered document of a page? */
export function isRendered(fields: Fields): boolean {
  return fields.get('warc-type') === 'resource' && (fields.get('warc-target-uri') ?? '').startsWith(RENDER_URN);
}

/** URL of the page that a record is about: its target, or that of the response which it belongs to. */
export function pageUrlOf(fields: Fields): string {
  const target = fields.get('warc-target-uri') ?? '';
  return isRendered(fields) ? target.slice(RENDER_URN.length) : target;
}

/** The facts of a rendered document; none if another program changed them. */
export function renderFactsOf(fields: Fields): RenderFacts {
  try {
    const { rendered, resources } = JSON.parse(fields.get('warc-json-metadata') ?? '') as {
      readonly rendered: RenderCost;
      readonly resources: readonly RecordId[];
    };
    return { rendered: costOf(rendered), rendering: { document: bareId(fields.get('warc-record-id')), resources: [...resources] } };
  } catch {
    return {};
  }
}
