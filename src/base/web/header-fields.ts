/** Fields that have one value. Equal repeats count as one (RFC 9110 §5.3), and of others the first counts: a joined one would name another place or time. */
const SINGLE: ReadonlySet<string> = new Set(['location', 'retry-after', 'etag', 'last-modified']);
/** Fields whose lines each have a sense of their own: a name in a line of X-Robots-Tag applies to the end of that line, and a Refresh may have commas. */
const BY_LINE: ReadonlySet<string> = new Set(['x-robots-tag', 'refresh']);

/**
 * A repeated header field is joined to the earlier ones by a comma (RFC 9110 §5.3), with the exceptions above. Lines are separated by line feeds,
 * which no field can contain.
 * @param name lower case
 */
function joinedField(name: string, before: string, value: string): string {
  if (SINGLE.has(name)) return before === '' ? value : before;
  return `${before}${BY_LINE.has(name) ? '\n' : ', '}${value}`;
}

/** The values of header fields by name in lower case; those of repeated fields are joined, or the first, see above. */
export function fieldsByName(fields: readonly (readonly [name: string, value: string])[]): Readonly<Record<string, string>> {
  const byName = new Map<string, string>();
  for (const [name, value] of fields) {
    const key = name.toLowerCase();
    const before = byName.get(key);
    byName.set(key, before === undefined ? value : joinedField(key, before, value));
  }
  return Object.fromEntries(byName);
}

/** Fields are read as Latin-1; if the bytes of an address are UTF-8, the server meant that, as browsers read it. */
export function utf8Field(field: string): string {
  if (/^[\0-\x7f]*$/.test(field)) return field;
  const text = Buffer.from(field, 'latin1').toString('utf8');
  return text.includes('\ufffd') ? field : text;
}

/** Replaces a secret in a stored request. */
export const REDACTED = '[redacted]';
