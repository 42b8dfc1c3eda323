/** What processes have used, by the files of Linux (proc(5)). */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second of /proc (sysconf(_SC_CLK_TCK) on Linux). */
const TICKS = 100;

/** CPU seconds of a process, of its children that run, and of those that have ended. */
export function cpuOf(pid: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => statOf(id)?.[1] === String(pid));
  return [pid, ...children].reduce((sum, id) => sum + secondsOf(id), 0);
}

/** Fields of a process from its state on; null for one that has ended. */
function statOf(pid: number): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? null;
  } catch {
    return null;
  }
}

/** User and system time, and the same of children that it has waited for. */
function secondsOf(pid: number): number {
  const ticks = statOf(pid)?.slice(11, 15).map(Number) ?? [];
  return ticks.reduce((sum, one) => sum + one, 0) / TICKS;
}

/** Resident memory in MB, and the part of it that is no mapped file. Zeros for a process that has ended. */
export function memoryOf(pid: number): { readonly resident: number; readonly own: number } {
  const file = `/proc/${pid}/status`;
  const status = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024;
  return { resident: megabytes('VmRSS'), own: megabytes('RssAnon') };
}
