/** Packages of npm and Debian that hold data: fetched by the ordinary clients, read without being installed. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { DataError, EnvironmentError, messageOf } from '../src/base/core/errors.ts';
import type { Bytes } from '../src/base/core/types.ts';
import { debIn, downloadDeb, eachMember, sha256Of } from './debian-web/deb.ts';
import { tarMembers } from './debian-web/tar.ts';

/** What was taken out of a package. */
export interface PackageFiles {
  readonly name: string;
  readonly version: string;
  /** Of the package as it was fetched, hex. */
  readonly sha256: string;
  /** By name inside the package. */
  readonly files: ReadonlyMap<string, Buffer>;
}

export interface FetchOptions {
  /** Where a fetched package is put. */
  readonly staging: string;
  /** Folder searched for .deb and .tgz files before any client is asked; null for none. */
  readonly packages: string | null;
}

const run = promisify(execFile);
/** The mail corpus unpacks to 130 MB; this is a guard, not a limit anyone meets. */
const MAX_UNPACKED_BYTES: Bytes = 1024 * 1024 * 1024;

/** The wanted files of a package of npm, at exactly this version. @throws EnvironmentError when it cannot be had; DataError when it is damaged. */
export async function npmPackage(
  name: string,
  version: string,
  wanted: (file: string) => boolean,
  { staging, packages }: FetchOptions,
): Promise<PackageFiles> {
  const tarball = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
  const local = packages === null ? null : join(packages, tarball);
  const file = local !== null && existsSync(local) ? local : await packed(name, version, join(staging, tarball));
  return { name, version, sha256: await sha256Of(file), files: await filesOf(file, wanted) };
}

/** `npm pack` checks what it fetches against the registry's hash, and runs none of the package's scripts. */
async function packed(name: string, version: string, file: string): Promise<string> {
  const folder = join(file, '..');
  mkdirSync(folder, { recursive: true });
  try {
    await run('npm', ['pack', `${name}@${version}`, '--ignore-scripts', '--silent'], { cwd: folder });
  } catch (error) {
    throw new EnvironmentError(
      `npm cannot bring ${name}@${version} (${firstLine(error)}); look at the registry, or give its .tgz with --packages`,
      {
        cause: error,
      },
    );
  }
  if (!existsSync(file)) throw new EnvironmentError(`npm pack ${name}@${version} left no ${file}; try it by hand`);
  return file;
}

/** npm's own first complaint, else what went wrong in calling it. */
function firstLine(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  const complaint = said.split('\n').find((line) => /^npm (ERR!|error)/.test(line));
  return (complaint ?? messageOf(error).split('\n')[0] ?? '').trim();
}

async function filesOf(tarball: string, wanted: (file: string) => boolean): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for await (const member of tarMembers(chunksOf(unzipped(tarball)), wanted))
    if (member.kind === 'file') files.set(member.name, member.body);
  return files;
}

function unzipped(file: string): Buffer {
  try {
    return gunzipSync(readFileSync(file), { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (error) {
    throw new DataError(`${file}: not a gzipped package (${messageOf(error)}); fetch it again`, { cause: error });
  }
}

/** In pieces: the reader copies what is left of a piece it takes from. */
async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  const size = 1 << 20;
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}

/** The wanted files of a Debian package, at the version apt would bring. @throws EnvironmentError when it cannot be had; DataError when it is damaged. */
export async function debianPackage(
  name: string,
  wanted: (file: string) => boolean,
  { staging, packages }: FetchOptions,
): Promise<PackageFiles> {
  const deb = (packages === null ? null : await debIn(packages, name)) ?? (await downloadDeb(name, staging));
  const files = new Map<string, Buffer>();
  await eachMember(deb.file, wanted, (member) => {
    if (member.kind === 'file') files.set(member.name, member.body);
  });
  return { name, version: deb.version, sha256: await sha256Of(deb.file), files };
}

/** A file the package must have. @throws DataError when it has not. */
export function fileIn(source: PackageFiles, name: string): Buffer {
  const file = source.files.get(name);
  if (file === undefined)
    throw new DataError(`package ${source.name} ${source.version}: has no ${name}; another version may have moved it`);
  return file;
}
