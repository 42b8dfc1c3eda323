/**
 * A repeated header field is joined to the earlier ones by a comma (RFC 9110 §5.3). X-Robots-Tag is an exception: the name of a crawler in a line
 * applies to the end of that line. Its lines are separated by line feeds, which no field can contain.
 * @param name lower case
 */
export function joinedField(name: string, before: string, value: string): string {
  return `${before}${name === 'x-robots-tag' ? '\n' : ', '}${value}`;
}

/** Replaces a secret in a stored request. */
export const REDACTED = '[redacted]';
