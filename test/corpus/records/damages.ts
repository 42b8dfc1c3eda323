/** Damages to the bytes of a file, for properties. */
import fc from 'fast-check';

export interface Damage {
  /** Bytes that are hit, from `start` to before `end`. */
  readonly start: number;
  readonly end: number;
  readonly apply: (bytes: Buffer) => void;
}

/** From one to three: a byte that is changed, or a run that is zeros. */
export function damages(size: number): fc.Arbitrary<readonly Damage[]> {
  const flip = fc.record({ start: fc.nat(size - 1), mask: fc.integer({ min: 1, max: 255 }) }).map(({ start, mask }) => ({
    start,
    end: start + 1,
    apply: (bytes: Buffer) => void bytes.writeUInt8(bytes.readUInt8(start) ^ mask, start),
    toString: () => `flip ${start} by ${mask}`,
  }));
  const zeros = fc.record({ start: fc.nat(size - 1), length: fc.integer({ min: 1, max: 600 }) }).map(({ start, length }) => ({
    start,
    end: Math.min(size, start + length),
    apply: (bytes: Buffer) => void bytes.fill(0, start, Math.min(size, start + length)),
    toString: () => `zeros from ${start}, ${length}`,
  }));
  return fc.array(fc.oneof(flip, zeros), { minLength: 1, maxLength: 3 });
}

/** Those of a file's extents that no damage hit. */
export function spared<T extends { readonly start: number; readonly end: number }>(extents: readonly T[], all: readonly Damage[]): T[] {
  return extents.filter(({ start, end }) => all.every((damage) => damage.end <= start || damage.start >= end));
}
