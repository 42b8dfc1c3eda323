import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { storeErrorFrom } from '../../base/core/errors.ts';
import type { FrozenVisit } from '../../base/core/frozen-visit.ts';
import type { Bytes } from '../../base/core/types.ts';
import { type FrozenHeader, frozenHeader, frozenMember } from './frozen-page.ts';

/** Size of the write buffer: members have some kilobytes each. */
const BUFFER_BYTES: Bytes = 1024 * 1024;

/** A frozen web that is being written; its header gets the number of its visits at the end. It has a temporary name until it is finished, so there is never a half one. */
export class FrozenFile {
  readonly #path: string;
  readonly #file: number;
  readonly #header: FrozenHeader;
  #visits = 0;
  #held: Uint8Array[] = [];
  #heldBytes: Bytes = 0;
  #open = true;

  private constructor(path: string, file: number, header: FrozenHeader) {
    this.#path = path;
    this.#file = file;
    this.#header = header;
    this.#hold(frozenHeader(header));
  }

  /** `finish` replaces the file at `path`. @throws StoreError */
  static create(path: string, header: FrozenHeader): FrozenFile {
    const file = stored(path, () => openSync(temporary(path), 'w'));
    return new FrozenFile(path, file, header);
  }

  /** @throws StoreError */
  add(visit: FrozenVisit): void {
    this.copy(frozenMember(visit));
  }

  /** Adds a visit of another frozen web. @throws StoreError */
  copy(member: Uint8Array): void {
    this.#visits += 1;
    this.#hold(member);
  }

  #hold(member: Uint8Array): void {
    this.#held.push(member);
    this.#heldBytes += member.length;
    if (this.#heldBytes >= BUFFER_BYTES) this.#write();
  }

  /** Writes the rest to disk and gives the file its name. @throws StoreError */
  finish(): void {
    this.#write();
    stored(this.#path, () => {
      writeSync(this.#file, frozenHeader({ ...this.#header, visits: this.#visits }), 0, null, 0);
      fsyncSync(this.#file);
      this.#close();
      renameSync(temporary(this.#path), this.#path);
    });
  }

  /** Removes the temporary file; a file at the path stays as it was. After `finish` it does nothing. */
  abandon(): void {
    if (this.#open) this.#close();
    rmSync(temporary(this.#path), { force: true });
  }

  #close(): void {
    this.#open = false;
    closeSync(this.#file);
  }

  #write(): void {
    const bytes = Buffer.concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    stored(this.#path, () => {
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    });
  }
}

function temporary(path: string): string {
  return `${path}.tmp`;
}

function stored<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw storeErrorFrom(error, 'writing the frozen web', path);
  }
}
