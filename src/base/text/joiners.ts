/** ZERO WIDTH NON-JOINER and ZERO WIDTH JOINER, where they belong to the spelling of a text (Unicode 23.2). */

/**
 * Ranges of code units after which a joiner is spelling: scripts from Arabic to Sinhala, from Tibetan to Myanmar, from Khmer to Vedic, later Indic ones,
 * Arabic forms and variation selectors; symbols and surrogates, for emoji. After Latin letters and white space it is a hint for type, or dirt.
 */
const JOINED: readonly (readonly [from: number, to: number])[] = [
  [0x0600, 0x0dff],
  [0x0f00, 0x109f],
  [0x1780, 0x1cff],
  [0x2190, 0x2bff],
  [0xa800, 0xabff],
  [0xd800, 0xdfff],
  [0xfb50, 0xfefe],
];

const JOINERS = /[\u200c\u200d]/g;

/** Does a joiner after this code unit belong to the spelling? */
export function takesJoiner(code: number): boolean {
  return JOINED.some(([from, to]) => code >= from && code <= to);
}

/** The text without the joiners that are no spelling. @param before text that it follows */
export function spelled(text: string, before = ''): string {
  return text.replace(JOINERS, (joiner, at: number) => {
    const last = at > 0 ? text.charCodeAt(at - 1) : before.charCodeAt(before.length - 1);
    return takesJoiner(last) ? joiner : '';
  });
}
