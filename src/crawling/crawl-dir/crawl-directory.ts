import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, isAbsolute, join, resolve } from 'node:path';
import * as z from 'zod';
import { digitsOf } from '../../base/core/checksum.ts';
import { DamageError, DataError, messageOf, StoreError, storeErrorFrom, UsageError } from '../../base/core/errors.ts';
import { flushAtOnce, isThere } from '../../base/core/on-disk.ts';
import { isPlainName } from '../../base/core/plain-names.ts';
import type { Topic } from '../../base/core/types.ts';
import { refuseFileInPath } from '../../base/disk/directories.ts';
import { FORMER, MANIFEST, PURGED, RETURNING, WITHDRAWN_FILE } from '../../base/disk/own-names.ts';
import { replaceFile } from '../../base/disk/replaced-file.ts';
import { isOfCrawl, refusePartOf } from '../../base/disk/whose.ts';
import { commandOn, foragerCommand } from '../../base/text/forager-command.ts';
import { Blank, pathWord, shellLine } from '../../base/text/shell-line.ts';
import { COMMANDS } from '../settings/commands.ts';
import { keptSchemaOf } from '../settings/derive.ts';
import { crawlsBelow } from './crawls-below.ts';

/** Layout of a crawl directory. Others are refused, except that of Forager 0.1. */
const FORMAT = 2;
const FIRST_FORMAT = 1;
const FIELD_RULES = 'fields.yaml';
const LINK_MODEL = 'link-model.json.gz';
const KNOWN = 'known.json';
const SUBTOPICS = 'subtopics.json';
const BIAS = 'bias.json';
const STABILITY = 'stability.json';
const WISHES = 'wishes.jsonl';
const LABELS = 'labels.jsonl';
const JUDGEMENTS = 'judgements.jsonl';
const SEEDS = 'seeds.txt';
const ROOM = 'room.json';
const OUTLOOKS = 'outlooks.json';
const WATCH = 'watch';
/** Lock and questions of the labelling. */
const LABELLING = 'labelling';
/** Id of a model, which is also the name of its folder. */
const modelId = z.string().refine(isPlainName, 'is not the name of a folder');

const runSchema = z.strictObject({
  startedAt: z.string(),
  /** null while it runs, or if it was killed. */
  endedAt: z.string().nullable(),
  stopReason: z.string().nullable(),
  maxPages: z.number().nullable(),
  maxTimeMs: z.number().nullable(),
});

/** A wish of a person about a subtopic. */
const wishSchema = z.strictObject({
  way: z.enum(['more', 'none']),
  id: z.string(),
  name: z.string(),
  at: z.string(),
  /** The person, where they gave a name. */
  by: z.string().optional(),
});
export type Wish = z.infer<typeof wishSchema>;

const relabellingSchema = z.strictObject({
  at: z.string(),
  /** The one of several topics that was trained; absent in a crawl of one. */
  topic: z.string().optional(),
  /** The model before, which judged the URLs settled until then. */
  from: modelId,
  /** The model after; the last one is the active model. */
  to: modelId,
  /** Labels it was trained with: y and n. */
  labels: z.number(),
  /** Answers of a language model it was trained with; absent for none. */
  modelAnswers: z.number().optional(),
  /** Unlabelled pages of the warm-up it was trained with; 0 if most of them looked on topic. Absent for a crawl without a warm-up. */
  pool: z.number().optional(),
  /** Lines of the label file at that time: they gave those labels. */
  lines: z.number(),
  /** URLs settled by then: all up to this one, in the order of settlement, were leased under `from` or an earlier model. */
  settled: z.number(),
  /** True if a retraining was undone: `to` is an earlier model that is active again. */
  undone: z.literal(true).optional(),
  /** True if the crawl started as a tangent of another, whose topic was `from`. */
  tangent: z.literal(true).optional(),
  /** The wishes about subtopics under `to`; `changed` if they are the change. Absent before the first wish. */
  wishes: z.strictObject({ active: z.array(wishSchema), changed: z.literal(true).optional() }).optional(),
});

