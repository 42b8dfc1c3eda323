import { mkdir, open, readdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { InvariantError, StoreError, storeErrorFrom } from '../core/errors.ts';
import type { FrozenVisit } from '../core/frozen-visit.ts';
import type { CorpusOffsets, CorpusWriter } from '../core/parts.ts';
import type { Bytes, CorpusRecord, FetchedPage, RecordId, ReservationFile, RevisitRecord } from '../core/types.ts';
import { CorpusFile } from './corpus-file.ts';
import { frozenHeader, frozenMember } from './frozen-page.ts';
import { RECORDS_FILE, recordLine } from './records.ts';
import { RESERVATIONS_FILE, reservationLine } from './reservation-files.ts';
import { type CorpusInfo, newRecordId, pageMembers, revisitMembers, warcInfoMember } from './warc-record.ts';

/** The size web archives roll their files at, by the advice of ISO 28500:2017 annex C.1. */
const MAX_WARC_BYTES: Bytes = 1_000_000_000;
const WARC_NAME = /^forager-(\d{5,})\.warc\.gz$/;
/** What a recorded crawl visited, as a frozen web. */
export const VISITS_FILE = 'visits.jsonl.gz';

/** Files that grow as long as the crawl does. */
const BESIDE_WARC: ReadonlySet<string> = new Set([RECORDS_FILE, VISITS_FILE, RESERVATIONS_FILE]);

export interface CorpusWriterOptions {
  /** A page that comes when a WARC file has this much begins the next. Default 1 GB. */
  readonly maxWarcBytes?: Bytes;
  /** Record every visit. Default false. */
  readonly record?: boolean;
}

/** True for the names of the WARC files a crawl writes, `forager-00000.warc.gz` and on. */
export function isWarcName(name: string): boolean {
  return WARC_NAME.test(name);
}

/** The WARC files of a commit, in the order they were written. */
export function warcNamesOf(committed: CorpusOffsets): string[] {
  const names = Object.keys(committed).filter(isWarcName);
  return names.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

/**
 * Kept pages, as WARC files that roll at 1 GB and one line each in `records.jsonl`; with `record` all visits in `visits.jsonl.gz` too.
 * Bytes go to disk on `flush` only; what was not committed with the frontier is cut off by the next `open`.
 */
export class FileCorpusWriter implements CorpusWriter {
  readonly #dir: string;
  readonly #info: CorpusInfo;
  readonly #maxWarcBytes: Bytes;
  readonly #files: Map<string, CorpusFile>;
  readonly #records: CorpusFile;
  /** Only of a crawl that is recorded. */
  readonly record?: (visit: FrozenVisit) => void;
  #warcNumber: number;
  /** Of the warcinfo record the next page belongs to; null until this session has written one to the current file. */
  #warcinfoId: RecordId | null = null;
  #running: Promise<void> | null = null;
  #waiting: Promise<void> | null = null;
  #closed = false;

  private constructor(dir: string, committed: CorpusOffsets, info: CorpusInfo, options: CorpusWriterOptions) {
    this.#dir = dir;
    this.#info = info;
    this.#maxWarcBytes = options.maxWarcBytes ?? MAX_WARC_BYTES;
    this.#files = new Map(Object.entries(committed).map(([name, size]) => [name, new CorpusFile(join(dir, name), size)]));
    this.#records = this.#file(RECORDS_FILE);
    this.#warcNumber = Math.max(0, ...Object.keys(committed).map((name) => Number(WARC_NAME.exec(name)?.[1] ?? 0)));
    if (options.record) this.record = (visit) => this.#record(visit);
  }

  /**
   * Open a corpus folder at the state of a commit, making it when it is missing: each file is cut to its
   * committed size, and WARC files the commit does not know are deleted. Other people's files stay.
   * @throws StoreError CORRUPT when a file is shorter than was committed
   */
  static async open(dir: string, committed: CorpusOffsets, info: CorpusInfo, options: CorpusWriterOptions = {}): Promise<FileCorpusWriter> {
    try {
      await restore(dir, committed);
    } catch (error) {
      throw storeErrorFrom(error, 'opening the corpus', dir);
    }
    return new FileCorpusWriter(dir, committed, info, options);
  }

  append(record: CorpusRecord, page: FetchedPage): void {
    if (this.#closed) throw new InvariantError(`${this.#dir}: append to a closed corpus writer`);
    const line = Buffer.from(recordLine(record));
    const { warc, warcinfoId } = this.#warcFile(page.startedAt);
    const members = pageMembers(record, page, warcinfoId);
    warc.append(members.response);
    warc.append(members.request);
    warc.append(members.metadata);
    this.#records.append(line);
  }

  revisit(record: RevisitRecord, page: FetchedPage): void {
    if (this.#closed) throw new InvariantError(`${this.#dir}: revisit in a closed corpus writer`);
    const { warc, warcinfoId } = this.#warcFile(page.startedAt);
    const members = revisitMembers(record, page, warcinfoId);
    warc.append(members.revisit);
    warc.append(members.request);
  }

  reserve(file: ReservationFile): void {
    if (this.#closed) throw new InvariantError(`${this.#dir}: reserve in a closed corpus writer`);
    this.#file(RESERVATIONS_FILE).append(Buffer.from(reservationLine(file)));
  }

  offsets(): CorpusOffsets {
    return Object.fromEntries([...this.#files].map(([name, file]) => [name, file.size]));
  }

  /** Flushes never overlap: calls made while one is at work share the one after it. */
  flush(): Promise<void> {
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

  /** Flush, then close the files. Calling it again does nothing. @throws StoreError */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    try {
      await this.flush();
    } finally {
      for (const file of this.#files.values()) await file.release();
    }
  }

  #start(): Promise<void> {
    const run = this.#writeAll().finally(() => {
      if (this.#running === run) this.#running = null;
    });
    this.#running = run;
    return run;
  }

  /** WARC files first: a line in records.jsonl is then never on disk without its page. */
  async #writeAll(): Promise<void> {
    const current = warcName(this.#warcNumber);
    for (const [name, file] of [...this.#files]) {
      if (file === this.#records) continue;
      await file.write();
      if (name !== current && !BESIDE_WARC.has(name)) await file.release();
    }
    await this.#records.write();
  }

  #record(visit: FrozenVisit): void {
    if (this.#closed) throw new InvariantError(`${this.#dir}: record to a closed corpus writer`);
    const visits = this.#file(VISITS_FILE);
    if (visits.size === 0) visits.append(frozenHeader({ software: this.#info.software, extractor: null }));
    visits.append(frozenMember(visit));
  }

  /** The WARC file the next page goes to. A session's first page and each new file get a warcinfo record. */
  #warcFile(at: number): { readonly warc: CorpusFile; readonly warcinfoId: RecordId } {
    if (this.#file(warcName(this.#warcNumber)).size >= this.#maxWarcBytes) {
      this.#warcNumber++;
      this.#warcinfoId = null;
    }
    const name = warcName(this.#warcNumber);
    const warc = this.#file(name);
    if (this.#warcinfoId === null) {
      const id = newRecordId();
      warc.append(warcInfoMember(id, this.#info, name, at));
      this.#warcinfoId = id;
    }
    return { warc, warcinfoId: this.#warcinfoId };
  }

  #file(name: string): CorpusFile {
    const known = this.#files.get(name);
    if (known !== undefined) return known;
    const file = new CorpusFile(join(this.#dir, name), 0);
    this.#files.set(name, file);
    return file;
  }
}

function warcName(number: number): string {
  return `forager-${String(number).padStart(5, '0')}.warc.gz`;
}

async function restore(dir: string, committed: CorpusOffsets): Promise<void> {
  await mkdir(dir, { recursive: true });
  for (const [name, size] of Object.entries(committed)) await cutTo(dir, name, size);
  for (const name of await readdir(dir)) {
    if (isOurs(name) && committed[name] === undefined) await rm(join(dir, name));
  }
  await (await open(join(dir, RECORDS_FILE), 'a')).close();
}

async function cutTo(dir: string, name: string, committed: Bytes): Promise<void> {
  const path = join(dir, name);
  if (!isOurs(name)) {
    throw new StoreError('STORE_CORRUPT', `${path}: the frontier names a corpus file that is none of ours; start a new crawl directory`);
  }
  const size = await sizeOf(path);
  if (size < committed) {
    throw new StoreError(
      'STORE_CORRUPT',
      `${path}: ${size} bytes where ${committed} were committed; restore the file from a copy or start a new crawl directory`,
    );
  }
  if (size > committed) await truncate(path, committed);
}

function isOurs(name: string): boolean {
  return isWarcName(name) || BESIDE_WARC.has(name);
}

async function sizeOf(path: string): Promise<Bytes> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw error;
  }
}
