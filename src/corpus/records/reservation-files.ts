import { join } from 'node:path';
import * as z from 'zod';
import { checksummedLine } from '../../base/core/checksum.ts';
import { isoTime } from '../../base/core/clock.ts';
import type {
  Bytes,
  CanonicalUrl,
  CorpusRecord,
  EpochMs,
  HostKey,
  IsoTime,
  RecordId,
  ReservationFile,
  ReservationRule,
  RightsStatement,
  StatedUses,
} from '../../base/core/types.ts';
import { reservationsUrlOf, reservationWithFile, ruleFinder } from '../../base/web/reservation.ts';
import { canonicalize, hostKeyOf } from '../../base/web/url.ts';
import { usesByTerms } from '../../base/web/use-terms.ts';
import { NO_USES, TDM_USES, usesOf } from '../../base/web/use-words.ts';
import { lineFaults, linesRead } from './line-faults.ts';

/** One `ReservationFile` a line, in the order of the requests. Lines of earlier versions have `fetchedAt` in milliseconds since 1970; nothing reads it. */
export const RESERVATIONS_FILE = 'reservations.jsonl';
/** Most redirects that are followed, as for a robots.txt (RFC 9309 §2.3.1.2). */
const MAX_REDIRECTS = 5;

/** Line of a file with its checksum and line feed. @param recordId the WARC record of its text; null without one */
export function reservationLine(file: ReservationFile, recordId: RecordId | null): Buffer {
  return checksummedLine(recordId === null ? file : { ...file, recordId });
}

type Finder = (url: CanonicalUrl) => ReservationRule | null;

/** The reservations in the files of a crawl's hosts, for all hosts that were asked. */
export class ReservationFiles {
  readonly #files: ReadonlyMap<CanonicalUrl, ReservationFile>;
  /** null for a host that was not asked, or that gave no answer. */
  readonly #finders = new Map<HostKey, Finder | null>();

  private constructor(files: ReadonlyMap<CanonicalUrl, ReservationFile>) {
    this.#files = files;
  }

  /**
   * Reads those of a corpus folder; none if it has no such file, as in crawls that did not ask.
   * @param end number of valid bytes
   * @param until later answers do not count
   * @throws DataError
   */
  static async read(dir: string, end: Bytes, until: EpochMs = Number.POSITIVE_INFINITY): Promise<ReservationFiles> {
    const files = new Map<CanonicalUrl, ReservationFile>();
    if (end > 0)
      for await (const file of linesRead(join(dir, RESERVATIONS_FILE), end, fileIn))
        if (Date.parse(file.fetchedAt) <= until) files.set(file.url, file);
    return new ReservationFiles(files);
  }

  /** Is the reservations file of the host of a URL known, or known to be missing? */
  knows(url: CanonicalUrl): boolean {
    return this.#finderOf(hostKeyOf(url)) !== null;
  }

  /** A record with the declarations of its host's file added to those of its page. */
  present(record: CorpusRecord): CorpusRecord {
    const host = hostKeyOf(record.url);
    const rule = this.#finderOf(host)?.(record.url) ?? null;
    const reservation = reservationWithFile(record.reservation ?? null, rule);
    const rights = [...(record.rights ?? []).map((one) => this.#withTerms(one, record.url)), ...ofRule(rule, this.#fileOf(host))];
    return { ...record, ...(reservation && { reservation }), ...(rights.length > 0 && { rights }) };
  }

  /** A licence with the sense of its document, if that was read. */
  #withTerms(stated: RightsStatement, url: CanonicalUrl): RightsStatement {
    if (stated.protocol !== 'rsl' || stated.from === 'script') return stated;
    const licence = canonicalize(stated.statement);
    const terms = licence && this.#following(licence)?.terms;
    return terms ? { ...stated, uses: usesByTerms(terms, url) ?? NO_USES } : stated;
  }

  #finderOf(host: HostKey): Finder | null {
    const known = this.#finders.get(host);
    if (known !== undefined) return known;
    const file = this.#fileOf(host);
    const finder = file && ruleFinder(file.rules);
    this.#finders.set(host, finder);
    return finder;
  }

  #fileOf(host: HostKey): ReservationFile | null {
    return this.#following(reservationsUrlOf(host));
  }

  #following(url: CanonicalUrl): ReservationFile | null {
    let file = this.#files.get(url);
    for (let hop = 0; file?.to && hop < MAX_REDIRECTS; hop++) file = this.#files.get(file.to);
    return file && file.to === null ? file : null;
  }
}

/** The words of a `tdmrep.json` about a page. */
function ofRule(rule: ReservationRule | null, file: ReservationFile | null): readonly RightsStatement[] {
  if (rule === null || file === null) return [];
  const place = { protocol: 'tdm', from: 'file', path: rule.location, fetchedAt: file.fetchedAt, understood: true } as const;
  const uses = usesOf(TDM_USES, rule.reserved ? 'disallow' : 'allow');
  return [
    { ...place, statement: `tdm-reservation: ${rule.reserved ? 1 : 0}`, uses },
    ...(rule.policy === null ? [] : [{ ...place, statement: `tdm-policy: ${rule.policy}`, uses: NO_USES }]),
  ];
}

/** The fault of each line, with the name of the line, or null, up to the valid bytes. @throws DataError if the file cannot be read */
export function reservationFaults(dir: string, end: Bytes): AsyncGenerator<string | null> {
  return lineFaults(join(dir, RESERVATIONS_FILE), end, fileIn);
}

const urlSchema = z.custom<CanonicalUrl>((value) => typeof value === 'string' && URL.canParse(value));
const fileSchema = z.object({
  url: urlSchema,
  // Earlier versions wrote milliseconds.
  fetchedAt: z.union([z.custom<IsoTime>((value) => typeof value === 'string'), z.number().transform((ms) => isoTime(ms))]),
  to: urlSchema.nullable(),
  rules: z.array(z.object({ location: z.string(), reserved: z.boolean(), policy: urlSchema.nullable() })),
  terms: z
    .array(z.object({ location: z.string(), uses: z.custom<StatedUses>((value) => typeof value === 'object' && value !== null) }))
    .exactOptional(),
  sha256: z.string().exactOptional(),
});

function fileIn(value: unknown): ReservationFile {
  const file = fileSchema.safeParse(value);
  if (!file.success) throw new TypeError('no answer for a file of reservations');
  return file.data;
}
