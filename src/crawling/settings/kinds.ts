/** Kinds of option values: how the command line and YAML write them, and which values the library accepts. */

import * as z from 'zod';
import { UsageError } from '../../base/core/errors.ts';
import type { Ms } from '../../base/core/types.ts';
import { nearest } from '../../base/text/nearest.ts';
import { countText } from '../../base/text/number-text.ts';

/** JSON Schema of the value as YAML writes it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Kind<T> {
  /** `switch`: naming it turns it on. `list`: takes every word up to the next option. */
  readonly shape: 'word' | 'list' | 'switch';
  /** Form of a word of it, such as `whole number` or `time`; null for text. The help uses it. */
  readonly measure: string | null;
  /** Checks the library's value. */
  readonly check: z.ZodType<T>;
  readonly schema: JsonSchema;
  /** The value of words from the command line or YAML. @param where name of the option in errors. @throws UsageError */
  read(words: readonly string[], where: string): T;
  /** Was it a switch in 0.2? The command line and YAML still accept its states. */
  readonly formerSwitch?: true;
  /** Turns a value of `crawl.json` into words that `read` accepts; absent if its JSON or text is already such a word. */
  readonly write?: (stored: unknown) => string;
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && !Number.isNaN(value);
const isWhole = (least: number) => (value: unknown) => Number.isSafeInteger(value) && Number(value) >= least;

const SCALAR: JsonSchema = { type: ['string', 'number'] };

/** Exactly one word. @throws UsageError */
function only(words: readonly string[], where: string): string {
  const [word] = words;
  if (word === undefined || words.length > 1) throw new UsageError(`${where}: given more than once`);
  return word;
}

function wordKind<T>(
  check: z.ZodType<T>,
  schema: JsonSchema,
  read: (word: string, where: string) => T,
  measure: string | null = null,
): Kind<T> {
  return { shape: 'word', measure, check, schema, read: (words, where) => read(only(words, where), where) };
}

/**
 * A number or span of time that `parse` reads; `parse` returns undefined for anything else.
 * @param measure its form, for the help
 * @param isSane true, or why the value is refused
 */
function measureKind<T>(
  check: z.ZodType<T>,
  parse: (word: string) => T | undefined,
  reason: string,
  measure: string,
  isSane: (value: T) => true | string = () => true,
): Kind<T> {
  const read = (word: string, where: string): T => {
    const value = parse(word);
    const fault = value === undefined ? reason : isSane(value);
    if (value === undefined || fault !== true) throw new UsageError(`${where} ${word}: ${String(fault)}`);
    return value;
  };
  return wordKind(check, SCALAR, read, measure);
}

const checkText = z.string('not a text').min(1, 'is empty');

export const text: Kind<string> = wordKind(checkText, { type: 'string' }, (word) => word);
/** May be empty. */
export const anyText: Kind<string> = wordKind(z.string('not a text'), { type: 'string' }, (word) => word);

/** Letters, digits, spaces, dots, hyphens: a word that needs no quotes in a file of labels. */
const PERSON = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u;
const NO_PERSON = 'is not a name; write at most 40 letters, digits, spaces, dots and hyphens';

export const person: Kind<string> = wordKind(z.string('not a text').regex(PERSON, NO_PERSON), { type: 'string' }, (word, where) => {
  if (!PERSON.test(word)) throw new UsageError(`${where} ${word}: ${NO_PERSON}; give a shorter or simpler one`);
  return word;
});

/** @param commas whether commas separate values within one word */
export function texts(commas = false): Kind<readonly string[]> {
  return {
    shape: 'list',
    measure: null,
    check: z.array(checkText, 'not a list of texts').readonly(),
    schema: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    read: (words) => (commas ? words.flatMap(parted) : words),
  };
}

