/** Text that is hidden by its state, and nearly all of the page: `unveiled` of element-sight.ts. */
import { take } from './arena';
import { flagsOf, halfWordsOf, startOf } from './block-fields';
import { BLOCK_BYTES, blockCount, blocks } from './text-blocks';

const NEARLY_ALL: f64 = 0.9;
const ALL: f64 = 0.98;
/** Counts in half words. */
const MIN_WORDS: i32 = 50;
const MIN_QUESTION: i32 = 6;

// Flags, from the host.
export let preFlag: i32 = 0;
let veiledFlag: i32 = 0;
let hiddenFlag: i32 = 0;
let disclosureFlag: i32 = 0;
let notCounted: i32 = 0;

export function setVeilFlags(pre: i32, veiled: i32, hidden: i32, disclosure: i32, uncounted: i32): void {
  preFlag = pre;
  veiledFlag = veiled;
  hiddenFlag = hidden;
  disclosureFlag = disclosure;
  notCounted = uncounted;
}

/** Starts in the text of the outermost veiled elements. */
let veils: usize = 0;
let veilCount: i32 = 0;

/** Makes room for the veiled elements of a page of `length` units: the shortest is `<a hidden>`. */
export function startVeils(length: i32): void {
  veils = take(<usize>length + 16);
  veilCount = 0;
}

export function addVeil(start: i32): void {
  store<i32>(veils + ((<usize>veilCount) << 2), start);
  veilCount++;
}

function veilAt(veil: i32): i32 {
  return veil < veilCount ? load<i32>(veils + ((<usize>veil) << 2)) : i32.MAX_VALUE;
}

/** Start and end of the veiled text that is shown. */
let shownFrom: i32 = 0;
let shownTo: i32 = 0;

export function unveil(): void {
  findShown();
  for (let i = 0; i < blockCount; i++) {
    let flags = flagsOf(i);
    if ((flags & (veiledFlag | disclosureFlag)) === 0) continue;
    if (flags & disclosureFlag && halfWordsOf(i) >= MIN_QUESTION) flags &= ~hiddenFlag;
    if (flags & veiledFlag && (startOf(i) < shownFrom || startOf(i) >= shownTo)) flags |= hiddenFlag;
    store<i32>(blocks + <usize>i * BLOCK_BYTES, flags & ~veiledFlag, 28);
  }
}

function findShown(): void {
  shownFrom = shownTo = 0;
  if (veilCount === 0) return;
  let all = 0;
  let veiled = 0;
  let words = 0;
  let veil = -1;
  let most = 0;
  let found = -1;
  for (let i = 0; i < blockCount; i++) {
    while (veil + 1 < veilCount && veilAt(veil + 1) <= startOf(i)) {
      veil++;
      words = 0;
    }
    const flags = flagsOf(i);
    if (flags & notCounted) continue;
    const own = halfWordsOf(i);
    all += own;
    if ((flags & veiledFlag) === 0) continue;
    veiled += own;
    words += own;
    if (words > most) {
      most = words;
      found = veil;
    }
  }
  if (veiled >= MIN_WORDS && <f64>veiled >= ALL * <f64>all) shownTo = i32.MAX_VALUE;
  else if (most >= MIN_WORDS && <f64>most >= NEARLY_ALL * <f64>all) {
    shownFrom = veilAt(found);
    shownTo = veilAt(found + 1);
  }
}
