import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { storeErrorFrom, UsageError } from '../../base/core/errors.ts';
import type { EpochMs } from '../../base/core/types.ts';
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

const stateSchema = z.looseObject({ fingerprint: z.string(), at: z.number() });

/**
 * The folder beside an output in which the work on page pairs is kept until they are written. Its owner has claimed the output, so no other command uses it.
 */
export class PairsWork {
  /** Time of the first start of the work. */
  readonly at: EpochMs;
  readonly #path: string;

  private constructor(path: string, at: EpochMs) {
    [this.#path, this.at] = [path, at];
  }

  /**
   * Continues the work of a command that was stopped, if it was the same work; otherwise starts it.
   * @param target place of the output
   * @param fingerprint of the source and of all options that the work depends on
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
      if (state?.fingerprint === fingerprint) return new PairsWork(path, state.at);
      // The state goes first: without it, no command takes the other files for its own.
      for (const name of [STATE, ...readdirSync(path)]) rmSync(join(path, name), { force: true });
      replaceFile(join(path, STATE), JSON.stringify({ fingerprint, at: now }));
      return new PairsWork(path, now);
    } catch (error) {
      throw error instanceof UsageError ? error : storeErrorFrom(error, 'making a folder for the work', path);
    }
  }

  path(name: keyof typeof WORK_FILES): string {
    return join(this.#path, WORK_FILES[name]);
  }

  /** Content of a file that is written in one step; null if it is not there. @throws StoreError */
  read(name: keyof typeof WORK_FILES): Buffer | null {
    try {
      return readFileSync(this.path(name));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw storeErrorFrom(error, 'reading finished work', this.path(name));
    }
  }

  /** Writes a file in one step: it is there with its whole content, or not at all. @throws StoreError */
  write(name: keyof typeof WORK_FILES, content: string | Uint8Array): void {
    try {
      replaceFile(this.path(name), content);
    } catch (error) {
      throw storeErrorFrom(error, 'storing finished work', this.path(name));
    }
  }

  /** Removes a file that is to be made again. */
  clear(name: keyof typeof WORK_FILES): void {
    rmSync(this.path(name), { force: true });
  }

  /** Moves the folder into another one, which is removed when all is written. @throws StoreError */
  endIn(folder: string): void {
    try {
      mkdirSync(folder, { recursive: true });
      renameSync(this.#path, join(folder, 'work'));
    } catch (error) {
      throw storeErrorFrom(error, 'ending the work', this.#path);
    }
  }
}

function isOwn(name: string): boolean {
  return [STATE, ...Object.values(WORK_FILES)].some((own) => name === own || name === `${own}.tmp`);
}

/** null if there is none that can be read: then the work starts again. */
function stateIn(path: string): z.infer<typeof stateSchema> | null {
  try {
    return stateSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}
