/** Owner of a lock: its name for people, and its machine, for those who find the lock free. */
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
  /** Boot of its machine; empty without a /proc. */
  boot: z.string(),
  /** Start time of the process in ticks after the boot; empty without a /proc. */
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

export function ownerIn(line: string): LockOwner | null {
  try {
    return ownerSchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

/** Start time of a process whose parent has not collected it. */
const ENDED = 'ended';

let work = '';

/** Names the work of this process in the locks that it takes, for those who find them held. @param port of the page it works for; 0 if that is not known */
export function worksAs(what: 'page-session' | 'page-run', port: number): void {
  work = `${what}:${port}`;
}

/** Identity of this process as other processes see it. */
export function thisProcess(): Pick<LockOwner, 'pid' | 'boot' | 'started' | 'namespace' | 'host' | 'work'> {
  const { pid } = process;
  // In a /proc of another PID namespace, this process has another number.
  const known = textBy(() => readlinkSync('/proc/self')) === String(pid);
  return {
    pid,
    boot: textBy(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    started: known ? startOf(pid) : '',
    namespace: known ? textBy(() => readlinkSync('/proc/self/ns/pid')) : '',
    host: nameSchema.catch('').parse(hostname()),
    work,
  };
}

/** Does the owner run on this machine, since its last start? Then our system knows its OS locks. Where systems do not tell their starts, the host name counts. */
export function isOfThisBoot(owner: LockOwner, here: Pick<LockOwner, 'boot' | 'host'> = thisProcess()): boolean {
  return owner.boot === here.boot && (here.boot !== '' || owner.host === here.host);
}

/** Does the process still run? null if that is not visible: it has another PID namespace, or belongs to another user. */
export function isRunning(owner: LockOwner): boolean | null {
  if (owner.started === '' || !isNear(owner)) return null;
  const started = startOf(owner.pid);
  return started === '' && isThere(owner.pid) ? null : started === owner.started;
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Fields 3 and 22 of proc(5) stat, counted from the end of the command name, which may contain spaces. Empty for none, and for one that has ended. */
function startOf(pid: number): string {
  const fields =
    textBy(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
      .split(') ')
      .at(-1)
      ?.split(' ') ?? [];
  return fields[0] === 'Z' || fields[0] === 'X' ? ENDED : (fields[19] ?? '');
}

/** Owner of a held lock, and the way to end it: for a page, a button. */
export function heldLockText(owner: LockOwner | null): string {
  const [, work, port] = /^(page-session|page-run):(\d+)$/.exec(owner?.work ?? '') ?? [];
  const page = `the page${port === '0' ? '' : ` on port ${port}`}`;
  if (work === 'page-session') return `${page} has a labelling session open; press "Close the session" on its screen Label`;
  if (work === 'page-run') return `${page} runs this crawl; press "Stop" there, or wait for its end`;
  const stop = owner && isNear(owner) ? `stop it (kill -INT ${owner.pid})` : 'stop it there';
  return `${ownerText(owner)} is working on it; wait for it to end, or ${stop}`;
}

/** The owner, in words for people. */
export function ownerText(owner: LockOwner | null): string {
  if (owner === null) return 'a process that left no name';
  if (isNear(owner)) return `process ${owner.pid}`;
  return `process ${owner.pid} of host ${owner.host || '(unknown)'} (another container, another machine, or before a restart)`;
}

/** Is this a process of our own PID namespace (or, without namespaces, of our machine)? Then its process id is valid here. */
function isNear(owner: LockOwner, here = thisProcess()): boolean {
  return isOfThisBoot(owner, here) && (here.boot === '' || (here.namespace !== '' && owner.namespace === here.namespace));
}

function textBy(read: () => string): string {
  try {
    return read().trim();
  } catch {
    return '';
  }
}
