/** Files that are replaced in one step. */
import { renameSync, writeFileSync } from 'node:fs';

/** A crash or a loss of power leaves the old content or the new one. @throws the error of the file system */
export function replaceFile(path: string, content: string | Uint8Array): void {
  // On disk before it takes the name of the old one.
  writeFileSync(`${path}.tmp`, content, { flush: true });
  renameSync(`${path}.tmp`, path);
}
