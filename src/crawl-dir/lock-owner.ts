/** Who holds a lock, and whether this process can tell that it is still alive. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';

/** A name to be shown to people: a lock may have been written by anybody. */
const nameSchema = z
  .string()
  .max(255)
  .transform((name) => name.replaceAll(/[^\w.:-]/g, '?'));

const ownerSchema = z.object({
  pid: z.number().int().positive(),
  /** Of the boot of its machine, and in ticks after it; empty where there is no /proc. */
  boot: z.string(),
  started: z.string(),
  /** Those below are not told by versions up to 0.1. By chance; no two locks have the same. */
  token: z.string().default(''),
  /** Inode of its PID namespace; empty where that is not known. Another one may get its number once it is gone. */
  namespace: z.string().default(''),
  host: nameSchema.default(''),
  /** Has it an OS lock on the file: on a disk that no other machine has mounted, or on one that may be shared? */
  held: z.enum(['one machine', 'shared', 'no']).default('no'),
  /** Device and inode of the file it wrote this to: a copy has others. */
  file: z.string().default(''),
});

export type LockOwner = z.infer<typeof ownerSchema>;

export type Verdict = 'alive' | 'dead' | 'unclear';

/** What a lock file was found to hold. */
export interface SeenLock {
  /** null where it names none. */
  readonly owner: LockOwner | null;
  readonly file: string;
  readonly isOfOneMachine: boolean;
  /** Does no process that this system knows of hold its OS lock? null where it cannot tell. */
  readonly isFree: boolean | null;
}

export function ownerIn(line: string): LockOwner | null {
  try {
    return ownerSchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

/** This process, as others will know it. */
export function thisProcess(): Pick<LockOwner, 'pid' | 'boot' | 'started' | 'namespace' | 'host'> {
  const { pid } = process;
  // A /proc that was mounted for another PID namespace has this process under another number.
  const known = linkOf('/proc/self') === String(pid);
  return {
    pid,
    boot: contentOf('/proc/sys/kernel/random/boot_id'),
    started: known ? (statOf(pid)?.started ?? '') : '',
    namespace: known ? linkOf('/proc/self/ns/pid') : '',
    host: nameSchema.catch('').parse(hostname()),
  };
}

/** Is this a process of our own PID namespace (or, where there are none, of our machine)? Then its number is ours too. */
export function isNear(owner: LockOwner, here = thisProcess()): boolean {
  if (owner.boot !== here.boot) return false;
  return here.boot === '' ? owner.host === here.host : here.namespace !== '' && owner.namespace === here.namespace;
}

/**
 * What can be told at once. An OS lock that is held is the word of the system. One that is free is too, where the owner took it and there is but one
 * system to ask: on a disk of one machine, and on the very file within one boot. Else only a process of our own PID namespace can be looked up.
 */
export function verdictOn({ owner, file, isOfOneMachine, isFree }: SeenLock, here = thisProcess()): Verdict {
  if (isFree === false) return 'alive';
  if (owner === null) return 'unclear';
  const hasLetGo = isFree === true && owner.held !== 'no';
  if (hasLetGo && isOfOneMachine && owner.held === 'one machine') return 'dead';
  if (hasLetGo && owner.boot !== '' && owner.boot === here.boot && owner.file === file) return 'dead';
  const known = isNear(owner, here) ? byProcess(owner) : 'unclear';
  // The lock of a directory that was copied while a crawl ran names a process that is alive, and is at work elsewhere.
  return known === 'alive' && owner.file !== '' && owner.file !== file ? 'unclear' : known;
}

/** A process id tells nothing in another PID namespace, and is given again after a while: the start time tells the one from the other. */
function byProcess({ pid, started }: LockOwner): Verdict {
  const now = stateOf(pid);
  if (now === 'gone') return 'dead';
  if (now === 'hidden') return 'unclear';
  return now.started === started && !now.over ? 'alive' : 'dead';
}

/** `over`: it has ended, and its parent has not asked how. `hidden`: it is there, and no more is told. */
type ProcessState = 'gone' | 'hidden' | { readonly started: string; readonly over: boolean };

function stateOf(pid: number): ProcessState {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return 'gone';
  }
  return statOf(pid) ?? 'hidden';
}

/** Fields 3 and 22 of proc(5) stat, counted after the command name, which may hold spaces. */
function statOf(pid: number): { readonly started: string; readonly over: boolean } | null {
  const fields = contentOf(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
  const [state = '', started = ''] = [fields[0], fields[19]];
  return started === '' ? null : { started, over: state === 'Z' || state === 'X' };
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
