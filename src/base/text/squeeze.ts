/** Collapses and trims white space and control characters, and removes lone surrogates. For short strings, not for the text of a page. */
export function squeeze(text: string): string {
  if (isSqueezed(text)) return text;
  return text
    .replaceAll(/\p{Surrogate}/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** Has a text only signs of ASCII, and single spaces between them? Most texts have; to see it takes a tenth of the time of the expressions. */
function isSqueezed(text: string): boolean {
  let before = 32;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 32 || code > 126 || (code === 32 && before === 32)) return false;
    before = code;
  }
  return before !== 32 || text === '';
}

/** White space that is not one space, except the byte order mark, which may be inside a word. Most is one space, and is left as it is. */
const SPACES = /(?:[^\S\ufeff ]| [^\S\ufeff])[^\S\ufeff]*/g;

/** The first `most` characters of a text in which each run of white space is one space: texts that differ in their lines alone have the same. O(text). */
export function squeezedHead(text: string, most: number): string {
  let head = '';
  for (let from = 0; from < text.length && head.length < most; from += most) {
    head = `${head}${text.slice(from, from + most)}`.replaceAll(SPACES, ' ');
    if (head.startsWith(' ')) head = head.slice(1);
  }
  return head.slice(0, most);
}
