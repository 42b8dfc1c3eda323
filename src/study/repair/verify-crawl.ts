/** Checks whether a crawl is undamaged. Reads all of it, checks its checksums, and compares its parts with each other. Writes nothing. */

import { join } from 'node:path';
import { StoreError, UsageError } from '../../base/core/errors.ts';
import { EventLoopYielder } from '../../base/core/event-loop-yielder.ts';
import { isThere } from '../../base/core/on-disk.ts';
import { refuseFileInPath } from '../../base/disk/directories.ts';
import { lockState } from '../../base/disk/lock.ts';
import { endLeftovers } from '../../base/disk/output.ts';
import { PAIRS_CARD_FILE } from '../../base/disk/own-names.ts';
import { isCorpus } from '../../corpus/harvest/folder-source.ts';
import { crawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import { checkOptions, type OptionTable } from '../../crawling/settings/check-options.ts';
import { COMMANDS } from '../../crawling/settings/commands.ts';
import { checksOf } from '../../crawling/settings/derive.ts';
import { call, signal } from '../../crawling/settings/kinds.ts';
import { AT_WORK, type Check, Examined, type Look, type LookAt } from './verify-check.ts';
import { CORPUS_CHECKS, notesOf } from './verify-corpus.ts';
import { FRONTIER_CHECKS } from './verify-frontier.ts';
import { ExaminedCorpus, HARVEST_CHECKS, PAIRS_CHECKS } from './verify-harvest.ts';
import { OWN_FILE_CHECKS } from './verify-own-files.ts';

export interface VerifyOptions {
  /** Crawl directory, or the folder of a harvest. */
  readonly dir: string;
  /** The running check, and the number of things it has examined. */
  readonly onProgress?: (check: string, examined: number) => void;
  readonly signal?: AbortSignal;
}

const VERIFY: OptionTable<VerifyOptions> = { dir: checksOf(COMMANDS.verify).dir, onProgress: call, signal };

/** The result of one check. */
export interface CheckResult {
  readonly check: string;
  /** Number of examined things, each once: values, lines, records; 0 for a check of a single thing. */
  readonly examined: number;
  /** One line each, at most 20. */
  readonly faults: readonly string[];
  /** Number of further faults. */
  readonly moreFaults: number;
  /** Reason why the check was skipped; null if it was not. */
  readonly skipped: string | null;
}

export interface VerifyReport {
  readonly dir: string;
  /** Was a crawl running? Then its committed state at one moment was checked, without the trees of its database. */
  readonly running: boolean;
  /** Was one perhaps running, in another container or on another machine? Then `running` is also true, and the trees were checked. */
  readonly unclear: boolean;
  readonly faults: number;
  readonly checks: readonly CheckResult[];
  /** Findings that are no fault: bytes that were never committed, folders of cut-off parts. */
  readonly notes: readonly string[];
}

/** Checks in this order: later ones use data of earlier ones. */
const CHECKS: readonly Check[] = [...OWN_FILE_CHECKS, ...FRONTIER_CHECKS, ...CORPUS_CHECKS];

/** Number of named faults of a check. */
const NAMED = 20;

/** See `verify` of the library. */
export async function verify(options: VerifyOptions): Promise<VerifyReport> {
  checkOptions('verify', VERIFY, options, 'dir');
  const { dir, onProgress, signal } = options;
  refuseFileInPath(dir);
  await endLeftovers(dir);
  const paths = crawlPaths(dir);
  if (isCorpus(dir)) return verifyCorpus(options);
  if (![paths.manifest, paths.frontier, paths.corpus].some((path) => isThere(path)))
    throw new UsageError(`${dir}: no crawl and no corpus is here; name the directory of one`);
  const state = lockState(paths.lock);
  const crawl = new Examined(paths, state !== 'free', state === 'unclear');
  const turns = new EventLoopYielder();
  const results: CheckResult[] = [];
  try {
    for (const check of CHECKS) {
      const look = async (examined: number) => {
        signal?.throwIfAborted();
        onProgress?.(check.name, examined);
        await turns.take();
      };
      results.push(await resultOf(check, crawl, results, look));
    }
    const faults = results.reduce((sum, { faults, moreFaults }) => sum + faults.length + moreFaults, 0);
    if (faults > 0 && !crawl.running && lockState(paths.lock) !== 'free')
      throw new StoreError('STORE_LOCKED', `${dir}: a crawl began while it was looked through; run the command again`);
    return { dir, running: crawl.running, unclear: state === 'unclear', faults, checks: results, notes: await notesOf(crawl) };
  } finally {
    await crawl.close();
  }
}

/** Checks the folder of a harvest. */
async function verifyCorpus({ dir, onProgress, signal }: VerifyOptions): Promise<VerifyReport> {
  const corpus = new ExaminedCorpus(dir);
  const turns = new EventLoopYielder();
  const results: CheckResult[] = [];
  for (const check of isThere(join(dir, PAIRS_CARD_FILE)) ? PAIRS_CHECKS : HARVEST_CHECKS) {
    const look = async (examined: number) => {
      signal?.throwIfAborted();
      onProgress?.(check.name, examined);
      await turns.take();
    };
    results.push(await resultOf(check, corpus, results, look));
  }
  const faults = results.reduce((sum, { faults, moreFaults }) => sum + faults.length + moreFaults, 0);
  return { dir, running: false, unclear: false, faults, checks: results, notes: corpus.notes };
}

async function resultOf<T>(check: Check<T>, crawl: T, before: readonly CheckResult[], onLook: Look): Promise<CheckResult> {
  const skipped = whyNot(check, before) ?? check.skips?.(crawl) ?? null;
  const faults: string[] = [];
  let moreFaults = 0;
  let examined = 0;
  const look: LookAt = (again) => onLook(again ? examined : ++examined);
  if (skipped === null)
    for await (const fault of check.faults(crawl, look))
      if (faults.length < NAMED) faults.push(fault);
      else moreFaults += 1;
  return { check: check.name, examined, faults, moreFaults, skipped };
}

/** The data that a check uses must be undamaged. */
function whyNot({ needs = [] }: Pick<Check, 'needs'>, before: readonly CheckResult[]): string | null {
  const failed = before.find(
    ({ check, faults, skipped }) => needs.includes(check) && (faults.length > 0 || (skipped !== null && skipped !== AT_WORK)),
  );
  return failed ? `${failed.check}: ${failed.skipped === null ? 'is damaged' : 'was not checked'}` : null;
}
