/** The date of single processes, set on or back while they run: by libfaketime (Debian's package `faketime`). Their monotonic clock runs as before. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ms } from '../../src/base/core/types.ts';

/** Node has several threads. */
const LIBRARY = 'libfaketimeMT.so.1';
const PROBED: Ms = 600_000;

/** null where it is not found, or Node does not follow it. */
function libraryHere(): string | null {
  const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib').map((name) => join('/usr/lib', name, 'faketime')) : [];
  const path = folders.map((folder) => join(folder, LIBRARY)).find((one) => existsSync(one));
  if (path === undefined) return null;
  const env = { ...process.env, LD_PRELOAD: path, FAKETIME: `+${PROBED / 1000}`, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
  const { stdout } = spawnSync(process.execPath, ['-p', 'Date.now()'], { env, encoding: 'utf8' });
  return Number(stdout) - Date.now() > PROBED / 2 ? path : null;
}

export class FakeClock {
  readonly #path: string;
  readonly #library: string;

  private constructor(path: string, library: string) {
    [this.#path, this.#library] = [path, library];
    this.set(0);
  }

  /** @param path of a file that has the difference. @returns null where libfaketime is not found */
  static at(path: string): FakeClock | null {
    const library = libraryHere();
    return library === null ? null : new FakeClock(path, library);
  }

  /** The difference to the date of the machine, from now on. */
  set(by: Ms): void {
    // A process that read half of it would end.
    writeFileSync(`${this.#path}.tmp`, `${by < 0 ? '' : '+'}${Math.round(by / 1000)}\n`);
    renameSync(`${this.#path}.tmp`, this.#path);
  }

  /** For a process that has this date. */
  get environment(): Readonly<Record<string, string>> {
    return {
      LD_PRELOAD: this.#library,
      FAKETIME_TIMESTAMP_FILE: this.#path,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
  }
}
