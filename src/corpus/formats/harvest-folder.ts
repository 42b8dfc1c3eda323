import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { storeErrorFrom, UsageError } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import type { Output } from '../../base/disk/output.ts';
import { placeOf } from '../../base/disk/whose.ts';
import type { CorpusFileFacts } from '../select/harvest-facts.ts';
import { HashedFile } from '../select/hashed-file.ts';

/** Folder of temporary files. */
const SCRATCH = '.scratch';

/** A finished file of a harvest that is not published yet. */
export interface LocalFile {
  /** Path inside the corpus, with slashes. */
  readonly name: string;
  readonly path: string;
  readonly bytes: Bytes;
}

/** A harvest that is being written: the folder of an output, which takes its place when everything is done. */
export class HarvestFolder {
  readonly #output: Output;
  readonly #partial: string;
  readonly #open = new Map<string, HashedFile>();
  readonly #scratch: HashedFile[] = [];
  readonly #finished: CorpusFileFacts[] = [];
  readonly #closers: (() => void)[] = [];

  private constructor(output: Output) {
    this.#output = output;
    this.#partial = output.path;
  }

  /** Writes to a claimed folder. @throws UsageError if it holds one of the sources: then it is no longer claimed */
  static async in(output: Output, sources: readonly string[]): Promise<HarvestFolder> {
    try {
      for (const dir of sources) refuseToReplace(dir, output.target);
      return new HarvestFolder(output);
    } catch (error) {
      await output.abandon();
      throw error;
    }
  }

  /** The path that it takes. */
  get target(): string {
    return this.#output.target;
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

  /** Moves the folder to its place. @param whenPut runs while the place is still claimed @throws StoreError */
  async publish(whenPut?: () => void): Promise<void> {
    await rm(this.scratchDir, { recursive: true, force: true }).catch((error: unknown) => {
      throw storeErrorFrom(error, 'finishing the harvest', this.#output.target);
    });
    await this.#output.publish(whenPut);
  }

  /** Removes all temporary files. */
  async discard(): Promise<void> {
    for (const close of this.#closers) close();
    for (const file of [...this.#open.values(), ...this.#scratch]) await file.abandon();
    await this.#output.abandon();
  }

  async #created(name: string): Promise<HashedFile> {
    const path = join(this.#partial, name);
    await mkdir(dirname(path), { recursive: true }).catch((error: unknown) => {
      throw storeErrorFrom(error, 'making the harvest folder', dirname(path));
    });
    return HashedFile.create(path);
  }
}

/** `--force` must never remove the corpus that is read together with the old harvest. */
export function refuseToReplace(source: string, target: string): void {
  const inside = relative(target, placeOf(source));
  const isBeside = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  if (!isBeside) throw new UsageError(`${target}: holds the corpus that is read (${source}); give another output folder`);
}
