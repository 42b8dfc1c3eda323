/** The trees of the block model, as the conditions of tree-conditions.ts. */

/** Rows that are scored together. */
export const ROWS: usize = 8;
/** Bytes of one feature of these rows: it comes with that of the next row behind it. */
export const FEATURE_BYTES: usize = 32;

const CONDITION_BYTES: usize = 12;

/** The leaves of each row that no condition excludes, a bit each. */
const remaining: usize = memory.data(8 * 4);

/**
 * The log odds of `ROWS` rows of features.
 * @param trees table of the conditions of all trees @param out f64 for each row
 */
export function scoreRows(trees: usize, count: i32, bias: f64, rows: usize, out: usize): void {
  for (let row: usize = 0; row < ROWS; row++) store<f64>(out + (row << 3), bias);
  let at = trees;
  for (let tree = 0; tree < count; tree++) {
    const conditions = at + 8;
    const leaves = conditions + <usize>load<u32>(at) * CONDITION_BYTES;
    at = leaves + ((<usize>load<u32>(at, 4)) << 2);
    if (ASC_FEATURE_SIMD) exclude(conditions, leaves, rows);
    else for (let row: usize = 0; row < ROWS; row++) excludeOf(row << 2, conditions, leaves, rows);
    for (let row: usize = 0; row < ROWS; row++) {
      const leaf = <usize>ctz(load<u32>(remaining + (row << 2)));
      const logit = out + (row << 3);
      store<f64>(logit, load<f64>(logit) + <f64>load<f32>(leaves + (leaf << 2)));
    }
  }
}

/** Finds the remaining leaves of all rows by the conditions `[from, end)` of a tree. */
function exclude(from: usize, end: usize, rows: usize): void {
  let low = i32x4.splat(-1);
  let high = low;
  for (let at = from; at < end; at += CONDITION_BYTES) {
    const feature = rows + <usize>load<u32>(at) * FEATURE_BYTES;
    const threshold = v128.load_splat<f32>(at, 4);
    const leaves = v128.load_splat<i32>(at, 8);
    low = v128.andnot(low, v128.and(leaves, f32x4.gt(v128.load(feature), threshold)));
    high = v128.andnot(high, v128.and(leaves, f32x4.gt(v128.load(feature, 16), threshold)));
  }
  v128.store(remaining, low);
  v128.store(remaining, high, 16);
}

/** Finds those of one row. @param place of its numbers among those of all rows */
function excludeOf(place: usize, from: usize, end: usize, rows: usize): void {
  let left: u32 = -1;
  for (let at = from; at < end; at += CONDITION_BYTES) {
    const feature = rows + <usize>load<u32>(at) * FEATURE_BYTES + place;
    const leaves = load<u32>(at, 8);
    left &= ~(load<f32>(feature) > load<f32>(at, 4) ? leaves : 0);
  }
  store<u32>(remaining + place, left);
}
