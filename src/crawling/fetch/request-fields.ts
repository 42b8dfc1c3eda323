/** Header fields of requests: flat lists of names in lower case and values, in turn. */
import type { Validators } from '../../base/core/parts/fetching.ts';
import { REDACTED } from '../../base/web/header-fields.ts';

/** RFC 9110 §5.1. */
export const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** A field value (RFC 9110 §5.5) that is not empty. */
export const FIELD_VALUE = /^[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/;
/** Fields that frame a message or belong to a connection; fields that identify the crawler; and fields that determine how the response is read. */
export const OWN_FIELDS: ReadonlySet<string> = new Set(
  'host connection keep-alive proxy-connection proxy-authorization transfer-encoding content-length te trailer upgrade expect http2-settings user-agent from accept-encoding range if-range if-none-match if-modified-since if-match if-unmodified-since'.split(
    ' ',
  ),
);

/** Adds fields to a list, or replaces those of the same name. */
export function fieldsWith(fields: readonly string[], others: readonly string[]): string[] {
  const replaced = fieldNamesOf(others);
  const out: string[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) if (!replaced.has(fields[i] ?? '')) out.push(fields[i] ?? '', fields[i + 1] ?? '');
  return [...out, ...others];
}

export function fieldNamesOf(fields: readonly string[]): ReadonlySet<string> {
  return new Set(fields.filter((_, i) => i % 2 === 0));
}

/** The value of a field; null without it. @param name lower case */
export function fieldIn(name: string, fields: readonly string[]): string | null {
  const at = fields.findIndex((field, i) => i % 2 === 0 && field === name);
  return at < 0 ? null : (fields[at + 1] ?? null);
}

/** Adds a cookie to the fields, and to a cookie among them. */
export function fieldsWithCookie(fields: readonly string[], cookie: string): string[] {
  const before = fieldIn('cookie', fields);
  return fieldsWith(fields, ['cookie', before === null ? cookie : `${before}; ${cookie}`]);
}

/** Fields as they are stored: all pairs that were sent, with the values of `secrets` redacted. */
export function writtenFields(fields: readonly string[], secrets: ReadonlySet<string> | null): (readonly [string, string])[] {
  const out: [string, string][] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const name = fields[i] ?? '';
    out.push([name, secrets?.has(name) ? REDACTED : (fields[i + 1] ?? '')]);
  }
  return out;
}

/** A validator that can be sent back: one line of Latin-1, like all fields, of a plausible length. */
const VALIDATOR = /^[\x21-\x7e\x80-\xff](?:[\x20-\x7e\x80-\xff]{0,1000}[\x21-\x7e\x80-\xff])?$/;

/** Asks a server to send a page only if it has changed (RFC 9110 §13.1). */
export function conditionsOf({ etag, lastModified }: Validators): string[] {
  const fields: string[] = [];
  if (etag !== null && VALIDATOR.test(etag)) fields.push('if-none-match', etag);
  if (lastModified !== null && VALIDATOR.test(lastModified)) fields.push('if-modified-since', lastModified);
  return fields;
}
