import { mkdir, open, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DataError, InvariantError, StoreError, storeErrorFrom } from '../../base/core/errors.ts';
import type { FrozenVisit } from '../../base/core/frozen-visit.ts';
import type { CorpusEntry, CorpusWriter } from '../../base/core/parts/keeping.ts';
import type { CommitMark, CorpusOffsets } from '../../base/core/parts/queueing.ts';
import type { RenderedDocument } from '../../base/core/rendering.ts';
import type { Bytes, CanonicalUrl, CorpusRecord, FetchedPage, RecordId, RevisitRecord } from '../../base/core/types.ts';
import { commandOn } from '../../base/text/forager-command.ts';
import { ABSENCES_FILE, absenceLine } from './absences.ts';
import { CommitMarks, readMarks, resetMarks, whyNotOf } from './commit-marks.ts';
import { cutTails, type Tail, tailsOf } from './corpus-cut.ts';
import { CorpusFile } from './corpus-file.ts';
import { frozenHeader, frozenMember } from './frozen-page.ts';
import { countLines, RECORDS_FILE, recordBefore, storedRecordLine } from './records.ts';
import { documentMember, resourceMembers } from './render-records.ts';
import { RESERVATIONS_FILE, reservationLine } from './reservation-files.ts';
import { RIGHTS_WARC, ROBOTS_FILE, robotsLine } from './robots-answers.ts';
import {
  type CorpusInfo,
  crawlNamedIn,
  fileMembers,
  newRecordId,
  pageMembers,
  revisitMembers,
  sha1Base32,
  warcInfoMember,
} from './warc-record.ts';
import { walkWarc } from './warc-stream.ts';

/** The file size at which web archives start a new file, as ISO 28500:2017 annex C.1 advises. */
const MAX_WARC_BYTES: Bytes = 1_000_000_000;
const LINE_FEED = 10;
const WARC_NAME = /^forager-(\d{5,})\.warc\.gz$/;
/** The visits of a recorded crawl, as a frozen web. */
export const VISITS_FILE = 'visits.jsonl.gz';

/** Files that grow as long as the crawl does. */
const BESIDE_WARC: ReadonlySet<string> = new Set([RECORDS_FILE, VISITS_FILE, RESERVATIONS_FILE, ROBOTS_FILE, RIGHTS_WARC, ABSENCES_FILE]);

export interface CorpusWriterOptions {
  /** A page starts a new WARC file if the current one has this size. Default 1 GB. */
  readonly maxWarcBytes?: Bytes;
  /** Record every visit. Default false. */
  readonly record?: boolean;
  /** Id of the crawl. Default: none. */
  readonly crawl?: string;
  /** Cuts the files to the commit on the word of the user, even if nothing shows that the commit is theirs. Default false. */
  readonly cut?: boolean;
  /** Id of the newest record that the frontier has for a URL; null if it has none. Default: nothing is asked. */
  readonly recordIdOf?: (url: CanonicalUrl) => RecordId | null;
  /** Receives the folder to which cut-off bytes were moved. */
  readonly onCut?: (folder: string, bytes: Bytes) => void;
  /**
   * Called immediately before anything is written, and when all is on disk: it throws if the folder no longer belongs to this process. Default: it
   * always belongs to it.
   */
  readonly mayWrite?: () => void;
}

/**
 * Number of records that a commit of Forager 0.1 may have left uncommitted, since it stored no numbers: a hundred settlements, plus those that came
 * while the disk was slow.
 */
const UNCOMMITTED_RECORDS = 1000;

/** True for the names of a crawl's WARC files, `forager-00000.warc.gz` and so on. */
export function isWarcName(name: string): boolean {
  return WARC_NAME.test(name);
}

