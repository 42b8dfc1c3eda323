/**
 * A typed array with room for `size` values: the given array, or a copy at least twice as long. Amortised O(1) a value.
 * @param fill the value of new places
 */
export function grown<T extends Float64Array | Float32Array | Int32Array | Uint32Array | Uint16Array | Uint8Array>(
  column: T,
  size: number,
  Kind: new (length: number) => T,
  fill = 0,
): T {
  if (size <= column.length) return column;
  const larger = new Kind(Math.max(size, 2 * column.length));
  larger.set(column);
  if (fill !== 0) larger.fill(fill, column.length);
  return larger;
}
