/** Values of JSON and YAML that strangers wrote: nothing about their types is known. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** The object; an empty one for other values. */
export function objectAt(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The list; an empty one for other values. */
export function listAt(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The text, trimmed; null for an empty one and for other values, except numbers. */
export function textAt(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
