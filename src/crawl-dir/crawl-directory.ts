import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { digitsOf } from '../core/checksum.ts';
import { DamageError, DataError, messageOf, StoreError, storeErrorFrom, UsageError } from '../core/errors.ts';
import { flushAtOnce } from '../core/on-disk.ts';
import type { Topic } from '../core/types.ts';
import { COMMANDS } from '../settings/commands.ts';
import { keptSchemaOf } from '../settings/derive.ts';
import { refuseFileInPath } from './directories.ts';
import { isOwnLock } from './lock.ts';

/** Layout of a crawl directory; another one is refused, but for that of Forager 0.1. */
const FORMAT = 2;
const FIRST_FORMAT = 1;
const MANIFEST = 'crawl.json';
const FIELD_RULES = 'fields.yaml';
const LINK_MODEL = 'link-model.json.gz';
const LABELS = 'labels.jsonl';
const SEEDS = 'seeds.txt';
/** What a crawl that was killed in its first moment may have left. */
const OURS: ReadonlySet<string> = new Set([
  MANIFEST,
  `${MANIFEST}.tmp`,
  FIELD_RULES,
  LINK_MODEL,
  SEEDS,
  'model',
  'models',
  'frontier',
  'corpus',
  'lock',
]);

const runSchema = z.strictObject({
  startedAt: z.string(),
  /** null while it runs, or when it was killed. */
  endedAt: z.string().nullable(),
  stopReason: z.string().nullable(),
  maxPages: z.number().nullable(),
  maxTimeMs: z.number().nullable(),
});

const relabellingSchema = z.strictObject({
  at: z.string(),
  /** The model before, which judged what was settled until then. */
  from: z.string(),
  /** The model after; the last one is the crawl's. */
  to: z.string(),
  /** Labels it was trained with: y and n. */
  labels: z.number(),
  /** Lines of the label file that were there: what they came to are those labels. */
  lines: z.number(),
  /** URLs settled by then: those up to this one in the order of settlement were leased under `from`, or a model before it. */
  settled: z.number(),
  /** True where a relabelling was taken back: `to` is an earlier model, put in force again. */
  undone: z.literal(true).optional(),
});

/** A model trained with labels that held-out labels say is worse than the one in force. */
const keptBesideSchema = z.strictObject({
  at: z.string(),
  /** Its folder in `models/`. */
  id: z.string(),
  /** Labels it was trained with, and lines of the label file that were there. */
  labels: z.number(),
  lines: z.number(),
});

/** `id` is that of its model. */
const topicSchema = z.strictObject({ name: z.string(), id: z.string(), threshold: z.number() });

const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  /** Of this crawl, in its frontier and corpus too. Crawls of Forager 0.1 have one from their next run on. */
  id: z.string().nullable().default(null),
  software: z.string(),
  createdAt: z.string(),
  /** The model in force. Of several topics what they come to together: no model has that id, and the threshold is their common one (see `Committee`). */
  topic: topicSchema,
  /** Each of several topics, in the order they were named; empty where there is one. */
  topics: z.array(topicSchema).default([]),
  /** How the model in force came from that the crawl was begun with; empty when it is that. */
  relabelled: z.array(relabellingSchema).default([]),
  /** What the last training came to, where it was not put in force; null otherwise. */
  keptBeside: keptBesideSchema.nullable().default(null),
  /** In the order they were given; empty where `seedFile` has them. */
  seeds: z.array(z.string()),
  /** Of more seeds than a manifest takes: what counts of `seeds.txt`, which has one a line. Crawls of Forager 0.1 have them all above. */
  seedFile: z.strictObject({ count: z.number().int(), bytes: z.number().int(), sha256: z.string() }).nullable().default(null),
  userAgent: z.string(),
  /** SHA-256 of the crawl's copy of its field rules; null without. Crawls of Forager 0.1 have none. */
  fieldRules: z.string().nullable().default(null),
  /** SHA-256 of the link model it began with; null without. */
  linkModel: z.string().nullable().default(null),
  ...keptSchemaOf(COMMANDS.crawl),
  runs: z.array(runSchema),
});

/** What can be read of a manifest of any version; nothing is demanded here. */
const versionSchema = z
  .object({ format: z.unknown(), software: z.string().catch('unknown') })
  .catch({ format: undefined, software: 'unknown' });

/** What a crawl directory says of its crawl; null stands for "no limit". */
export type CrawlManifest = z.infer<typeof manifestSchema>;

/** The files of one crawl. */
export interface CrawlPaths {
  readonly dir: string;
  readonly manifest: string;
  /** The model the crawl was begun with, where it is one. */
  readonly model: string;
  /** Folder of those that came after it, or of each of several topics, each under its id. */
  readonly models: string;
  readonly labels: string;
  /** Of a crawl with many. */
  readonly seeds: string;
  /** Of a crawl with field rules. */
  readonly fieldRules: string;
  /** Of a crawl that began with one. */
  readonly linkModel: string;
  readonly frontier: string;
  /** In it: the file of the database. */
  readonly database: string;
  readonly corpus: string;
  readonly lock: string;
}

