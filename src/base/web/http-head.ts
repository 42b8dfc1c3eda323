/** The head of an HTTP/1 response as servers send it (RFC 9112 §2 to §5), read as leniently as browsers do. */
import type { Bytes } from '../core/types.ts';

export interface HttpHead {
  readonly status: number;
  /** '' for a status line without a reason phrase. */
  readonly statusText: string;
  /** Fields in order, names in their own case, folded lines joined; characters are bytes (Latin-1). */
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** A version without numbers (`HTTP 200 OK`) and a missing reason or space are servers' slips. */
const STATUS_LINE = /^HTTP(?:\/\d+(?:\.\d+)?)?[ \t]+(\d{3})(?!\d)[ \t]*(.*)$/i;

const UNSAFE = /[\0\r]/g;

/**
 * Does a status mean a page? A 2xx that is not known counts as 200 (RFC 9110 §15). 204 and 205 have no body, and 206 answers a Range that nobody sent: it
 * is the page if that is all of it.
 * @param contentRange the field, if there is one
 */
export function hasPage(status: number, contentRange?: string): boolean {
  if (status === 206) return isAll(contentRange ?? '');
  return status >= 200 && status < 300 && (status < 204 || status > 206);
}

/** `bytes 0-1233/1234` (RFC 9110 §14.4). */
function isAll(contentRange: string): boolean {
  const [, last, length] = /^\s*bytes\s+0-(\d{1,15})\/(\d{1,15})\s*$/i.exec(contentRange) ?? [];
  return last !== undefined && Number(last) + 1 === Number(length);
}

/**
 * The status line and the fields of a head, each line ended by CRLF or LF. A folded line continues the one before it (§5.2). Lines without a colon
 * are skipped, and NUL and lone CR count as spaces (RFC 9110 §5.5).
 * @returns null if the text does not begin with a status line
 */
export function parseHead(text: string): HttpHead | null {
  const [statusLine = '', ...lines] = text.split(/\r?\n/);
  const [, status, statusText = ''] = STATUS_LINE.exec(statusLine.replace(UNSAFE, ' ').trimEnd()) ?? [];
  return status === undefined ? null : { status: Number(status), statusText, fields: fieldsOf(lines) };
}

function fieldsOf(lines: readonly string[]): [string, string][] {
  const fields: [string, string][] = [];
  /** The field that a folded line continues; null after a line that is no field. */
  let last: [string, string] | null = null;
  for (const line of lines) {
    if (/^[ \t]/.test(line)) {
      if (last !== null) last[1] = `${last[1]} ${spaced(line)}`.trim();
      continue;
    }
    const colon = line.indexOf(':');
    last = colon > 0 ? [spaced(line.slice(0, colon)), spaced(line.slice(colon + 1))] : null;
    if (last !== null && last[0] !== '') fields.push(last);
  }
  return fields;
}

function spaced(text: string): string {
  return text.replace(UNSAFE, ' ').trim();
}

/** End of a head, at its first empty line, and start of the body; null if the head does not end yet. */
export function headEnd(bytes: Buffer): { readonly end: Bytes; readonly bodyAt: Bytes } | null {
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    if (bytes[at + 1] === 10) return { end: at, bodyAt: at + 2 };
    if (bytes[at + 1] === 13 && bytes[at + 2] === 10) return { end: at, bodyAt: at + 3 };
  }
  return null;
}
