/** The file of hooks, as the manifest knows it. */
import { createHash } from 'node:crypto';
import { UsageError } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import type { Bytes } from '../../base/core/types.ts';
import { readGivenFile } from '../../base/text/given-file.ts';
import type { CrawlManifest } from './crawl-directory.ts';

/** Code of a person is far below. */
const MAX_BYTES: Bytes = 4 * 1024 * 1024;

/** SHA-256 of the file, hex; files that it imports do not count. @throws UsageError, DataError */
export function hooksDigest(path: string): string {
  if (!isThere(path)) throw new UsageError(`${path}: there are no hooks here; give the file with --hooks, or --hooks none`);
  const bytes = readGivenFile(path, { maxBytes: MAX_BYTES, what: 'a file of hooks', remedy: 'give a module of functions' });
  return createHash('sha256').update(bytes).digest('hex');
}

/** A warning, if pages of the crawl were read with other hooks; null otherwise. @param found the manifest before this run */
export function otherHooks(found: CrawlManifest | null, { hooks, hooksSha256 }: CrawlManifest): string | null {
  if (found === null || found.runs.length === 0 || found.hooksSha256 === hooksSha256) return null;
  const before = found.hooksSha256 === null ? 'no hooks' : 'another version of its hooks';
  return `${hooks ?? 'hooks'}: the pages so far were visited with ${before}; this run has ${hooks === null ? 'none' : 'these'}`;
}