/** A model trained with labels or with the warm-up that is not active, since held-out pages say that it is worse. */
const keptBesideSchema = z.strictObject({
  at: z.string(),
  /** Id of the model, and name of its folder in `models/`. */
  id: modelId,
  /** Number of unlabelled pages it was trained with, as in a relabelling. */
  pool: z.number().optional(),
  /** Labels it was trained with, and lines of the label file at that time. */
  labels: z.number(),
  lines: z.number(),
});

/** `id` is that of its model. */
const topicSchema = z.strictObject({ name: z.string(), id: modelId, threshold: z.number() });

/** One of several topics. `keptBeside`: the result of its last training if it was not activated; absent otherwise. */
const memberSchema = topicSchema.extend({ keptBeside: keptBesideSchema.optional() });

const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  /** Id of this crawl, also in its frontier and corpus. Crawls of Forager 0.1 get one with their next run. */
  id: z.string().nullable().default(null),
  software: z.string(),
  createdAt: z.string(),
  /** The active model. For several topics, their committee: its id is no model's, and its threshold is the common one (see `Committee`). */
  topic: topicSchema,
  /** Each of several topics, in the order in which they were named; empty if there is one. */
  topics: z.array(memberSchema).default([]),
  /**
   * The crawl of which this one started as a copy; null for none. `sha256`: digest of its manifest at that time, hex. `visited`, `settled`: numbers of its
   * visits and of its settled URLs.
   */
  from: z.strictObject({ dir: z.string(), sha256: z.string(), visited: z.number(), settled: z.number() }).nullable().default(null),
  /** The retrainings that led from the first model to the active one; empty if the first is active. */
  relabelled: z.array(relabellingSchema).default([]),
  /** The result of the last training if it was not activated; null otherwise, and for several topics, which have it each. */
  keptBeside: keptBesideSchema.nullable().default(null),
  /** Seeds in the order in which they were given; empty if `seedFile` has them. */
  seeds: z.array(z.string()),
  /** The valid part of `seeds.txt`, which has one seed per line, if there are too many for a manifest. Crawls of Forager 0.1 have all seeds above. */
  seedFile: z.strictObject({ count: z.number().int(), bytes: z.number().int(), sha256: z.string() }).nullable().default(null),
  /** Files of `--url-list`, by their full paths, in the order in which they were given. `urls`: number of URLs; null until all of them are in the frontier. */
  urlLists: z.array(z.strictObject({ path: z.string(), urls: z.number().int().nullable() })).default([]),
  userAgent: z.string(),
  /** SHA-256 of the crawl's copy of its field rules; null without rules. Crawls of Forager 0.1 have none. */
  fieldRules: z.string().nullable().default(null),
  /** SHA-256 of the file of hooks at the start of the last run; null without one. */
  hooksSha256: z.string().nullable().default(null),
  /** SHA-256 of the module that judges, or of the command; as `hooksSha256`. */
  judgeSha256: z.string().nullable().default(null),
  /** A strategy of the user: SHA-256 of its module at the start, and the scores of link words that it reads. null for one of Forager's. */
  ownStrategy: z
    .strictObject({ sha256: z.string(), judgement: z.enum(['none', 'context', 'anchor-and-context']) })
    .nullable()
    .default(null),
  /** Parts that a program replaced in some run (`crawlWith` of forager/parts), with the names of their replacements: of a scorer, that of its strategy. */
  replaced: z.record(z.string(), z.string()).default({}),
  /** Version of the corpus of `since`, as the last run read it; null without one. */
  sinceVersion: z.string().nullable().default(null),
  /** SHA-256 of the link model it started with; null without one. */
  linkModel: z.string().nullable().default(null),
  /** Languages in which the alternates of all kept pages are known: those of `alternates`, unless a run ended before it had read its kept pages again. */
  keptAlternates: z.union([z.literal('all'), z.array(z.string())]).default([]),
  ...keptSchemaOf(COMMANDS.crawl),
  runs: z.array(runSchema),
});

