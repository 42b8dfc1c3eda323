/** What a mail says: its subject, and the text of its body. Not a mail program: what it cannot read it leaves out. */

import { decodeText } from '../../src/base/web/charset.ts';
import { canonicalize } from '../../src/base/web/url.ts';
import { pageExtractor } from '../../src/reading/wasm-reader/page-extractor.ts';

export interface Mail {
  readonly subject: string;
  readonly text: string;
}

interface Part {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** Mails of mails of mails: real ones have two or three levels. */
const MAX_DEPTH = 5;
/** Made for the first HTML: help and plain mails need no build. */
let extractor: ReturnType<typeof pageExtractor> | undefined;

/** Reads a mail as it lies in a mailbox (RFC 5322, RFC 2045): of alternatives the plain text, else HTML without its tags. Headers but the subject are left out. */
export function readMail(bytes: Buffer): Mail {
  const mail = partOf(bytes);
  return { subject: decodedWords(mail.headers.get('subject') ?? ''), text: textOf(mail, 0) };
}

/** Fields of the head by their name in small letters, the last of several; encoded words are decoded (RFC 2047). */
export function headersOf(bytes: Buffer): ReadonlyMap<string, string> {
  return new Map([...partOf(bytes).headers].map(([name, value]) => [name, decodedWords(value)]));
}

function partOf(bytes: Buffer): Part {
  const source = bytes.toString('latin1').replaceAll('\r\n', '\n');
  const bodyAt = startOfBody(source);
  const head = source.slice(0, bodyAt);
  const headers = new Map<string, string>();
  for (const field of head.replaceAll(/\n[ \t]+/g, ' ').split('\n')) {
    const colon = field.indexOf(':');
    if (colon > 0) headers.set(field.slice(0, colon).trim().toLowerCase(), field.slice(colon + 1).trim());
  }
  return { headers, body: Buffer.from(source.slice(bodyAt), 'latin1') };
}

/** Behind the first empty line, which is the very first where a part has no headers. */
function startOfBody(source: string): number {
  if (source.startsWith('\n')) return 1;
  const end = source.indexOf('\n\n');
  return end < 0 ? source.length : end + 2;
}

function textOf(part: Part, depth: number): string {
  const type = part.headers.get('content-type') ?? 'text/plain';
  const kind = (type.split(';', 1)[0] ?? '').trim().toLowerCase();
  if (kind.startsWith('multipart/')) return depth < MAX_DEPTH ? textOfParts(part, type, kind, depth) : '';
  if (kind === 'message/rfc822') return depth < MAX_DEPTH ? textOf(partOf(bodyOf(part)), depth + 1) : '';
  if (kind === 'text/html') return textOfHtml(bodyOf(part), parameter(type, 'charset'));
  // Some mails of the corpus have no more of a type than `text`.
  return kind.startsWith('text') || kind === '' ? decodeText(bodyOf(part), parameter(type, 'charset'), false).text : '';
}

function textOfParts(part: Part, type: string, kind: string, depth: number): string {
  const boundary = parameter(type, 'boundary');
  if (boundary === null) return '';
  const pieces = part.body.toString('latin1').split(`--${boundary}`).slice(1);
  const parts = pieces
    .filter((piece) => !piece.startsWith('--'))
    .map((piece) => partOf(Buffer.from(piece.replace(/^[ \t]*\n/, ''), 'latin1')));
  const texts = parts.map((inner) => textOf(inner, depth + 1)).filter((text) => text.trim() !== '');
  return kind === 'multipart/alternative' ? (texts[0] ?? '') : texts.join('\n');
}

function textOfHtml(body: Buffer, charset: string | null): string {
  const url = canonicalize('http://mail.example/');
  if (url === null) return '';
  const type = charset === null ? 'text/html' : `text/html; charset=${charset}`;
  extractor ??= pageExtractor({ productToken: 'forager', extractor: 'none' });
  return extractor.extract({ url, headers: { 'content-type': type }, body }).text;
}

function bodyOf({ headers, body }: Part): Buffer {
  const encoding = (headers.get('content-transfer-encoding') ?? '').toLowerCase();
  if (encoding === 'base64') return Buffer.from(body.toString('latin1'), 'base64');
  return encoding === 'quoted-printable' ? unquoted(body.toString('latin1')) : body;
}

/** RFC 2045 §6.7. */
function unquoted(text: string): Buffer {
  const joined = text.replaceAll(/=[ \t]*\n/g, '');
  return Buffer.from(
    joined.replaceAll(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

/** Encoded words of a header, RFC 2047. */
function decodedWords(text: string): string {
  return text.replaceAll(/=\?([^?\s]+)\?([BbQq])\?([^?]*)\?=/g, (_, charset: string, encoding: string, word: string) => {
    const bytes = encoding.toLowerCase() === 'b' ? Buffer.from(word, 'base64') : unquoted(word.replaceAll('_', ' '));
    return decodeText(bytes, charset, false).text;
  });
}

function parameter(header: string, name: string): string | null {
  const match = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;]+))`, 'i').exec(header);
  return match?.[1] ?? match?.[2] ?? null;
}
