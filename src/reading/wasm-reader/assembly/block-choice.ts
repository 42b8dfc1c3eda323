/** The block model's decision about a page: `modelDecision` of main-text.ts. The host computes exponents and powers. */
import { take } from './arena';
import { flagsOf } from './block-fields';
import { FEATURES, headingFlag, isTerm, startRows, writeRow } from './block-rows';
import { decideBySlope, double, hiddenFlag, LINKS, preFlag, putDouble, slopeRoles, TEXT, wordsOf } from './block-slope';
import { FEATURE_BYTES, ROWS, scoreRows } from './block-trees';
import { blockCount } from './text-blocks';

/** The log odds of main text of each block, f64; its probability, f32, from the host. */
export let logits: usize = 0;
export let probabilities: usize = 0;

let tableFlag: i32 = 0;

export function setChoiceFlags(table: i32): void {
  tableFlag = table;
}

/** Computes the log odds of all blocks. @param titleAt the page's title in lower case */
export function rateBlocks(trees: usize, treeCount: i32, bias: f64, titleAt: usize, titleLength: i32): void {
  logits = take((<usize>blockCount + ROWS) << 3);
  probabilities = take((<usize>blockCount) << 2);
  decideBySlope();
  const rows = take(FEATURES * FEATURE_BYTES);
  memory.fill(rows, 0, FEATURES * FEATURE_BYTES);
  startRows(rows, titleAt, titleLength);
  for (let first = 0; first < blockCount; first += <i32>ROWS) {
    for (let i = first; i < min(blockCount, first + <i32>ROWS); i++) writeRow(rows + ((<usize>(i - first)) << 2), i);
    scoreRows(trees, treeCount, bias, rows, logits + ((<usize>first) << 3));
  }
}

const STEPS: i32 = 100;
const wordsByStep: usize = memory.data(101 * 8);
const hitsByStep: usize = memory.data(101 * 8);

/** The best expected F1 of any threshold: `bestExpectedF1` of block-model.ts. */
export function bestExpectedF1(): f64 {
  memory.fill(wordsByStep, 0, 101 * 8);
  memory.fill(hitsByStep, 0, 101 * 8);
  let all: f64 = 0;
  for (let i = 0; i < blockCount; i++) {
    const own = wordsOf(i);
    const p = probabilityOf(i);
    const step = <i32>(p * <f64>STEPS);
    putDouble(wordsByStep, step, double(wordsByStep, step) + own);
    putDouble(hitsByStep, step, double(hitsByStep, step) + own * p);
    all += own * p;
  }
  let best: f64 = 0;
  let found: f64 = 0;
  let right: f64 = 0;
  for (let step = STEPS; step >= 0; step--) {
    found += double(wordsByStep, step);
    right += double(hitsByStep, step);
    if (found > 0) best = max<f64>(best, (2 * right) / (found + all));
  }
  return best;
}

function probabilityOf(block: i32): f64 {
  return <f64>load<f32>(probabilities + ((<usize>block) << 2));
}

let leastShown: f64 = 0;
let leastHidden: f64 = 0;

function isKept(block: i32): bool {
  return block >= 0 && probabilityOf(block) >= (flagsOf(block) & hiddenFlag ? leastHidden : leastShown);
}

/** @param hidden least probability of hidden blocks @param gap of blocks between two of text @returns the address of the roles, a byte for each block */
export function chooseBlocks(threshold: f64, hidden: f64, gap: f64): usize {
  leastShown = threshold;
  leastHidden = hidden;
  let first = 0;
  while (first < blockCount && !isKept(first)) first++;
  if (first === blockCount) return slopeRoles;
  let last = blockCount - 1;
  while (!isKept(last)) last--;
  for (let i = blockCount - 1; i >= 0; i--) {
    if (isKept(i)) store<u8>(slopeRoles + i, TEXT);
    else if (load<u8>(slopeRoles + i) === TEXT && !(i > first && i < last && staysInText(i, gap))) store<u8>(slopeRoles + i, LINKS);
  }
  return slopeRoles;
}

/** Stays a block of the slope's segments in the text although the model excludes it? */
function staysInText(i: i32, gap: f64): bool {
  const flags = flagsOf(i);
  if (flags & (preFlag | tableFlag)) return true;
  if (load<u8>(slopeRoles + i + 1) !== TEXT) return false;
  if (flags & headingFlag || isTerm(i)) return true;
  return isKept(i - 1) && probabilityOf(i) >= gap;
}