/** The readable part of a manifest of any version; requires nothing. */
const versionSchema = z
  .object({ format: z.unknown(), software: z.string().catch('unknown') })
  .catch({ format: undefined, software: 'unknown' });

/** The description of a crawl in its directory; null means "no limit". */
export type CrawlManifest = z.infer<typeof manifestSchema>;

/** The files of one crawl. */
export interface CrawlPaths {
  readonly dir: string;
  readonly manifest: string;
  /** The model that the crawl was started with, if it has one topic. */
  readonly model: string;
  /** Folder of the later models, or of the models of several topics, each under its id. */
  readonly models: string;
  readonly labels: string;
  /** Folder with the lock of the label file. */
  readonly labelling: string;
  /** File of seeds, for a crawl with many seeds. */
  readonly seeds: string;
  /** File of field rules, for a crawl that has some. */
  readonly fieldRules: string;
  /** File of the link model, for a crawl that started with one. */
  readonly linkModel: string;
  /** File of the pages known to be on topic, for a crawl that has some. */
  readonly known: string;
  /** File of the subtopics that `forager topics` found last. */
  readonly subtopics: string;
  /** Files of the last `corpus bias` and `stability`: see `measured-files.ts`. */
  readonly bias: string;
  readonly stability: string;
  /** File of the wishes about subtopics, for a crawl that has some. */
  readonly wishes: string;
  /** File of the judgements of a judge of the user, for a crawl that has some. */
  readonly judgements: string;
  /** List of the pages that were taken back, for a crawl that has some. */
  readonly withdrawn: string;
  /** The opt-out list of a crawl on several machines. */
  readonly optOut: string;
  readonly frontier: string;
  /** The file of the database, in `frontier`. */
  readonly database: string;
  /** File in `frontier` with the system identifier of the server that has the log, in a crawl on several machines. */
  readonly serverId: string;
  readonly corpus: string;
  /** Folder of the index of an archive, for a crawl of one. */
  readonly archive: string;
  /** The id of the corpus of a worker, in a crawl on several machines. */
  readonly corpusId: string;
  /** File of a worker: its corpus was repaired, and the database does not know yet. */
  readonly repaired: string;
  /** File of a gathered crawl: the parts of corpora that it has. */
  readonly gathered: string;
  readonly lock: string;
  /** Only while the crawl runs: see `room-points.ts`. */
  readonly room: string;
  /** Earlier outlooks: see `outlook-file.ts`. */
  readonly outlooks: string;
  /** Folder of the reports of `forager watch`, for a crawl that is watched. */
  readonly watch: string;
}

export function crawlPaths(dir: string): CrawlPaths {
  return {
    dir,
    manifest: join(dir, MANIFEST),
    model: join(dir, 'model'),
    models: join(dir, 'models'),
    labels: join(dir, LABELS),
    labelling: join(dir, LABELLING),
    seeds: join(dir, SEEDS),
    fieldRules: join(dir, FIELD_RULES),
    linkModel: join(dir, LINK_MODEL),
    known: join(dir, KNOWN),
    subtopics: join(dir, SUBTOPICS),
    bias: join(dir, BIAS),
    stability: join(dir, STABILITY),
    wishes: join(dir, WISHES),
    judgements: join(dir, JUDGEMENTS),
    withdrawn: join(dir, WITHDRAWN_FILE),
    optOut: join(dir, OWN_OPT_OUT),
    frontier: join(dir, 'frontier'),
    database: join(dir, 'frontier', 'data.mdb'),
    serverId: join(dir, 'frontier', 'server-id'),
    corpus: join(dir, 'corpus'),
    archive: join(dir, 'archive'),
    corpusId: join(dir, 'corpus-id'),
    repaired: join(dir, 'corpus-repaired'),
    gathered: join(dir, 'gathered.json'),
    lock: join(dir, 'lock'),
    room: join(dir, ROOM),
    outlooks: join(dir, OUTLOOKS),
    watch: join(dir, WATCH),
  };
}

