/** Source packages of Debian: fetched by apt, read without being unpacked. Needs `apt-get` and `xz`. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { DataError, EnvironmentError, messageOf } from '../../src/base/core/errors.ts';
import { sha256Of } from '../debian-web/deb.ts';
import { tarMembers } from '../debian-web/tar.ts';
import type { FetchOptions, PackageFiles } from '../package-files.ts';

/** Machines list binary packages alone, so apt gets a list of its own. */
const SOURCES = `Types: deb-src
URIs: http://deb.debian.org/debian
Suites: bookworm
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
`;

const run = promisify(execFile);

/**
 * Files of the archive of a source package, its patches excluded.
 * @throws EnvironmentError if it is not available; DataError if it is damaged
 */
export async function sourcePackage(
  name: string,
  wanted: (file: string) => boolean,
  { staging, packages }: FetchOptions,
): Promise<PackageFiles> {
  const given = packages === null ? null : archiveIn(packages, name);
  const archive = given ?? (await fetched(name, staging));
  const version = /_([^_]+?)(?:\.orig)?\.tar\.xz$/.exec(archive)?.[1] ?? '';
  return { name, version, sha256: await sha256Of(archive), files: await filesOf(archive, wanted) };
}

function archiveIn(folder: string, name: string): string | null {
  const file = readdirSync(folder)
    .sort()
    .find((entry) => entry.startsWith(`${name}_`) && entry.endsWith('.tar.xz') && !entry.endsWith('.debian.tar.xz'));
  return file === undefined ? null : join(folder, file);
}

/** apt compares the hashes of an archive with those of its signed list. */
async function fetched(name: string, staging: string): Promise<string> {
  const folder = resolve(staging);
  const config = join(folder, 'apt.conf');
  mkdirSync(join(folder, 'lists', 'partial'), { recursive: true });
  mkdirSync(join(folder, 'cache', 'archives', 'partial'), { recursive: true });
  writeFileSync(join(folder, 'debian.sources'), SOURCES);
  const settings = { 'Dir::Etc::sourcelist': 'debian.sources', 'Dir::State::lists': 'lists', 'Dir::Cache': 'cache' };
  const lines = Object.entries(settings).map(([key, path]) => `${key} "${join(folder, path)}";\n`);
  writeFileSync(config, `${lines.join('')}Dir::Etc::sourceparts "-";\n`);
  const env = { ...process.env, APT_CONFIG: config, LC_ALL: 'C' };
  try {
    if (!readdirSync(join(folder, 'lists')).some((file) => file.includes('_Sources'))) await run('apt-get', ['update', '-qq'], { env });
    await run('apt-get', ['source', '--download-only', '--only-source', '-qq', name], { cwd: folder, env });
  } catch (error) {
    throw new EnvironmentError(
      `apt-get source ${name} failed (${messageOf(error).trim().replaceAll('\n', ' ')}); give its archive with --packages`,
    );
  }
  const archive = archiveIn(folder, name);
  if (archive === null) throw new EnvironmentError(`apt-get source ${name} left no .tar.xz file; try it by hand`);
  return archive;
}

/** @throws EnvironmentError without xz; DataError if the archive is damaged */
async function filesOf(archive: string, wanted: (file: string) => boolean): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const xz = spawn('xz', ['--decompress', '--stdout', archive], { stdio: ['ignore', 'pipe', 'ignore'] });
  const exit = once(xz, 'close').catch(() => {
    throw new EnvironmentError('xz is not installed: install xz-utils');
  });
  const read = async (): Promise<void> => {
    for await (const member of tarMembers(xz.stdout, wanted)) if (member.kind === 'file') files.set(member.name, member.body);
  };
  const [done, ended] = await Promise.allSettled([read().finally(() => xz.stdout.destroy()), exit]);
  if (ended.status === 'rejected') throw ended.reason;
  if (done.status === 'rejected') throw done.reason;
  if (ended.value[0] !== 0) throw new DataError(`${archive}: not a whole .tar.xz archive; fetch it again`);
  return files;
}
