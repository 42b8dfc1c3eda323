import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { CrawlerError, storeErrorFrom, UsageError } from '../../base/core/errors.ts';
import type { EpochMs } from '../../base/core/types.ts';
import { PAIRS_CARD_FILE } from '../../base/disk/own-names.ts';
import { replaceFile } from '../../base/disk/replaced-file.ts';
import { hiddenBesideOf } from '../../base/disk/work-folder.ts';

const ENDING = '.forager-pairs';
const STATE = 'state.json';
/** All files of the folder. A folder with another one is not ours. */
export const WORK_FILES = {
  pages: 'pages.jsonl',
  pagesTable: 'pages.tsv',
  pairs: 'page-pairs.jsonl',
  paired: 'paired.json',
  learning: 'learning.jsonl',
  table: 'table.bin',
  aligned: 'aligned.jsonl',
} as const;

const stateSchema = z.looseObject({ fingerprint: z.string(), at: z.number(), card: z.string().optional() });
type WorkState = z.infer<typeof stateSchema>;

/**
 * The folder beside an output in which the work on page pairs is kept until they are written. Its owner has claimed the output, so no other command uses it.
 */
export class PairsWork {
  readonly #path: string;
  #state: WorkState;

  private constructor(path: string, state: WorkState) {
    [this.#path, this.#state] = [path, state];
  }

  /**
   * Continues the work of a command that was stopped, if it was the same work; otherwise starts it.
   * @param target place of the output
   * @param fingerprint of all options that the work depends on
   * @throws UsageError for a folder with other files; StoreError
   */
  static open(target: string, fingerprint: string, now: EpochMs): PairsWork {
    const path = hiddenBesideOf(target, ENDING);
    try {
      mkdirSync(path, { recursive: true });
      const foreign = readdirSync(path).find((name) => !isOwn(name));
      if (foreign !== undefined)
        throw new UsageError(`${path}: holds ${foreign}, which is not of Forager; move it elsewhere, or give another --out`);
      const state = stateIn(join(path, STATE));
      if (state?.fingerprint === fingerprint) return new PairsWork(path, state);
      const work = new PairsWork(path, { fingerprint, at: now });
      work.startAgain(now);
      return work;
    } catch (error) {
      throw error instanceof CrawlerError ? error : storeErrorFrom(error, 'making a folder for the work', path);
    }
  }

  /** Time of the start of the work. */
  get at(): EpochMs {
    return this.#state.at;
  }

  /** Removes all that was done. @throws StoreError */
  startAgain(now: EpochMs): void {
    this.#state = { ...this.#state, at: now };
    try {
      // The state goes first: without it, no command takes the other files for its own.
      for (const name of [STATE, ...readdirSync(this.#path)]) rmSync(join(this.#path, name), { force: true });
      replaceFile(join(this.#path, STATE), JSON.stringify(this.#state));
    } catch (error) {
      throw storeErrorFrom(error, 'starting the work', this.#path);
    }
  }

  path(name: keyof typeof WORK_FILES): string {
    return join(this.#path, WORK_FILES[name]);
  }

  /** Content of a file that is written in one step; null if it is not there. @throws StoreError */
  read(name: keyof typeof WORK_FILES): Buffer | null {
    return contentOf(this.path(name));
  }

  /** Writes a file in one step: it is there with its whole content, or not at all. @throws StoreError */
  write(name: keyof typeof WORK_FILES, content: string | Uint8Array): void {
    try {
      replaceFile(this.path(name), content);
    } catch (error) {
      throw storeErrorFrom(error, 'storing finished work', this.path(name));
    }
  }

  /** Marks the work as done. @param card the card that is published next @throws StoreError */
  finish(card: Uint8Array): void {
    this.#state = { ...this.#state, card: digestOf(card) };
    try {
      replaceFile(join(this.#path, STATE), JSON.stringify(this.#state));
    } catch (error) {
      throw storeErrorFrom(error, 'finishing the work', this.#path);
    }
  }

  /** Removes the folder, when all is published. @throws StoreError */
  end(): void {
    try {
      // The state goes last: it tells a command after a kill that the rest can go.
      for (const name of readdirSync(this.#path)) if (name !== STATE) rmSync(join(this.#path, name));
      rmSync(this.#path, { recursive: true });
    } catch (error) {
      throw storeErrorFrom(error, 'ending the work', this.#path);
    }
  }

  /** Removes the work of a command that was killed when it had published. @param target place of the output @throws StoreError */
  static endPublished(target: string): void {
    const path = hiddenBesideOf(target, ENDING);
    const state = stateIn(join(path, STATE));
    if (state?.card === undefined) return;
    const card = contentOf(join(target, PAIRS_CARD_FILE));
    if (card !== null && state.card === digestOf(card)) new PairsWork(path, state).end();
  }
}

function contentOf(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw storeErrorFrom(error, 'reading finished work', path);
  }
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function isOwn(name: string): boolean {
  return [STATE, ...Object.values(WORK_FILES)].some((own) => name === own || name === `${own}.tmp`);
}

/** null if there is none that can be read: then the work starts again. */
function stateIn(path: string): WorkState | null {
  try {
    return stateSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}
