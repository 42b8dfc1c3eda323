/** Kinds of options that only a harvest has. */
import * as z from 'zod';
import { UsageError } from '../../base/core/errors.ts';
import { decimalOf, type Kind, ownKind } from './kinds.ts';

/** Least similarity. With a lower one, the index of near-duplicates would miss most pairs: it finds a pair at .5 with probability .12. */
const LEAST_NEAR = 0.5;
const NO_NEARNESS = `not a number from ${LEAST_NEAR} to 1`;

const isNearness = (value: unknown) => typeof value === 'number' && value >= LEAST_NEAR && value <= 1;

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
