/** Guesses the charset of bytes without a declaration. */
import { TextDecoder as LegacyDecoder } from '@exodus/bytes/encoding.js';
import { analyse } from 'chardet';

/** Number of bytes searched for text; it limits the cost of an undeclared page. */
const SEARCH_BYTES = 64 * 1024;
/** chardet's statistics settle within this. On a whole page, ASCII markup drowns them, and they take 14 ms. */
const SAMPLE_BYTES = 4096;

const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;

/** Text between tags that contains bytes over 0x7F, up to 4 KiB. No multi-byte charset of the web has `<` or `>` as a second byte. */
export function textSample(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(SAMPLE_BYTES);
  const end = Math.min(bytes.length, SEARCH_BYTES);
  let length = 0;
  let start = 0;
  let high = false;
  for (let i = 0; i <= end && length < SAMPLE_BYTES; i++) {
    const byte = i < end ? (bytes[i] ?? 0) : LESS_THAN;
    if (byte > 0x7f) high = true;
    if (byte !== LESS_THAN && byte !== GREATER_THAN) continue;
    if (high && byte === LESS_THAN) {
      const node = bytes.subarray(start, Math.min(i, start + SAMPLE_BYTES - length));
      sample.set(node, length);
      length += node.length;
    }
    start = i;
    high = false;
  }
  return length === 0 ? bytes.subarray(0, SAMPLE_BYTES) : sample.subarray(0, length);
}

/** Is this UTF-8 with mistakes? One bad byte in four wide characters is allowed; bytes of other charsets hardly ever fit. */
export function isMostlyUtf8(sample: Uint8Array): boolean {
  let bad = 0;
  let good = 0;
  for (const char of new TextDecoder().decode(sample)) {
    if (char === '\uFFFD') bad++;
    else if (char > '\x7f') good++;
  }
  return good > 0 && bad * 4 <= good;
}

/**
 * Least confidence of a guess. Below it, chardet only says which charset is possible, not which is likely; its multi-byte detectors answer
 * 10 to anything.
 */
const MIN_CONFIDENCE = 15;

/** chardet's labels for a sample, best first; none if it has no opinion. */
export function likelyLabels(sample: Uint8Array): string[] {
  return analyse(sample)
    .filter(({ confidence }) => confidence >= MIN_CONFIDENCE)
    .map(({ name }) => (name === 'KOI8-R' && hasUkrainian(sample) ? 'KOI8-U' : name));
}

/** Bytes that are letters in KOI8-U (RFC 2319), small є, і, ї and ґ, and characters for drawing boxes in KOI8-R. */
const UKRAINIAN: ReadonlySet<number> = new Set([0xa4, 0xa6, 0xa7, 0xad]);
/** First byte that is a Cyrillic letter in KOI8. */
const FIRST_CYRILLIC = 0xc0;

/** Is one of those bytes next to a Cyrillic letter? Box characters are next to box characters and spaces. */
function hasUkrainian(sample: Uint8Array): boolean {
  return sample.some((byte, i) => UKRAINIAN.has(byte) && Math.max(sample[i - 1] ?? 0, sample[i + 1] ?? 0) >= FIRST_CYRILLIC);
}

const ESCAPE = 0x1b;
/** `ESC $ @` and `ESC $ B` start two-byte characters (RFC 1468). */
const TO_KANJI: readonly string[] = ['\u001b$@', '\u001b$B'];

/** Is this ISO-2022-JP? It looks like ASCII, and so like valid UTF-8. */
export function isIso2022Jp(bytes: Uint8Array): boolean {
  if (!bytes.includes(ESCAPE)) return false;
  const ascii = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SEARCH_BYTES)).toString('latin1');
  if (/[^\0-\x7f]/.test(ascii) || !TO_KANJI.some((start) => ascii.includes(start))) return false;
  const text = new LegacyDecoder('iso-2022-jp').decode(bytes.subarray(0, SEARCH_BYTES));
  // The last character may be cut.
  return !text.slice(0, -1).includes('\uFFFD');
}