/** The active wishes about subtopics, the first one first. */
export function wishesOf({ relabelled }: Pick<CrawlManifest, 'relabelled'>): readonly Wish[] {
  return relabelled.at(-1)?.wishes?.active ?? [];
}

/** The folder of the active model of a crawl of one topic. */
export function activeModel(paths: CrawlPaths, { topic, relabelled }: Pick<CrawlManifest, 'topic' | 'relabelled'>): string {
  return relabelled.length === 0 ? paths.model : join(paths.models, topic.id);
}

/** A topic of a crawl, and the folder of its model. */
export interface OwnTopic extends Topic {
  readonly folder: string;
}

/** The topics of a crawl: the active model, or each of several. */
export function topicsOf(paths: CrawlPaths, manifest: Pick<CrawlManifest, 'topic' | 'topics' | 'relabelled'>): readonly OwnTopic[] {
  if (manifest.topics.length === 0) return [{ ...manifest.topic, folder: activeModel(paths, manifest) }];
  return manifest.topics.map((topic) => ({ ...topic, folder: join(paths.models, topic.id) }));
}

/** One of the topics by its name. @throws UsageError with their names for another name */
export function topicNamed(paths: CrawlPaths, manifest: CrawlManifest, name: string): OwnTopic {
  const topics = topicsOf(paths, manifest);
  const found = topics.find((topic) => topic.name === name);
  if (found) return found;
  throw new UsageError(
    `--topic-name ${name}: no topic of the crawl in ${paths.dir}; it has ${topics.map((topic) => topic.name).join(', ')}`,
  );
}

/** The id to open the frontier with: see `openLmdbFrontier`. */
export function rejudgedBy({ topic, relabelled }: Pick<CrawlManifest, 'topic' | 'relabelled'>): string | null {
  return relabelled.length === 0 ? null : topic.id;
}

/** One labelling session at a time, which may be beside a running crawl. */
export function labelsLock(labelling: string): string {
  return join(labelling, 'lock');
}

/**
 * The crawl in a directory, or null if a new one can start there. Writes nothing.
 * @throws UsageError if the directory holds something else; DataError if its manifest is damaged.
 */
export function findCrawl(dir: string): CrawlManifest | null {
  refuseFileInPath(dir);
  refusePartOf(dir);
  const entries = entriesOf(dir);
  if (entries.includes(MANIFEST)) return readManifest(dir);
  const foreign = entries.filter((name) => !isOfCrawl(name));
  if (foreign.length === 0) return null;
  throw new UsageError(
    `${dir}: holds something other than a crawl (${foreign.slice(0, 3).join(', ')}); give another directory: Forager deletes only its own files`,
  );
}

/** The stored settings of the crawl that these options resume; null for a new one. @throws UsageError, DamageError */
export function resumedSettings({ dir, force }: { readonly dir?: unknown; readonly force?: unknown }): CrawlManifest | null {
  return typeof dir !== 'string' || force === true ? null : findCrawl(dir);
}

/** Is a crawl in the directory? @throws UsageError if the directory, or a folder above it, is a file */
export function isCrawlIn(dir: string): boolean {
  refuseFileInPath(dir);
  return isThere(join(dir, MANIFEST));
}

/** A gather that has no commit yet: it runs, or was killed. */
export function ungathered(dir: string): UsageError {
  return new UsageError(`${dir}: was not gathered yet; run the same ${foragerCommand('gather')} command again`);
}

/** @throws UsageError if a crawl was killed before it had a frontier, or a gather before its first commit. */
export function refuseUnstarted({ dir, frontier, gathered }: CrawlPaths): void {
  if (isThere(frontier)) return;
  if (isThere(gathered)) throw ungathered(dir);
  throw new UsageError(`${dir}: the crawl has not started; run the same ${foragerCommand('crawl')} command again`);
}

/**
 * A crawl that ran has a frontier: an empty one instead would know nothing of the corpus.
 * @throws StoreError
 */
