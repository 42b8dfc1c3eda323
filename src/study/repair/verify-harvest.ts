/** Checks of the corpus of a harvest: every file by its SHA-256, the records of WARC files by their digests, and the counts of the card. */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DamageError, DataError, messageOf } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import { CARD_FILE } from '../../corpus/describe/card-markdown.ts';
import type { CorpusCard } from '../../corpus/describe/corpus-card.ts';
import { CHECKSUMS_FILE, checksumsIn, MAX_CHECKSUMS } from '../../corpus/describe/descriptions/checksums.ts';
import { WARC_NAME } from '../../corpus/formats/harvest-warc.ts';
import { OMITTED_FILE } from '../../corpus/formats/omitted-file.ts';
import { isTextFileName } from '../../corpus/formats/page-names.ts';
import { cardOf } from '../../corpus/harvest/folder-source.ts';
import { byteLines } from '../../corpus/records/records.ts';
import { examinedWarc } from '../../corpus/records/warc-faults.ts';
import { hashOfFile } from '../../corpus/select/hashed-file.ts';
import type { Check, LookAt } from './verify-check.ts';

/** The examined corpus: data from earlier checks for later ones. */
export class ExaminedCorpus {
  readonly dir: string;
  /** null if it cannot be read. */
  card: CorpusCard | null = null;
  /** Checksums by file name; those of the card if the list of checksums cannot be read. */
  sums: ReadonlyMap<string, string> = new Map();
  /** Files that have changed since they were written, or that are missing. */
  readonly damaged = new Set<string>();
  readonly notes: string[] = [];

  constructor(dir: string) {
    this.dir = dir;
  }

  path(name: string): string {
    return join(this.dir, name);
  }
}

const CARD = 'card and checksums';
const NO_CARD = 'the card is damaged';
const TEXT_INDEX = 'text/index.tsv';
/** Text of a page, as the crawl cuts it: far below this. */
const MAX_TEXT: Bytes = 64 * 1024 * 1024;

const needsCard = ({ card }: ExaminedCorpus) => (card === null ? NO_CARD : null);
const has = (corpus: ExaminedCorpus, format: string) => corpus.card?.harvest.formats.includes(format) ?? false;

/** Checks of a folder of sentence pairs, whose card has its checksum in the list too. */
export const PAIRS_CHECKS: readonly Check<ExaminedCorpus>[] = [
  { name: CHECKSUMS_FILE, faults: sumFaults },
  { name: 'files', faults: fileFaults },
];

/** Checks in this order: later ones use data of earlier ones. */
export const HARVEST_CHECKS: readonly Check<ExaminedCorpus>[] = [
  { name: CARD, faults: cardFaults },
  { name: 'files', faults: fileFaults },
  {
    name: 'text files',
    skips: (corpus) =>
      needsCard(corpus) ??
      (!has(corpus, 'text') ? 'the corpus has none' : corpus.damaged.has(TEXT_INDEX) ? `${TEXT_INDEX} is damaged` : null),
    faults: textFaults,
  },
  {
    name: 'WARC records',
    skips: (corpus) => needsCard(corpus) ?? (has(corpus, 'warc') ? null : 'the corpus has none'),
    faults: warcFaults,
  },
  {
    name: OMITTED_FILE,
    skips: (corpus) => needsCard(corpus) ?? (corpus.sums.has(OMITTED_FILE) ? null : 'the corpus has none'),
    faults: omissionFaults,
  },
];

async function* sumFaults(corpus: ExaminedCorpus, look: LookAt): AsyncGenerator<string> {
  const path = corpus.path(CHECKSUMS_FILE);
  const size = (await stat(path).catch(() => null))?.size;
  if (size === undefined) yield `${path}: is missing; restore it from a copy`;
  else yield* readSums(corpus, path, size);
  await look();
}

/** Reads the list of checksums. */
async function* readSums(corpus: ExaminedCorpus, path: string, size: Bytes): AsyncGenerator<string> {
  try {
    if (size > MAX_CHECKSUMS)
      throw new DamageError(`${path}: has ${size} bytes, and at most ${MAX_CHECKSUMS} are read; restore it from a copy`);
    corpus.sums = checksumsIn(await readFile(path, 'utf8'), path);
  } catch (error) {
    corpus.damaged.add(CHECKSUMS_FILE);
    yield* faultFrom(error);
  }
}

