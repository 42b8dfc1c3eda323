/** Mount points cannot be renamed or replaced (rename(2): EBUSY). */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const MOUNTS = '/proc/self/mountinfo';

/** @param place an absolute path without links. @returns whether a file system, or a part of one, is mounted exactly there */
export function isMountPoint(place: string): boolean {
  if (!existsSync(place)) return false;
  if (existsSync(MOUNTS)) return mounted().has(place);
  return statSync(place).dev !== statSync(dirname(place)).dev || place === dirname(place);
}

/** The fifth field of each line, with octal escapes (proc_pid_mountinfo(5)). */
function mounted(): ReadonlySet<string> {
  const lines = readFileSync(MOUNTS, 'utf8').split('\n');
  return new Set(lines.map((line) => unescaped(line.split(' ')[4] ?? '')));
}

/** Bytes as `\040`. */
function unescaped(field: string): string {
  const bytes = Buffer.from(field).toString('latin1');
  const plain = bytes.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
  return Buffer.from(plain, 'latin1').toString('utf8');
}
