/** One form for all word vectors, from which source they may be: centred, of length 1, in bytes. */

/** Greatest entry of a vector of bytes. */
const MOST = 127;

/**
 * The rows less their mean, divided by their lengths, as bytes of one scale: the greatest entry of all becomes ±127. A row that equals the mean has no
 * direction, and becomes 0. With 256 dimensions, rounding turns a row by less than 1°.
 * @param values shape [rows, dimensions]; changed: its rows are centred
 */
export function unitVectors(values: Float32Array, dimensions: number): Int8Array {
  centre(values, dimensions);
  const lengths = lengthsOf(values, dimensions);
  const share = (i: number) => {
    const length = lengths[Math.floor(i / dimensions)] as number;
    return length > 0 ? (values[i] as number) / length : 0;
  };
  let greatest = 0;
  for (let i = 0; i < values.length; i++) greatest = Math.max(greatest, Math.abs(share(i)));
  const scale = greatest > 0 ? MOST / greatest : 0;
  const out = new Int8Array(values.length);
  for (let i = 0; i < out.length; i++) out[i] = Math.round(share(i) * scale);
  return out;
}

/** Subtracts the mean row from each row. */
export function centre(values: Float32Array, dimensions: number): void {
  const rows = values.length / dimensions;
  const mean = new Float64Array(dimensions);
  for (let i = 0; i < values.length; i++) mean[i % dimensions] = (mean[i % dimensions] as number) + (values[i] as number) / rows;
  for (let i = 0; i < values.length; i++) values[i] = (values[i] as number) - (mean[i % dimensions] as number);
}

function lengthsOf(values: Float32Array, dimensions: number): Float64Array {
  const squares = new Float64Array(values.length / dimensions);
  for (let i = 0; i < values.length; i++) {
    const row = Math.floor(i / dimensions);
    squares[row] = (squares[row] as number) + (values[i] as number) ** 2;
  }
  return squares.map(Math.sqrt);
}
