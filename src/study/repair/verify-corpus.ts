/** Checks of a crawl's corpus: every record, and whether the frontier refers to it. */

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DataError } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import type { Bytes, EpochMs, RecordId } from '../../base/core/types.ts';
import { ABSENCES_FILE, absenceFaults } from '../../corpus/records/absences.ts';
import { tailsOf } from '../../corpus/records/corpus-cut.ts';
import { isCorpusFile, VISITS_FILE, warcNamesOf } from '../../corpus/records/corpus-writer.ts';
import { FrozenWeb } from '../../corpus/records/frozen-web.ts';
import { RECORDS_FILE, readRecords } from '../../corpus/records/records.ts';
import { RESERVATIONS_FILE, reservationFaults } from '../../corpus/records/reservation-files.ts';
import { RIGHTS_WARC, ROBOTS_FILE, robotsFaults } from '../../corpus/records/robots-answers.ts';
import { examinedWarc, type RenderingPart, type WarcResponse } from '../../corpus/records/warc-faults.ts';
import { faultsBetween, recordsOf } from '../../crawling/crawl-dir/corpus-soundness.ts';
import { type Check, type Examined, faultOf, type LookAt } from './verify-check.ts';
import { LEDGER } from './verify-frontier.ts';
import { MANIFEST_CHECK } from './verify-own-files.ts';

const NOTHING = 'nothing is committed to it';

export const CORPUS_CHECKS: readonly Check[] = [
  { name: 'commits and sizes', needs: [MANIFEST_CHECK, LEDGER], faults: commitFaults },
  { name: RECORDS_FILE, skips: withoutFile(RECORDS_FILE), faults: recordFaults },
  { name: RESERVATIONS_FILE, skips: withoutFile(RESERVATIONS_FILE), faults: lineFaultsOf(RESERVATIONS_FILE, reservationFaults) },
  { name: ROBOTS_FILE, skips: withoutFile(ROBOTS_FILE), faults: lineFaultsOf(ROBOTS_FILE, robotsFaults) },
  { name: ABSENCES_FILE, skips: withoutFile(ABSENCES_FILE), faults: lineFaultsOf(ABSENCES_FILE, absenceFaults) },
  { name: RIGHTS_WARC, skips: withoutFile(RIGHTS_WARC), faults: rightsFaults },
  { name: 'WARC files', skips: (crawl) => (warcNamesOf(crawl.committed ?? {}).length > 0 ? null : NOTHING), faults: warcFaults },
  { name: VISITS_FILE, skips: withoutFile(VISITS_FILE), faults: visitFaults },
  { name: 'kept pages', needs: [LEDGER], faults: idFaults },
];

function withoutFile(name: string): (crawl: Examined) => string | null {
  return ({ committed }) => ((committed?.[name] ?? 0) > 0 ? null : NOTHING);
}

async function* commitFaults({ manifest, paths, marks, frontier }: Examined): AsyncGenerator<string> {
  if (manifest === null || frontier === null) return;
  const { other, lost } = faultsBetween(manifest, paths, marks, frontier);
  if (other !== null) yield other;
  yield* lost;
}

async function* recordFaults(crawl: Examined, look: LookAt): AsyncGenerator<string> {
  const { paths, records } = crawl;
  const path = join(paths.corpus, RECORDS_FILE);
  const found: string[] = [];
  const lines = readRecords(paths.corpus, sizeOf(crawl, RECORDS_FILE), (fault) => found.push(fault));
  for await (const record of untilDamaged(lines, found)) {
    yield* found.splice(0);
    if (records.has(record.id)) yield `${path}: has two records ${record.id}, of ${record.url}`;
    const { id, url, payloadSha256, rendering, fetchedAt } = record;
    records.set(id, { url, payloadSha256, at: Date.parse(fetchedAt), ...(rendering && { rendering }) });
    await look();
  }
  yield* found;
}

function lineFaultsOf(name: string, faults: (dir: string, end: Bytes) => AsyncIterable<string | null>): Check['faults'] {
  return async function* (crawl, look) {
    const found: string[] = [];
    for await (const fault of untilDamaged(faults(crawl.paths.corpus, sizeOf(crawl, name)), found)) {
      if (fault !== null) yield fault;
      await look();
    }
    yield* found;
  };
}

/** Checksums and digests of each record, and each response compared with the record of its page. */
async function* warcFaults(crawl: Examined, look: LookAt): AsyncGenerator<string> {
  for (const name of warcNamesOf(crawl.committed ?? {})) yield* faultsOfWarc(crawl, name, look, responseFaults);
}

/** Checksums and digests of the files of hosts, which have no records. */
function rightsFaults(crawl: Examined, look: LookAt): AsyncGenerator<string> {
  return faultsOfWarc(crawl, RIGHTS_WARC, look, () => []);
}

async function* faultsOfWarc(
  crawl: Examined,
  name: string,
  look: LookAt,
  ofResponse: (...of: Parameters<typeof responseFaults>) => Iterable<string>,
): AsyncGenerator<string> {
  const path = join(crawl.paths.corpus, name);
  const found: string[] = [];
  for await (const { response, part, fault } of untilDamaged(examinedWarc(path, sizeOf(crawl, name)), found)) {
    if (fault !== null) yield fault;
    if (response !== null) yield* ofResponse(crawl, path, response);
    if (part !== undefined) yield* partFaults(crawl, path, part);
    await look();
  }
  yield* found;
}

