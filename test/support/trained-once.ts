/** Training takes seconds of a core, and most tests that want a model want the same. */
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type TrainOptions, train } from 'forager';
import { madeOnce } from './made-once.ts';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

/**
 * What `train` makes of these options, for tests that are not about training: a copy, where this run has trained from the same files by the same code.
 * Without word vectors, which take a second of each training and retraining, and have tests of their own.
 */
export async function trainedOnce(given: TrainOptions): Promise<string> {
  const options: TrainOptions = given.keywords === undefined ? { wordVectors: 'none', ...given } : given;
  const { out } = options;
  const made = await madeOnce(keyOf(options), (folder) => train({ ...options, out: join(folder, basename(out)) }));
  cpSync(join(made, basename(out)), out, { recursive: true });
  return out;
}

/** Of the code that trains: thousands of files, read once a process. */
let code: string | null = null;

function codeDigest(): string {
  const hash = createHash('sha256');
  hashFiles(hash, DIST);
  return hash.digest('hex');
}

function keyOf({ examples, irrelevant = [], background = [], out, ...rest }: TrainOptions): string {
  code ??= codeDigest();
  const hash = createHash('sha256').update(JSON.stringify([code, basename(out), rest]));
  for (const inputs of [examples, irrelevant, background]) {
    hash.update('\0');
    for (const input of inputs) hashFiles(hash, input);
  }
  return hash.digest('hex').slice(0, 20);
}

function hashFiles(hash: ReturnType<typeof createHash>, path: string): void {
  if (!statSync(path).isDirectory()) {
    hash.update(readFileSync(path));
    return;
  }
  for (const name of readdirSync(path).sort()) hashFiles(hash.update(name), join(path, name));
}