export function refuseLostFrontier(manifest: { readonly runs: readonly unknown[] }, { dir, database }: CrawlPaths): void {
  if (manifest.runs.length === 0) return;
  const size = statSync(database, { throwIfNoEntry: false })?.size ?? null;
  if (size !== null && size > 0) return;
  throw new StoreError(
    'STORE_CORRUPT',
    `${database}: is ${size === null ? 'missing' : 'empty'}, but the crawl in ${dir} has run; restore it from a copy, or rebuild it from the corpus: ${commandOn('repair', dir)}`,
  );
}

/** An older manifest names an earlier model, other seeds, other settings. It is read again: a crawl may have started a run meanwhile. @throws StoreError */
export function refuseOlderManifest({ runs }: { readonly runs: number }, dir: string): void {
  const named = readManifest(dir).runs.length;
  if (named >= runs) return;
  throw new StoreError(
    'STORE_CORRUPT',
    `${join(dir, MANIFEST)}: names ${named} runs of the crawl, but the frontier knows ${runs}: this is an older copy; restore the newest one`,
  );
}

/** A frontier or corpus without a manifest belongs to a crawl that lost its manifest: a new crawl here would delete it. @throws StoreError */
export function refuseLostManifest({ dir, database, corpus }: CrawlPaths): void {
  const files = [database, ...entriesOf(corpus).map((name) => join(corpus, name))];
  const found = files.find((path) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0);
  if (found === undefined) return;
  throw new StoreError(
    'STORE_CORRUPT',
    `${join(dir, MANIFEST)}: is missing, but files of a crawl are here (${found}); restore it from a copy, or give another directory`,
  );
}

/** Labels are a person's work: a crawl with labels is not replaced. @throws UsageError */
export function refuseLabels({ dir, labels: ofOneTopic, labelling }: CrawlPaths): void {
  const files = [ofOneTopic, ...entriesOf(labelling).map((name) => join(labelling, name, LABELS))];
  const labels = files.find((path) => isThere(path));
  if (labels !== undefined)
    throw new UsageError(
      `${dir}: has labels, which --force would separate from their crawl; move ${labels} elsewhere first, or give another directory`,
    );
}

/** The files and folders of a crawl. The manifest is last: without it, the others would belong to nobody. */
export function ownPaths(paths: CrawlPaths): readonly string[] {
  const { model, models, labelling, seeds, fieldRules, linkModel, frontier, corpus, corpusId, repaired, gathered, room, outlooks } = paths;
  return [
    model,
    models,
    labelling,
    seeds,
    fieldRules,
    linkModel,
    paths.known,
    paths.subtopics,
    paths.bias,
    paths.stability,
    paths.wishes,
    paths.judgements,
    paths.withdrawn,
    frontier,
    corpus,
    paths.archive,
    corpusId,
    repaired,
    gathered,
    room,
    outlooks,
    paths.watch,
    paths.manifest,
  ];
}

/** Delete a crawl, but nothing else in its directory. @throws StoreError */
export function clearCrawl(paths: CrawlPaths): void {
  try {
    for (const path of ownPaths(paths)) rmSync(path, { recursive: true, force: true });
  } catch (error) {
    throw storeErrorFrom(error, 'clearing the crawl directory', paths.dir);
  }
}

/** The folder of a project has its crawls one or two folders below. */
function noCrawl(dir: string): UsageError {
  const [near, ...others] = crawlsBelow(dir);
  const remedy =
    near === undefined
      ? `start one with: ${commandOn('crawl', dir, '--topic', new Blank('model'), '--seeds', new Blank('url'))}`
      : `there is one in ${shellLine([pathWord(near)])}${others.length === 0 ? '' : `, and ${others.length} more below ${dir}`}; give that folder`;
  return new UsageError(`${dir}: no crawl is here (no ${MANIFEST}); ${remedy}`);
}

