/** The one place that all outputs ask: may this path be written, who writes it, and how does it get its content in one step? */
import { lstatSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CrawlerError, StoreError, storeErrorFrom, UsageError } from '../core/errors.ts';
import { flushTree } from '../core/on-disk.ts';
import { makeDirectory, refuseFileInPath, removeEmpty } from './directories.ts';
import { hasEarlier } from './earlier-leftovers.ts';
import type { LockOptions } from './lock.ts';
import { isMountPoint } from './mount-points.ts';
import { placeOf, refuseOwned } from './whose.ts';
import { hasLeftovers, hasWorkFolder, leftoversIn, WorkFolder } from './work-folder.ts';

interface FileKind {
  readonly form: 'file';
  /** Has the command a `--force`? Default: true. */
  readonly mayReplace?: boolean;
}

interface FolderKind {
  readonly form: 'folder';
  /** Name of the kind with its article: `a harvest`. */
  readonly name: string;
  /** Files of an earlier one in a folder, as paths inside with slashes; null if the folder holds none. */
  readonly earlier: (folder: string) => ReadonlySet<string> | null;
}

/** The output of a command. */
export type OutputKind = FileKind | FolderKind;

export const FILE_OUTPUT = { form: 'file' } as const satisfies FileKind;

export interface ClaimOptions extends Pick<LockOptions, 'warn' | 'signal'> {
  /** An earlier output of that kind may be replaced. Default: false. */
  readonly force?: boolean | undefined;
  /** The crawl writes one of its own files. Default: false. */
  readonly isOwn?: boolean;
  /** The option, for messages. Default: `--out`. */
  readonly as?: string;
}

/** An output that is being written: nobody else writes it, and it gets its name when it is whole. */
export class Output {
  /** The place of the output, without links. */
  readonly target: string;
  readonly #shown: string;
  readonly #work: WorkFolder;
  readonly #before: string;
  /** Folders above it that were made for it, outermost first. They go again if it is not published. */
  readonly #made: readonly string[];
  #open = true;