function parted(word: string): string[] {
  return word
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** One text or several. */
export const textOrTexts: Kind<string | readonly string[]> = {
  ...texts(),
  check: z.union([checkText, texts().check], 'not a text or a list of texts'),
};

export function choice<const T extends string>(words: readonly T[]): Kind<T> {
  return wordKind(z.enum(words, `not one of ${words.join(', ')}`), { enum: words }, (word, where) => oneOf(words, word, where));
}

/** Several of a fixed set of words, with or without commas between them. @param old words of the version before, each with the one that it is now */
export function choices<const T extends string>(words: readonly T[], old: Readonly<Record<string, T>> = {}): Kind<readonly T[]> {
  return {
    shape: 'list',
    measure: null,
    check: z.array(z.enum(words, `not one of ${words.join(', ')}`), `not a list of ${words.join(', ')}`).readonly(),
    schema: { oneOf: [{ type: 'string' }, { type: 'array', items: { enum: words } }] },
    read: (given, where) =>
      given.flatMap(parted).map((word) => (Object.hasOwn(old, word) ? old[word] : undefined) ?? oneOf(words, word, where)),
  };
}

function oneOf<T extends string>(words: readonly T[], word: string, where: string): T {
  const known = words.find((one) => one === word);
  if (known !== undefined) return known;
  const meant = nearest(word, words);
  throw new UsageError(`${where} ${word}: not one of ${words.join(', ')}${meant ? `; did you mean ${meant}?` : ''}`);
}

const ON: Readonly<Record<string, boolean>> = { on: true, true: true, off: false, false: false };

/** A switch. The command line also accepts `--name` and `--no-name`. */
export const flag: Kind<boolean> = {
  shape: 'switch',
  measure: null,
  check: z.boolean('not true or false'),
  schema: { oneOf: [{ type: 'boolean' }, { enum: ['on', 'off'] }] },
  read: (words, where) => {
    const state = ON[only(words, where)];
    if (state === undefined) throw new UsageError(`${where} ${words.join(' ')}: not on or off`);
    return state;
  },
};

/** More pages, visits or threads than anybody means: a slip of the keyboard. The largest crawl that was measured has ten million URLs. */
const MOST = 1_000_000_000_000;

const tooMany = (most: number) => `more than the most, which is ${countText(most)}`;

/** A whole number of at least `least` and at most `most`, in decimal digits. */
export function count(least: number, most: number = MOST): Kind<number> {
  const reason = `not a whole number of at least ${least}`;
  return measureKind(
    z.custom<number>(isWhole(least), reason).refine((value) => value <= most, tooMany(most)),
    (word) => wholeOf(word, least),
    reason,
    'whole number',
    (value) => value <= most || tooMany(most),
  );
}

/** Decimal digits alone, as in spans of time: `0x10`, `0o17` and `1e3` are more likely mistakes than numbers. */
function wholeOf(word: string, least: number): number | undefined {
  // Too many digits are a number above the most, and not infinity, which means no limit.
  const value = /^\d+$/.test(word) ? Math.min(Number(word), Number.MAX_VALUE) : Number.NaN;
  return value >= least ? value : undefined;
}

/** The number of decimal digits with or without a point; undefined for any other text. */
export function decimalOf(word: string): number | undefined {
  return /^(?:\d+(?:\.\d*)?|\.\d+)$/.test(word) ? Number(word) : undefined;
}

/** The number of decimal digits within [0, 1]; undefined for any other text. */
function unitOf(word: string): number | undefined {
  const value = decimalOf(word);
  return isUnit(value) ? value : undefined;
}

const NONE = 'none';

/** A whole number of at least `least`, or Infinity for no limit, written `none`. */
export function limit(least: number): Kind<number> {
  const reason = `not a whole number of at least ${least}`;
  const check = z
    .custom<number>((value) => value === Number.POSITIVE_INFINITY || isWhole(least)(value), reason)
    .refine((value) => value <= MOST || value === Number.POSITIVE_INFINITY, tooMany(MOST));
  const parse = (word: string) => (word === NONE ? Number.POSITIVE_INFINITY : wholeOf(word, least));
  const isSane = (value: number) => value <= MOST || value === Number.POSITIVE_INFINITY || `${tooMany(MOST)}; write none for no limit`;
  return measureKind(check, parse, reason, 'whole number, or none', isSane);
}

export const atLeast0: Kind<number> = measureKind(
  z.custom<number>((value) => isNumber(value) && Number.isFinite(value) && value >= 0, 'not a number of at least 0'),
  (word) => (/^\d+(\.\d+)?$/.test(word) ? Number(word) : undefined),
  'not a number of at least 0',
  'number',
);

const isUnit = (value: unknown) => isNumber(value) && value >= 0 && value <= 1;

export const unit: Kind<number> = measureKind(
  z.custom<number>(isUnit, 'not a number from 0 to 1'),
  unitOf,
  'not a number from 0 to 1',
  'number from 0 to 1',
);

/** A share from 0 to 1, written in percent: `2%` or `0.5%`. */
export const share: Kind<number> = {
  write: (stored) => `${Number((100 * Number(stored)).toFixed(6))}%`,
  ...measureKind(
    unit.check,
    (word) => {
      const [, percent] = /^(\d+(?:\.\d+)?)%$/.exec(word) ?? [];
      return percent === undefined || Number(percent) > 100 ? undefined : Number(percent) / 100;
    },
    'not a share; write e.g. 2%',
    'share, such as 2%',
  ),
};

const SPANS: Readonly<Record<string, Ms>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of `500ms`, `1s`, `10m`, `2h` or `1d`; a bare number is seconds. undefined for any other text. */
export function spanOf(word: string): Ms | undefined {
  const [, number, unitName = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(word) ?? [];
  return number === undefined ? undefined : Number(number) * (SPANS[unitName] ?? 1000);
}

const NO_SPAN = 'not a span of time; write e.g. 500ms, 1s, 10m or 2h';
const NO_MS = 'not a span of time; give milliseconds, as a number of at least 0';

export const msText = (stored: unknown): string => `${String(stored)}ms`;

export const span: Kind<Ms> = {
  write: msText,
  ...measureKind(
    z.custom<number>((value) => isNumber(value) && Number.isFinite(value) && value >= 0, NO_MS),
    spanOf,
    NO_SPAN,
    'time',
  ),
};

/** A span of time, or Infinity for no limit, written `none`. */
export const longSpan: Kind<Ms> = measureKind(
  z.custom<number>((value) => isNumber(value) && value >= 0, NO_MS),
  (word) => (word === NONE ? Number.POSITIVE_INFINITY : spanOf(word)),
  NO_SPAN,
  'time, or none',
);

/** A time as in `longSpan`, but not 0: a run without time does nothing. */
export const runSpan: Kind<Ms> = measureKind(
  longSpan.check.refine((value) => value > 0, 'is 0, so the run would do nothing; give more milliseconds'),
  (word) => (word === NONE ? Number.POSITIVE_INFINITY : spanOf(word)),
  NO_SPAN,
  'time, or none',
  (value) => value > 0 || 'is 0, so the run would do nothing; write e.g. 90s, 30m or 8h',
);

/** The words that an option accepts, from its JSON Schema; [] if it accepts others too. */
export function acceptedWords({ shape, schema }: Pick<Kind<unknown>, 'shape' | 'schema'>): readonly string[] {
  const enumOf = (one: unknown) => {
    const words = (one as { readonly enum?: unknown } | undefined)?.enum;
    return Array.isArray(words) ? words.map(String) : [];
  };
  if (shape === 'switch') return [];
  const variants = Array.isArray(schema['oneOf']) ? (schema['oneOf'] as { readonly items?: unknown }[]) : [];
  return [...enumOf(schema), ...variants.flatMap((variant) => [...enumOf(variant), ...enumOf(variant.items)])];
}

/** The word that stands for a value in the help: `n` for a number, otherwise the name of its form, such as `time` or `parts`. */
export function placeholderOf({ measure }: Pick<Kind<unknown>, 'measure'>): string {
  const [form = ''] = (measure ?? 'value').split(/,| from /);
  return form.endsWith('number') ? 'n' : form;
}

/** A kind that only one option has. */
export function ownKind<T>(check: z.ZodType<T>, measure: string, read: (word: string, where: string) => T): Kind<T> {
  return wordKind(check, SCALAR, read, measure);
}

/** A function, for options that only the library has; the type checker checks its parameters. */
export const call = z.custom<never>((value) => typeof value === 'function', 'not a function');
export const signal = z.instanceof(AbortSignal, { error: 'not an AbortSignal' });

/** Any object. @param of its contents, as named in the error */
export const anObject = (of: string) => z.custom<never>((value) => typeof value === 'object' && value !== null, `not an object of ${of}`);

/** Checked by its user: errors of this check would quote it. */
export const secret = z.custom<never>(() => true);
