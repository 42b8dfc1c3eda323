/** Collapses and trims white space and control characters, and removes lone surrogates. For short strings, not for the text of a page. */
export function squeeze(text: string): string {
  return text
    .replaceAll(/\p{Surrogate}/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