export function crawlPaths(dir: string): CrawlPaths {
  return {
    dir,
    manifest: join(dir, MANIFEST),
    model: join(dir, 'model'),
    models: join(dir, 'models'),
    labels: join(dir, LABELS),
    seeds: join(dir, SEEDS),
    fieldRules: join(dir, FIELD_RULES),
    linkModel: join(dir, LINK_MODEL),
    frontier: join(dir, 'frontier'),
    database: join(dir, 'frontier', 'data.mdb'),
    corpus: join(dir, 'corpus'),
    lock: join(dir, 'lock'),
  };
}

/** The folder of the model in force, of a crawl of one topic. */
export function modelInForce(paths: CrawlPaths, { topic, relabelled }: Pick<CrawlManifest, 'topic' | 'relabelled'>): string {
  return relabelled.length === 0 ? paths.model : join(paths.models, topic.id);
}

/** A topic of a crawl, and the folder of its model. */
export interface OwnTopic extends Topic {
  readonly folder: string;
}

/** The topics of a crawl: the one in force, or each of several. */
export function topicsOf(paths: CrawlPaths, manifest: Pick<CrawlManifest, 'topic' | 'topics' | 'relabelled'>): readonly OwnTopic[] {
  if (manifest.topics.length === 0) return [{ ...manifest.topic, folder: modelInForce(paths, manifest) }];
  return manifest.topics.map((topic) => ({ ...topic, folder: join(paths.models, topic.id) }));
}

/** One of them by its name. @throws UsageError naming them when it is none of them */
export function topicNamed(paths: CrawlPaths, manifest: CrawlManifest, name: string): OwnTopic {
  const topics = topicsOf(paths, manifest);
  const found = topics.find((topic) => topic.name === name);
  if (found) return found;
  throw new UsageError(
    `--topic-name ${name}: no topic of the crawl in ${paths.dir}; it has ${topics.map((topic) => topic.name).join(', ')}`,
  );
}

/** Labels speak of one topic, and the model they train is in force for all pages. @throws UsageError for a crawl of several */
export function refuseSeveralTopics({ topics }: CrawlManifest, dir: string): void {
  if (topics.length > 0)
    throw new UsageError(
      `${dir}: is a crawl of ${topics.length} topics, and labels are of one; begin a crawl with one of them (--topic) to label it, or use this one with forager harvest --topic-name <name>`,
    );
}

/** The id to open the frontier with: see `openLmdbFrontier`. */
export function rejudgedBy({ topic, relabelled }: Pick<CrawlManifest, 'topic' | 'relabelled'>): string | null {
  return relabelled.length === 0 ? null : topic.id;
}

/**
 * The crawl in a directory, or null when a new one can begin there. Writes nothing.
 * @throws UsageError when it holds something else; DataError when its manifest is damaged.
 */
export function findCrawl(dir: string): CrawlManifest | null {
  refuseFileInPath(dir);
  const entries = entriesOf(dir);
  if (entries.includes(MANIFEST)) return readManifest(dir);
  const foreign = entries.filter((name) => !OURS.has(name) && !isOwnLock(name));
  if (foreign.length === 0) return null;
  throw new UsageError(
    `${dir}: holds something other than a crawl (${foreign.slice(0, 3).join(', ')}); give another directory, Forager deletes only what it wrote`,
  );
}

/** @throws UsageError when a crawl was killed before it had a frontier. */
export function refuseNotBegun({ dir, frontier }: CrawlPaths): void {
  if (!existsSync(frontier)) throw new UsageError(`${dir}: the crawl has not begun; run the same forager crawl command again`);
}

/**
 * A crawl that ran has a frontier: an empty one in its place knows nothing of the corpus.
 * @throws StoreError
 */
export function refuseLostFrontier(manifest: { readonly runs: readonly unknown[] }, { dir, database }: CrawlPaths): void {
  if (manifest.runs.length === 0) return;
  const size = statSync(database, { throwIfNoEntry: false })?.size ?? null;
  if (size !== null && size > 0) return;
  throw new StoreError(
    'STORE_CORRUPT',
    `${database}: is ${size === null ? 'missing' : 'empty'}, though the crawl in ${dir} has run; restore it from a copy, or make it again from the corpus: forager repair ${dir}`,
  );
}

/** A manifest that is an older copy names an earlier model, other seeds, other manners. It is read again: a crawl may have begun a run meanwhile. @throws StoreError */
export function refuseOlderManifest({ runs }: { readonly runs: number }, dir: string): void {
  const named = readManifest(dir).runs.length;
  if (named >= runs) return;
  throw new StoreError(
    'STORE_CORRUPT',
    `${join(dir, MANIFEST)}: names ${named} runs of the crawl, and the frontier knows of ${runs}: it is an older copy; restore the one that was in its place`,
  );
}

