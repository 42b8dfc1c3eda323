/**
 * The same text in memory of its own. A slice of a string, as V8 makes it from 13 characters on, keeps the whole string alive: what is cut
 * from a page and kept longer than the page goes through here first.
 */
export function ownString(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
