import { readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { ModelError, ModelVersionError, storeErrorFrom, UsageError } from '../../base/core/errors.ts';
import { Output, type OutputKind } from '../../base/disk/output.ts';
import { MODEL_FILE, MODEL_NAMES } from '../../base/disk/own-names.ts';
import { type ModelCard, modelCardSchema, storedCardSchema } from './card.ts';
import { tokenizerFingerprint } from './feature-names.ts';
import { BUCKETS } from './features.ts';
import { LinearTopicModel, type ModelSettings, type ModelTables, tableBytes, tablesFrom } from './model.ts';
import { readBytes, readJson, UNIT } from './schema.ts';
import { encodeTraining, type StoredTraining, TRAINING_FILE } from './training-file.ts';

const FORMAT = 'forager-topic-model';
/** 2: words of URLs are features, kinds of features have equal lengths, rules. 3: all visible text, and Han characters. 5: with word vectors. 6: with punctuation. 7: with wishes about subtopics. */
const VERSION = 4;
const VERSION_WITH_VECTORS = 5;
const VERSION_WITH_PUNCTUATION = 6;
const VERSION_WITH_STEERING = 7;
const VERSIONS: readonly number[] = [VERSION, VERSION_WITH_VECTORS, VERSION_WITH_PUNCTUATION, VERSION_WITH_STEERING];

export { MODEL_FILE };

const WEIGHTS_FILE = 'weights.bin';
export const MODEL_CARD_FILE = 'card.json';
const REMEDY = 'train the topic again';

export const steerSchema = z.strictObject({
  way: z.enum(['more', 'none']),
  id: z.string(),
  name: z.string(),
  place: z.number().int().nonnegative(),
  subtopics: z
    .array(z.strictObject({ buckets: z.array(z.number().int().nonnegative()).readonly(), weights: z.array(z.number()).readonly() }))
    .readonly(),
});

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
  punctuation: z.literal(true).optional(),
  wordVectors: z.strictObject({ name: z.string(), sha256: z.string(), step: z.number().positive() }).optional(),
  steering: z.array(steerSchema).readonly().optional(),
  buckets: z.number(),
  /** Digest of settings and tables, see `modelDigest`. */
  sha256: z.string(),
});
type ModelFile = z.infer<typeof modelFileSchema>;

/** The fields of all versions. */
const versionSchema = z.object({ format: z.literal(FORMAT), version: z.number() });

/** A folder with a model, as an output. */
export const MODEL_OUTPUT = {
  name: 'a model',
  form: 'folder',
  earlier: (folder) => (readdirSync(folder).includes(MODEL_FILE) ? MODEL_NAMES : null),
} as const satisfies OutputKind;

export interface SavedModel {
  readonly model: LinearTopicModel;
  readonly card: ModelCard;
  readonly training?: StoredTraining | undefined;
}

/**
 * Writes model.json, weights.bin, card.json and, if given, the training rows, as one step.
 * @throws UsageError if `dir` contains anything other than a model, or is a model and `force` is not set
 * @throws StoreError if the disk fails, or another command writes there
 */
export async function saveModel(
  dir: string,
  model: LinearTopicModel,
  card: ModelCard,
  options: { readonly force?: boolean; readonly training?: StoredTraining; readonly isOwn?: boolean } = {},
): Promise<void> {
  await publishModel(await Output.claim(dir, MODEL_OUTPUT, options), { model, card, training: options.training });
}

/** Writes a model to a claimed folder, and publishes it. @throws StoreError */
export async function publishModel(output: Output, { model, card, training }: SavedModel): Promise<void> {
  try {
    await writeParts(output.path, model, card);
    if (training !== undefined) await writeSynced(join(output.path, TRAINING_FILE), await encodeTraining(training, model.scale));
    await output.publish();
  } catch (error) {
    throw storeErrorFrom(error, 'saving a model', output.target);
  } finally {
    await output.abandon();
  }
}

async function writeParts(dir: string, model: LinearTopicModel, card: ModelCard): Promise<void> {
  const template = [...model.settings.template];
  const version = versionOf(model.settings);
  const file: ModelFile = { format: FORMAT, version, ...model.settings, template, buckets: BUCKETS, sha256: model.sha256 };
  await writeSynced(join(dir, WEIGHTS_FILE), tableBytes(model.tables));
  await writeSynced(join(dir, MODEL_CARD_FILE), json(modelCardSchema.parse(card)));
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

/**
 * @param remedy the next step for a damaged model: the end of the message
 * @param otherVersion the next step for a model of another version
 * @throws ModelError naming the file: missing, not JSON, of another format, truncated, or changed since it was saved
 */
export async function loadModel(dir: string, remedy = REMEDY, otherVersion = remedy): Promise<LinearTopicModel> {
  const path = join(dir, MODEL_FILE);
  const { version } = await readJson(path, versionSchema, remedy);
  if (!VERSIONS.includes(version))
    throw new ModelVersionError(`${path}: is of format version ${version}, this program reads ${VERSIONS.join(', ')}; ${otherVersion}`);
  const file = await readJson(path, modelFileSchema, remedy);
  if (version !== versionOf(file)) {
    const written = `${file.wordVectors ? '' : 'no '}word vectors and ${file.punctuation ? '' : 'no '}punctuation`;
    throw new ModelError(`${path}: is of format version ${version}, but has ${written}; ${remedy}`);
  }
  if (file.buckets !== BUCKETS || file.tokenizer !== tokenizerFingerprint())
    throw new ModelVersionError(`${path}: was trained with another way of splitting words; ${otherVersion}`);
  const weightsPath = join(dir, WEIGHTS_FILE);
  const bytes = await readBytes(weightsPath, remedy);
  const tables = tablesFrom(bytes, file.wordVectors);
  if (tables === null) throw new ModelError(`${weightsPath}: has ${bytes.length} bytes, which do not fit ${MODEL_FILE}; ${remedy}`);
  const model = modelOf(path, file, tables, remedy);
  if (model.sha256 !== file.sha256) throw new ModelError(`${dir}: ${MODEL_FILE} and ${WEIGHTS_FILE} do not match the checksum; ${remedy}`);
  return model;
}

function versionOf({ punctuation, wordVectors, steering }: Pick<ModelFile, 'punctuation' | 'wordVectors' | 'steering'>): number {
  if (steering !== undefined) return VERSION_WITH_STEERING;
  if (punctuation === true) return VERSION_WITH_PUNCTUATION;
  return wordVectors === undefined ? VERSION : VERSION_WITH_VECTORS;
}

function modelOf(path: string, file: ModelFile, tables: ModelTables, remedy: string): LinearTopicModel {
  try {
    return new LinearTopicModel(settingsOf(file), tables);
  } catch (error) {
    if (error instanceof UsageError) throw new ModelError(`${path}: ${error.message}; ${remedy}`, { cause: error });
    throw error;
  }
}

function settingsOf({
  name,
  bias,
  threshold,
  factors,
  idfStep,
  tokenizer,
  extractor,
  rule,
  template,
  punctuation,
  wordVectors,
  steering,
}: ModelFile): ModelSettings {
  const own = { name, bias, threshold, factors, idfStep, tokenizer, extractor, rule, template };
  return { ...own, ...(punctuation && { punctuation }), ...(wordVectors && { wordVectors }), ...(steering && { steering }) };
}

/** @throws ModelError */
export function loadCard(dir: string): Promise<ModelCard> {
  return readJson(join(dir, MODEL_CARD_FILE), storedCardSchema, REMEDY);
}
