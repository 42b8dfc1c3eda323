/** The form of fates and retries in the database: their reasons are texts there, as in Forager 0.1. */
import { type Reason, reasonText, storedReason } from '../../base/core/reason.ts';
import { packed, type ValueForm } from './checked-table.ts';
import type { StoredFate, StoredRetry } from './store.ts';

const fates = packed<StoredFate>();
const retries = packed<StoredRetry>();
/** A decoded value, whose reason `decode` replaces. */
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export const AS_FATE: ValueForm<StoredFate> = {
  encode: (stored) =>
    fates.encode(isText(stored.fate.reason) ? stored : { ...stored, fate: { ...stored.fate, reason: asText(stored.fate.reason) } }),
  decode: (bytes) => {
    const stored = fates.decode(bytes);
    (stored.fate as Mutable<StoredFate['fate']>).reason = storedReason(String(stored.fate.reason));
    return stored;
  },
};

export const AS_RETRY: ValueForm<StoredRetry> = {
  encode: (retry) =>
    retries.encode(retry.reason === undefined || isText(retry.reason) ? retry : { ...retry, reason: asText(retry.reason) }),
  decode: (bytes) => {
    const retry: Mutable<StoredRetry> = retries.decode(bytes);
    if (retry.reason !== undefined) retry.reason = storedReason(String(retry.reason));
    return retry;
  },
};

function isText(reason: Reason): boolean {
  return typeof reason === 'string';
}

/** The text takes the place of the reason, since the table stores texts. */
function asText(reason: Reason): Reason {
  return reasonText(reason) as Reason;
}
