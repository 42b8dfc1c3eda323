/** Lines of CDX and CDXJ files: captures with the file that has them. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { DataError, messageOf } from '../../base/core/errors.ts';
import type { EpochMs } from '../../base/core/types.ts';
import { bareDigest, type Capture } from './captures.ts';

/** Columns of a CDX without a head, of eleven fields as the Wayback Machine has them, or of nine. */
const ELEVEN = 'N b a m s k r M S V g'.split(' ');
const NINE = 'N b a m s k r V g'.split(' ');
/** A line has a URL twice and a filename; a longer one is no line of an index. */
const MAX_LINE = 64 * 1024;

/**
 * The captures of an index, in its order.
 * @param onBad receives each line that has no place of a record, by its number from 1
 * @throws DataError if the file cannot be read
 */
export async function* capturesOfIndex(path: string, onBad: (line: number) => void): AsyncGenerator<Capture> {
  const file = createReadStream(path);
  const input = /\.gz$/i.test(path) ? file.pipe(createGunzip()) : file;
  let failure: unknown = null;
  const failed = (error: unknown) => {
    failure ??= error;
    input.destroy();
  };
  file.on('error', failed);
  input.on('error', failed);
  let columns: readonly string[] | null = null;
  let number = 0;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (/^\s*CDX\s/.test(line)) columns = line.trim().split(/\s+/).slice(1);
    else if (line.trim() !== '' && !line.startsWith('!')) {
      const capture = line.length > MAX_LINE ? null : captureIn(line, columns);
      if (capture === null) onBad(number);
      else yield capture;
    }
  }
  if (failure !== null)
    throw new DataError(`${path}: cannot be read (${messageOf(failure)}); take it from an undamaged copy`, { cause: failure });
}

function captureIn(line: string, columns: readonly string[] | null): Capture | null {
  const json = line.indexOf('{');
  return json >= 0 ? ofCdxj(line.slice(0, json), line.slice(json)) : ofCdx(line.trim().split(/\s+/), columns);
}

function ofCdxj(head: string, json: string): Capture | null {
  const fields = objectIn(json);
  const [, time = ''] = head.trim().split(/\s+/);
  return fields && made({ ...fields, time });
}

function ofCdx(cells: readonly string[], columns: readonly string[] | null): Capture | null {
  const names = columns ?? (cells.length === NINE.length ? NINE : ELEVEN);
  const cell = (letter: string) => cells[names.indexOf(letter)];
  return made({
    url: cell('a'),
    time: cell('b'),
    mime: cell('m'),
    status: cell('s'),
    digest: cell('k'),
    length: cell('S'),
    offset: cell('V'),
    filename: cell('g'),
  });
}

type Fields = Readonly<Record<string, unknown>>;

function objectIn(json: string): Fields | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function made({ url, time, mime, status, digest, length, offset, filename }: Fields): Capture | null {
  const at = timeOf(String(time ?? ''));
  const place = numberOf(offset);
  if (typeof url !== 'string' || typeof filename !== 'string' || at === null || place === null) return null;
  const kind = mime === 'warc/revisit' ? 'revisit' : 'response';
  const known = typeof digest === 'string' && digest !== '-' ? digest : undefined;
  return { url, at, kind, status: numberOf(status), digest: bareDigest(known), offset: place, length: numberOf(length) || null, filename };
}

function numberOf(value: unknown): number | null {
  const text = String(value ?? '');
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** `20040501120000`, to the second; 17 digits to the millisecond. */
function timeOf(digits: string): EpochMs | null {
  const [, year, month, day, hour, minute, second, ms] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})?$/.exec(digits) ?? [];
  if (year === undefined) return null;
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second), Number(ms ?? 0));
}
