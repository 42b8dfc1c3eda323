/** A disk of its own, in memory, that can be full for a while. */
import { spawnSync } from 'node:child_process';
import { statfsSync } from 'node:fs';
import type { Bytes } from '../../src/base/core/types.ts';

const KB: Bytes = 1024;
/** The process may write between the look at the disk and its new size, which is then refused. */
const TRIES = 20;

export class Disk {
  readonly folder: string;
  readonly #size: Bytes;

  private constructor(folder: string, size: Bytes) {
    [this.folder, this.#size] = [folder, size];
  }

  /** @param folder exists. @returns null where a tmpfs cannot be mounted */
  static mount(folder: string, size: Bytes): Disk | null {
    return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]).status === 0 ? new Disk(folder, size) : null;
  }

  /** From now on it has room for so much more. @throws Error if the system refuses */
  fill(room: Bytes): void {
    for (let tries = 0; tries < TRIES; tries++) {
      const { blocks, bfree, bsize } = statfsSync(this.folder);
      if (this.#resize((blocks - bfree) * bsize + room)) return;
    }
    throw new Error(`${this.folder}: could not be filled`);
  }

  /** It has all its room again. */
  empty(): void {
    if (!this.#resize(this.#size)) throw new Error(`${this.folder}: did not get its room back`);
  }

  /** No process may use it any more. */
  unmount(): void {
    spawnSync('umount', [this.folder]);
  }

  #resize(size: Bytes): boolean {
    return spawnSync('mount', ['-o', `remount,size=${Math.ceil(size / KB)}k`, this.folder]).status === 0;
  }
}
