/**
 * The character references of a text (HTML Standard §13.2.5.72). Five names and the numbers of most characters are nearly all of those on the Debian web;
 * a text with another one is left to the host.
 */
import { find } from './arena';
import { lowered } from './name-table';

export const AMPERSAND: u16 = 38;
const HASH: u16 = 35;
const SEMICOLON: u16 = 59;
const LETTER_X: u32 = 120;
// Names as units: four of them, or three with the semicolon, in 64 bits.
const LT: u64 = 0x003b_0074_006c;
const GT: u64 = 0x003b_0074_0067;
const AMP: u64 = (0x003b_0070 << 32) | 0x006d_0061;
const QUOT: u64 = (0x0074_006f << 32) | 0x0075_0071;
const NBSP: u64 = (0x0070_0073 << 32) | 0x0062_006e;
const THREE: u64 = 0xffff_ffff_ffff;

/** The character of the last reference. */
let unit: u16 = 0;

/**
 * Writes a text with its references decoded.
 * @param first its first ampersand
 * @param at room as long as the text
 * @returns the end; 0 if the host has to do it
 */
export function decodeReferences(from: usize, first: usize, to: usize, at: usize): usize {
  let out = at;
  let next = from;
  let mark = first;
  while (mark < to) {
    memory.copy(out, next, mark - next);
    out += mark - next;
    next = behindReference(mark + 2, to);
    if (next === 0) return 0;
    store<u16>(out, unit);
    out += 2;
    mark = find(next, to, AMPERSAND);
  }
  memory.copy(out, next, to - next);
  return out + (to - next);
}

/** @param at behind the ampersand @returns the place behind the reference, whose character is `unit`; 0 for an unknown one */
function behindReference(at: usize, to: usize): usize {
  unit = AMPERSAND;
  const first: u32 = at < to ? load<u16>(at) : 0;
  if (first === HASH) return behindNumber(at + 2, to);
  if (lowered(first) - 97 >= 26 && first - 48 >= 10) return at;
  const name = load<u64>(at);
  if ((name & THREE) === LT) unit = 60;
  else if ((name & THREE) === GT) unit = 62;
  if (unit !== AMPERSAND) return at + 6 <= to ? at + 6 : 0;
  if (name === AMP) return at + 8 <= to ? at + 8 : 0;
  if (at + 10 > to || load<u16>(at, 8) !== SEMICOLON) return 0;
  if (name === QUOT) unit = 34;
  else if (name === NBSP) unit = 160;
  else return 0;
  return at + 10;
}

/** Numbers of characters beyond 16 bits, of half characters, and of those that browsers replace are left to the host. */
function behindNumber(start: usize, to: usize): usize {
  const isHex = start < to && lowered(load<u16>(start)) === LETTER_X;
  const base: u32 = isHex ? 16 : 10;
  const from = isHex ? start + 2 : start;
  let value: u32 = 0;
  let at = from;
  for (; at < to && value <= 0xffff; at += 2) {
    const digit = digitOf(load<u16>(at));
    if (digit >= base) break;
    value = value * base + digit;
  }
  if (at === from || at >= to || load<u16>(at) !== SEMICOLON) return 0;
  if (value === 0 || value > 0xffff || (value >= 128 && value < 160) || (value >= 0xd800 && value < 0xe000)) return 0;
  unit = <u16>value;
  return at + 2;
}

function digitOf(code: u32): u32 {
  if (code - 48 < 10) return code - 48;
  const letter = lowered(code) - 97;
  return letter < 6 ? letter + 10 : 16;
}
