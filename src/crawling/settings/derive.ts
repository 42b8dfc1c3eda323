/** Derived from settings: the checks of the library, the fields of `crawl.json`, and the settings that a resumed crawl keeps. */
import type * as z from 'zod';
import { UsageError } from '../../base/core/errors.ts';
import type { DefaultsBasis, Keep, KeptOf, OptionsOf, Setting, Settings, ValueOf } from './setting.ts';
import { flagOf } from './setting.ts';

/** The check of each setting's value. */
export function checksOf<S extends Settings>(settings: S): { readonly [K in keyof S]: z.ZodType<ValueOf<S[K]>> } {
  return mapped(settings, ({ kind }) => kind.check) as { readonly [K in keyof S]: z.ZodType<ValueOf<S[K]>> };
}

/** The schema of each setting that a crawl keeps. */
export function keptSchemaOf<S extends Settings>(settings: S): { readonly [K in keyof KeptOf<S>]: z.ZodType<KeptOf<S>[K]> } {
  return mapped(keptIn(settings), ({ schema }) => schema) as { readonly [K in keyof KeptOf<S>]: z.ZodType<KeptOf<S>[K]> };
}

/**
 * The settings that a crawl stores: the option if given, otherwise the stored value, otherwise the default of a new crawl.
 * @param found settings of the crawl that is resumed; null for a new one
 * @throws UsageError if a fixed setting changes, or if a value cannot be stored
 */
export function keptSettings<S extends Settings>(
  settings: S,
  dir: string,
  options: Partial<OptionsOf<S>>,
  found: KeptOf<S> | null,
  defaults: DefaultsBasis,
): KeptOf<S> {
  const said: Readonly<Record<string, unknown>> = options;
  const before: Readonly<Record<string, unknown>> | null = found;
  return mapped(keptIn(settings), (keep, name) => {
    if (said[name] === undefined) return before ? before[name] : keep.begin(defaults);
    const value = keep.store(said[name], defaults, before ? before[name] : null);
    if (before && keep.how === 'fixed' && value !== before[name] && !keep.same?.(value, before[name])) {
      const flag = `--${flagOf(name, settings[name] ?? {})}`;
      const started = before[name] === null ? `without ${flag}; omit it` : `with ${flag} ${String(before[name])}; use that value`;
      throw new UsageError(`${dir}: this crawl was started ${started}, or start a new crawl directory`);
    }
    return value;
  }) as KeptOf<S>;
}

/** The settings that the log line of a run names: the value that the crawl stores, otherwise the given option. */
export function loggedOf<S extends Settings>(settings: S, options: Partial<OptionsOf<S>>, kept: KeptOf<S>): object {
  const [said, has]: Readonly<Record<string, unknown>>[] = [options, kept];
  const logged = Object.entries(settings).filter(([, setting]) => setting.logged);
  return Object.fromEntries(logged.map(([name]) => [name, has !== undefined && name in has ? has[name] : loggable(said?.[name])]));
}

function loggable(value: unknown): unknown {
  return value === undefined || value === Number.POSITIVE_INFINITY ? null : value;
}

function keptIn(settings: Settings): Readonly<Record<string, Keep<unknown, unknown>>> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, { keep }]: [string, Setting<unknown>]) => (keep ? [[name, keep]] : [])),
  );
}

function mapped<V, W>(record: Readonly<Record<string, V>>, of: (value: V, name: string) => W): Readonly<Record<string, W>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, of(value, name)]));
}
