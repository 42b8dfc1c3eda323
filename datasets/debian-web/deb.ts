/** Debian packages: where they come from and what is in them. Needs `dpkg-deb`, and `apt-get` for those not at hand. */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, linkSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { EnvironmentError, messageOf } from '../../src/base/core/errors.ts';
import type { Bytes } from '../../src/base/core/types.ts';
import { isHtmlName, type PackageTree } from './layout.ts';
import { type TarMember, tarMembers } from './tar.ts';

export interface DebFile {
  readonly file: string;
  readonly version: string;
}

const run = promisify(execFile);
/** The largest .html.gz page of Debian 12 unpacks to 4 MB; this is a guard, not a limit anyone meets. */
const MAX_GUNZIPPED_BYTES: Bytes = 256 * 1024 * 1024;
const VERSION_FIELD = '$' + '{Version}';

/** The package's .deb in `folder`, null when it is not there; of several the last by name. */
export async function debIn(folder: string, name: string): Promise<DebFile | null> {
  const file = readdirSync(folder)
    .filter((entry) => entry.startsWith(`${name}_`) && entry.endsWith('.deb'))
    .sort()
    .at(-1);
  if (file === undefined) return null;
  const path = join(folder, file);
  const version = await output('dpkg-deb', ['--showformat', VERSION_FIELD, '--show', path], '.');
  return { file: path, version: version.trim() };
}

/** Version `apt-get download` would bring. @throws EnvironmentError without apt, or when no source of apt has the package. */
export async function candidateVersion(name: string): Promise<string> {
  const policy = await output('apt-cache', ['policy', name], '.');
  const version = /^ *Candidate: (\S+)/m.exec(policy)?.[1];
  if (version !== undefined && version !== '(none)') return version;
  throw new EnvironmentError(`apt knows no package ${name}: run apt-get update on Debian 12, or give its .deb with --debs`);
}

/** Fetch the package into `folder` with `apt-get download`, which checks its hash. @throws EnvironmentError */
export async function downloadDeb(name: string, folder: string): Promise<DebFile> {
  mkdirSync(folder, { recursive: true });
  await output('apt-get', ['download', '-qq', name], folder);
  const deb = await debIn(folder, name);
  if (deb === null) throw new EnvironmentError(`apt-get download ${name} left no .deb file; try it by hand`);
  return deb;
}

/** Put the package's HTML files below `folder`, gunzipped where need be. @throws EnvironmentError, DataError */
export async function unpackHtml(deb: string, folder: string): Promise<PackageTree> {
  const files = new Set<string>();
  const symlinks = new Map<string, string>();
  await eachMember(deb, isHtmlName, (member) => keep(member, folder, files, symlinks));
  return { files, symlinks };
}

/** Shows every link of the package, and every file whose name is wanted, in order. @throws EnvironmentError, DataError */
export async function eachMember(deb: string, wanted: (name: string) => boolean, show: (member: TarMember) => void): Promise<void> {
  const tool = spawn('dpkg-deb', ['--fsys-tarfile', deb], { stdio: ['ignore', 'pipe', 'pipe'] });
  const complaints: string[] = [];
  tool.stderr.on('data', (text: Buffer) => complaints.push(text.toString()));
  const exit = once(tool, 'close').then(
    ([code]) => code === 0,
    (error: unknown) => {
      throw missingTool('dpkg-deb', error);
    },
  );
  const read = (async () => {
    for await (const member of tarMembers(tool.stdout, wanted)) show(member);
  })();
  const [ended, done] = await Promise.allSettled([exit, read]);
  if (ended.status === 'rejected') throw ended.reason;
  if (!ended.value) throw new EnvironmentError(`dpkg-deb cannot read ${deb}: ${complaints.join('').trim()}; get the package again`);
  if (done.status === 'rejected') throw done.reason;
}

/** SHA-256 of a file, hex. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}

function keep(member: TarMember, folder: string, files: Set<string>, symlinks: Map<string, string>): void {
  if (member.name.split('/').includes('..')) return;
  if (member.kind === 'symlink') symlinks.set(member.name, member.target);
  else if (member.kind === 'file') {
    const body = unzipped(member.name, member.body);
    if (body === null) return;
    writeFileSync(place(folder, member.name), body);
    files.add(member.name);
  } else if (files.has(member.target) && isHtmlName(member.name)) {
    linkSync(join(folder, member.target), place(folder, member.name));
    files.add(member.name);
  }
}

function place(folder: string, name: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  return path;
}

/** null when the file only claims to be gzip. */
function unzipped(name: string, body: Buffer): Buffer | null {
  if (!/\.gz$/i.test(name)) return body;
  try {
    return gunzipSync(body, { maxOutputLength: MAX_GUNZIPPED_BYTES });
  } catch {
    return null;
  }
}

async function output(tool: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    return (await run(tool, [...args], { cwd, env: { ...process.env, LC_ALL: 'C' } })).stdout;
  } catch (error) {
    throw missingTool(tool, error);
  }
}

/** A tool that is not installed, told apart from one that failed. */
function missingTool(tool: string, error: unknown): EnvironmentError {
  const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  return missing
    ? new MissingToolError(`${tool} is not installed: packages are fetched and unpacked on Debian 12 (or in a container of it)`, {
        cause: error,
      })
    : new EnvironmentError(`${tool} failed: ${messageOf(error).trim().replaceAll('\n', ' ')}`, { cause: error });
}

/** Nothing more can be built without this tool. */
export class MissingToolError extends EnvironmentError {}
