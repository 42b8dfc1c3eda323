import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { DamageError, type OnDamaged, storeErrorFrom } from '../../base/core/errors.ts';
import type { Bytes, EpochMs, RecordId } from '../../base/core/types.ts';
import { cdxjLine, HEAD_BYTES, isCapture, isIndexed } from '../records/cdxj.ts';
import type { KeptRecords } from '../records/kept-records.ts';
import { referrerIn, withoutReferrer } from '../records/quoted-referrer.ts';
import { isOfScript, pageUrlOf } from '../records/render-records.ts';
import { bareId, type CorpusInfo, recordIdOf, warcInfoMember } from '../records/warc-record.ts';
import { walkWarcBehindDamage } from '../records/warc-recovery.ts';
import type { WarcEntry } from '../records/warc-stream.ts';
import type { CorpusSource, WarcFile } from '../select/corpus-source.ts';
import type { HarvestedPage } from '../select/harvested-page.ts';
import type { HashedFile } from '../select/hashed-file.ts';
import { SortedLines } from './sorted-lines.ts';

/** Name of a WARC file that a harvest copied. */
export const WARC_NAME = /^corpus-\d{5,}\.warc\.gz$/;

export interface WarcCopy {
  readonly source: Pick<CorpusSource, 'dir' | 'warcFiles' | 'withdrawals' | 'until'>;
  /** Names missing pages by their URLs. */
  readonly expected?: KeptRecords;
  readonly info: CorpusInfo;
  readonly at: EpochMs;
  readonly maxWarcBytes: Bytes;
  /** Makes a temporary file, which the caller removes. */
  readonly scratch: (name: string) => Promise<HashedFile>;
  readonly onPage: (done: number) => void;
  /** Receives damaged records and pages without records, which are omitted. Without it they are errors. */
  readonly onDamaged?: OnDamaged | undefined;
}

/** A place that WARC files are written to, one after the other. */
export interface WarcSink {
  /** @param name of the file, without folders */
  start(name: string): Promise<void>;
  /** The bytes do not change afterwards. */
  write(bytes: Uint8Array): Promise<void>;
  finish(name: string): Promise<void>;
}

export interface CopiedWarcs {
  /** Ids of the selected pages without a record. */
  readonly missing: ReadonlySet<string>;
  /** Lines of CDXJ of all files: the responses and revisits. */
  readonly index: SortedLines;
}

interface Extent {
  readonly start: Bytes;
  readonly end: Bytes;
}

const COPY_BYTES: Bytes = 1024 * 1024;
const headOfCapture = (fields: ReadonlyMap<string, string>) => (isCapture(fields) ? HEAD_BYTES : 0);
/** Metadata may quote a link of a page that was taken back. */
const headOrMetadata = (fields: ReadonlyMap<string, string>) => fields.get('warc-type') === 'metadata' || headOfCapture(fields);

/**
 * Copies the gzip members of the selected pages, byte for byte except for links on pages that were taken back, to `corpus-00000.warc.gz` and so on: each
 * response with its request and metadata, its rendered document and the resources of that, the later revisit records of the page with their requests, and
 * the warcinfo records they refer to. All formats of a harvest with WARC files share one
 * pass over the source. Memory: the ids of the pages and of revisit records, one piece of a file, and the index, which is sorted on disk.
 */
export class WarcPass {
  readonly #copy: WarcCopy;
  readonly #ids = new Set<string>();
  /** Ids of rendered documents and of their resources, which pages share. */
  readonly #parts = new Set<string>();
  readonly #sinks: WarcSink[] = [];
  #run: Promise<CopiedWarcs> | null = null;

  constructor(copy: WarcCopy) {
    this.#copy = copy;
  }

  /** Selects a page. */
  want({ id, rendering }: Pick<HarvestedPage, 'id' | 'rendering'>): void {
    this.#ids.add(id);
    if (rendering === undefined) return;
    for (const part of [rendering.document, ...rendering.resources]) this.#parts.add(part);
  }

  /** Each sink gets the same files. To be called before `run`. */
  to(sink: WarcSink): void {
    this.#sinks.push(sink);
  }

