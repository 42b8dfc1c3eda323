/** The surroundings of a number in a text. Every look is bounded, so a text takes time in proportion to its length. */

/** Longest beginning of a URL that is looked at, in UTF-16 code units. */
const URL_REACH = 300;
/** Longest distance from a word to the number that it announces: `Telephone (office hours): `. */
const CUE_REACH = 30;

/** Is the place in a word that began as a URL? */
export function isInUrl(text: string, at: number): boolean {
  const from = Math.max(0, at - URL_REACH);
  const word = text.slice(from, at);
  const start = Math.max(word.lastIndexOf(' '), word.lastIndexOf('\n'), word.lastIndexOf('\t'), word.lastIndexOf('\u00a0'));
  const beginning = word.slice(start + 1);
  return beginning.includes('://') || beginning.includes('www.');
}

/** Text of the same line before a place, at most `reach` characters. */
export function lineBefore(text: string, at: number, reach = CUE_REACH): string {
  const before = text.slice(Math.max(0, at - reach), at);
  return before.slice(before.lastIndexOf('\n') + 1);
}

/** The digits of a written number. */
export function onlyDigits(written: string): string {
  return written.replace(/\D/g, '');
}

/** Words that announce a number of another kind: of books, journals, bugs, standards, articles, prices. */
const OTHER_NUMBER =
  /(?:\b(?:ISBN(?:-1[03])?|ISSN|EAN|UPC|GTIN|ASIN|DOI|PMID|arXiv|RFC|CVE|bug|issue|ticket|article|item|part|order|model|serial|invoice|version|build|revision|commit|rev|art|bestell|artikel|patent)s?\b|#|№|[$€£¥]|Nr\.|No\.|编号|货号|型号|订单)[\s:.#(-]{0,3}(?:(?:no|nr|number|nummer)[\s:.]{0,3})?$/iu;

/** Does the text before a number announce a number that is not personal? */
export function announcesOther(text: string, at: number): boolean {
  return OTHER_NUMBER.test(lineBefore(text, at));
}
