/** Traps in the functions of `node:fs` that the crawl writes its files by. */
import fs from 'node:fs';
import fsPromises, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname } from 'node:path';
import type { CrashPoint } from './crash-plan.ts';

type At = (point: CrashPoint) => void;
type IsDue = (point: CrashPoint) => boolean;

const WARC = /^forager-\d+\.warc\.gz$/;
const MARK = /^commit-[01]\.json$/;
const OWN_LOCK = /^lock\.[0-9a-f]{16}$/;

/** @param isDue whether to die here, and may be left half done. @param die ends the process */
export function trapFiles(at: At, isDue: IsDue, die: () => never): void {
  trapLock(at);
  trapManifest(at, isDue, die);
  trapCutting(at);
  trapWriting(at, isDue, die);
  syncBuiltinESMExports();
}

function trapLock(at: At): void {
  const { linkSync, renameSync } = fs;
  const trapped = (take: (from: fs.PathLike, to: fs.PathLike) => void) => (from: fs.PathLike, to: fs.PathLike) => {
    const isLock = OWN_LOCK.test(basename(String(from)));
    if (isLock) at('lock written');
    take(from, to);
    if (isLock) at('lock taken');
  };
  fs.linkSync = trapped(linkSync);
  // The lock of a dead process is replaced.
  fs.renameSync = trapped(renameSync);
}

function trapManifest(at: At, isDue: IsDue, die: () => never): void {
  const { writeFileSync, renameSync } = fs;
  fs.writeFileSync = (path, content, options) => {
    if (isManifest(path) && isDue('manifest half written')) {
      writeFileSync(path, String(content).slice(0, String(content).length / 2), options);
      die();
    }
    writeFileSync(path, content, options);
  };
  fs.renameSync = (from, to) => {
    if (isManifest(from)) at('manifest written');
    renameSync(from, to);
    if (isManifest(from)) at('manifest renamed');
  };
}

function isManifest(path: unknown): boolean {
  return basename(String(path)) === 'crawl.json.tmp';
}

function trapCutting(at: At): void {
  const { truncate, rm } = fsPromises;
  fsPromises.truncate = async (path, length) => {
    await truncate(path, length);
    at('corpus file cut');
  };
  fsPromises.rm = async (path, options) => {
    await rm(path, options);
    if (WARC.test(basename(String(path)))) at('corpus file deleted');
  };
}

function trapWriting(at: At, isDue: IsDue, die: () => never): void {
  const { open } = fsPromises;
  fsPromises.open = async (path, flags, mode) => {
    const handle = await open(path, flags, mode);
    const name = basename(String(path));
    if (WARC.test(name)) trapWarc(handle, at, isDue, die);
    if (MARK.test(name) && flags === 'r+') trapMark(handle, at, isDue, die);
    if (flags === 'r' && basename(dirname(String(path))).startsWith('cut-')) at('tail put aside');
    if (name === 'records.jsonl') tearWrites(handle, () => isDue('records half written'), die);
    if (WARC.test(name) && name !== 'forager-00000.warc.gz' && (await handle.stat()).size === 0) at('WARC rolled');
    return handle;
  };
}

function trapMark(handle: FileHandle, at: At, isDue: IsDue, die: () => never): void {
  tearWrites(handle, () => isDue('mark half written'), die);
  const datasync = handle.datasync.bind(handle);
  handle.datasync = async () => {
    await datasync();
    at('mark written');
  };
}

function trapWarc(handle: FileHandle, at: At, isDue: IsDue, die: () => never): void {
  tearWrites(handle, () => isDue('WARC half written'), die);
  const datasync = handle.datasync.bind(handle);
  const close = handle.close.bind(handle);
  handle.datasync = async () => {
    at('WARC written');
    await datasync();
  };
  handle.close = async () => {
    await close();
    at('WARC released');
  };
}

/** Of the write that is due, only the first half comes to the file. */
function tearWrites(handle: FileHandle, isDue: () => boolean, die: () => never): void {
  const write = handle.write.bind(handle);
  const torn = async (bytes: Uint8Array, offset: number, length: number, position: number) => {
    if (!isDue()) return write(bytes, offset, length, position);
    await write(bytes, offset, Math.floor(length / 2), position);
    return die();
  };
  Object.defineProperty(handle, 'write', { value: torn });
}
