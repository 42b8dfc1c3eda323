/** Owner of a lock, and whether this process can tell that the owner is alive. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import * as z from 'zod';

/** A name to show to people: anybody may have written a lock. */
const nameSchema = z
  .string()
  .max(255)
  .transform((name) => name.replaceAll(/[^\w.:-]/g, '?'));

const ownerSchema = z.object({
  pid: z.number().int().positive(),
  /** Boot of its machine, and start time in ticks after it; empty without a /proc. */
  boot: z.string(),
  started: z.string(),
  /** Versions up to 0.1 omit the fields below. The token is random; no two locks share one. */
  token: z.string().default(''),
  /** Inode of its PID namespace; empty if not known. Another namespace may get the number once this one is gone. */
  namespace: z.string().default(''),
  host: nameSchema.default(''),
  /** See `worksAs`; earlier versions omit it. */
  work: nameSchema.default(''),
  /** Does it hold an OS lock on the file? If so: is the disk mounted by one machine only, or may others share it? */
  held: z.enum(['one machine', 'shared', 'no']).default('no'),
  /** Device and inode of the file to which it wrote this: a copy has others. */
  file: z.string().default(''),
});

export type LockOwner = z.infer<typeof ownerSchema>;

export type Liveness = 'alive' | 'dead' | 'unclear';

/** The content of a lock file. */
export interface SeenLock {
  /** null if the file names no owner. */
  readonly owner: LockOwner | null;
  readonly file: string;
  readonly isOfOneMachine: boolean;
  /** Is its OS lock free, according to this system? null if the system cannot tell. */
  readonly isFree: boolean | null;
}

export function ownerIn(line: string): LockOwner | null {
  try {
    return ownerSchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

let work = '';

/** Names the work of this process in the locks that it takes, for those who find them held. @param port of the page it works for; 0 if that is not known */
export function worksAs(what: 'page-session' | 'page-run', port: number): void {
  work = `${what}:${port}`;
}

/** Identity of this process as other processes see it. */
export function thisProcess(): Pick<LockOwner, 'pid' | 'boot' | 'started' | 'namespace' | 'host' | 'work'> {
  const { pid } = process;
  // In a /proc of another PID namespace, this process has another number.
  const known = linkOf('/proc/self') === String(pid);
  return {
    pid,
    boot: contentOf('/proc/sys/kernel/random/boot_id'),
    started: known ? (statOf(pid)?.started ?? '') : '',
    namespace: known ? linkOf('/proc/self/ns/pid') : '',
    host: nameSchema.catch('').parse(hostname()),
    work,
  };
}

/** Is this a process of our own PID namespace (or, without namespaces, of our machine)? Then its process id is valid here. */
export function isNear(owner: LockOwner, here = thisProcess()): boolean {
  if (owner.boot !== here.boot) return false;
  return here.boot === '' ? owner.host === here.host : here.namespace !== '' && owner.namespace === here.namespace;
}

/**
 * The verdict without waiting. A held OS lock proves that the owner is alive. A free one proves that it is gone, if the owner held it and one system
 * knows all its locks: on a disk of one machine, or for the same file within one boot. Otherwise only processes of our PID namespace can be checked.
 */
export function verdictOn({ owner, file, isOfOneMachine, isFree }: SeenLock, here = thisProcess()): Liveness {
  if (isFree === false) return 'alive';
  if (owner === null) return 'unclear';
  const isReleased = isFree === true && owner.held !== 'no';
  if (isReleased && isOfOneMachine && owner.held === 'one machine') return 'dead';
  if (isReleased && owner.boot !== '' && owner.boot === here.boot && owner.file === file) return 'dead';
  const known = isNear(owner, here) ? byProcess(owner) : 'unclear';
  // If a directory was copied while a crawl ran, the lock of the copy names a living process that works on the original.
  return known === 'alive' && owner.file !== '' && owner.file !== file ? 'unclear' : known;
}

/** A process id means nothing in another PID namespace, and is used again after a while: the start time distinguishes the processes. */
function byProcess({ pid, started }: LockOwner): Liveness {
  const now = stateOf(pid);
  if (now === 'gone') return 'dead';
  if (now === 'hidden') return 'unclear';
  return now.started === started && !now.over ? 'alive' : 'dead';
}

/** `over`: it has ended, but its parent has not collected it. `hidden`: it exists, but its start time is not visible. */
type ProcessState = 'gone' | 'hidden' | { readonly started: string; readonly over: boolean };

function stateOf(pid: number): ProcessState {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return 'gone';
  }
  return statOf(pid) ?? 'hidden';
}

/** Fields 3 and 22 of proc(5) stat, counted from the end of the command name, which may contain spaces. */
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
