/** White space and control characters collapsed and trimmed, halves of surrogate pairs left out. For short strings, not for the text of a page. */
export function squeeze(text: string): string {
  return text
    .replaceAll(/\p{Surrogate}/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
