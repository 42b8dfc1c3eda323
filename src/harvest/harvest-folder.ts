import { mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { storeErrorFrom, UsageError } from '../core/errors.ts';
import type { Bytes } from '../core/types.ts';
import { CARD_FILE } from './card-markdown.ts';
import { CARD_FORMATS } from './corpus-card.ts';
import type { CorpusFileFacts } from './harvest-facts.ts';
import { HashedFile } from './hashed-file.ts';

/** Folder of temporary files. */
const SCRATCH = '.scratch';

/** A finished file of a harvest that is not published yet. */
export interface LocalFile {
  /** Path inside the corpus, with slashes. */
  readonly name: string;
  readonly path: string;
  readonly bytes: Bytes;
}

/** A harvest that is being written: a folder next to `out`, which takes its place when everything is done. */
export class HarvestFolder {
  readonly #out: string;
  readonly #partial: string;
  readonly #open = new Map<string, HashedFile>();
  readonly #renamed = new Map<string, string>();
  readonly #scratch: HashedFile[] = [];
  readonly #finished: CorpusFileFacts[] = [];
  readonly #closers: (() => void)[] = [];

  private constructor(out: string) {
    this.#out = out;
    this.#partial = `${out}.harvest-partial`;
  }

  /**
   * Creates the folder next to `out`, and replaces the remains of an interrupted harvest.
   * @param sources the folders that the pages are read from
   * @param force an earlier harvest at `out` may be replaced
   * @throws UsageError if `out` contains anything else; StoreError
   */
  static async create(out: string, sources: readonly string[], force: boolean): Promise<HarvestFolder> {
    const folder = new HarvestFolder(resolve(out));
    for (const dir of sources) refuseToReplace(dir, folder.#out);
    try {
      await restoreInterrupted(folder.#out);
      await refuseOccupied(folder.#out, force);
      await rm(folder.#partial, { recursive: true, force: true });
      await mkdir(folder.#partial, { recursive: true });
    } catch (error) {
      throw error instanceof UsageError ? error : storeErrorFrom(error, 'making the harvest folder', folder.#out);
    }
    return folder;
  }

  /** A new file; its path inside the folder is its name in the card. @throws StoreError */
  async file(name: string): Promise<HashedFile> {
    const file = await this.#created(name);
    this.#open.set(name, file);
    return file;
  }

  /** Finishes a file of this folder and stores its size and hash. @throws StoreError */
  async finish(name: string): Promise<void> {
    const file = this.#open.get(name);
    if (file === undefined) return;
    this.list(name, await file.finish());
    this.#open.delete(name);
  }

  /** Gives a finished file another name, in the same folder and on the card. @throws StoreError */
  async rename(name: string, to: string): Promise<void> {
    const at = this.#finished.findIndex((file) => file.name === name);
    const file = this.#finished[at];
    if (file === undefined || name === to) return;
    const path = join(this.#partial, name);
    await rename(path, join(this.#partial, to)).catch((error: unknown) => {
      throw storeErrorFrom(error, 'renaming a file of the harvest', path);
    });
    this.#finished[at] = { ...file, name: to };
    this.#renamed.set(name, to);
  }

  /** The path of a file in this folder while it is written, for a library that writes the file itself. */
  path(name: string): string {
    return join(this.#partial, name);
  }

  /** Lists a finished file of this folder. */
  list(name: string, facts: Omit<CorpusFileFacts, 'name'>): void {
    this.#finished.push({ name, ...facts });
  }

  /** Removes a file that is not part of the corpus. @throws StoreError */
  async remove(name: string): Promise<void> {
    await rm(this.path(name)).catch((error: unknown) => {
      throw storeErrorFrom(error, 'removing a file of the harvest', this.path(name));
    });
  }

  /** Called before the files are removed, if the harvest fails: it closes a file that a library holds open. */
  onDiscard(close: () => void): void {
    this.#closers.push(close);
  }

  /** Writes a whole file that the card does not name. @throws StoreError; also if the file exists */
  async write(name: string, bytes: Uint8Array): Promise<void> {
    const path = join(this.#partial, name);
    await writeFile(path, bytes, { flag: 'wx' }).catch((error: unknown) => {
      throw storeErrorFrom(error, 'writing the harvest', path);
    });
  }

  /** A new temporary file, which is not part of the corpus. `publish` and `discard` remove it. @throws StoreError */
  async scratch(name: string): Promise<HashedFile> {
    const file = await this.#created(join(SCRATCH, name));
    this.#scratch.push(file);
    return file;
  }

  /** The files that are being written, by name. */
  get openFiles(): ReadonlyMap<string, HashedFile> {
    return this.#open;
  }

  /** The name of a finished file, by the name it was opened with. */
  finalName(name: string): string {
    return this.#renamed.get(name) ?? name;
  }

  /** The finished files, in that order. */
  get files(): readonly CorpusFileFacts[] {
    return this.#finished;
  }

  /** A folder for temporary files, which `publish` removes. It may not exist. */
  get scratchDir(): string {
    return join(this.#partial, SCRATCH);
  }

  /** All files of the corpus on disk, also those that the card does not name, sorted by name. Removes temporary files. @throws StoreError */
  async allFiles(): Promise<LocalFile[]> {
    const files: LocalFile[] = [];
    try {
      await rm(this.scratchDir, { recursive: true, force: true });
      for (const entry of await readdir(this.#partial, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name);
        files.push({ name: relative(this.#partial, path).split(sep).join('/'), path, bytes: (await stat(path)).size });
      }
    } catch (error) {
      throw storeErrorFrom(error, 'reading the harvest', this.#partial);
    }
    return files.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Moves the folder to `out`. @throws StoreError */
  async publish(): Promise<void> {
    const old = replacedName(this.#out);
    try {
      await rm(this.scratchDir, { recursive: true, force: true });
      if (await hasEntries(this.#out)) {
        await rm(old, { recursive: true, force: true });
        await rename(this.#out, old);
      } else await rmdir(this.#out).catch(ignoreMissing);
      await rename(this.#partial, this.#out);
      await rm(old, { recursive: true, force: true });
    } catch (error) {
      throw storeErrorFrom(error, 'putting the harvest in place', this.#out);
    }
  }

  /** Removes all temporary files. */
  async discard(): Promise<void> {
    for (const close of this.#closers) close();
    for (const file of [...this.#open.values(), ...this.#scratch]) await file.abandon();
    await rm(this.#partial, { recursive: true, force: true });
  }

  async #created(name: string): Promise<HashedFile> {
    const path = join(this.#partial, name);
    await mkdir(dirname(path), { recursive: true }).catch((error: unknown) => {
      throw storeErrorFrom(error, 'making the harvest folder', dirname(path));
    });
    return HashedFile.create(path);
  }
}

function replacedName(out: string): string {
  return `${out}.harvest-replaced`;
}

/** `--force` must never remove the crawl together with the old harvest. */
function refuseToReplace(corpusDir: string, out: string): void {
  const inside = relative(out, resolve(corpusDir));
  const isBeside = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  if (!isBeside) {
    throw new UsageError(`${out}: holds the crawl's own corpus (${corpusDir}); give another output folder`);
  }
}

/** A harvest that was killed between its two renames has moved the old one away: move it back. */
async function restoreInterrupted(out: string): Promise<void> {
  if (await exists(out)) return;
  await rename(replacedName(out), out).catch(ignoreMissing);
}

async function refuseOccupied(out: string, force: boolean): Promise<void> {
  if (!(await exists(out))) return;
  if (!(await stat(out)).isDirectory()) throw new UsageError(`${out}: is a file; give a folder for the harvest`);
  if (!(await hasEntries(out))) return;
  const holds = await holdsHarvest(out);
  if (!force && holds)
    throw new UsageError(`${out}: holds a harvest already; give another --out, or see in forager harvest --help how to replace it`);
  if (!holds) {
    throw new UsageError(`${out}: holds something that is not a harvest (no ${CARD_FILE} of ours); give another output folder`);
  }
}

async function holdsHarvest(out: string): Promise<boolean> {
  try {
    const card = JSON.parse(await readFile(join(out, CARD_FILE), 'utf8')) as { readonly format?: unknown } | null;
    return CARD_FORMATS.some((format) => format === card?.format);
  } catch {
    return false;
  }
}

async function hasEntries(path: string): Promise<boolean> {
  return (await exists(path)) && (await readdir(path)).length > 0;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(ignoreMissing)) !== undefined;
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
