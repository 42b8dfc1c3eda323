/**
 * A header field that comes again joins what came before by a comma (RFC 9110 §5.3). Not so X-Robots-Tag: a crawler that one line names
 * holds to the end of that line, so its lines are kept apart by line feeds, which no field can contain.
 * @param name lower case
 */
export function joinedField(name: string, before: string, value: string): string {
  return `${before}${name === 'x-robots-tag' ? '\n' : ', '}${value}`;
}

/** In place of a secret where a request is written down. */
export const REDACTED = '[redacted]';
