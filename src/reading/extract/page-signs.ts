/** Names in a page that ask for a second reading of its tags: most pages have none, so the parser notes them. */

/** Some start tag has the attribute `itemprop`; is `<time>`; has the attribute `shadowrootmode`; has the attribute `typeof`. */
export const SIGN = { itemprop: 1, time: 2, shadowRoot: 4, typeof: 8 } as const;

export function hasSign({ signs }: { readonly signs: number }, sign: keyof typeof SIGN): boolean {
  return (signs & SIGN[sign]) !== 0;
}
