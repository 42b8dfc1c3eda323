import * as z from 'zod';
import { ModelError, messageOf } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import { readGivenFile } from '../../base/text/given-file.ts';

/** A number in [0, 1]. */
export const UNIT = z.number().min(0).max(1);

/** Reads and validates a JSON file of a model. @throws ModelError naming the file and `remedy`. */
export async function readJson<T>(path: string, schema: z.ZodType<T>, remedy: string): Promise<T> {
  const text = await readBytes(path, remedy);
  const checked = schema.safeParse(parseJson(path, text.toString('utf8'), remedy));
  if (checked.success) return checked.data;
  throw new ModelError(`${path}: ${oneLine(z.prettifyError(checked.error))}; ${remedy}`);
}

/** The weights, 1 MB, and stored training pages, some MB: anything much larger is something else. */
const MAX_BYTES: Bytes = 128 * 1024 * 1024;

/** Reads a file of a model. @throws ModelError naming the file and `remedy`. */
export async function readBytes(path: string, remedy: string): Promise<Buffer> {
  try {
    return readGivenFile(path, { maxBytes: MAX_BYTES, what: 'a model', remedy });
  } catch (error) {
    throw new ModelError(messageOf(error), { cause: error });
  }
}

function parseJson(path: string, text: string, remedy: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ModelError(`${path}: is not JSON (${oneLine(messageOf(error))}); ${remedy}`, { cause: error });
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ');
}
