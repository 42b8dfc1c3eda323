/** Checks options of the library at its entry points: it refuses the values that the command line refuses. */
import type * as z from 'zod';
import { UsageError } from '../../base/core/errors.ts';
import { nearest } from '../../base/text/nearest.ts';

/** A check for each option of a function. The type checker demands one for every new option. */
export type OptionTable<T> = { readonly [K in keyof T]-?: z.ZodType<Exclude<T[K], undefined>> };

/** Omits checks that only the command line has. */
export function without<S extends object, const K extends keyof S>(checks: S, ...names: readonly K[]): Omit<S, K> {
  const left = { ...checks };
  for (const name of names) delete left[name];
  return left;
}

/** Characters of a wrong value that an error quotes. */
const QUOTED = 60;

/** Options that cannot be omitted. */
type Needed<T> = { [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? never : K }[keyof T];

/**
 * An option that is `undefined` counts as omitted.
 * @param of name of the function in errors
 * @param needed the options that must be given
 * @throws UsageError for an unknown option or a value outside its range
 */
export function checkOptions<T extends object>(of: string, table: OptionTable<T>, options: T, ...needed: Needed<T>[]): void {
  if (typeof options !== 'object' || options === null)
    throw new UsageError(`${of}: takes an object of options, but received ${quoted(options)}`);
  const checks: Readonly<Record<string, z.ZodType>> = table;
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) throw new UsageError(unknownText(of, name, Object.keys(table)));
    const issue = value === undefined ? undefined : check.safeParse(value).error?.issues[0];
    if (issue) throw new UsageError(`${of}: ${[name, ...issue.path].join('.')} ${quoted(valueAt(value, issue.path))}: ${reasonOf(issue)}`);
  }
  // Comes after the check of names: a wrong name explains why the right one is missing.
  const missing = needed.find((name) => options[name] === undefined);
  if (missing !== undefined) throw new UsageError(`${of}: needs the option ${String(missing)}`);
}

/** The faults in options that are nested in an option of another function; `name` is null for a fault of the whole. */
export function faultsIn<T extends object>(table: OptionTable<T>, options: T): { readonly name: string | null; readonly why: string }[] {
  const checks: Readonly<Record<string, z.ZodType>> = table;
  return Object.entries(options).flatMap(([name, value]): { name: string | null; why: string }[] => {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) return [{ name: null, why: `has no option ${name}` }];
    const issue = value === undefined ? undefined : check.safeParse(value).error?.issues[0];
    return issue ? [{ name, why: issue.message }] : [];
  });
}

function unknownText(of: string, name: string, known: readonly string[]): string {
  // A difference in case alone is many edits by edit distance, but none to a reader.
  const meant = known.find((one) => one.toLowerCase() === name.toLowerCase()) ?? nearest(name, known);
  return `${of}: there is no option ${name}${meant ? `; did you mean ${meant}?` : `; there are ${known.join(', ')}`}`;
}

function reasonOf(issue: z.core.$ZodIssue): string {
  return issue.code === 'unrecognized_keys' ? `has no option ${issue.keys[0] ?? ''}` : issue.message;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined), value);
}

function quoted(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? typeof value);
  return text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text;
}
