/** The knowledge of an apprentice as a file, for another crawl of the same topic. */

import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod';
import { DataError, messageOf } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import { foragerCommand } from '../../base/text/forager-command.ts';
import { Blank } from '../../base/text/shell-line.ts';

/** Weights and sums of squared gradients. A weight without lessons is 0, and its sum has the initial value. */
export interface LinkWeights {
  readonly weights: Float32Array;
  readonly squares: Float32Array;
  /** Weights of the numbers, by name, and of the bias. */
  readonly numbers: Readonly<Record<string, { readonly weight: number; readonly squares: number }>>;
  /** Number of lessons, over all crawls that it was in. */
  readonly lessons: number;
}

const FORMAT = 1;
const HEADER = 'forager-link-model';
/** 2^18 weights of 12 bytes as base64 are 4 MB; anything much larger is something else. */
export const MAX_LINK_MODEL_BYTES: Bytes = 16 * 1024 * 1024;

const schema = z.object({
  header: z.literal(HEADER),
  format: z.literal(FORMAT),
  software: z.string(),
  buckets: z.number().int(),
  lessons: z.number().int(),
  numbers: z.record(z.string(), z.object({ weight: z.number(), squares: z.number() })),
  /** Base64 of little-endian arrays: indexes of the weights that are not 0 (u32), the weights and the sums (f32). */
  places: z.string(),
  weights: z.string(),
  squares: z.string(),
});

/** JSON, gzipped: about 12 bytes for each feature that occurred. */
export function encodeLinkModel({ weights, squares, numbers, lessons }: LinkWeights, software: string): Buffer {
  const places = Uint32Array.from(weights.keys()).filter((place) => weights[place] !== 0);
  const at = (values: Float32Array) => base64(Float32Array.from(places, (place) => values[place] ?? 0));
  const file = { header: HEADER, format: FORMAT, software, buckets: weights.length, lessons, numbers, places: base64(places) };
  return gzipSync(JSON.stringify({ ...file, weights: at(weights), squares: at(squares) }));
}

/** @param buckets the number that this program has. @throws DataError naming `path` if it is not a link model, is damaged or has another version */
export function decodeLinkModel(bytes: Uint8Array, path: string, buckets: number, startSquares: number): LinkWeights {
  const file = schema.safeParse(jsonOf(bytes, path));
  if (!file.success)
    throw new DataError(
      `${path}: is not a link model of this version; make one with: ${foragerCommand('link-model', new Blank('crawl'), '--out', new Blank('file'))}`,
    );
  const { lessons, numbers } = file.data;
  const places = new Uint32Array(bytesOf(file.data.places));
  const [own, sums] = [new Float32Array(bytesOf(file.data.weights)), new Float32Array(bytesOf(file.data.squares))];
  const fits = file.data.buckets === buckets && own.length === places.length && sums.length === places.length;
  if (!fits || places.some((place) => place >= buckets) || !own.every(Number.isFinite) || !sums.every((sum) => sum >= startSquares))
    throw new DataError(
      `${path}: is damaged, or of another version; export it again with: ${foragerCommand('link-model', new Blank('crawl'), '--out', new Blank('file'))}`,
    );
  const weights = new Float32Array(buckets);
  const squares = new Float32Array(buckets).fill(startSquares);
  for (const [i, place] of places.entries()) {
    weights[place] = own[i] ?? 0;
    squares[place] = sums[i] ?? startSquares;
  }
  return { weights, squares, numbers, lessons };
}

function jsonOf(bytes: Uint8Array, path: string): unknown {
  try {
    return JSON.parse(gunzipSync(bytes, { maxOutputLength: MAX_LINK_MODEL_BYTES }).toString('utf8'));
  } catch (error) {
    throw new DataError(
      `${path}: is not a link model (${messageOf(error)}); make one with: ${foragerCommand('link-model', new Blank('crawl'), '--out', new Blank('file'))}`,
      {
        cause: error,
      },
    );
  }
}

function base64(values: Uint32Array | Float32Array): string {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('base64');
}

/** An aligned copy, cut to whole numbers; their count is checked. */
function bytesOf(text: string): ArrayBuffer {
  const bytes = Buffer.from(text, 'base64');
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength - (bytes.byteLength % 4));
}