  /**
   * Copies at the first call, when all pages are selected; later calls have the same result.
   * @throws DataError if a WARC file is damaged or contains no record of a selected page
   */
  run(): Promise<CopiedWarcs> {
    this.#run ??= copyWarcRecords(this.#copy, this.#ids, this.#parts, this.#sinks);
    return this.#run;
  }
}

async function copyWarcRecords(
  copy: WarcCopy,
  ids: ReadonlySet<string>,
  parts: ReadonlySet<string>,
  sinks: readonly WarcSink[],
): Promise<CopiedWarcs> {
  const target = new WarcTarget(copy, sinks, digestOf(ids));
  const missing = new Set(ids);
  const missingParts = new Set(parts);
  const revisits = new Set<string>();
  let pages = 0;
  for (const file of await copy.source.warcFiles()) {
    // A page of two corpora is copied once.
    for await (const found of chosenRecords(copy, file, new Set([...missing, ...missingParts]), ids, revisits)) {
      if (!isWithdrawn(copy, found.entry)) await target.take(found);
      const id = bareId(found.entry.fields.get('warc-record-id'));
      missingParts.delete(id);
      if (missing.delete(id)) copy.onPage(++pages);
    }
  }
  await target.finish();
  tellMissing(copy, ids, missing);
  tellMissingParts(copy, missingParts);
  return { missing, index: target.index };
}

/** @throws DamageError if pages are missing and there is no `onDamaged` */
function tellMissing({ source: { dir }, expected, onDamaged }: WarcCopy, ids: ReadonlySet<string>, missing: ReadonlySet<string>): void {
  if (missing.size > 0 && !onDamaged)
    throw new DamageError(
      `${dir}: ${missing.size} of ${ids.size} pages have no WARC record; restore the files from a copy, harvest without the formats warc and wacz, or leave them out with --skip-damaged`,
    );
  if (missing.size === 0) return;
  const pageOf = (id: string) => expected?.pageOf(id as RecordId) ?? -1;
  const pages = new Set([...missing].map(pageOf));
  const urls = expected?.urls((page) => pages.has(page));
  for (const id of missing) onDamaged?.(`${urls?.get(pageOf(id)) ?? id}: its WARC record is damaged or missing`);
}

/** Tells nothing about a corpus of which pages were taken back: others may have got one of them by a script. @throws as `tellMissing` */
function tellMissingParts({ source: { dir, withdrawals }, onDamaged }: WarcCopy, missing: ReadonlySet<string>): void {
  if (withdrawals.size > 0) return;
  if (missing.size > 0 && !onDamaged)
    throw new DamageError(
      `${dir}: ${missing.size} documents or resources of rendered pages have no WARC record; restore the files from a copy, harvest without the formats warc and wacz, or leave them out with --skip-damaged`,
    );
  for (const id of missing) onDamaged?.(`${id}: a rendered page names this WARC record, which is damaged or missing`);
}

/** Is it a page that was taken back, and that a script of another page asked for? */
function isWithdrawn({ source: { withdrawals } }: WarcCopy, { fields }: WarcEntry): boolean {
  return isOfScript(fields) && withdrawals.has(pageUrlOf(fields));
}

function digestOf(ids: ReadonlySet<string>): string {
  const hash = createHash('sha256');
  for (const id of ids) hash.update(`${id}\n`);
  return hash.digest('hex');
}

interface Found {
  readonly entry: WarcEntry;
  readonly source: FileHandle;
  readonly warcinfo: Extent | null;
}

/**
 * @param unread the pages and parts of renderings that no earlier file had
 * @param ids all pages
 * @param revisits ids of the revisit records that were found, in earlier files too
 */
