/** Functions of the host. */

/** Each gets the address and the end of units of the page, and returns the address of its answer; the four bytes before are its number of units. */
/** The lower case of a name with letters beyond ASCII. */
export declare function lowerCase(from: usize, end: usize): usize;
/** The text of character references. */
export declare function decodeText(from: usize, end: usize): usize;
export declare function decodeAttribute(from: usize, end: usize): usize;

/** Fills the 256 classes of letters around this unit. */
export declare function fillLetters(unit: u32): void;
/**
 * A word of the text from `from` on that starts at `start` and has a character at `at` that folds together with others. Its hash is left in `folded`.
 * @returns its end; `start` if it is none because the character is a separator; 0 if it is of a script without spaces
 */
export declare function complexWord(from: usize, start: usize, at: usize): usize;
/** Is this part of the page the canonical form of an origin? */
export declare function isPlainOrigin(from: usize, end: usize): bool;
/** The share of the page's title that the text `[start, end)` of the page has in common with it: `inTitle` of block-features.ts. */
export declare function inTitle(start: i32, end: i32): f64;
