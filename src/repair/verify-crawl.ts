/** Is a crawl as it was written? All of it is read and held against its checksums, and its parts against each other. Nothing is written. */

import { existsSync } from 'node:fs';
import { StoreError, UsageError } from '../core/errors.ts';
import { Turns } from '../core/turns.ts';
import { crawlPaths } from '../crawl-dir/crawl-directory.ts';
import { lockState } from '../crawl-dir/lock.ts';
import { checkOptions, type OptionTable } from '../settings/check-options.ts';
import { COMMANDS } from '../settings/commands.ts';
import { checksOf } from '../settings/derive.ts';
import { call, signal } from '../settings/kinds.ts';
import { AT_WORK, type Check, Examined, type Look, type LookAt } from './verify-check.ts';
import { CORPUS_CHECKS, notesOf } from './verify-corpus.ts';
import { FRONTIER_CHECKS } from './verify-frontier.ts';
import { OWN_FILE_CHECKS } from './verify-own-files.ts';

export interface VerifyOptions {
  /** Crawl directory. */
  readonly dir: string;
  /** The check at work, and how many things it has looked at. */
  readonly onProgress?: (check: string, examined: number) => void;
  readonly signal?: AbortSignal;
}

const VERIFY: OptionTable<VerifyOptions> = { dir: checksOf(COMMANDS.verify).dir, onProgress: call, signal };

/** What one check came to. */
export interface CheckResult {
  readonly check: string;
  /** Things looked at, each once: values, lines, records; 0 of a check that looks at one thing. */
  readonly examined: number;
  /** One line each, at most 20. */
  readonly faults: readonly string[];
  /** Faults beyond those. */
  readonly moreFaults: number;
  /** Why it was not made; null where it was. */
  readonly skipped: string | null;
}

export interface VerifyReport {
  readonly dir: string;
  /** Was a crawl at work? Then what it had committed at one moment was looked at, and the trees of its database were not. */
  readonly running: boolean;
  /** Was one perhaps at work, in another container or on another machine? Then `running` is true too, and the trees were looked at. */
  readonly unclear: boolean;
  readonly faults: number;
  readonly checks: readonly CheckResult[];
  /** What is no fault: bytes that were never committed, folders of what was cut off. */
  readonly notes: readonly string[];
}

/** In this order: later ones go by what earlier ones read. */
const CHECKS: readonly Check[] = [...OWN_FILE_CHECKS, ...FRONTIER_CHECKS, ...CORPUS_CHECKS];

/** Faults of a check that are named. */
const NAMED = 20;

/** See `verify` of the library. */
export async function verify(options: VerifyOptions): Promise<VerifyReport> {
  checkOptions('verify', VERIFY, options, 'dir');
  const { dir, onProgress, signal } = options;
  const paths = crawlPaths(dir);
  if (![paths.manifest, paths.frontier, paths.corpus].some((path) => existsSync(path)))
    throw new UsageError(`${dir}: no crawl is here; name the directory of one`);
  const state = lockState(paths.lock);
  const crawl = new Examined(paths, state !== 'free', state === 'unclear');
  const turns = new Turns();
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

async function resultOf(check: Check, crawl: Examined, before: readonly CheckResult[], onLook: Look): Promise<CheckResult> {
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

/** What a check goes by has to be whole. */
function whyNot({ needs = [] }: Check, before: readonly CheckResult[]): string | null {
  const failed = before.find(
    ({ check, faults, skipped }) => needs.includes(check) && (faults.length > 0 || (skipped !== null && skipped !== AT_WORK)),
  );
  return failed ? `${failed.check}: ${failed.skipped === null ? 'is damaged' : 'was not checked'}` : null;
}
