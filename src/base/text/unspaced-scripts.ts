/** Scripts that write no spaces between words, as parts of regular expressions with the flag `u`. */
const SCRIPTS = ['Han', 'Hira', 'Kana', 'Thai', 'Laoo', 'Khmr', 'Mymr'] as const;

/** Characters of these scripts for use inside of a character class, with signs and marks that they share with other scripts. */
export const UNSPACED_EXTENDED = SCRIPTS.map((script) => `\\p{scx=${script}}`).join('');
/** Characters of these scripts alone, for use inside of a character class, and the long vowel marks of kana, which belong to no script. */
export const UNSPACED_LETTERS = `${SCRIPTS.map((script) => `\\p{sc=${script}}`).join('')}\\u30FC\\uFF70`;
