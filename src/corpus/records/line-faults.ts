/** Files of JSON lines with checksums, which grow with a crawl. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { checkOf } from '../../base/core/checksum.ts';
import { DamageError, type DataError, messageOf } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';

/** Reads one line. @param value parsed JSON @throws TypeError if the value is another */
type Read<T> = (value: unknown) => T;

/** The values of the lines up to the valid bytes. @throws DataError naming the line that cannot be read */
export async function* linesRead<T>(path: string, end: Bytes, read: Read<T>): AsyncGenerator<T> {
  let number = 0;
  for await (const line of linesIn(path, end)) {
    number++;
    try {
      yield valueIn(line, read);
    } catch (error) {
      throw unreadable(`${path}:${number}`, error);
    }
  }
}

/** The fault of each line, with the name of the line, or null, up to the valid bytes. @throws DataError if the file cannot be read */
export async function* lineFaults(path: string, end: Bytes, read: Read<unknown>): AsyncGenerator<string | null> {
  let number = 0;
  for await (const line of linesIn(path, end)) {
    number++;
    try {
      valueIn(line, read);
      yield null;
    } catch (error) {
      yield unreadable(`${path}:${number}`, error).message;
    }
  }
}

function valueIn<T>(line: string, read: Read<T>): T {
  if (checkOf(Buffer.from(line)) === 'wrong') throw new TypeError('its checksum is wrong');
  return read(JSON.parse(line));
}

async function* linesIn(path: string, end: Bytes): AsyncGenerator<string> {
  if (end === 0) return;
  const input = createReadStream(path, { end: end - 1 });
  try {
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    throw unreadable(path, error);
  } finally {
    // The interface does not close its input.
    input.destroy();
  }
}

function unreadable(where: string, error: unknown): DataError {
  return new DamageError(`${where}: cannot be read (${messageOf(error)}); restore the file from a copy`, { cause: error });
}
