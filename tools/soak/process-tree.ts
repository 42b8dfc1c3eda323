/** A crawl's processes: those of its group, and those that work for its page, which have groups of their own. */
import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Ms } from '../../src/base/core/types.ts';
import { pause } from './crash-bench.ts';

/** A process that works for the page ends with what it does at the moment. Only guards against hanging. */
const MOST: Ms = 60_000;

/** Ids of the processes that a process started; empty where the system has no /proc. */
export function childrenOf(pid: number | undefined): number[] {
  return processes().filter((id) => parentOf(id) === pid);
}

function processes(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** Fields after the name, which ends with the last bracket: state, parent (proc(5)). Of one that is dead and waits to be collected: null. */
function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? null : Number(parent);
  } catch {
    return null;
  }
}

/** @param leader started as the leader of its group */
export function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) kill(-pid);
}

export function killAll(leader: ChildProcess, children: readonly number[]): void {
  killGroup(leader);
  for (const child of children) kill(child);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** @throws Error where they outlive the crawl that they work for */
export async function theirEnd(children: readonly number[]): Promise<void> {
  const until = Date.now() + MOST;
  while (children.some((child) => parentOf(child) !== null)) {
    if (Date.now() > until) throw new Error(`processes ${children.join(', ')} outlived the crawl by ${MOST / 1000} s`);
    await pause(20);
  }
}
