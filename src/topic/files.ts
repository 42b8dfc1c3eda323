import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { ModelError, storeErrorFrom, UsageError } from '../core/errors.ts';
import { type ModelCard, modelCardSchema, storedCardSchema } from './card.ts';
import { tokenizerFingerprint } from './feature-names.ts';
import { BUCKETS } from './features.ts';
import { LinearTopicModel, type ModelSettings, TABLE_BYTES, tableBytes, tablesFrom } from './model.ts';
import { readBytes, readJson, UNIT } from './schema.ts';
import { encodeTraining, type StoredTraining, TRAINING_FILE } from './training-file.ts';

const FORMAT = 'forager-topic-model';
/** 2: words of URLs are features, kinds of features have equal lengths, rules. 3: all visible text, and Han characters. */
const VERSION = 4;
export const MODEL_FILE = 'model.json';
const WEIGHTS_FILE = 'weights.bin';
const CARD_FILE = 'card.json';
const REMEDY = 'train the topic again';

const modelFileSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.number(),
  name: z.string(),
  bias: z.number(),
  threshold: UNIT,
  factors: z.strictObject({ bigram: z.number(), character: z.number(), title: z.number(), url: z.number() }),
  idfStep: z.number().positive(),
  tokenizer: z.number(),
  extractor: z.string(),
  rule: z.string().nullable(),
  template: z.array(z.number().int()),
  buckets: z.number(),
  /** Of settings and tables, see `modelDigest`. */
  sha256: z.string(),
});
type ModelFile = z.infer<typeof modelFileSchema>;

/** The fields of all versions. */
const versionSchema = z.object({ format: z.literal(FORMAT), version: z.number() });

/**
 * Writes model.json, weights.bin, card.json and, if given, the training rows, as one step: into a new folder next to `dir`, which then takes its
 * place.
 * @throws UsageError if `dir` contains anything other than a model, or is a model and `force` is not set
 * @throws StoreError if the disk fails
 */
export async function saveModel(
  dir: string,
  model: LinearTopicModel,
  card: ModelCard,
  options: { readonly force?: boolean; readonly training?: StoredTraining } = {},
): Promise<void> {
  const target = resolve(dir);
  const replaces = await checkTarget(target, options.force ?? false);
  try {
    await mkdir(dirname(target), { recursive: true });
    const fresh = join(dirname(target), `.${basename(target)}.new-${randomUUID()}`);
    await mkdir(fresh);
    try {
      await writeParts(fresh, model, card);
      if (options.training !== undefined)
        await writeSynced(join(fresh, TRAINING_FILE), await encodeTraining(options.training, model.scale));
      await takePlace(fresh, target, replaces);
    } finally {
      await rm(fresh, { recursive: true, force: true });
    }
  } catch (error) {
    throw storeErrorFrom(error, 'saving a model', target);
  }
}

/** @returns whether `target` is something that may be replaced. */
async function checkTarget(target: string, force: boolean): Promise<boolean> {
  const entries = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    if (error.code === 'ENOTDIR') throw new UsageError(`${target}: is a file; name a folder for the model`);
    throw storeErrorFrom(error, 'saving a model', target);
  });
  if (entries === null) return false;
  if (entries.length === 0) return true;
  const known = new Set([MODEL_FILE, WEIGHTS_FILE, CARD_FILE, TRAINING_FILE]);
  if (!entries.includes(MODEL_FILE) || entries.some((name) => !known.has(name)))
    throw new UsageError(`${target}: holds something other than a model; name another folder`);
  if (!force) throw new UsageError(`${target}: holds a model already; name another folder, or --force to replace it`);
  return true;
}

async function writeParts(dir: string, model: LinearTopicModel, card: ModelCard): Promise<void> {
  const template = [...model.settings.template];
  const file: ModelFile = { format: FORMAT, version: VERSION, ...model.settings, template, buckets: BUCKETS, sha256: model.sha256 };
  await writeSynced(join(dir, WEIGHTS_FILE), tableBytes(model.tables));
  await writeSynced(join(dir, CARD_FILE), json(modelCardSchema.parse(card)));
  await writeSynced(join(dir, MODEL_FILE), json(file));
}

async function writeSynced(path: string, content: string | Uint8Array): Promise<void> {
  const handle = await open(path, 'wx');
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** A folder cannot be renamed to a full one, so the old model is renamed first and removed last. */
async function takePlace(fresh: string, target: string, replaces: boolean): Promise<void> {
  if (!replaces) return rename(fresh, target);
  const old = `${fresh}.old`;
  await rename(target, old);
  try {
    await rename(fresh, target);
  } catch (error) {
    await rename(old, target);
    throw error;
  }
  await rm(old, { recursive: true, force: true });
}

/**
 * @param remedy the next step for a damaged model: the end of the message
 * @param otherVersion the next step for a model of another version
 * @throws ModelError naming the file: missing, not JSON, of another format, truncated, or changed since it was saved
 */
export async function loadModel(dir: string, remedy = REMEDY, otherVersion = remedy): Promise<LinearTopicModel> {
  const path = join(dir, MODEL_FILE);
  const { version } = await readJson(path, versionSchema, remedy);
  if (version !== VERSION) throw new ModelError(`${path}: is of format version ${version}, this program reads ${VERSION}; ${otherVersion}`);
  const file = await readJson(path, modelFileSchema, remedy);
  if (file.buckets !== BUCKETS || file.tokenizer !== tokenizerFingerprint())
    throw new ModelError(`${path}: was trained with another way of splitting words; ${otherVersion}`);
  const weightsPath = join(dir, WEIGHTS_FILE);
  const bytes = await readBytes(weightsPath, remedy);
  if (bytes.length !== TABLE_BYTES) throw new ModelError(`${weightsPath}: has ${bytes.length} bytes, not ${TABLE_BYTES}; ${remedy}`);
  const model = modelOf(path, file, bytes, remedy);
  if (model.sha256 !== file.sha256) throw new ModelError(`${dir}: ${MODEL_FILE} and ${WEIGHTS_FILE} do not match the checksum; ${remedy}`);
  return model;
}

function modelOf(path: string, file: ModelFile, bytes: Uint8Array, remedy: string): LinearTopicModel {
  try {
    return new LinearTopicModel(settingsOf(file), tablesFrom(bytes));
  } catch (error) {
    if (error instanceof UsageError) throw new ModelError(`${path}: ${error.message}; ${remedy}`, { cause: error });
    throw error;
  }
}

function settingsOf({ name, bias, threshold, factors, idfStep, tokenizer, extractor, rule, template }: ModelFile): ModelSettings {
  return { name, bias, threshold, factors, idfStep, tokenizer, extractor, rule, template };
}

/** @throws ModelError */
export function loadCard(dir: string): Promise<ModelCard> {
  return readJson(join(dir, CARD_FILE), storedCardSchema, REMEDY);
}
