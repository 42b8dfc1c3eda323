import { UsageError } from '../../base/core/errors.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { FaultTally } from './fault-tally.ts';
import { HOOK_NAMES, HOOK_RESULTS, type HookArguments, type HookName, type HookResult } from './hook-names.ts';
import { type HookFault, type HookLimits, HookThread, type ModuleUse } from './hook-thread.ts';

export interface HookOptions {
  /** Full path of the module. */
  readonly file: string;
  /** Does a failure of a hook fail its page? */
  readonly strict: boolean;
  readonly warn: (message: string) => void;
  /** Default: those of `HOOK_LIMITS`. */
  readonly limits?: HookLimits;
}

/** `trouble`: the hook and the cause of its failure, as the ledger has them. */
export type HookReply<Name extends HookName> =
  | { readonly kind: 'value'; readonly value: HookResult<Name> }
  | { readonly kind: 'failed'; readonly trouble: string };

const HOOKS: ModuleUse = { noun: 'hooks', option: 'hooks' };

/** The user's hooks: their calls, and the count of those that failed. */
export class Hooks {
  readonly strict: boolean;
  readonly #names: ReadonlySet<string>;
  readonly #thread: HookThread;
  readonly #faults: FaultTally;

  /** @throws UsageError for a module that cannot be loaded, or that has no hook */
  static async open(options: HookOptions): Promise<Hooks> {
    const thread = new HookThread(options.file, HOOKS, options.limits);
    const names = await thread.open();
    const unknown = names.filter((name) => !HOOK_NAMES.some((known) => known === name));
    if (names.length > unknown.length) {
      if (unknown.length > 0)
        options.warn(
          `${options.file}: ${unknown.join(', ')}: no hook has this name, so nothing calls it; hooks are ${HOOK_NAMES.join(', ')}`,
        );
      return new Hooks(options, thread, names);
    }
    await thread.close();
    throw new UsageError(`${options.file}: exports no hook; export a function named ${HOOK_NAMES.join(', ')}`);
  }

  private constructor({ file, strict, warn }: HookOptions, thread: HookThread, names: readonly string[]) {
    [this.strict, this.#thread, this.#names] = [strict, thread, new Set(names)];
    const fate = strict ? 'the page fails' : 'the page was visited without it';
    this.#faults = new FaultTally({ file, kind: 'hook ', end: `${fate}; mend the hook, and see why of the page` }, warn);
  }

  has(name: HookName): boolean {
    return this.#names.has(name);
  }

  /** Calls a hook about a URL, after all calls before. Never rejects. A hook that the module does not have changes nothing: null. */
  async ask<Name extends HookName>(name: Name, url: CanonicalUrl, argument: HookArguments[Name]): Promise<HookReply<Name>> {
    if (!this.has(name)) return { kind: 'value', value: null as HookResult<Name> };
    const answer = await this.#thread.call(name, argument);
    if (!('value' in answer)) return this.failed(name, url, answer);
    const checked = HOOK_RESULTS[name].safeParse(answer.value);
    if (checked.success) return { kind: 'value', value: checked.data as HookResult<Name> };
    const [issue] = checked.error.issues;
    const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
    return this.failed(name, url, { cause: 'rubbish', detail: `${place}${issue?.message ?? 'not a result'}` });
  }

  /** Counts a failure of a hook, and warns of the first of its kind. */
  failed(name: HookName, url: CanonicalUrl, fault: HookFault): Extract<HookReply<HookName>, { kind: 'failed' }> {
    return { kind: 'failed', trouble: this.#faults.failed(name, url, fault) };
  }

  /** Ends the thread, and tells how often hooks failed. */
  async close(): Promise<void> {
    await this.#thread.close();
    this.#faults.tell();
  }
}

/** Loads a module of hooks, and forgets it: a fault in it is found before a crawl writes anything. @throws UsageError */
export async function checkHooks(file: string): Promise<void> {
  // The run itself warns.
  await (await Hooks.open({ file, strict: false, warn: () => undefined })).close();
}
