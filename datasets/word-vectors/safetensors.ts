import * as z from 'zod';
import { DataError, messageOf } from '../../src/base/core/errors.ts';

/** A table of numbers, row by row. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

const entrySchema = z.object({
  dtype: z.string(),
  shape: z.array(z.number().int().nonnegative()),
  data_offsets: z.tuple([z.number().int().nonnegative(), z.number().int().nonnegative()]),
});
type Entry = z.infer<typeof entrySchema>;

/** Bytes of the length before the header. */
const LENGTH_BYTES = 8;
/** Readers of the kinds of numbers that a model for texts has; tensors of other kinds (position numbers) are skipped. */
const READERS: ReadonlyMap<string, { readonly bytes: number; readonly at: (view: DataView, offset: number) => number }> = new Map([
  ['F16', { bytes: 2, at: (view, offset) => HALVES[view.getUint16(offset, true)] as number }],
  ['F32', { bytes: 4, at: (view, offset) => view.getFloat32(offset, true) }],
]);

/** The tensors of a safetensors file by name: a length of 8 bytes, a header in JSON, the numbers. @throws DataError for a damaged one */
export function safetensors(bytes: Buffer, name: string): Map<string, Tensor> {
  const { header, start } = headerOf(bytes, name);
  const data = bytes.subarray(start);
  const tensors = new Map<string, Tensor>();
  for (const [key, value] of Object.entries(header)) {
    if (key === '__metadata__') continue;
    const entry = entrySchema.safeParse(value);
    if (!entry.success) throw damaged(name, `the header has no valid entry for ${key}`);
    const tensor = tensorOf(data, entry.data, () => damaged(name, `the numbers of ${key} do not have their shape`));
    if (tensor !== null) tensors.set(key, tensor);
  }
  return tensors;
}

function headerOf(bytes: Buffer, name: string): { readonly header: object; readonly start: number } {
  const length = bytes.length < LENGTH_BYTES ? Number.POSITIVE_INFINITY : Number(bytes.readBigUInt64LE(0));
  const start = LENGTH_BYTES + length;
  if (start > bytes.length) throw damaged(name, 'its header ends too early');
  try {
    return { header: z.record(z.string(), z.unknown()).parse(JSON.parse(bytes.toString('utf8', LENGTH_BYTES, start))), start };
  } catch (error) {
    throw damaged(name, `its header is not JSON: ${messageOf(error).split('\n')[0]}`);
  }
}

function tensorOf(data: Buffer, { dtype, shape, data_offsets: [from, to] }: Entry, fault: () => DataError): Tensor | null {
  const reader = READERS.get(dtype);
  if (reader === undefined) return null;
  const size = shape.reduce((product, side) => product * side, 1);
  if (to > data.length || to - from !== size * reader.bytes) throw fault();
  const view = new DataView(data.buffer, data.byteOffset + from, to - from);
  const values = new Float32Array(size);
  for (let i = 0; i < size; i++) values[i] = reader.at(view, i * reader.bytes);
  return { shape, values };
}

/** A number of 16 bits (IEEE 754 binary16): sign, 5 bits of exponent, 10 of fraction. */
export function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = (bits & 0x3ff) / 1024;
  if (exponent === 0) return sign * fraction * 2 ** -14;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction) * 2 ** (exponent - 15);
}

/** All numbers of 16 bits. */
const HALVES = Float32Array.from({ length: 0x10000 }, (_, bits) => half(bits));

function damaged(name: string, why: string): DataError {
  return new DataError(`${name}: is damaged (${why}); fetch the package again`);
}
