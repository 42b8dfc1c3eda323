/** Character classes of the Basic Multilingual Plane, one byte a code unit. */
export const CLASS = { letter: 0, mark: 1, space: 2, drop: 3, half: 4, stop: 5, wideMark: 6, wideStop: 7, joiner: 8 } as const;
export const CLASSES = new Uint8Array(65_536);

function classify(from: number, to: number, kind: number): void {
  CLASSES.fill(kind, from, to + 1);
}
function classifyEach(characters: string, kind: number): void {
  for (let i = 0; i < characters.length; i += 1) CLASSES[characters.charCodeAt(i)] = kind;
}
classify(0, 32, CLASS.space);
classify(33, 47, CLASS.mark);
classify(58, 64, CLASS.mark);
classify(91, 96, CLASS.mark);
classify(123, 159, CLASS.mark);
classify(161, 191, CLASS.mark);
classify(0x2010, 0x27bf, CLASS.mark);
classify(0x3001, 0x303f, CLASS.mark);
// Scripts written without spaces: Thai, Lao, Myanmar, Khmer, kana, Han. A character is about half a word.
for (const [from, to] of [
  [0x0e01, 0x0eff],
  [0x1000, 0x109f],
  [0x1780, 0x17ff],
  [0x3041, 0x30ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xf900, 0xfaff],
] as const) {
  classify(from, to, CLASS.half);
}
classifyEach('\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000', CLASS.space);
// NEXT LINE, which some programs take for the end of a line.
classifyEach('\u0085', CLASS.space);
// Soft hyphen, zero-width space, direction marks, word joiner, byte order mark: not text.
classifyEach('\u00ad\u200b\u200e\u200f\u2060\ufeff', CLASS.drop);
// ZERO WIDTH NON-JOINER and JOINER.
classifyEach('\u200c\u200d', CLASS.joiner);
classifyEach('.!?\u2026', CLASS.stop);
classifyEach('，、；', CLASS.wideMark);
classifyEach('。！？', CLASS.wideStop);

/** Half words of one code unit of an unspaced script, else 0. Limits context by words in any script. */
export function isUnspaced(code: number): boolean {
  return CLASSES[code] === CLASS.half;
}