function* responseFaults(
  { records, responses }: Examined,
  path: string,
  { id, url, payloadSha256, document }: WarcResponse,
): Generator<string> {
  if (responses.has(id)) yield `${path}: has two responses ${id}, of ${url}`;
  responses.set(id, document ?? null);
  const record = records.get(id);
  if (record === undefined || payloadSha256 === null || payloadSha256 === record.payloadSha256) return;
  yield `${path}: the response of ${url} is another than ${RECORDS_FILE} has the SHA-256 of`;
}

function* partFaults({ records, renderingParts }: Examined, path: string, part: RenderingPart): Generator<string> {
  renderingParts.add(part.id);
  const record = part.documentOf === null ? undefined : records.get(part.documentOf);
  if (record === undefined || part.payloadSha256 === record.payloadSha256) return;
  yield `${path}: the rendered document of ${part.url} is another than ${RECORDS_FILE} has the SHA-256 of`;
}

async function* visitFaults(crawl: Examined, look: LookAt): AsyncGenerator<string> {
  const path = join(crawl.paths.corpus, VISITS_FILE);
  await look();
  yield* faultOf(async () => (await FrozenWeb.open(path, sizeOf(crawl, VISITS_FILE))).close());
}

/** Each kept page has a record and a response, and all others are earlier versions of pages. */
async function* idFaults(crawl: Examined, look: LookAt): AsyncGenerator<string> {
  const { frontier, paths, running, records, responses } = crawl;
  if (frontier === null) return;
  const expected = recordsOf({ frontier });
  const newest = new Map<string, EpochMs>();
  for (const [id, { url, at }] of records) if (expected.has(id as RecordId)) newest.set(url, at);
  const asked = new Set<string>();
  for (const { url, revisit } of frontier.revisits()) if (revisit.version) asked.add(url);
  for (const [id, url] of expected) {
    // A running crawl may have committed a newer version since.
    if (running && asked.has(url)) continue;
    if (records.get(id)?.url !== url) yield `${paths.corpus}: the page ${url} is kept, and ${RECORDS_FILE} has no record ${id} of it`;
    await look();
  }
  for (const [id, { url, at }] of records) {
    const isNewest = expected.has(id as RecordId);
    if (!isNewest && !asked.has(url) && at > (newest.get(url) ?? Number.NEGATIVE_INFINITY))
      yield `${paths.corpus}: ${RECORDS_FILE} has a record ${id} of ${url} that the frontier does not know`;
    const lost = lostOf(crawl, id);
    if (lost !== null && !isNewest && newest.has(url)) crawl.earlierWithoutResponse += 1;
    else if (lost !== null) yield `${paths.corpus}: ${RECORDS_FILE} has a record ${id} of ${url}, and no WARC file has ${lost}`;
    await look('again');
  }
  for (const id of responses.keys())
    if (!records.has(id) && crawl.hasPage(id))
      yield `${paths.corpus}: a WARC file has a response ${id}, and ${RECORDS_FILE} has no record of it`;
}

/** The missing WARC records of a page, in words; null if all are there. */
function lostOf(crawl: Examined, id: string): string | null {
  if (!crawl.responses.has(id)) return 'its response';
  if (!crawl.hasPage(id)) return 'its rendered document';
  const { resources = [] } = crawl.records.get(id)?.rendering ?? {};
  const lost = resources.filter((one) => !crawl.renderingParts.has(one)).length;
  return lost === 0 ? null : lost === 1 ? 'a resource of its rendering' : `${lost} resources of its rendering`;
}

/** Files that are no fault. */
export async function notesOf({ paths: { corpus }, running, committed, earlierWithoutResponse }: Examined): Promise<readonly string[]> {
  if (!isThere(corpus)) return [];
  const tails = running || committed === null ? [] : await tailsOf(corpus, { number: 0, offsets: committed }, isCorpusFile);
  const beyond = tails.filter(({ from, size }) => size > from);
  return [
    ...(earlierWithoutResponse > 0
      ? [
          `${corpus}: ${earlierWithoutResponse === 1 ? '1 earlier version of a page has' : `${earlierWithoutResponse} earlier versions of pages have`} no WARC record`,
        ]
      : []),
    ...beyond.map(
      ({ name, from, size }) =>
        `${join(corpus, name)}: ${size - from} bytes were never committed; the next run moves them to another folder`,
    ),
    ...readdirSync(corpus)
      .filter((name) => name.startsWith('cut-'))
      .sort()
      .map((name) => cutText(join(corpus, name))),
  ];
}

function cutText(folder: string): string {
  const names = readdirSync(folder);
  const bytes = names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  return `${folder}: ${bytes} bytes in ${names.length} ${names.length === 1 ? 'file' : 'files'}, moved there by a repair or when the crawl was resumed; the crawl does not need it, you may delete it`;
}

function sizeOf({ committed }: Examined, name: string): Bytes {
  return committed?.[name] ?? 0;
}

/** The items before damage, which is reported. */
async function* untilDamaged<T>(from: AsyncIterable<T>, found: string[]): AsyncGenerator<T> {
  try {
    yield* from;
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    found.push(error.message);
  }
}