async function* chosenRecords(
  { onDamaged, source: { withdrawals, until = Number.POSITIVE_INFINITY } }: WarcCopy,
  { path, end }: WarcFile,
  unread: ReadonlySet<string>,
  ids: ReadonlySet<string>,
  revisits: Set<string>,
): AsyncGenerator<Found> {
  const source = await open(path, 'r').catch((error: unknown) => {
    throw storeErrorFrom(error, 'reading the corpus', path);
  });
  const infos = new Map<string, Extent>();
  const seen = new Set(revisits);
  try {
    for await (const entry of walkWarcBehindDamage(path, withdrawals.size > 0 ? headOrMetadata : headOfCapture, end, onDamaged)) {
      const id = bareId(entry.fields.get('warc-record-id'));
      const answer = bareId(entry.fields.get('warc-concurrent-to'));
      const type = entry.fields.get('warc-type');
      if (type === 'warcinfo') infos.set(id, { start: entry.start, end: entry.end });
      const isRevisit = type === 'revisit' && ids.has(bareId(entry.fields.get('warc-refers-to')));
      if (isRevisit && !(Date.parse(entry.fields.get('warc-date') ?? '') > until)) revisits.add(id);
      const isChosen = (one: string) => unread.has(one) || (revisits.has(one) && !seen.has(one));
      if (![id, answer].some(isChosen)) continue;
      const warcinfo = infos.get(bareId(entry.fields.get('warc-warcinfo-id'))) ?? null;
      yield { entry, source, warcinfo };
    }
  } finally {
    await source.close();
  }
}

/** The written files. A new file starts before a page or a revisit, never inside one. */
class WarcTarget {
  readonly index: SortedLines;
  readonly #copy: WarcCopy;
  readonly #sinks: readonly WarcSink[];
  /** Digest of the selected pages: the ids of the warcinfo records follow from it. */
  readonly #pages: string;
  #number = -1;
  #size: Bytes = 0;
  /** Source warcinfo records in the current file. */
  #infos = new Set<Extent>();

  constructor(copy: WarcCopy, sinks: readonly WarcSink[], pages: string) {
    this.#copy = copy;
    this.#pages = pages;
    this.#sinks = sinks;
    this.index = new SortedLines(copy.scratch);
  }

  async take({ entry, source, warcinfo }: Found): Promise<void> {
    const isFull = isCapture(entry.fields) && this.#size >= this.#copy.maxWarcBytes;
    if (this.#number < 0 || isFull) await this.#next();
    if (warcinfo !== null && !this.#infos.has(warcinfo)) {
      this.#infos.add(warcinfo);
      await this.#copyExtent(source, warcinfo);
    }
    const offset = this.#size;
    if (this.#quotesWithdrawn(entry)) await this.#write(withoutReferrer(entry));
    else await this.#copyExtent(source, entry);
    const { fields, content } = entry;
    if (isIndexed(fields))
      await this.index.add(cdxjLine({ fields, content, offset, length: this.#size - offset, filename: targetName(this.#number) }));
  }

  #quotesWithdrawn(entry: WarcEntry): boolean {
    const { withdrawals } = this.#copy.source;
    const referrer = withdrawals.size > 0 ? referrerIn(entry) : null;
    return referrer !== null && withdrawals.has(referrer);
  }

  /** A harvest without pages still gets its file, with a warcinfo record. */
  async finish(): Promise<void> {
    if (this.#number < 0) await this.#next();
    await this.#end();
  }

  async #next(): Promise<void> {
    await this.#end();
    const name = targetName(++this.#number);
    this.#size = 0;
    this.#infos = new Set();
    for (const sink of this.#sinks) await sink.start(name);
    await this.#write(warcInfoMember(recordIdOf(`${name}\n${this.#copy.at}\n${this.#pages}`), this.#copy.info, name, this.#copy.at));
  }

  async #end(): Promise<void> {
    if (this.#number >= 0) for (const sink of this.#sinks) await sink.finish(targetName(this.#number));
  }

  async #copyExtent(source: FileHandle, { start, end }: Extent): Promise<void> {
    for (let at = start; at < end; ) {
      const { buffer, bytesRead } = await source.read(Buffer.allocUnsafe(Math.min(COPY_BYTES, end - at)), 0, null, at);
      if (bytesRead === 0) throw new DamageError(`a corpus file became shorter while it was harvested, at byte ${at}; harvest again`);
      await this.#write(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
  }

  async #write(bytes: Uint8Array): Promise<void> {
    for (const sink of this.#sinks) await sink.write(bytes);
    this.#size += bytes.length;
  }
}

function targetName(number: number): string {
  return `corpus-${String(number).padStart(5, '0')}.warc.gz`;
}
