/** Names in a page that ask for a second reading of its tags: most pages have none, so the parser notes them. */

/**
 * Some start tag has the attribute `itemprop`; is `<time>`; has the attribute `shadowrootmode`; has the attribute `typeof`; is `<math>`, or has a class or
 * a type of `FORMULA_NAMES`, or an `alt` of `FORMULA_ALT`.
 */
export const SIGN = { itemprop: 1, time: 2, shadowRoot: 4, typeof: 8, formula: 16 } as const;

/** Starts of classes and types of formulas as text, images or scripts: of Sphinx, MathJax, MediaWiki, WordPress, Doxygen. */
export const FORMULA_NAMES = /^(?:math|mwe-math|equation|formula|displaymath|(?:tex|latex)(?: |$))/i;
/** Starts of TeX as the text of an image, as of LaTeX2HTML and Doxygen: `$x$`, `\[x\]`, `{\displaystyle x}`. */
export const FORMULA_ALT = /^(?:\$|\\|\{\\)/;

export function hasSign({ signs }: { readonly signs: number }, sign: keyof typeof SIGN): boolean {
  return (signs & SIGN[sign]) !== 0;
}
