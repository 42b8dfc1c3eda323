/** Values of a product as a record keeps them: one line, without tags, within limits. */
import type { ProductProperty } from '../../base/core/types.ts';
import { squeeze } from '../../base/text/squeeze.ts';
import { decoded } from './character-references.ts';
import { localName } from './linked-graph.ts';

/** Longest texts, in characters: a description has some thousands; names and values are lines. */
const MAX_TEXT = 10_000;
const MAX_NAME = 300;
const MAX_VALUE = 1_000;
const MAX_UNIT = 40;
/** Tags that separate words. */
const BLOCK_TAG = /<(?:br|\/?(?:p|li|ul|ol|dl|dt|dd|div|h[1-6]|table|tr|td|th))\b[^>]*>/gi;
const TAG = /<\/?[a-z][^>]*>/gi;

/** The parts that are known: an absent part has no key. */
export function knownParts<T extends object>(parts: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as T;
}

/** A name in one line, without tags; undefined for an empty one. */
export function nameLine(written: string, most = MAX_NAME): string | undefined {
  return proseOf(written.slice(0, 4 * most))?.slice(0, most);
}

/** A text without tags in one line: descriptions are often HTML. */
export function proseOf(written: string): string | undefined {
  const text = written.slice(0, 4 * MAX_TEXT);
  const plain = text.includes('<') ? decoded(text.replaceAll(BLOCK_TAG, ' ').replaceAll(TAG, '')) : text;
  return squeeze(plain).slice(0, MAX_TEXT) || undefined;
}

/** The first number of 8 to 14 digits, or of ISBN. */
export function gtinOf(written: readonly string[]): string | undefined {
  return written.map((number) => number.replaceAll(/[\s-]/g, '')).find((number) => /^(?:\d{8}|\d{9}[\dXx]|\d{12,14})$/.test(number));
}

/** A pair, cut to its limits; null without a name or a value. */
export function property(name: string, value: string, unit?: string): ProductProperty | null {
  const [shownName, shownValue] = [nameLine(name), nameLine(localOf(value), MAX_VALUE)];
  if (shownName === undefined || shownValue === undefined) return null;
  return { name: shownName, value: shownValue, ...(unit !== undefined && { unit }) };
}

/** A value of an enumeration of schema.org by its own name. */
function localOf(value: string): string {
  return /^https?:\/\/schema\.org\/\w+$/.test(value.trim()) ? localName(value) : value;
}

/** A unit in one line; undefined for an empty one. */
export function unitLine(written: string): string | undefined {
  return nameLine(written, MAX_UNIT);
}
