/** The lines of a frozen web: a header, then one line for the result of each visit. */

import { gzipSync } from 'node:zlib';
import * as z from 'zod';
import { DOCUMENT_KIND_NAMES } from '../../base/core/document-kind-names.ts';
import { DataError } from '../../base/core/errors.ts';
import type { FrozenLink, FrozenVisit } from '../../base/core/frozen-visit.ts';
import type { CanonicalUrl, FailureCode, RefusalReason } from '../../base/core/types.ts';
import { foragerCommand } from '../../base/text/forager-command.ts';
import { Blank } from '../../base/text/shell-line.ts';

/** Raised when the meaning of a line changes. */
export const FROZEN_FORMAT = 1;
const HEADER = 'forager-frozen-web';
/**
 * Compression of pages. On pages of the Debian web, level 3 gave x3.21 in 0.32 ms a page, and level 6 x3.48 in 0.62. A recorded crawl
 * compresses on its main thread.
 */
const GZIP = { level: 3 };

/** Schema of a URL that was canonical when it was written. */
const urlSchema = z.custom<CanonicalUrl>((value) => typeof value === 'string');

/** Links as columns: the links of a page repeat tag paths and zones, and columns compress to half the size of objects. */
const linkColumns = z.object({
  urls: z.array(urlSchema),
  anchorTexts: z.array(z.string()),
  contexts: z.array(z.string()),
  imageAlts: z.array(z.string()),
  zones: z.array(z.enum(['content', 'navigation', 'footer', 'other'])),
  tagPaths: z.array(z.string()),
});
const common = { url: urlSchema, status: z.number().nullable() };
const contentSchema = z.object({
  payloadSha256: z.string(),
  title: z.string(),
  text: z.string(),
  otherText: z.string().exactOptional(),
  lang: z.string().nullable(),
  document: z.object({ kind: z.enum(DOCUMENT_KIND_NAMES) }).exactOptional(),
  noindex: z.boolean(),
  links: linkColumns,
});
const visitSchema = z.discriminatedUnion('kind', [
  z.object({ ...common, kind: z.literal('page'), content: contentSchema }),
  z.object({ ...common, kind: z.literal('redirect'), to: urlSchema }),
  z.object({ ...common, kind: z.literal('refused'), reason: z.custom<RefusalReason>((value) => typeof value === 'string') }),
  z.object({ ...common, kind: z.literal('failed'), code: z.custom<FailureCode>((value) => typeof value === 'string') }),
]);
const headerSchema = z.object({
  header: z.literal(HEADER),
  format: z.number(),
  software: z.string(),
  extractor: z.string().nullish(),
  visits: z.number().exactOptional(),
});

/** The header of a frozen web. */
export interface FrozenHeader {
  /** The program that wrote it, e.g. `forager/0.1.0`. */
  readonly software: string;
  /** The name of the extractor that found the main text of its pages; null if unknown. */
  readonly extractor: string | null;
  /** Number of visits in the file. Absent in the recording of a crawl, which grows, and in files of Forager 0.2. */
  readonly visits?: number;
}

/** Length of the line, filled with spaces, so that the number of visits can take its place when it is known. Names of programs and extractors have 30 characters. */
const HEADER_LENGTH = 200;

/** The first line of a frozen web, as a gzip member: as long with a number of visits as without. */
export function frozenHeader({ software, extractor, visits }: FrozenHeader): Buffer {
  const line = JSON.stringify({ header: HEADER, format: FROZEN_FORMAT, software, extractor, visits });
  return gzipSync(`${line.padEnd(HEADER_LENGTH)}\n`, { level: 0 });
}

/** @throws DataError if the line does not start a frozen web that this program reads. */
export function frozenHeaderOf(line: string, path: string): FrozenHeader {
  const header = headerSchema.safeParse(jsonOf(line));
  if (!header.success) throw new DataError(`${path}: is not a frozen web; make one with: ${foragerCommand('freeze', new Blank('crawl'))}`);
  const { format, software, extractor = null, visits } = header.data;
  if (format !== FROZEN_FORMAT)
    throw new DataError(
      `${path}: is a frozen web of format ${format}, this program reads ${FROZEN_FORMAT}; freeze the crawl again (${software} wrote it)`,
    );
  return { software, extractor, ...(visits !== undefined && { visits }) };
}

/** A visit as a gzip member of its own, so that it can be read without the others. */
export function frozenMember(visit: FrozenVisit): Buffer {
  const line = visit.kind === 'page' ? { ...visit, content: { ...visit.content, links: columnsOf(visit.content.links) } } : visit;
  return gzipSync(`${JSON.stringify(line)}\n`, GZIP);
}

/** @throws DataError naming file and byte if the line is not a visit. */
export function frozenVisitOf(line: string, path: string, at: number): FrozenVisit {
  const parsed = visitSchema.safeParse(jsonOf(line));
  if (!parsed.success)
    throw new DataError(
      `${path}: damaged at byte ${at} (${parsed.error.issues[0]?.message ?? 'not understood'}); take it from a whole copy`,
    );
  const visit = parsed.data;
  if (visit.kind !== 'page') return visit;
  return { ...visit, content: { ...visit.content, links: linksOf(visit.content.links) } };
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function columnsOf(links: readonly FrozenLink[]): z.infer<typeof linkColumns> {
  return {
    urls: links.map(({ url }) => url),
    anchorTexts: links.map(({ text }) => text.anchorText),
    contexts: links.map(({ text }) => text.context),
    imageAlts: links.map(({ text }) => text.imageAlt),
    zones: links.map(({ text }) => text.zone),
    tagPaths: links.map(({ text }) => text.tagPath),
  };
}

function linksOf(columns: z.infer<typeof linkColumns>): FrozenLink[] {
  return columns.urls.map((url, i) => ({
    url,
    text: {
      anchorText: columns.anchorTexts[i] ?? '',
      context: columns.contexts[i] ?? '',
      imageAlt: columns.imageAlts[i] ?? '',
      zone: columns.zones[i] ?? 'other',
      tagPath: columns.tagPaths[i] ?? '',
    },
  }));
}
