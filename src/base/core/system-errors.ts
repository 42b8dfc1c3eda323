/** Faults of the machine that a file system answers with: one table for all commands and the library. */

/** Next step by the code of the fault. ENOENT and EEXIST are not here: for them the next step depends on the command. */
const REMEDIES: Readonly<Record<string, string>> = {
  EACCES: 'give your user the right to it (chmod, chown), or give another path',
  EPERM: 'the system allows this to another user only: run as that user, or give another path',
  EROFS: 'the disk is mounted read-only: mount it for writing, or give another path',
  ENOTDIR: 'a part of the path is a file, not a folder: correct the path',
  EISDIR: 'this is a folder, not a file: correct the path',
  ELOOP: 'symbolic links lead in a circle: mend them, or give another path',
  ENAMETOOLONG: 'the name is too long for the file system: give a shorter one',
  EMFILE: 'too many files are open: raise the limit (ulimit -n), and run the same command again',
  ENFILE: 'too many files are open on this machine: close some, and run the same command again',
  ENOSPC: 'free some space, and run the same command again',
  EDQUOT: 'your quota is spent: free some space, and run the same command again',
  EFBIG: 'the file system or a limit (ulimit -f) takes no larger file: raise it, and run the same command again',
  EIO: 'the disk fails: check it, and run the same command again',
  EBUSY: 'another program or a mount uses it: give another path',
  ETXTBSY: 'another program runs this file: give another path',
  EXDEV: 'this is on another disk: give a path on the same one',
  ENODEV: 'the device is gone: mount it again',
  ENXIO: 'the device is gone: mount it again',
  ENOTCONN: 'the file server is gone: mount it again',
  ESTALE: 'the file server does not know it any more: mount it again',
};

/** A full disk in one of its forms. */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Calls of sockets have some of these codes too. Their faults are those of a host. */
const OF_NETWORK: ReadonlySet<string> = new Set(['connect', 'listen', 'bind', 'getaddrinfo', 'accept', 'send', 'recv', 'shutdown']);

export interface SystemFault {
  readonly code: string;
  /** The path, if the system named one, and its sentence. */
  readonly text: string;
  /** The next step. */
  readonly remedy: string;
  readonly isFull: boolean;
}

/** The fault of the machine that caused an error, directly or by way of others; null if none did. */
export function systemFault(error: unknown): SystemFault | null {
  for (let at = error, steps = 0; at instanceof Error && steps < 10; at = at.cause, steps++) {
    const code = 'code' in at ? String(at.code) : '';
    const remedy = REMEDIES[code];
    if (remedy === undefined || !('syscall' in at) || OF_NETWORK.has(String(at.syscall))) continue;
    return { code, text: textOf(at), remedy, isFull: FULL.has(code) };
  }
  return null;
}

/** Text of a system error, path first: "EACCES: permission denied, open 'x'" becomes "x: permission denied (EACCES, open)". */
function textOf(error: Error & { readonly code?: unknown; readonly syscall?: unknown; readonly path?: unknown }): string {
  const [, why = error.message] = /^[A-Z]+: ([^,]+), \w+/.exec(error.message) ?? [];
  const place = typeof error.path === 'string' ? `${error.path}: ` : '';
  return `${place}${why} (${error.code}, ${error.syscall})`;
}

/** A message whose last part, after the last semicolon, is the next step. */
export function withRemedy(message: string, { remedy }: SystemFault): string {
  const end = message.lastIndexOf('; ');
  return `${end < 0 ? message : message.slice(0, end)}; ${remedy}`;
}
