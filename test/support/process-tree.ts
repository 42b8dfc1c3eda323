/** The processes that a process has started, by the files of Linux (proc(5)): those of a browser start more and leave their group. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Ms } from '../../src/base/core/types.ts';

/** Clock ticks a second of /proc (sysconf(_SC_CLK_TCK) on Linux). */
const TICKS = 100;

/** A process as /proc shows it. */
export interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** 'Z' for one that has ended and waits for its parent. */
  readonly state: string;
  /** User and system time, without that of children. */
  readonly cpuSeconds: number;
  /** Ticks since the machine started: with the pid, it names the process for ever. */
  readonly startedAt: string;
}

/** Processes that run now. */
export function allProcesses(): readonly ProcessFacts[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => factsOf(Number(name)) ?? []);
}

/** A process and those that descend from it, those that have ended excluded. */
export function treeOf(root: number, all: readonly ProcessFacts[] = allProcesses()): readonly ProcessFacts[] {
  const found = all.filter(({ pid }) => pid === root);
  for (const { pid: above } of found) found.push(...all.filter(({ parent }) => parent === above));
  return found.filter(({ state }) => state !== 'Z');
}

function factsOf(pid: number): ProcessFacts | null {
  const line = statLine(pid);
  const [state = '', parent, group, ...rest] = line.slice(line.lastIndexOf(')') + 2).split(' ');
  if (parent === undefined) return null;
  const ticks = Number(rest[8]) + Number(rest[9]);
  return { pid, parent: Number(parent), group: Number(group), state, cpuSeconds: ticks / TICKS, startedAt: rest[16] ?? '' };
}

function statLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return '';
  }
}

/**
 * Counts the CPU time of a process and all that descend from it, also after they have ended: it looks at them each 100 ms, so that the last 100 ms of each
 * do not count.
 */
export class TreeCpu {
  readonly #root: number;
  readonly #seen = new Map<string, ProcessFacts>();
  readonly #timer: NodeJS.Timeout;

  constructor(root: number, every: Ms = 100) {
    this.#root = root;
    this.#timer = setInterval(() => this.#look(), every);
    this.#look();
  }

  /** @returns seconds of the root, and of the others */
  stop(): { readonly own: number; readonly others: number } {
    clearInterval(this.#timer);
    this.#look();
    const seen = [...this.#seen.values()];
    const sum = (of: readonly ProcessFacts[]) => of.reduce((total, { cpuSeconds }) => total + cpuSeconds, 0);
    return { own: sum(seen.filter(({ pid }) => pid === this.#root)), others: sum(seen.filter(({ pid }) => pid !== this.#root)) };
  }

  /** A process whose parent has ended is known by its earlier line. */
  #look(): void {
    const all = allProcesses();
    const known = all.filter((process) => this.#seen.has(keyOf(process)));
    const roots = new Set([this.#root, ...known.map(({ pid }) => pid)]);
    for (const root of roots) for (const process of treeOf(root, all)) this.#seen.set(keyOf(process), process);
  }
}

function keyOf({ pid, startedAt }: ProcessFacts): string {
  return `${pid} ${startedAt}`;
}
