/** Reads the files of an archive into its index, each once. */
import { basename, dirname, join } from 'node:path';
import { DataError, UsageError } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import { canonicalize } from '../../base/web/url.ts';
import { type ArchiveFiles, placeOfFile, type WarcPlace } from './archive-files.ts';
import type { ArchiveIndex, IndexedSource } from './archive-index.ts';
import { type Capture, capturesOf } from './captures.ts';
import { capturesOfIndex } from './index-lines.ts';
import { packCapture } from './packed-captures.ts';

/** A WARC file with captures: on the disk, or read by ranges from an address. */
export type ArchiveFile = { readonly kind: 'disk'; readonly place: WarcPlace } | { readonly kind: 'remote'; readonly url: string };

export interface ArchiveSources extends ArchiveFiles {
  /** Index of files at an address, and that address; null without one. */
  readonly remote: { readonly index: string; readonly from: string } | null;
}

export interface SourceReading {
  readonly signal: AbortSignal;
  /** Called every 10,000 captures. @param captures number of them so far, in all files */
  readonly onProgress: (file: string, captures: number) => void;
  readonly warn: (message: string) => void;
}

interface Source extends Pick<IndexedSource, 'name' | 'size'> {
  readonly captures: (bad: (where: string) => void) => AsyncIterable<Capture>;
}

/**
 * Captures in one transaction: 60 MB of memory. Their keys are hashes, so each transaction changes pages all over the tree. With 20,000 a million captures
 * took 79 µs of CPU each, with these 61 (`npm run bench -- archive-index`).
 */
const AT_ONCE = 250_000;
/** Captures between two calls about the progress: some tenths of a second. */
const PROGRESS_EVERY = 10_000;
/** Damaged places that are named; the rest are counted. */
const MAX_NAMED = 5;

/**
 * Reads the files that the index does not have yet: after an interruption, the last one again.
 * @returns the WARC files, by their numbers in the index
 * @throws UsageError if the files are others than those of the index, or if one is missing; DataError for one that cannot be read; the reason of `signal`
 */
export async function readSources(index: ArchiveIndex, sources: ArchiveSources, options: SourceReading): Promise<readonly ArchiveFile[]> {
  const given = sourcesIn(sources);
  refuseOthers(given, index.sources);
  const known = new Set(index.sources.map(({ name }) => name));
  for (const source of given) if (!known.has(source.name)) await readSource(index, source, options);
  if (index.sources.every(({ captures }) => captures === 0))
    throw new DataError('the archive has no record of a page; give WARC files with responses, or an index with their places');
  const places = new Map(sources.warcs.map((place) => [place.name, place]));
  return index.names.map((name) => fileNamed(name, places, sources));
}

function sourcesIn({ warcs, indexes, remote }: ArchiveSources): readonly Source[] {
  const listed = remote === null ? indexes : [...indexes, remote.index];
  return [
    ...warcs.map((place) => ({ ...sizeOf(place), captures: (bad: (where: string) => void) => capturesOf(place, bad) })),
    ...listed.map((path) => ({ ...sizeOf(placeOfFile(path)), captures: (bad: (where: string) => void) => listedIn(path, bad) })),
  ];
}

function sizeOf({ name, begin, end }: WarcPlace): Pick<IndexedSource, 'name' | 'size'> {
  return { name, size: end - begin };
}

function listedIn(path: string, bad: (where: string) => void): AsyncIterable<Capture> {
  return capturesOfIndex(path, (line) => bad(`${path}: line ${line} has no URL, time, file and place of a record`));
}

/** @throws UsageError */
function refuseOthers(given: readonly Source[], indexed: readonly IndexedSource[]): void {
  const twice = given.find(({ name }, i) => given.findIndex((other) => other.name === name) < i);
  if (twice !== undefined) throw new UsageError(`--archive: two files are named ${twice.name}; rename one, or leave it out`);
  for (const { name, size } of indexed) {
    const same = given.find((source) => source.name === name);
    if (same === undefined)
      throw new UsageError(
        `--archive: ${name} is missing, with which the crawl was started; give all of its files, or start a new crawl directory`,
      );
    if (same.size !== size)
      throw new UsageError(
        `--archive: ${name} has ${same.size} bytes, and had ${size} when it was indexed; restore it, or start a new crawl directory`,
      );
  }
}

async function readSource(
  index: ArchiveIndex,
  { name, size, captures }: Source,
  { signal, onProgress, warn }: SourceReading,
): Promise<void> {
  const before = index.sources.reduce((sum, source) => sum + source.captures, 0);
  let [found, damaged] = [0, 0];
  let batch: (readonly [Buffer, Buffer])[] = [];
  const bad = (where: string) => {
    damaged += 1;
    if (damaged <= MAX_NAMED) warn(`${where}; skipped`);
  };
  const store = () => {
    index.add(batch);
    batch = [];
  };
  for await (const capture of captures(bad)) {
    const url = canonicalize(capture.url);
    if (url === null) continue;
    batch.push(packCapture(url, capture, index.numberOf(capture.filename)));
    found += 1;
    if (batch.length === AT_ONCE) store();
    if (found % PROGRESS_EVERY !== 0) continue;
    onProgress(name, before + found);
    signal.throwIfAborted();
  }
  store();
  if (damaged > MAX_NAMED) warn(`${name}: ${damaged} damaged places skipped`);
  index.finish({ name, size, captures: found, damaged });
}

/** The file that has a capture: given, or named by an index, which it lies beside or whose address is known. @throws UsageError */
function fileNamed(name: string, places: ReadonlyMap<string, WarcPlace>, { indexes, remote }: ArchiveSources): ArchiveFile {
  const place =
    places.get(name) ?? places.get(basename(name)) ?? indexes.map((path) => besideOf(path, name)).find((found) => found !== null);
  if (place !== undefined) return { kind: 'disk', place };
  if (remote !== null) return { kind: 'remote', url: new URL(name, remote.from.endsWith('/') ? remote.from : `${remote.from}/`).href };
  throw new UsageError(`--archive: an index names ${name}, which is not beside it; give that file too`);
}

/** A WARC file beside its index, or in the folder `archive` of a WACZ that was unpacked; null if it is not there. */
export function besideOf(index: string, name: string): WarcPlace | null {
  const folder = dirname(index);
  const found = [join(folder, name), join(folder, basename(name)), join(folder, '..', 'archive', basename(name))].find(isThere);
  return found === undefined ? null : placeOfFile(found);
}
