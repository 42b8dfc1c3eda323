/** The processes of a group, by Linux's /proc. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Bytes } from '../../base/core/types.ts';

/** Bytes of a page of memory: `getconf PAGESIZE` of all systems for which Debian builds Chromium but some of arm64, whose counts are then too low. */
const PAGE: Bytes = 4096;

/** Memory that each process of a group has for itself; shared memory does not count. 0 where there is no /proc. O(processes of the machine). */
export function memoryOfGroup(group: number): Bytes {
  let pages = 0;
  for (const pid of pidsIn('/proc')) if (groupOf(pid) === group) pages += ownPages(pid);
  return pages * PAGE;
}

function pidsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** proc(5): the name of the program, in brackets, may have blanks and brackets. */
function groupOf(pid: string): number {
  const line = read(`/proc/${pid}/stat`);
  return Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[2]);
}

function ownPages(pid: string): number {
  const [, resident = 0, shared = 0] = read(`/proc/${pid}/statm`).split(' ').map(Number);
  return Math.max(0, resident - shared);
}

/** '' for a process that has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
