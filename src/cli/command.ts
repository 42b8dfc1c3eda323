import type { Argv, Options } from 'yargs';
import { UsageError } from '../core/errors.ts';
import type { Ms } from '../core/types.ts';
import { harmless, harmlessJson } from '../text/harmless.ts';
import { nearest } from '../text/nearest.ts';

/** One command of the CLI. `run` returns the exit code. */
export interface Command {
  /** With its positionals, as yargs writes them. */
  readonly name: string;
  readonly summary: string;
  readonly options: (argv: Argv) => Argv;
  readonly run: (args: Args) => Promise<number>;
}

/** Parsed arguments; read them with the functions below, which check. */
export type Args = Readonly<Record<string, unknown>>;

/** Stands for the word `-` (standard input) while yargs parses: yargs takes that for an option without a name. */
const STANDARD_INPUT = '(standard input)';

/** A command line that yargs can read; `textOf` and `listOf` give the word back. */
export function withoutDash(words: readonly string[]): string[] {
  return words.map((word) => (word === '-' ? STANDARD_INPUT : word));
}

function wordOf(value: unknown): string {
  return value === STANDARD_INPUT ? '-' : String(value);
}

const UNITS: Readonly<Record<string, Ms>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A span of time: `500ms`, `1s`, `10m`, `2h`, `1d`; a bare number is seconds. */
export function spanOf(args: Args, name: string): Ms | undefined {
  const value = textOf(args, name);
  if (value === undefined) return undefined;
  const parts = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(value);
  if (!parts) throw new UsageError(`--${name} ${value}: not a span of time; write e.g. 500ms, 1s, 10m or 2h`);
  return Number(parts[1]) * (UNITS[parts[2] ?? 's'] ?? 1000);
}

/** A whole number of at least `least`. */
export function countOf(args: Args, name: string, least = 1): number | undefined {
  const value = textOf(args, name);
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!Number.isInteger(number) || number < least) throw new UsageError(`--${name} ${value}: not a whole number of at least ${least}`);
  return number;
}

/** A number from 0 to 1. */
export function unitOf(args: Args, name: string): number | undefined {
  const value = textOf(args, name);
  if (value === undefined) return undefined;
  const number = Number(value);
  if (value.trim() === '' || !(number >= 0 && number <= 1)) throw new UsageError(`--${name} ${value}: not a number from 0 to 1`);
  return number;
}

/** A number of at least 0. */
export function numberOf(args: Args, name: string): number | undefined {
  const value = textOf(args, name);
  if (value === undefined) return undefined;
  if (!/^\d+(\.\d+)?$/.test(value)) throw new UsageError(`--${name} ${value}: not a number of at least 0`);
  return Number(value);
}

/** A share written in percent, `2%` or `0.5%`, as a number from 0 to 1. */
export function shareOf(args: Args, name: string): number | undefined {
  const value = textOf(args, name);
  if (value === undefined) return undefined;
  const [, percent] = /^(\d+(?:\.\d+)?)%$/.exec(value) ?? [];
  if (percent === undefined || Number(percent) > 100) throw new UsageError(`--${name} ${value}: not a share; write e.g. 2%`);
  return Number(percent) / 100;
}

export function textOf(args: Args, name: string): string | undefined {
  const value = args[name];
  if (value === undefined) return undefined;
  if (Array.isArray(value)) throw new UsageError(`--${name}: given more than once`);
  return wordOf(value);
}

/** An option that must be there; yargs has demanded it. */
export function requiredText(args: Args, name: string): string {
  const value = textOf(args, name);
  if (value === undefined || value === '') throw new UsageError(`${name}: is empty; give a value`);
  return value;
}

/** All values of an option that may be repeated, or hold several separated by commas when `commas`. */
export function listOf(args: Args, name: string, commas = false): string[] {
  const value = args[name];
  const values = value === undefined ? [] : Array.isArray(value) ? value.map(wordOf) : [wordOf(value)];
  return commas ? values.flatMap((text) => text.split(',').map((part) => part.trim())).filter((part) => part !== '') : values;
}

export function flagOf(args: Args, name: string): boolean {
  return args[name] === true;
}

/** One of several words. */
export function choiceOf<T extends string>(args: Args, name: string, choices: readonly T[]): T | undefined {
  const value = textOf(args, name);
  if (value === undefined) return undefined;
  const choice = choices.find((word) => word === value);
  if (choice) return choice;
  const meant = nearest(value, choices);
  throw new UsageError(`--${name} ${value}: not one of ${choices.join(', ')}${meant ? `; did you mean ${meant}?` : ''}`);
}

/** An option with a value. */
export const text = (describe: string, extra: Options = {}): Options => ({ type: 'string', describe, requiresArg: true, ...extra });

/** A number or a span of time: read as text, so that what is wrong can be quoted, but not called a string in the help. */
export const measure = (describe: string, defaultDescription?: string): Options => ({
  describe,
  requiresArg: true,
  ...(defaultDescription === undefined ? {} : { defaultDescription }),
});

/** An option that takes several values. */
export const several = (describe: string, extra: Options = {}): Options => text(describe, { array: true, ...extra });

/** A switch, off unless named. */
export const flag = (describe: string): Options => ({ type: 'boolean', default: false, describe });

/** Options of everything that makes requests. */
export const NETWORK_OPTIONS: Readonly<Record<string, Options>> = {
  delay: measure('rest of a host between two requests, e.g. 500ms, 1s', '1s'),
  'user-agent': text('name to send instead of Forager/<version>'),
  contact: text('URL or mail address a site owner can reach you at; sent with every request'),
  proxy: text('HTTP proxy, http://host:port'),
  'allow-private': flag('allow loopback and private addresses'),
};

/** The network options as the library takes them. */
export function networkOf(args: Args) {
  return {
    delay: spanOf(args, 'delay') ?? 1000,
    concurrency: countOf(args, 'concurrency') ?? 16,
    userAgent: textOf(args, 'user-agent') ?? null,
    contact: textOf(args, 'contact') ?? null,
    proxy: textOf(args, 'proxy') ?? null,
    allowPrivate: flagOf(args, 'allow-private'),
  };
}

/** Only the fields that were given a value. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** A JSON line as it is printed. */
export function jsonLine(value: unknown): string {
  return harmlessJson(JSON.stringify(value));
}

/** One JSON line on standard output. */
export function printJson(value: unknown): void {
  process.stdout.write(`${jsonLine(value)}\n`);
}

export function print(line: string): void {
  process.stdout.write(`${harmless(line)}\n`);
}

/** Text of a page: as it is, but for a terminal. */
export function printContent(content: string): void {
  process.stdout.write(process.stdout.isTTY === true ? content.split('\f').map(harmless).join('\f') : content);
}

/** A line for people while the work goes on. */
export function warn(line: string): void {
  process.stderr.write(`forager: ${harmless(line)}\n`);
}