/** @throws UsageError if there is no crawl; DataError if its manifest is damaged or of another version. */
export function readManifest(dir: string): CrawlManifest {
  const path = join(dir, MANIFEST);
  const isHere = isCrawlIn(dir);
  if (!isHere && [FORMER, RETURNING].some((name) => isThere(join(dir, name))))
    throw new StoreError(
      'STORE_IO',
      `${dir}: forager crawl --force was stopped here before its first page; the former crawl is kept, and comes back with: ${commandOn('status', dir)}`,
    );
  if (!isHere) throw noCrawl(dir);
  if (isThere(join(dir, PURGED)))
    throw new StoreError(
      'STORE_IO',
      `${dir}: a purge is in its last step, or was stopped there; this command ends it: ${commandOn('status', dir)}`,
    );
  const manifest = manifestOf(jsonOf(path), path);
  return { ...manifest, optOut: optOutFrom(dir, manifest.optOut) };
}

/** Name of the list of hosts that the directory has of its own: a moved directory keeps it. */
export const OWN_OPT_OUT = 'opt-out.txt';

/** The list as a manifest names it: the own one by its name, another one by its full path. */
function optOutIn(dir: string, path: string | null): string | null {
  return path !== null && resolve(path) === resolve(dir, OWN_OPT_OUT) ? OWN_OPT_OUT : path;
}

/** The path of a list that a manifest names. Versions up to 0.2 wrote the own one as seen from the folder in which they ran. */
function optOutFrom(dir: string, named: string | null): string | null {
  return named === null || isAbsolute(named) ? named : join(dir, basename(named));
}

/**
 * @param path for messages
 * @throws DataError if it is damaged or of another version
 */
export function manifestOf(content: unknown, path: string): CrawlManifest {
  const { format, software } = versionSchema.parse(content);
  if (typeof format === 'number' && format !== FORMAT && format !== FIRST_FORMAT)
    throw new DataError(
      `${path}: is of crawl format ${format}, but this program reads ${FORMAT}; use the version that wrote it (${software}), or start a new crawl directory`,
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
  /** The credit of a removed option. */
  gamma: z.unknown().optional(),
});

/** Converts a manifest of the first format to this one; returns any other unchanged. */
function ofThisFormat(content: unknown): unknown {
  const first = firstFormatSchema.safeParse(content);
  if (!first.success) return content;
  const { format: _, gamma: __, delayMs: delay, patienceMs: patience, expansion, ...rest } = first.data;
  return { ...rest, format: FORMAT, delay, patience, ...expansion };
}

/** @throws DataError if the checksum is wrong */
function withoutChecksum(content: unknown, path: string): unknown {
  if (typeof content !== 'object' || content === null || !('crc32' in content)) return content;
  const { crc32: checksum, ...rest } = content;
  if (checksum === checksumOf(rest)) return rest;
  throw new DamageError(
    `${path}: was changed after Forager wrote it (its checksum is wrong); restore it from a copy, or, if you changed it yourself, remove its field crc32`,
  );
}

/** Checksum of the JSON without spaces, so that the layout does not matter: CRC-32, eight hexadecimal digits. */
function checksumOf(content: object): string {
  return digitsOf(JSON.stringify(content));
}

function jsonOf(path: string): unknown {
  const text = textOf(path);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw damaged(path, messageOf(error), error);
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new DamageError(`${path}: cannot be read (${messageOf(error)}); restore it from a copy`, { cause: error });
  }
}

function damaged(path: string, why: string, cause: unknown): DataError {
  return new DamageError(`${path}: is damaged (${why}); restore it from a copy, or start a new crawl directory`, { cause });
}

/** Replace the manifest in one step, so that a crash leaves the old one or the new one. */
export function writeManifest(dir: string, manifest: CrawlManifest): void {
  const path = join(dir, MANIFEST);
  try {
    const stored = { ...manifest, optOut: optOutIn(dir, manifest.optOut) };
    const content = { ...stored, crc32: checksumOf(stored) };
    replaceFile(path, `${JSON.stringify(content, null, 2)}\n`);
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
