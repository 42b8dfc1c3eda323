/** What an option is. */
import type { z } from 'zod';
import type { Ms } from '../core/types.ts';
import type { Strategy } from '../links/strategies.ts';
import type { Kind } from './kinds.ts';

export interface Setting<T> {
  readonly kind: Kind<T>;
  /** One line of the help: what it does, without the default. */
  readonly help: string;
  /** The default, as the help shows it; absent where there is none. */
  readonly byDefault?: string;
  /** Its name on the command line and in YAML. Default: that of the library with dashes, `max-pages` for `maxPages`. */
  readonly flag?: string;
  /** Can the command not do without it? */
  readonly needed?: true;
  /** What a crawl stores of it; absent where it is of one run. */
  readonly keep?: Keep<T, unknown>;
  /** Is it said in the section of its command alone? At the top of a file it would hold for commands that it means something else to. */
  readonly local?: true;
  /** Is it in the log line that a run begins with? */
  readonly logged?: true;
}

/** What defaults of a new crawl depend on. */
export interface Begun {
  readonly strategy: Strategy;
  readonly delay: Ms;
}

/** How a crawl keeps an option. `T` is the option's value, `S` what `crawl.json` has. */
export interface Keep<T, S> {
  /** `replaced`: a later run may give another value. `fixed`: it may not. */
  readonly how: 'replaced' | 'fixed';
  /** Its default is what crawls have that were begun before there was the option. */
  readonly schema: z.ZodType<S>;
  /** Of a new crawl that is not given it. */
  begin(begun: Begun): S;
  /** @param before what the crawl has; null for a new one. @throws UsageError for a value that cannot be kept */
  store(value: T, begun: Begun, before: S | null): S;
}

/** Settings by the names of the library. */
export type Settings = Readonly<Record<string, Setting<unknown>>>;

export type ValueOf<R> = R extends { readonly kind: Kind<infer T> } ? T : never;
type Needed<S> = { [K in keyof S]: S[K] extends { readonly needed: true } ? K : never }[keyof S];

/** What the library takes for a set of settings; those that are needed have to be there. */
export type OptionsOf<S extends Settings> = { readonly [K in Needed<S>]: ValueOf<S[K]> } & {
  readonly [K in Exclude<keyof S, Needed<S>>]?: ValueOf<S[K]>;
};

type KeptNames<S> = { [K in keyof S]: S[K] extends { readonly keep: object } ? K : never }[keyof S];

/** What `crawl.json` has of a set of settings. */
export type KeptOf<S extends Settings> = {
  [K in KeptNames<S>]: S[K] extends { readonly keep: { readonly schema: z.ZodType<infer V> } } ? V : never;
};

/** `--max-pages`, without its dashes. */
export function flagOf(name: string, { flag }: Pick<Setting<unknown>, 'flag'>): string {
  return flag ?? name.replaceAll(/[A-Z0-9]+/g, (part) => (/^\d/.test(part) ? part : `-${part.toLowerCase()}`));
}
