/** The shape of an option. */
import type * as z from 'zod';
import { UsageError } from '../../base/core/errors.ts';
import type { Ms } from '../../base/core/types.ts';
import type { OwnStrategyFile, Strategy } from '../../reading/links/strategy-names.ts';
import type { Kind } from './kinds.ts';

export interface Setting<T> {
  readonly kind: Kind<T>;
  /** One line of help that describes the effect, without the default. */
  readonly help: string;
  /** The default as the help shows it; absent if there is none. */
  readonly byDefault?: string;
  /** The word of the option if the command line names it without a value. Absent: it needs one. */
  readonly alone?: string;
  /** Name on the command line and in YAML. Default: the library's name with dashes, `max-pages` for `maxPages`. */
  readonly flag?: string;
  /** Does the command require it? */
  readonly needed?: true;
  /** Form in which a crawl stores it; absent if it applies to one run only. */
  readonly keep?: Keep<T, unknown>;
  /** May only the section of a command set it? At the top of a file it would also apply to commands where it means something else. */
  readonly local?: true;
  /** The option of another command whose value in a file counts, if the file has none for this one. */
  readonly elsewhere?: { readonly command: string; readonly flag: string };
  /** The one action of the command that reads it, such as `merge` of `corpus`; absent: each of them. */
  readonly action?: string;
  /** Options of which one must be given for this one to have an effect. */
  readonly needs?: readonly Need[];
  /** Is it in the first log line of a run? */
  readonly logged?: true;
  /** The command that has replaced it. This version still reads it, and no help shows it. */
  readonly former?: Former;
}

/** An option that is a command now. */
export interface Former {
  readonly command: string;
  /** Name of the option in that command, as in the library; absent if the command itself says it. */
  readonly as?: string;
  /** Only the switch turned on is the command. Turned off it is still an option. */
  readonly ifOn?: true;
}

/** Another option, by its name in the library. */
export interface Need {
  readonly option: string;
  /** Words of that option, of which it must have one. Default: any value. */
  readonly is?: readonly string[];
  /** Start of its value. */
  readonly begins?: string;
}

/** Settings that defaults of a new crawl depend on. */
export interface DefaultsBasis {
  readonly strategy: Strategy | OwnStrategyFile;
  readonly delay: Ms;
  /** Does the crawl fit a warm-up: seeds of one host, one topic of example pages, and a budget that is large enough? */
  readonly fitsWarmUp: boolean;
}

/** Rules by which a crawl keeps an option. `T` is the option's value, `S` the value in `crawl.json`. */
export interface Keep<T, S> {
  /** `replaced`: a later run may give another value. `fixed`: it may not. */
  readonly how: 'replaced' | 'fixed';
  /** May a value that is fixed be replaced by this one? Absent: never. */
  same?(value: S, before: S): boolean;
  /** Schema of the stored value. Its default applies to crawls that were started before the option existed. */
  readonly schema: z.ZodType<S>;
  /** The value for a new crawl if the option is not given. */
  begin(basis: DefaultsBasis): S;
  /** @param before the stored value; null for a new crawl. @throws UsageError for a value that cannot be kept */
  store(value: T, basis: DefaultsBasis, before: S | null): S;
}

/** Settings by the names of the library. */
export type Settings = Readonly<Record<string, Setting<unknown>>>;

export type ValueOf<R> = R extends { readonly kind: Kind<infer T> } ? T : never;
type Needed<S> = { [K in keyof S]: S[K] extends { readonly needed: true } ? K : never }[keyof S];

/** The options of the library for a set of settings; the needed ones are required. */
export type OptionsOf<S extends Settings> = { readonly [K in Needed<S>]: ValueOf<S[K]> } & {
  readonly [K in Exclude<keyof S, Needed<S>>]?: ValueOf<S[K]>;
};

type KeptNames<S> = { [K in keyof S]: S[K] extends { readonly keep: object } ? K : never }[keyof S];

/** The fields of `crawl.json` for a set of settings. */
export type KeptOf<S extends Settings> = {
  [K in KeptNames<S>]: S[K] extends { readonly keep: { readonly schema: z.ZodType<infer V> } } ? V : never;
};

/** `--max-pages`, without its dashes. */
export function flagOf(name: string, { flag }: Pick<Setting<unknown>, 'flag'>): string {
  return flag ?? name.replaceAll(/[A-Z0-9]+/g, (part) => (/^\d/.test(part) ? part : `-${part.toLowerCase()}`));
}

/** Settings that one action of a command reads. */
export function settingsOf(settings: Settings, action: string): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([, setting]) => setting.action === undefined || setting.action === action));
}

/** The settings to show: without those that are commands now. */
export function currentOf(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([, { former }]) => former === undefined || former.ifOn));
}

/** Help of a setting where the options of all actions of a command are listed together. */
export function helpOf({ help, action }: Pick<Setting<unknown>, 'help' | 'action'>): string {
  return action === undefined ? help : `${action}: ${help}`;
}

/** Removes values of the environment from an error. */
export function withoutSecrets(error: unknown, words: readonly string[], written: readonly string[]): unknown {
  if (!(error instanceof UsageError) || words.every((word, i) => word === written[i])) return error;
  return new UsageError(words.reduce((message, word, i) => message.replaceAll(word, () => written[i] ?? ''), error.message));
}
