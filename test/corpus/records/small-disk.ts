import { execFileSync } from 'node:child_process';

/** null when a small file system can be mounted here; else why not. */
function whyNoMount(): string | null {
  try {
    const probe = execFileSync('mktemp', ['-d'], { encoding: 'utf8' }).trim();
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', probe], { stdio: 'pipe' });
      execFileSync('umount', [probe], { stdio: 'pipe' });
    } finally {
      execFileSync('rmdir', [probe]);
    }
    return null;
  } catch {
    return 'tmpfs cannot be mounted by this user';
  }
}

/** The same, asked once. */
export const noMount = whyNoMount();
