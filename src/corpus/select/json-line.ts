/** JSON in the files of a corpus. */

/** A lone half of a surrogate pair, as `JSON.stringify` writes it; `\\ud83c` after an even number of backslashes is text of the page. */
const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/** RFC 8259 §8.2 leaves a lone surrogate to the reader, and many refuse the whole file. All formats write U+FFFD instead. */
export function jsonOf(value: object, indent = 0): string {
  const json = JSON.stringify(value, null, indent);
  return json.includes('\\ud') ? json.replace(LONE_SURROGATE, '$1\ufffd') : json;
}

/** A line of JSONL, with its line feed. */
export function jsonLine(value: object): string {
  return `${jsonOf(value)}\n`;
}