  private constructor(target: string, shown: string, work: WorkFolder, made: readonly string[]) {
    [this.target, this.#shown, this.#work, this.#made] = [target, shown, work, made];
    this.#before = stampOf(target);
  }

  /**
   * Checks the path, before any work is done, and keeps other commands from writing it.
   * @throws UsageError for a path that is not ours to write; StoreError STORE_LOCKED while another command writes it
   */
  static async claim(out: string, kind: OutputKind, options: ClaimOptions = {}): Promise<Output> {
    const { warn, signal } = options;
    if (!options.isOwn) refuseOwned(out, options.as);
    const target = placeOf(out);
    refuseFileInPath(dirname(target));
    if (!hasWorkFolder(target)) refuseUnfit(target, out, kind, options);
    const made = makeDirectory(dirname(target));
    let work: WorkFolder | null = null;
    try {
      work = await WorkFolder.take(target, out, { ...(warn && { warn }), ...(signal && { signal }) });
      refuseUnfit(target, out, kind, options);
      await endLeftoversIn(dirname(target));
      if (kind.form === 'folder') make(work.new, out);
      return new Output(target, out, work, made);
    } catch (error) {
      await work?.release();
      removeEmpty(made);
      throw error;
    }
  }

  /** Path at which the content is written: an empty folder, or a file that is not there yet. */
  get path(): string {
    return this.#work.new;
  }

  /**
   * Puts the content in place, in one step. Then the output is no longer claimed.
   * @param whenPut runs while the output is still claimed
   * @throws StoreError; then the former content is where it was
   */
  async publish(whenPut?: () => void): Promise<void> {
    try {
      this.#work.check();
      if (stampOf(this.target) !== this.#before)
        throw new StoreError(
          'STORE_LOCKED',
          `${this.#shown}: something else wrote there meanwhile, and nothing was replaced; run the same command again, or give another path`,
        );
      // The former content is removed once the new one is in place, so the new one must be on the disk.
      if (this.#before !== NOTHING) flushTree(this.path);
      this.#work.put();
      whenPut?.();
    } catch (error) {
      throw error instanceof CrawlerError ? error : storeErrorFrom(error, 'putting the output in place', this.#shown);
    } finally {
      await this.abandon();
    }
  }

  /** Removes the new content, if it was not published. The former content stays. */
  async abandon(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await this.#work.release();
    removeEmpty(this.#made);
  }
}

/** Claims an output for some work, which publishes it; otherwise nothing of it is left. @throws as `claim`; the errors of the work */
export async function withOutput<T>(
  out: string,
  kind: OutputKind,
  options: ClaimOptions,
  work: (output: Output) => T | Promise<T>,
): Promise<T> {
  const output = await Output.claim(out, kind, options);
  try {
    return await work(output);
  } finally {
    await output.abandon();
  }
}

/** Writes the content of a claimed file and publishes it. @throws StoreError */
export async function publishFile(output: Output, content: string | Uint8Array): Promise<void> {
  try {
    writeFileSync(output.path, content, { flag: 'wx', flush: true });
  } catch (error) {
    throw storeErrorFrom(error, 'writing the output', output.target);
  }
  await output.publish();
}

/**
 * Ends the work of a killed command beside an output: its former content comes back if it was moved away. For commands that read.
 * Never rejects: where nothing can be written, the output is read as it is.
 */
export async function endLeftovers(out: string): Promise<void> {
  try {
    const target = placeOf(out);
    if (hasLeftovers(target) || hasEarlier(target)) await WorkFolder.take(target, out, {}).then((work) => work.release());
  } catch {
    // The command that reads has the message.
  }
}

/** Ends the leftovers of all outputs of a folder whose commands are certainly dead. */
async function endLeftoversIn(folder: string): Promise<void> {
  for (const target of leftoversIn(folder)) await endLeftovers(target);
}

const NOTHING = '';

/** Changes when the file, or anything in the folder, does. */
function stampOf(target: string): string {
  const stat = lstatSync(target, { throwIfNoEntry: false });
  if (stat === undefined) return NOTHING;
  const own = `${stat.ino} ${stat.isDirectory() ? 'folder' : `${stat.size} ${stat.mtimeMs}`}`;
  return stat.isDirectory() ? [own, ...readdirSync(target).map((name) => `${name}: ${stampOf(join(target, name))}`)].join('\n') : own;
}

/** @throws UsageError */
function refuseUnfit(target: string, out: string, kind: OutputKind, { force = false, as = '--out' }: ClaimOptions): void {
  const stat = statSync(target, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (isMountPoint(target))
    throw new UsageError(`${out}: is a mount point, which nothing can replace; give a name in it or beside it as ${as}`);
  if (kind.form === 'folder') refuseFolder(target, out, kind, { force, as }, stat.isDirectory());
  else if (stat.isDirectory()) throw new UsageError(`${out}: is a folder; give a file as ${as}`);
  else if (!stat.isFile()) throw new UsageError(`${out}: is a device or pipe; give a file as ${as}`);
  else if (!force) throw new UsageError(`${out}: already exists; ${wayOut(as, kind.mayReplace)}`);
}

function refuseFolder(
  target: string,
  out: string,
  kind: FolderKind,
  { force, as }: { force: boolean; as: string },
  isFolder: boolean,
): void {
  if (!isFolder) throw new UsageError(`${out}: ${target} is a file, not a folder; give another ${as}`);
  const names = readdirSync(target);
  if (names.length === 0) return;
  const own = kind.earlier(target);
  if (own === null)
    throw new UsageError(`${out}: holds something other than ${kind.name} (${names.toSorted()[0]}); give another folder as ${as}`);
  if (!force) throw new UsageError(`${out}: already holds ${kind.name}; ${wayOut(as)}`);
  const foreign = foreignIn(target, own, '');
  if (foreign !== null)
    throw new UsageError(
      `${out}: holds ${foreign}, which is not of ${kind.name}; move it elsewhere, or give another ${as}: Forager deletes only its own files`,
    );
}

function wayOut(as: string, mayReplace = true): string {
  return `give another ${as}${mayReplace ? ', or --force to replace it' : ''}`;
}

/** The first file or empty folder that is not among those. */
function foreignIn(folder: string, own: ReadonlySet<string>, prefix: string): string | null {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = prefix + entry.name;
    if (own.has(name)) continue;
    const isParent = entry.isDirectory() && [...own].some((one) => one.startsWith(`${name}/`));
    const foreign = isParent ? foreignIn(join(folder, entry.name), own, `${name}/`) : name;
    if (foreign !== null) return foreign;
  }
  return null;
}

function make(path: string, out: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    throw storeErrorFrom(error, 'making the folder', out);
  }
}
