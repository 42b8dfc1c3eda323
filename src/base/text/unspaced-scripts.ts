/** Scripts that write no spaces between words, as parts of regular expressions with the flag `u`. */
const SCRIPTS = ['Han', 'Hira', 'Kana', 'Thai', 'Laoo', 'Khmr', 'Mymr'] as const;

/** Inside of a character class: their characters, with signs and marks that they share with other scripts. */
export const UNSPACED_EXTENDED = SCRIPTS.map((script) => `\\p{scx=${script}}`).join('');
/** The same: characters of these scripts alone, and the long vowel marks of kana, which belong to no script. */
export const UNSPACED_LETTERS = `${SCRIPTS.map((script) => `\\p{sc=${script}}`).join('')}\\u30FC\\uFF70`;