/** A frontier or corpus without its manifest is a crawl that has lost it: to begin another one in its place would delete it. @throws StoreError */
export function refuseLostManifest({ dir, database, corpus }: CrawlPaths): void {
  const files = [database, ...entriesOf(corpus).map((name) => join(corpus, name))];
  const found = files.find((path) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0);
  if (found === undefined) return;
  throw new StoreError(
    'STORE_CORRUPT',
    `${join(dir, MANIFEST)}: is missing, though the files of a crawl are here (${found}); restore it from a copy, or give another directory`,
  );
}

/** Labels are a person's work: a crawl that has some is not replaced. @throws UsageError */
export function refuseLabels({ dir, labels }: CrawlPaths): void {
  if (existsSync(labels))
    throw new UsageError(
      `${dir}: has labels, which --force would part from their crawl; move ${labels} elsewhere first, or give another directory`,
    );
}

/** Delete a crawl, and nothing else that may be in its directory. @throws StoreError */
export function clearCrawl({ dir, manifest, model, models, seeds, fieldRules, linkModel, frontier, corpus }: CrawlPaths): void {
  try {
    // The manifest last: without it, what is left would be nobody's.
    for (const path of [model, models, seeds, fieldRules, linkModel, frontier, corpus, manifest])
      rmSync(path, { recursive: true, force: true });
  } catch (error) {
    throw storeErrorFrom(error, 'clearing the crawl directory', dir);
  }
}

/** @throws UsageError when there is no crawl; DataError when its manifest is damaged or of another version. */
export function readManifest(dir: string): CrawlManifest {
  const path = join(dir, MANIFEST);
  if (!existsSync(path))
    throw new UsageError(`${dir}: no crawl is here (no ${MANIFEST}); start one with: forager crawl ${dir} --topic <model> --seeds <url>`);
  const content = jsonOf(path);
  const { format, software } = versionSchema.parse(content);
  if (typeof format === 'number' && format !== FORMAT && format !== FIRST_FORMAT)
    throw new DataError(
      `${path}: is of crawl format ${format}, this program reads ${FORMAT}; use the version that wrote it (${software}), or start a new crawl directory`,
    );
  const parsed = manifestSchema.safeParse(ofThisFormat(withoutChecksum(content, path)));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw damaged(path, `${issue?.path.join('.') || 'content'}: ${issue?.message ?? 'not understood'}`, parsed.error);
}

const firstFormatSchema = z.looseObject({
  format: z.literal(FIRST_FORMAT),
  delayMs: z.unknown(),
  patienceMs: z.unknown(),
  expansion: z.looseObject({}),
  /** The credit of an option that is no more. */
  gamma: z.unknown().optional(),
});

/** A manifest of the first format in the words of this one; any other as it is. */
function ofThisFormat(content: unknown): unknown {
  const first = firstFormatSchema.safeParse(content);
  if (!first.success) return content;
  const { format: _, gamma: __, delayMs: delay, patienceMs: patience, expansion, ...rest } = first.data;
  return { ...rest, format: FORMAT, delay, patience, ...expansion };
}

/** @throws DataError when it is not that of the rest */
function withoutChecksum(content: unknown, path: string): unknown {
  if (typeof content !== 'object' || content === null || !('crc32' in content)) return content;
  const { crc32: checksum, ...rest } = content;
  if (checksum === checksumOf(rest)) return rest;
  throw new DamageError(
    `${path}: is not what Forager wrote (its checksum is wrong); restore it from a copy, or, if you changed it yourself, take the field crc32 out of it`,
  );
}

/** Of the JSON without spaces, so that the form it stands in does not matter: CRC-32, eight hexadecimal digits. */
function checksumOf(content: object): string {
  return digitsOf(JSON.stringify(content));
}

function jsonOf(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw damaged(path, messageOf(error), error);
  }
}

function damaged(path: string, why: string, cause: unknown): DataError {
  return new DamageError(`${path}: is damaged (${why}); restore it from a copy, or start a new crawl directory`, { cause });
}

/** Replace the manifest in one step, so that a crash leaves the old one or the new one. */
export function writeManifest(dir: string, manifest: CrawlManifest): void {
  const path = join(dir, MANIFEST);
  try {
    // On disk before it takes the place of the one before: a power loss leaves the one or the other.
    const content = { ...manifest, crc32: checksumOf(manifest) };
    writeFileSync(`${path}.tmp`, `${JSON.stringify(content, null, 2)}\n`, { flush: true });
    renameSync(`${path}.tmp`, path);
    flushAtOnce(dir);
  } catch (error) {
    throw storeErrorFrom(error, 'writing the manifest', path);
  }
}

function entriesOf(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw storeErrorFrom(error, 'reading the directory', dir);
  }
}
