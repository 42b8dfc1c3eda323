/** Kinds of options that only a harvest has. */
import * as z from 'zod';
import { UsageError } from '../../base/core/errors.ts';
import { isWrittenDate, NO_WRITTEN_DATE } from '../../base/text/written-date.ts';
import type { DateSpan } from '../../corpus/select/harvest-filter.ts';
import { OBEYABLE, type Obeyable } from '../../corpus/select/obeyed-names.ts';
import type { VersionChoice } from '../../corpus/select/page-versions.ts';
import { choices, decimalOf, type Kind, ownKind } from './kinds.ts';

/** Least similarity. With a lower one, the index of near-duplicates would miss most pairs: it finds a pair at .5 with probability .12. */
const LEAST_NEAR = 0.5;
const NO_NEARNESS = `not a number from ${LEAST_NEAR} to 1`;

const isNearness = (value: unknown) => typeof value === 'number' && value >= LEAST_NEAR && value <= 1;

const NO_DATES = 'not a span of dates; write e.g. 1990..2005, 2004-05..2004-11 or 2001..';
const DATE = /^\d{4}(?:-\d\d(?:-\d\d)?)?$/;
const dateSpanCheck = z
  .strictObject({ from: z.string().regex(DATE, 'not a date').nullable(), to: z.string().regex(DATE, 'not a date').nullable() })
  .refine(({ from, to }) => from !== null || to !== null, 'has no date')
  .refine(({ from, to }) => from === null || to === null || from.slice(0, to.length) <= to.slice(0, from.length), 'ends before it begins');

/** `1990..2005`: dates, months or years, both inclusive; either end may be open. */
export const publishedSpan: Kind<DateSpan> = ownKind(dateSpanCheck, 'date..date', (word, where) => {
  const [, from, to] = /^([\d-]*)\.\.([\d-]*)$/.exec(word) ?? [];
  const span = dateSpanCheck.safeParse({ from: from || null, to: to || null });
  if (from === undefined || !span.success) throw new UsageError(`${where} ${word}: ${NO_DATES}`);
  return span.data;
});

const NO_VERSIONS = 'not newest, all or at=DATE, such as at=2026-11-01';
const versionsCheck = z.union(
  [z.literal(['newest', 'all']), z.strictObject({ at: z.string().refine(isWrittenDate, NO_WRITTEN_DATE) })],
  NO_VERSIONS,
);

/** `newest`, `all`, or `at=2026-11-01`: the last moment of that day counts. */
export const versionChoice: Kind<VersionChoice> = ownKind<VersionChoice>(versionsCheck, 'versions', (word, where) => {
  const [, at] = /^at=(.+)$/.exec(word) ?? [];
  const choice = versionsCheck.safeParse(at === undefined ? word : { at });
  if (!choice.success) throw new UsageError(`${where} ${word}: ${at === undefined ? NO_VERSIONS : NO_WRITTEN_DATE}`);
  return choice.data;
});

/** Protocols whose statements are obeyed: names, or `none`. */
export const obeyed: Kind<readonly Obeyable[] | 'none'> = {
  write: (stored) => z.array(z.string()).parse(stored).join(',') || 'none',
  ...ownKind<readonly Obeyable[] | 'none'>(
    z.union([z.array(z.enum(OBEYABLE)), z.literal('none')], `not any of ${OBEYABLE.join(', ')}, none`),
    'protocols',
    (word, where) => (word === 'none' ? word : choices(OBEYABLE).read([word], where)),
  ),
};

/** The protocols of a crawl, from the value of the option. */
export function obeyedProtocols(value: readonly Obeyable[] | 'none'): readonly Obeyable[] {
  return value === 'none' ? [] : OBEYABLE.filter((name) => value.includes(name));
}

export const nearSimilarity: Kind<number> = ownKind(
  z.custom<number>(isNearness, NO_NEARNESS),
  `number from ${LEAST_NEAR} to 1`,
  (word, where) => {
    const value = decimalOf(word);
    if (value === undefined || !isNearness(value)) throw new UsageError(`${where} ${word}: ${NO_NEARNESS}`);
    return value;
  },
);

const NO_SHARES = 'not two or three parts that add up to 100, such as 80/20 or 90/5/5';

const areShares = (value: unknown): value is readonly number[] =>
  Array.isArray(value) &&
  (value.length === 2 || value.length === 3) &&
  value.every((share) => typeof share === 'number' && share > 0) &&
  Math.abs(value.reduce((sum: number, share: number) => sum + share, 0) - 100) < 1e-9;

/** Percent of each part. */
export const splitShares: Kind<readonly number[]> = ownKind(
  z.custom<readonly number[]>(areShares, NO_SHARES),
  'parts, such as 90/5/5',
  (word, where) => {
    const shares = word.split('/').map((part) => (/^\d+(\.\d+)?$/.test(part) ? Number(part) : Number.NaN));
    if (!areShares(shares)) throw new UsageError(`${where} ${word}: ${NO_SHARES}`);
    return shares;
  },
);