async function* cardFaults(corpus: ExaminedCorpus, look: LookAt): AsyncGenerator<string> {
  const path = corpus.path(CHECKSUMS_FILE);
  const size = (await stat(path).catch(() => null))?.size;
  if (size !== undefined) yield* readSums(corpus, path, size);
  const sums = corpus.sums.size > 0 ? corpus.sums : null;
  await look();
  const card = corpus.path(CARD_FILE);
  const isThere = (await stat(card).catch(() => null))?.isFile() ?? false;
  const sum = sums?.get(CARD_FILE);
  try {
    if (!isThere) yield `${card}: is missing; restore it from a copy`;
    // The check of the files names a changed card: nothing is measured by it.
    else if (sum === undefined || (await hashOfFile(card)).sha256 === sum) corpus.card = await cardOf(corpus.dir);
  } catch (error) {
    yield* faultFrom(error);
  }
  await look();
  corpus.sums = sums ?? new Map(corpus.card?.files.map(({ name, sha256 }) => [name, sha256]));
  if (size !== undefined) return;
  // Harvests have the version of their pages as long as the list.
  if (corpus.card?.version !== undefined) yield `${path}: is missing; restore it from a copy`;
  else
    corpus.notes.push(
      `${corpus.dir}: has no ${CHECKSUMS_FILE}, as harvests of earlier versions; files that the card does not name were not checked`,
    );
}

/** The size and the SHA-256 of each file. */
async function* fileFaults(corpus: ExaminedCorpus, look: LookAt): AsyncGenerator<string> {
  const sizes = new Map(corpus.card?.files.map(({ name, bytes }) => [name, bytes]));
  for (const [name, sha256] of corpus.sums) {
    await look();
    const path = corpus.path(name);
    const found = await stat(path).catch(() => null);
    const expected = sizes.get(name);
    if (found?.isFile() && (expected === undefined || expected === found.size) && (await hashOfFile(path)).sha256 === sha256) continue;
    corpus.damaged.add(name);
    if (!found?.isFile()) yield `${path}: is missing; restore it from a copy`;
    else {
      const size =
        expected !== undefined && expected !== found.size ? `has ${found.size} bytes and had ${expected}` : 'its SHA-256 is another';
      yield `${path}: has changed since it was written (${size}); restore it from a copy`;
    }
  }
}

/** The files under `text/`, by the hashes of their index. */
async function* textFaults(corpus: ExaminedCorpus, look: LookAt): AsyncGenerator<string> {
  let rows = 0;
  const lines = byteLines(corpus.path(TEXT_INDEX), Number.POSITIVE_INFINITY);
  try {
    for await (const line of lines) {
      const cells = line.toString('utf8').split('\t');
      const [name = '', , , , , , sha256 = '', id = ''] = cells;
      if (rows++ === 0) continue;
      await look();
      if (!isTextFileName(name)) {
        yield `${corpus.path(TEXT_INDEX)}: line ${rows} names no text file`;
        continue;
      }
      const path = corpus.path(`text/${name}`);
      const found = await stat(path).catch(() => null);
      if (!found?.isFile()) yield `${path}: is missing; the text of record ${id}; restore it from a copy`;
      else if (found.size > MAX_TEXT || (await textSha256(path)) !== sha256)
        yield `${path}: has changed since it was written; the text of record ${id}; restore it from a copy`;
    }
  } catch (error) {
    yield* faultFrom(error);
  }
  const expected = corpus.card?.textFiles?.count;
  if (expected !== undefined && expected !== Math.max(0, rows - 1))
    yield `${corpus.path(TEXT_INDEX)}: has ${rows - 1} rows, and the card counts ${expected} texts`;
}

async function textSha256(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

/** Checksums and digests of each record, and the pages whose response cannot be read. */
async function* warcFaults(corpus: ExaminedCorpus, look: LookAt): AsyncGenerator<string> {
  const names = (await readdir(corpus.dir)).filter((name) => WARC_NAME.test(name)).sort();
  for (const name of names) {
    try {
      for await (const { fault } of examinedWarc(corpus.path(name), Number.POSITIVE_INFINITY)) {
        if (fault !== null) yield fault;
        await look();
      }
    } catch (error) {
      yield* faultFrom(error);
    }
  }
}

/** The counts of the reasons. */
async function* omissionFaults(corpus: ExaminedCorpus, look: LookAt): AsyncGenerator<string> {
  const path = corpus.path(OMITTED_FILE);
  const counts = new Map<string, number>();
  let number = 0;
  try {
    for await (const line of byteLines(path, Number.POSITIVE_INFINITY)) {
      number++;
      await look();
      const { id, reason } = rowOf(line);
      if (typeof id !== 'string' || typeof reason !== 'string') yield `${path}:${number}: lacks the id or the reason of an omitted page`;
      counts.set(String(reason), (counts.get(String(reason)) ?? 0) + 1);
    }
  } catch (error) {
    yield* faultFrom(error);
  }
  for (const [reason, expected] of Object.entries(corpus.card?.records.leftOut ?? {}))
    if ((counts.get(reason) ?? 0) !== expected)
      yield `${path}: has ${counts.get(reason) ?? 0} pages omitted by ${reason}, and the card counts ${expected}`;
}

function rowOf(line: Buffer): { readonly id?: unknown; readonly reason?: unknown } {
  try {
    const row: unknown = JSON.parse(line.toString('utf8'));
    return typeof row === 'object' && row !== null ? row : {};
  } catch {
    return {};
  }
}

function* faultFrom(error: unknown): Generator<string> {
  if (!(error instanceof DataError)) throw error;
  yield messageOf(error);
}
