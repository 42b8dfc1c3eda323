/** A file of JSON lines with checksums that grows line by line, each on disk before the caller continues. */
import { dirname } from 'node:path';
import { checkOf, checksummedLine } from '../../base/core/checksum.ts';
import { DamageError } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import { makeDirectory } from '../../base/disk/directories.ts';
import { completeLines, contentOfFile, cutTo, fieldsOf } from './checked-lines.ts';
import { CorpusFile } from './corpus-file.ts';

/** The form of a line: `parse` throws an Error for any other value. */
export interface LineForm<T> {
  readonly parse: (value: unknown) => T;
  /** Name of a line, for messages, with the next step: `a stored answer`. */
  readonly name: string;
  readonly remedy: string;
}

export class GrowingLines<T extends object> {
  readonly #path: string;
  readonly #file: CorpusFile;
  /** Start of an append that a crash interrupted, to be cut off before the next append; null without one. */
  #torn: Bytes | null;

  private constructor(path: string, bytes: Bytes, torn: boolean) {
    this.#path = path;
    this.#file = new CorpusFile(path, bytes);
    this.#torn = torn ? bytes : null;
  }

  /** The file, which need not exist, and its lines. Writes nothing yet. @throws DamageError naming the invalid line */
  static open<T extends object>(path: string, form: LineForm<T>): { readonly file: GrowingLines<T>; readonly lines: readonly T[] } {
    const content = contentOfFile(path);
    const bytes = content.lastIndexOf('\n') + 1;
    const lines = completeLines(content.subarray(0, bytes)).map((line, i) => lineValue(line, `${path}:${i + 1}`, form));
    return { file: new GrowingLines<T>(path, bytes, bytes < content.length), lines };
  }

  /** Appends lines, which are on disk when this resolves. Calls must not overlap. @throws StoreError */
  async append(lines: readonly T[]): Promise<void> {
    for (const line of lines) this.#file.append(checksummedLine(line));
    makeDirectory(dirname(this.#path));
    if (this.#torn !== null) await cutTo(this.#path, this.#torn);
    this.#torn = null;
    await this.#file.write();
  }

  async close(): Promise<void> {
    await this.#file.release();
  }
}

function lineValue<T>(line: Buffer, where: string, { parse, name, remedy }: LineForm<T>): T {
  const damaged = (why: string) => new DamageError(`${where}: is not ${name} (${why}); ${remedy}`);
  if (checkOf(line) !== 'right') throw damaged('its checksum is wrong');
  const fields = fieldsOf(line.toString('utf8'), damaged);
  try {
    return parse(fields);
  } catch {
    throw damaged('not understood');
  }
}
