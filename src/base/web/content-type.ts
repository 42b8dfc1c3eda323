/** The type and charset of a Content-Type field. */
interface ContentType {
  readonly mime: string;
  readonly charset: string | null;
}

/** The field that was read last: most answers of a host have the same one. */
let last: { readonly header: string | undefined; readonly type: ContentType } = { header: undefined, type: { mime: '', charset: null } };

/**
 * The type and charset of a Content-Type field, both lower case. If the field does not contain them, `mime` is '' and `charset` null. Of repeated
 * fields joined by commas, the first counts.
 */
export function parseContentType(header: string | undefined): ContentType {
  if (header !== last.header) last = { header, type: readContentType(header ?? '') };
  return last.type;
}

function readContentType(header: string): ContentType {
  const [essence = '', ...parameters] = header.split(';');
  const mime = (essence.split(',', 1)[0] ?? '').trim().toLowerCase();
  for (const parameter of parameters) {
    const equals = parameter.indexOf('=');
    if (equals < 0 || parameter.slice(0, equals).trim().toLowerCase() !== 'charset') continue;
    const label = unquoted(parameter.slice(equals + 1));
    if (label !== '') return { mime: mime.includes('/') ? mime : '', charset: label };
  }
  return { mime: mime.includes('/') ? mime : '', charset: null };
}

/** A token or quoted string, cut at the first character that neither may contain. */
function unquoted(value: string): string {
  const plain = value.trim().replace(/^["']+/, '');
  const end = plain.search(/["',\s]/);
  return (end < 0 ? plain : plain.slice(0, end)).toLowerCase();
}

/** Types of pages with links or text; '' is an undeclared type, which `looksBinary` decides. */
const READABLE = new Set(['text/html', 'application/xhtml+xml', 'text/plain', '']);

/** Can a page of this type be read? */
export function isReadableType(mime: string): boolean {
  return READABLE.has(mime);
}

/** Types of servers that do not know the type of a file: its first bytes decide. */
const UNKNOWN = new Set([
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-download',
  'application/force-download',
  // The name of a book or a Word document to many servers.
  'application/zip',
  'application/x-zip-compressed',
]);

/** Does a type say nothing about a file? @param mime lower case, without parameters */
export function isUnknownType(mime: string): boolean {
  return UNKNOWN.has(mime);
}

/** Types of sitemaps and feeds, and of packed ones; servers that know no type send `application/octet-stream`. */
const LIST_TYPE = /^(?:(?:text|application)\/xml|application\/(?:[a-z.-]+\+xml|x-gzip|gzip|octet-stream))$/;

/** May a file of this type be a sitemap or feed? */
export function isListType(mime: string): boolean {
  return LIST_TYPE.test(mime) && mime !== 'application/xhtml+xml';
}

/** File signatures at offset 0, as in the WHATWG MIME Sniffing standard §6, written as latin-1. */
const SIGNATURES = [
  '%PDF-',
  'PK\x03\x04',
  'PK\x05\x06',
  '\x1f\x8b\x08',
  '\x89PNG\r\n\x1a\n',
  '\xff\xd8\xff',
  'GIF87a',
  'GIF89a',
  'OggS\x00',
  'fLaC',
  '\x1a\x45\xdf\xa3',
  'wOFF',
  'wOF2',
  'Rar!\x1a\x07',
  "7z\xbc\xaf'\x1c",
  'BZh',
  '\xfd7zXZ\x00',
  '\x28\xb5\x2f\xfd',
  '\x7fELF',
  'MZ\x90\x00',
  '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
  '%!PS-Adobe-',
  '{\\rtf',
  '\x00\x00\x01\x00',
  'II*\x00',
  'MM\x00*',
  'SQLite format 3\x00',
  '\x00asm',
].map((signature) => Buffer.from(signature, 'latin1'));

/** Number of bytes searched for NUL bytes: more than the 1,445 that the WHATWG standard sniffs. */
const SNIFF_BYTES = 2048;
/** Text with fewer NUL bytes than one in a hundred is a page with a mistake; unknown binary formats have far more. */
const NUL_SHARE = 0.01;

/** Do the first bytes of a body belong to something other than text, regardless of its Content-Type? */
export function looksBinary(bytes: Uint8Array): boolean {
  if (hasSignature(bytes)) return true;
  const head = bytes.subarray(0, SNIFF_BYTES);
  if (!head.includes(0) || looksUtf16(head) !== null) return false;
  return head.reduce((nuls, byte) => nuls + (byte === 0 ? 1 : 0), 0) > head.length * NUL_SHARE;
}

/** Do bytes start like a file that is not text? */
export function hasSignature(bytes: Uint8Array): boolean {
  return SIGNATURES.some((signature) => signature.every((byte, i) => bytes[i] === byte)) || startsWithAt(bytes, 4, 'ftyp');
}

/** Is it a PDF, even after a byte order mark or white space, which viewers skip? */
export function isPdf(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, SNIFF_BYTES)).toString('latin1');
  return /^(?:\xef\xbb\xbf)?\s*%PDF-/.test(start);
}

/** Share of bytes that text in no charset contains ("binary data bytes" of WHATWG MIME Sniffing §3), in [0, 1]. */
export function controlShare(bytes: Uint8Array): number {
  let controls = 0;
  for (const byte of bytes) if (byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1f && byte !== 0x1b)) controls += 1;
  return bytes.length === 0 ? 0 : controls / bytes.length;
}

function startsWithAt(bytes: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** The byte order of UTF-16 text, by its mark or by ASCII whose every other byte is NUL; null if it does not look like UTF-16. */
export function looksUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (isAsciiPair(bytes[0], bytes[1]) && isAsciiPair(bytes[2], bytes[3])) return 'utf-16le';
  if (isAsciiPair(bytes[1], bytes[0]) && isAsciiPair(bytes[3], bytes[2])) return 'utf-16be';
  return null;
}

function isAsciiPair(low: number | undefined, high: number | undefined): boolean {
  return high === 0 && low !== undefined && (low >= 0x20 || (low >= 9 && low <= 13)) && low < 0x7f;
}
