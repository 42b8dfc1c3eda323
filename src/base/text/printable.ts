/** Text from the web as people read it: on a terminal, in Markdown, in printed JSON. */

/**
 * Characters that move a cursor, hide text or reverse it: C0, DEL and C1, marks of direction, line and paragraph separators, and all that Unicode
 * calls "format", including its invisible tags. Not the joiners, which Persian, Indic scripts and emoji need, nor visible signs, such as those before
 * Arabic numbers.
 */
const HARMFUL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}](?<!\n|\u200c|\u200d|[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])/gu;

export function isUnprintable(character: string): boolean {
  return character.search(HARMFUL) >= 0;
}

/** The text with spaces instead of all such characters except line feeds; its length is unchanged. */
export function printable(text: string): string {
  return text.replace(HARMFUL, (character) => ' '.repeat(character.length));
}

/** JSON with escapes for them: the same value, with everything visible. */
export function printableJson(json: string): string {
  return json.replace(HARMFUL, (character) => character.split('').map(escaped).join(''));
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
