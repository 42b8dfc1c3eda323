/** Debian's index of packages with their descriptions, by apt: into a folder of its own, so that the system's lists stay as they are. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EnvironmentError, messageOf } from '../../src/base/core/errors.ts';
import type { Bytes } from '../../src/base/core/types.ts';
import type { FetchOptions, PackageFiles } from '../package-files.ts';
import { DESCRIPTIONS, INDEX } from './packages.ts';

const run = promisify(execFile);
/** Debian 12's index of `main` has 50 MB, its descriptions 33 MB. */
const MAX_LIST_BYTES: Bytes = 256 * 1024 * 1024;
/** Lists of the release itself, without its updates. */
const LISTS: Readonly<Record<string, RegExp>> = {
  [INDEX]: /_debian_dists_[a-z]+_main_binary-\w+_Packages/,
  [DESCRIPTIONS]: /_debian_dists_[a-z]+_main_i18n_Translation-en/,
};

/** Index and descriptions, out of the folder of packages if they lie there. @throws EnvironmentError without apt, or when it cannot bring them */
export async function aptIndex({ staging, packages }: FetchOptions): Promise<PackageFiles> {
  const names = Object.keys(LISTS);
  const isLocal = packages !== null && names.every((name) => existsSync(join(packages, name)));
  const bodies = isLocal ? names.map((name) => readFileSync(join(packages, name))) : await fetched(join(staging, 'apt'));
  const files = new Map(names.map((name, i) => [name, bodies[i] ?? Buffer.alloc(0)]));
  const hash = createHash('sha256');
  for (const body of files.values()) hash.update(body);
  return { name: 'index of Debian main', version: 'as apt has it', sha256: hash.digest('hex'), files };
}

async function fetched(folder: string): Promise<Buffer[]> {
  const lists = join(folder, 'lists');
  mkdirSync(join(lists, 'partial'), { recursive: true });
  const own = ['-o', `Dir::State::lists=${lists}`, '-o', `Dir::Cache=${join(folder, 'cache')}`, '-o', 'Acquire::Languages=en'];
  try {
    await run('apt-get', ['update', '-qq', ...own]);
    return await Promise.all(Object.values(LISTS).map((name) => listIn(lists, name)));
  } catch (error) {
    throw new EnvironmentError(
      `apt cannot bring the index of packages (${messageOf(error).trim().replaceAll('\n', ' ')}); give Packages and Translation-en with --packages`,
      { cause: error },
    );
  }
}

/** Apt keeps lists packed, and has a tool that reads them. */
async function listIn(folder: string, name: RegExp): Promise<Buffer> {
  const file = readdirSync(folder).find((entry) => name.test(entry));
  if (file === undefined) throw new EnvironmentError(`apt has no list like ${name.source}`);
  const { stdout } = await run('/usr/lib/apt/apt-helper', ['cat-file', join(folder, file)], {
    encoding: 'buffer',
    maxBuffer: MAX_LIST_BYTES,
  });
  return stdout;
}