/** The WARC files of a commit, in the order of writing. */
export function warcNamesOf(committed: CorpusOffsets): string[] {
  const names = Object.keys(committed).filter(isWarcName);
  return names.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

/**
 * Writes kept pages to WARC files of up to 1 GB and one line each in `records.jsonl`; with `record`, also all visits to `visits.jsonl.gz`. Bytes go
 * to disk only on `flush`. The next `open` moves everything to another folder that was not committed with the frontier.
 */
export class FileCorpusWriter implements CorpusWriter {
  readonly #dir: string;
  readonly #info: CorpusInfo;
  readonly #maxWarcBytes: Bytes;
  readonly #mayWrite: () => void;
  readonly #files: Map<string, CorpusFile>;
  readonly #records: CorpusFile;
  readonly #marks: CommitMarks;
  readonly recorded: boolean;
  #warcNumber: number;
  /** The warcinfo record of the next page; null until this session has written one to the current file. */
  #warcinfoId: RecordId | null = null;
  /** The warcinfo record of the file of statements. */
  #rightsInfoId: RecordId | null = null;
  /** The commit of the next flush; null if it has none. */
  #mark: CommitMark | null = null;
  /** Ids of the files that scripts got: pages share those that came from memory. */
  readonly #resourceIds = new WeakMap<FetchedPage, RecordId>();
  #running: Promise<void> | null = null;
  #waiting: Promise<void> | null = null;
  #closed = false;

  private constructor(dir: string, committed: CorpusOffsets, info: CorpusInfo, options: CorpusWriterOptions) {
    this.#dir = dir;
    this.#marks = new CommitMarks(dir, options.crawl ?? null);
    this.#info = options.crawl ? { ...info, crawl: options.crawl } : info;
    this.#maxWarcBytes = options.maxWarcBytes ?? MAX_WARC_BYTES;
    this.#mayWrite = options.mayWrite ?? (() => undefined);
    this.#files = new Map(Object.entries(committed).map(([name, size]) => [name, new CorpusFile(join(dir, name), size)]));
    this.#records = this.#file(RECORDS_FILE);
    this.#warcNumber = Math.max(0, ...Object.keys(committed).map((name) => Number(WARC_NAME.exec(name)?.[1] ?? 0)));
    this.recorded = options.record ?? false;
  }

  /**
   * Opens a corpus folder in the state of a commit, and creates the folder if it is missing. Bytes of our files beyond the commit are moved to
   * `cut-<time>/`. Other files stay.
   * @param committed null for a new crawl: then the folder contains no files of ours, or empty ones
   * @throws StoreError CORRUPT if a file is shorter than its committed size, or nothing shows that the commit belongs to this corpus; then nothing is
   * changed
   */
  static async open(
    dir: string,
    committed: CommitMark | null,
    info: CorpusInfo,
    options: CorpusWriterOptions = {},
  ): Promise<FileCorpusWriter> {
    try {
      await restore(dir, committed, options);
    } catch (error) {
      throw storeErrorFrom(error, 'opening the corpus', dir);
    }
    return new FileCorpusWriter(dir, committed?.offsets ?? {}, info, options);
  }

  append(entry: CorpusEntry): void {
    if (this.#closed) throw new InvariantError(`${this.#dir}: append to a closed corpus writer`);
    switch (entry.kind) {
      case 'page':
        this.#page(entry.record, entry.page, entry.document ?? null);
        break;
      case 'revisit':
        this.#revisit(entry.record, entry.page);
        break;
      case 'reservations':
        this.#file(RESERVATIONS_FILE).append(reservationLine(entry.file, entry.page && this.#rightsFile(entry.page)));
        break;
      case 'robots':
        this.#file(ROBOTS_FILE).append(robotsLine({ ...entry.answer, recordId: entry.page && this.#rightsFile(entry.page) }));
        break;
      case 'absence':
        this.#file(ABSENCES_FILE).append(absenceLine(entry.absence));
        break;
      case 'visit':
        this.#visit(entry.visit);
    }
  }

  /** Stores a file of statements. @returns the id of its response */
  #rightsFile(page: FetchedPage): RecordId {
    const warc = this.#file(RIGHTS_WARC);
    this.#rightsInfoId ??= this.#warcinfo(warc, RIGHTS_WARC, page.startedAt);
    const id = newRecordId();
    for (const member of fileMembers(id, page, this.#rightsInfoId)) warc.append(member);
    return id;
  }

  #page(read: CorpusRecord, page: FetchedPage, document: RenderedDocument | null): void {
    const files = document === null ? [] : this.#identified(document);
    const ids = document && { document: newRecordId(), resources: files.map(({ id }) => id) };
    const record = ids === null ? read : { ...read, rendering: ids };
    const line = storedRecordLine(record);
    const { warc, warcinfoId } = this.#warcFile(page.startedAt);
    const members = pageMembers(record, page, warcinfoId);
    warc.append(members.response);
    // Readers of the response find it next.
    if (document !== null) warc.append(documentMember(record, page, document, warcinfoId));
    warc.append(members.request);
    warc.append(members.metadata);
    for (const { id, file } of files.filter(({ isNew }) => isNew))
      for (const member of resourceMembers(id, file, warcinfoId)) warc.append(member);
    this.#records.append(line);
  }

  /** The files of a rendered document with their ids. One that an earlier page had is stored already. */
  #identified({ resources }: RenderedDocument): { readonly file: FetchedPage; readonly id: RecordId; readonly isNew: boolean }[] {
    return resources.map((file) => {
      const known = this.#resourceIds.get(file);
      const id = known ?? newRecordId();
      this.#resourceIds.set(file, id);
      return { file, id, isNew: known === undefined };
    });
  }

  #revisit(record: RevisitRecord, page: FetchedPage): void {
    const { stored } = record;
    // The rendered document is the same as before, and the response is not: a revisit record would say that its payload is.
    if (stored?.rendered && stored.payloadDigest !== sha1Base32([page.wireBody])) return;
    const { warc, warcinfoId } = this.#warcFile(page.startedAt);
    const members = revisitMembers(record, page, warcinfoId);
    warc.append(members.revisit);
    warc.append(members.request);
  }

  offsets(): CorpusOffsets {
    return Object.fromEntries([...this.#files].map(([name, file]) => [name, file.size]));
  }

  /** Flushes never overlap: calls made during one share the next. */
  flush(commit?: number): Promise<void> {
    if (commit !== undefined) this.#mark = { number: commit, offsets: this.offsets() };
    if (this.#waiting !== null) return this.#waiting;
    if (this.#running === null) return this.#start();
    const next = this.#running
      .catch(() => undefined)
      .then(() => {
        this.#waiting = null;
        return this.#start();
      });
    this.#waiting = next;
    return next;
  }

  /** Flushes, then closes the files. A second call does nothing. @throws StoreError */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    try {
      await this.flush();
    } finally {
      for (const file of this.#files.values()) await file.release();
      await this.#marks.close();
    }
  }

  #start(): Promise<void> {
    const run = this.#writeAll().finally(() => {
      if (this.#running === run) this.#running = null;
    });
    this.#running = run;
    return run;
  }

  /** WARC files first: so a line in records.jsonl is never on disk without its page. */
  async #writeAll(): Promise<void> {
    const mark = this.#mark;
    this.#mark = null;
    const current = warcName(this.#warcNumber);
    this.#mayWrite();
    for (const [name, file] of [...this.#files]) {
      if (file === this.#records) continue;
      await file.write();
      if (name !== current && !BESIDE_WARC.has(name)) await file.release();
    }
    await Promise.all([this.#records.write(), mark && this.#marks.write(mark)]);
    this.#mayWrite();
  }

  #visit(visit: FrozenVisit): void {
    const visits = this.#file(VISITS_FILE);
    if (visits.size === 0) visits.append(frozenHeader({ software: this.#info.software, extractor: null }));
    visits.append(frozenMember(visit));
  }

  /** The WARC file for the next page. A session's first page and each new file get a warcinfo record. */
  #warcFile(at: number): { readonly warc: CorpusFile; readonly warcinfoId: RecordId } {
    if (this.#file(warcName(this.#warcNumber)).size >= this.#maxWarcBytes) {
      this.#warcNumber++;
      this.#warcinfoId = null;
    }
    const name = warcName(this.#warcNumber);
    const warc = this.#file(name);
    this.#warcinfoId ??= this.#warcinfo(warc, name, at);
    return { warc, warcinfoId: this.#warcinfoId };
  }

  #warcinfo(warc: CorpusFile, name: string, at: number): RecordId {
    const id = newRecordId();
    warc.append(warcInfoMember(id, this.#info, name, at));
    return id;
  }

  #file(name: string): CorpusFile {
    const known = this.#files.get(name);
    if (known !== undefined) return known;
    const file = new CorpusFile(join(this.#dir, name), 0);
    this.#files.set(name, file);
    return file;
  }
}

/** The name of the WARC file of a number, from 0. */
export function warcName(number: number): string {
  return `forager-${String(number).padStart(5, '0')}.warc.gz`;
}

/** The current sizes of the corpus folder's own files. */
export async function corpusSizes(dir: string): Promise<CorpusOffsets> {
  const sizes: Record<string, Bytes> = {};
  for (const name of (await readdir(dir)).filter(isCorpusFile)) sizes[name] = await sizeOf(join(dir, name));
  return sizes;
}

async function restore(dir: string, committed: CommitMark | null, options: CorpusWriterOptions): Promise<void> {
  await mkdir(dir, { recursive: true });
  const tails = await tailsOf(dir, committed, isCorpusFile);
  if (!options.cut) await refuseOthers(dir, committed, tails, options.crawl ?? null);
  for (const [name, size] of Object.entries(committed?.offsets ?? {})) await refuseShorter(join(dir, name), name, size);
  await refuseOtherWarcs(dir, options.crawl ?? null);
  if (!options.cut) {
    for (const { name, from, size } of tails) await refuseAnother(join(dir, name), from, size);
    await refuseOtherRecords(dir, committed?.offsets[RECORDS_FILE] ?? 0, options);
  }
  const folder = await cutTails(dir, tails, new Date(), !options.cut);
  if (folder !== null)
    options.onCut?.(
      folder,
      tails.reduce((sum, { from, size }) => sum + size - from, 0),
    );
  if (options.cut) await resetMarks(dir, committed, options.crawl ?? null);
  await (await open(join(dir, RECORDS_FILE), 'a')).close();
}

/** Checks that the commit belongs to this corpus, and that only uncommitted bytes are cut. @throws StoreError */
async function refuseOthers(dir: string, committed: CommitMark | null, tails: readonly Tail[], crawl: string | null): Promise<void> {
  const why = whyNotOf(readMarks(dir), committed, crawl) ?? (await whyTooMuch(dir, committed, tails));
  if (why !== null)
    throw new StoreError(
      'STORE_CORRUPT',
      `${dir}: ${why}; nothing was changed: restore frontier and corpus of one moment from a copy, or run ${commandOn('repair', dirname(dir))}`,
    );
}

/** Reason why a corpus has more than was committed; null if it has not. If commits have numbers, the marks decide. */
async function whyTooMuch(dir: string, committed: CommitMark | null, tails: readonly Tail[]): Promise<string | null> {
  const beyond = tails.filter(({ from, size }) => size > from);
  if (committed === null)
    return beyond.length === 0
      ? null
      : `the frontier has nothing, and the corpus has ${beyond.map(({ name, size }) => `${name} of ${size} bytes`).join(', ')}`;
  const records = beyond.find(({ name }) => name === RECORDS_FILE);
  if (committed.number > 0 || records === undefined) return null;
  const count = await countLines(dir, records.from);
  return count > UNCOMMITTED_RECORDS
    ? `the corpus has ${count} records that the frontier does not know: the frontier is an older copy`
    : null;
}

async function refuseShorter(path: string, name: string, committed: Bytes): Promise<void> {
  if (!isCorpusFile(name))
    throw new StoreError(
      'STORE_CORRUPT',
      `${path}: the frontier names a file that no corpus has; run ${commandOn('repair', dirname(dirname(path)))}`,
    );
  const size = await sizeOf(path);
  if (size < committed)
    throw new StoreError(
      'STORE_CORRUPT',
      `${path}: ${size} bytes, but ${committed} were committed; restore the file from a copy, or continue with the rest: ${commandOn('repair', dirname(dirname(path)))}`,
    );
}

/**
 * Refuses WARC files of another crawl. Since 0.2, the first record of each WARC file names its crawl. A file that cannot be read does not
 * count as another crawl's.
 * @throws StoreError naming both crawls
 */
export async function refuseOtherWarcs(dir: string, crawl: string | null): Promise<void> {
  if (crawl === null) return;
  for (const name of warcNamesOf(await corpusSizes(dir))) {
    const path = join(dir, name);
    const other = await crawlOf(path);
    if (other !== null && other !== crawl)
      throw new StoreError(
        'STORE_CORRUPT',
        `${path}: is of crawl ${other}, and this is crawl ${crawl}; restore the file that was in its place from a copy, or put it elsewhere and run ${commandOn('repair', dirname(dir))}`,
      );
  }
}

async function crawlOf(path: string): Promise<string | null> {
  try {
    for await (const { content } of walkWarc(path, (fields) => fields.get('warc-type') === 'warcinfo'))
      return content && crawlNamedIn(content);
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
  }
  return null;
}

/** True for the names of files that grow as long as the crawl does. */
export function isCorpusFile(name: string): boolean {
  return isWarcName(name) || BESIDE_WARC.has(name);
}

/**
 * A file of lines is cut after a line feed; anywhere else, it is not the file that was committed. After a power cut, anything may follow the cut.
 * @throws StoreError
 */
async function refuseAnother(path: string, from: Bytes, size: Bytes): Promise<void> {
  if (from === 0 || size <= from || !path.endsWith('.jsonl')) return;
  const handle = await open(path, 'r');
  try {
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, from - 1);
    if (buffer[0] === LINE_FEED) return;
  } finally {
    await handle.close();
  }
  throw notCommitted(path, `no record ends at byte ${from}`);
}

/**
 * Two crawls of one web can write lines of equal length: so the last committed record must be one that the frontier knows. A damaged record does not
 * count as another crawl's.
 * @throws StoreError
 */
async function refuseOtherRecords(dir: string, committed: Bytes, { recordIdOf }: CorpusWriterOptions): Promise<void> {
  if (committed === 0 || recordIdOf === undefined) return;
  const last = await recordBefore(dir, committed);
  if (last !== null && recordIdOf(last.url) !== last.id)
    throw notCommitted(join(dir, RECORDS_FILE), `the frontier does not know its record of ${last.url} before byte ${committed}`);
}

function notCommitted(path: string, why: string): StoreError {
  return new StoreError(
    'STORE_CORRUPT',
    `${path}: is not the file that was committed, for ${why}; restore it from a copy, or run ${commandOn('repair', dirname(dirname(path)))}`,
  );
}

async function sizeOf(path: string): Promise<Bytes> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw error;
  }
}
