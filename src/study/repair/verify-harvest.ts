/** Checks of the corpus of a harvest: every file, every record id in every format, and the counts of the card. */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DamageError, DataError, messageOf } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import { CARD_FILE } from '../../corpus/describe/card-markdown.ts';
import type { CorpusCard } from '../../corpus/describe/corpus-card.ts';
import { CHECKSUMS_FILE, checksumsIn, MAX_CHECKSUMS } from '../../corpus/describe/descriptions/checksums.ts';
import { OMITTED_FILE } from '../../corpus/formats/omitted-file.ts';
import type { OutputFormat } from '../../corpus/formats/output-format.ts';
import { OUTPUT_FORMATS } from '../../corpus/formats/output-formats.ts';
import { isTextFileName } from '../../corpus/formats/page-names.ts';
import { WARC_NAME } from '../../corpus/formats/record-ids.ts';
import { damagedRecords, idsOfSums, RECORD_SUMS_FILE } from '../../corpus/formats/record-sums.ts';
import { cardOf } from '../../corpus/harvest/folder-source.ts';
import { byteLines } from '../../corpus/records/records.ts';
import { examinedWarc } from '../../corpus/records/warc-faults.ts';
import { CorpusVersion } from '../../corpus/select/corpus-version.ts';
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
  /** The ids of the pages, by the format or file that has them. null before they are known. */
  ids: { readonly from: string; readonly all: ReadonlySet<string> } | null = null;
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
/** Records that are named for one file. */
const NAMED = 20;
/** Text of a page, as the crawl cuts it: far below this. */
const MAX_TEXT: Bytes = 64 * 1024 * 1024;

const needsCard = ({ card }: ExaminedCorpus) => (card === null ? NO_CARD : null);
const has = (corpus: ExaminedCorpus, format: string) => corpus.card?.harvest.formats.includes(format) ?? false;

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
  { name: 'record ids', skips: needsCard, faults: idFaults },
  {
    name: OMITTED_FILE,
    skips: (corpus) => needsCard(corpus) ?? (corpus.sums.has(OMITTED_FILE) ? null : 'the corpus has none'),
    faults: omissionFaults,
  },
];

async function* cardFaults(corpus: ExaminedCorpus, look: LookAt): AsyncGenerator<string> {
  const path = corpus.path(CHECKSUMS_FILE);
  const size = (await stat(path).catch(() => null))?.size;
  let sums: ReadonlyMap<string, string> | null = null;
  try {
    if (size !== undefined && size > MAX_CHECKSUMS)
      throw new DamageError(`${path}: has ${size} bytes, and at most ${MAX_CHECKSUMS} are read; restore it from a copy`);
    if (size !== undefined) sums = checksumsIn(await readFile(path, 'utf8'), path);
  } catch (error) {
    corpus.damaged.add(CHECKSUMS_FILE);
    yield* faultFrom(error);
  }
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
  if (corpus.sums.has(RECORD_SUMS_FILE)) yield `${path}: is missing; restore it from a copy`;
  else
    corpus.notes.push(
      `${corpus.dir}: has no ${CHECKSUMS_FILE}, as harvests of earlier versions; files that the card does not name were not checked`,
    );
}

/** The size and the SHA-256 of each file; of a file that differs, the records that do. */
async function* fileFaults(corpus: ExaminedCorpus, look: LookAt): AsyncGenerator<string> {
  const sizes = new Map(corpus.card?.files.map(({ name, bytes }) => [name, bytes]));
  const sumsFirst = [...corpus.sums].sort(([a], [b]) => Number(b === RECORD_SUMS_FILE) - Number(a === RECORD_SUMS_FILE));
  for (const [name, sha256] of sumsFirst) {
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
      yield `${path}: has changed since it was written (${size}${await recordsText(corpus, name)}); restore it from a copy`;
    }
  }
}

async function recordsText(corpus: ExaminedCorpus, name: string): Promise<string> {
  if (corpus.damaged.has(RECORD_SUMS_FILE) || !corpus.sums.has(RECORD_SUMS_FILE)) return '';
  const { rows } = (OUTPUT_FORMATS.find((format: OutputFormat) => format.rows?.file === name) as OutputFormat | undefined) ?? {};
  const found = rows ? rows.damaged(corpus.dir, NAMED) : damagedRecords(corpus.path(RECORD_SUMS_FILE), corpus.path(name), name, NAMED);
  const names = await found.catch(() => []);
  const ids = names.filter((one) => one.startsWith('urn:'));
  const records = ids.length === 0 ? [] : [`${ids.length === 1 ? 'record' : 'records'} ${ids.join(', ')}`];
  return [...names.filter((one) => !ids.includes(one)), ...records].map((one) => `; ${one}`).join('');
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

/** Each format has all pages, once. */
async function* idFaults(corpus: ExaminedCorpus, look: LookAt): AsyncGenerator<string> {
  const { card } = corpus;
  if (card === null) return;
  const formats: readonly OutputFormat[] = OUTPUT_FORMATS.filter(({ name }) => has(corpus, name));
  const sources: (readonly [string, AsyncIterable<string | null>, OutputFormat | null])[] = [];
  if (corpus.sums.has(RECORD_SUMS_FILE) && !corpus.damaged.has(RECORD_SUMS_FILE))
    sources.push([RECORD_SUMS_FILE, idsOfSums(corpus.path(RECORD_SUMS_FILE)), null]);
  for (const format of formats) if (format.ids) sources.push([format.name, format.ids(corpus.dir), format]);
  for (const [name, ids, format] of sources) {
    const lacks = format?.textOnly ? null : format?.copies ? card.damaged.warc : 0;
    try {
      yield* faultsOfIds(corpus, card, { name, ids, lacks }, look);
    } catch (error) {
      yield* faultFrom(error);
    }
  }
}

interface IdSource {
  readonly name: string;
  readonly ids: AsyncIterable<string | null>;
  /** Number of pages that it lacks; null if it is unknown. */
  readonly lacks: number | null;
}

async function* faultsOfIds(
  corpus: ExaminedCorpus,
  { records: { kept }, version }: CorpusCard,
  { name, ids, lacks }: IdSource,
  look: LookAt,
): AsyncGenerator<string> {
  const found = new Set<string>();
  const where = `${corpus.dir}: ${name}`;
  for await (const id of ids) {
    await look();
    if (id === null) yield `${where} has a row without a record id`;
    else if (found.has(id)) yield `${where} has record ${id} twice`;
    else if (corpus.ids && !corpus.ids.all.has(id)) yield `${where} has record ${id}, and ${corpus.ids.from} lacks it`;
    if (id !== null) found.add(id);
  }
  if (lacks === null) return;
  const missing = corpus.ids === null ? [] : [...corpus.ids.all].filter((id) => !found.has(id));
  if (missing.length > lacks) for (const id of missing) yield `${where} lacks record ${id}, and ${corpus.ids?.from ?? ''} has it`;
  if (found.size !== kept - lacks) yield `${where} has ${found.size} pages, and the card counts ${kept - lacks}`;
  if (corpus.ids !== null) return;
  corpus.ids = { from: name, all: found };
  if (version !== undefined && version !== versionOf(found)) yield `${where} has other pages than the version of the card (${version})`;
}

function versionOf(ids: ReadonlySet<string>): string {
  const version = new CorpusVersion();
  for (const id of ids) version.add(id as Parameters<CorpusVersion['add']>[0]);
  return version.digest();
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
      else if (corpus.ids?.all.has(id)) yield `${path}:${number}: record ${id} is in the corpus also`;
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
