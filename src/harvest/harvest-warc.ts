import { type FileHandle, open } from 'node:fs/promises';
import { DamageError, type OnDamaged, storeErrorFrom } from '../core/errors.ts';
import type { Bytes, EpochMs } from '../core/types.ts';
import { type CorpusInfo, newRecordId, warcInfoMember } from '../corpus/warc-record.ts';
import { walkWarcBehindDamage } from '../corpus/warc-recovery.ts';
import type { WarcEntry } from '../corpus/warc-stream.ts';
import type { CorpusSource, WarcFile } from './corpus-source.ts';
import type { HarvestFolder } from './harvest-folder.ts';
import type { HashedFile } from './hashed-file.ts';

export interface WarcCopy {
  readonly source: Pick<CorpusSource, 'dir' | 'warcFiles'>;
  /** Record ids of the pages to copy. */
  readonly ids: ReadonlySet<string>;
  /** URLs of pages by record id, to name missing pages. */
  readonly urls?: ReadonlyMap<string, string>;
  readonly info: CorpusInfo;
  readonly at: EpochMs;
  readonly maxWarcBytes: Bytes;
  readonly onPage: (done: number) => void;
  /** Receives damaged records and pages without records, which are omitted. Without it they are errors. */
  readonly onDamaged?: OnDamaged | undefined;
}

interface Extent {
  readonly start: Bytes;
  readonly end: Bytes;
}

const COPY_BYTES: Bytes = 1024 * 1024;
const isPage = (entry: WarcEntry) => entry.fields.get('warc-type') === 'response';

/**
 * Copies the gzip members of the selected pages, byte for byte, to `corpus-00000.warc.gz` and so on: each response with its request and metadata, and
 * the warcinfo records they refer to. One pass; needs the memory of one piece.
 * @returns selected pages without a record here
 * @throws DataError if a WARC file is damaged or contains no record of a selected page
 */
export async function copyWarcRecords(copy: WarcCopy, folder: HarvestFolder): Promise<number> {
  const target = new WarcTarget(copy, folder);
  const missing = new Set(copy.ids);
  let pages = 0;
  for (const file of await copy.source.warcFiles()) {
    // A page of two corpora is copied once.
    for await (const found of chosenRecords(copy, file, new Set(missing))) {
      await target.take(found.entry, found.source, found.warcinfo);
      if (!isPage(found.entry)) continue;
      missing.delete(bare(found.entry.fields.get('warc-record-id')));
      copy.onPage(++pages);
    }
  }
  await target.finish();
  tellMissing(copy, missing);
  return missing.size;
}

/** @throws DamageError if pages are missing and there is no `onDamaged` */
function tellMissing({ source: { dir }, ids, urls, onDamaged }: WarcCopy, missing: ReadonlySet<string>): void {
  if (missing.size > 0 && !onDamaged)
    throw new DamageError(
      `${dir}: ${missing.size} of ${ids.size} pages have no WARC record; restore the files from a copy, harvest without the warc format, or leave them out with --skip-damaged`,
    );
  for (const id of missing) onDamaged?.(`${urls?.get(id) ?? id}: its WARC record is damaged or missing`);
}

interface Found {
  readonly entry: WarcEntry;
  readonly source: FileHandle;
  readonly warcinfo: Extent | null;
}

async function* chosenRecords({ onDamaged }: WarcCopy, { path, end }: WarcFile, ids: ReadonlySet<string>): AsyncGenerator<Found> {
  const source = await open(path, 'r').catch((error: unknown) => {
    throw storeErrorFrom(error, 'reading the corpus', path);
  });
  const infos = new Map<string, Extent>();
  try {
    for await (const entry of walkWarcBehindDamage(path, () => false, end, onDamaged)) {
      const id = bare(entry.fields.get('warc-record-id'));
      if (entry.fields.get('warc-type') === 'warcinfo') infos.set(id, { start: entry.start, end: entry.end });
      else if (ids.has(id) || ids.has(bare(entry.fields.get('warc-concurrent-to')))) {
        yield { entry, source, warcinfo: infos.get(bare(entry.fields.get('warc-warcinfo-id'))) ?? null };
      }
    }
  } finally {
    await source.close();
  }
}

/** The written files. A new file starts before a page, never inside one. */
class WarcTarget {
  readonly #copy: WarcCopy;
  readonly #folder: HarvestFolder;
  #file: HashedFile | null = null;
  #number = -1;
  /** Source warcinfo records in the current file. */
  #infos = new Set<Extent>();

  constructor(copy: WarcCopy, folder: HarvestFolder) {
    this.#copy = copy;
    this.#folder = folder;
  }

  async take(entry: WarcEntry, source: FileHandle, warcinfo: Extent | null): Promise<void> {
    const file = this.#file === null || (isPage(entry) && this.#file.size >= this.#copy.maxWarcBytes) ? await this.#next() : this.#file;
    if (warcinfo !== null && !this.#infos.has(warcinfo)) {
      this.#infos.add(warcinfo);
      await copyExtent(source, warcinfo, file);
    }
    await copyExtent(source, entry, file);
  }

  /** A harvest without pages still gets its file, with a warcinfo record. */
  async finish(): Promise<void> {
    if (this.#file === null) await this.#next();
    await this.#folder.finish(targetName(this.#number));
  }

  async #next(): Promise<HashedFile> {
    await this.#folder.finish(targetName(this.#number));
    const name = targetName(++this.#number);
    const file = await this.#folder.file(name);
    await file.write(warcInfoMember(newRecordId(), this.#copy.info, name, this.#copy.at));
    this.#file = file;
    this.#infos = new Set();
    return file;
  }
}

function targetName(number: number): string {
  return `corpus-${String(number).padStart(5, '0')}.warc.gz`;
}

async function copyExtent(source: FileHandle, { start, end }: Extent, file: HashedFile): Promise<void> {
  for (let at = start; at < end; ) {
    const { buffer, bytesRead } = await source.read(Buffer.allocUnsafe(Math.min(COPY_BYTES, end - at)), 0, null, at);
    if (bytesRead === 0) throw new DamageError(`a corpus file became shorter while it was harvested, at byte ${at}; harvest again`);
    await file.write(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}

function bare(id: string | undefined): string {
  return id?.replace(/^<|>$/g, '') ?? '';
}
