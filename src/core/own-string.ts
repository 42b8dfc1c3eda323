/**
 * The same text in memory of its own. A slice of a string, as V8 makes it from 13 characters on, keeps the whole string alive: what is cut
 * from a page, or decoded from a record, and kept longer goes through here first.
 */
export function ownString<Text extends string>(text: Text): Text {
  // A byte for a character where that is enough, as of all URLs and digests.
  const latin1 = Buffer.from(text, 'latin1').toString('latin1');
  return (latin1 === text ? latin1 : Buffer.from(text, 'utf16le').toString('utf16le')) as Text;
}
