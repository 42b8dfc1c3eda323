/** Code of the user, as the manifest knows it. */
import { createHash } from 'node:crypto';
import { UsageError } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import type { Bytes } from '../../base/core/types.ts';
import { readGivenFile } from '../../base/text/given-file.ts';
import { isOwnStrategy } from '../../reading/links/strategy-names.ts';
import { COMMAND } from '../settings/own-code.ts';
import type { CrawlManifest } from './crawl-directory.ts';
import type { CrawlSettings } from './crawl-settings.ts';

/** Code of a person is far below. */
const MAX_BYTES: Bytes = 4 * 1024 * 1024;

type Digests = Pick<CrawlManifest, 'hooksSha256' | 'judgeSha256'>;

/** Digests of hooks and judge. @throws UsageError, DataError for a file that is not there or too large, and for a command that is not given again */
export function codeDigests({ hooks, judgeBy }: CrawlManifest, { dir, judgeBy: given }: CrawlSettings): Digests {
  return {
    hooksSha256: hooks === null ? null : moduleDigest(hooks, { name: 'hooks', option: '--hooks', otherwise: 'none' }),
    judgeSha256:
      judgeBy === null
        ? null
        : judgeBy === COMMAND
          ? digestOf(commandGiven(dir, '--judge-by', given))
          : moduleDigest(judgeBy, { name: 'a judge', option: '--judge-by', otherwise: 'none' }),
  };
}

/** The command of an option, which no manifest has. @throws UsageError */
export function commandGiven(dir: string, option: '--judge-by' | '--sink', given: string | undefined): string {
  if (given !== undefined) return given;
  const what = option === '--sink' ? 'gets the records' : 'judges the pages';
  throw new UsageError(`${dir}: a command ${what} of this crawl, and commands are not stored; give ${option} again, or ${option} none`);
}

/** SHA-256 of the strategy of the user; null for one of Forager's. @param found the manifest before this run. @throws UsageError, DataError */
export function strategyDigest({ strategy }: CrawlManifest, found: CrawlManifest | null, dir: string): string | null {
  if (!isOwnStrategy(strategy)) return null;
  const sha256 = moduleDigest(strategy, { name: 'a strategy', option: '--strategy', otherwise: 'apprentice for a new crawl' });
  const before = found?.ownStrategy?.sha256 ?? sha256;
  if (before === sha256) return sha256;
  throw new UsageError(
    `${dir}: this crawl was started with another content of ${strategy} (SHA-256 ${before.slice(0, 16)}…, now ${sha256.slice(0, 16)}…); restore that file, or start a new crawl directory`,
  );
}

interface ModuleOption {
  readonly name: string;
  readonly option: string;
  /** A value that needs no module. */
  readonly otherwise: string;
}

/** SHA-256 of the file, hex; files that it imports do not count. @throws UsageError, DataError */
function moduleDigest(path: string, { name, option, otherwise }: ModuleOption): string {
  if (!isThere(path)) throw new UsageError(`${path}: no file of ${name} is here; give it with ${option}, or give ${option} ${otherwise}`);
  return digestOf(readGivenFile(path, { maxBytes: MAX_BYTES, what: `a module for ${option}`, remedy: 'give a module of functions' }));
}

function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Warnings, if pages of the crawl were visited with other hooks or another judge. @param found the manifest before this run */
export function otherCode(found: CrawlManifest | null, manifest: CrawlManifest): readonly string[] {
  if (found === null || found.runs.length === 0) return [];
  const { hooks, judgeBy } = manifest;
  return [
    ...changeOf({ name: 'hooks', these: 'these', path: hooks }, found.hooksSha256, manifest.hooksSha256),
    ...changeOf({ name: 'judge', these: 'this one', path: judgeBy }, found.judgeSha256, manifest.judgeSha256),
  ];
}

interface Code {
  readonly name: string;
  readonly these: string;
  readonly path: string | null;
}

function changeOf({ name, these, path }: Code, before: string | null, now: string | null): readonly string[] {
  if (before === now) return [];
  const former = before === null ? `no ${name}` : `another version of its ${name}`;
  return [`${path ?? name}: the pages so far were visited with ${former}; this run has ${path === null ? 'none' : these}`];
}
