/**
 * The same text in its own memory. V8 makes a slice of 13 or more characters a reference that keeps the whole string alive. A text that was cut from
 * a page or decoded from a record goes through here before it is kept for longer.
 */
export function ownString<Text extends string>(text: Text): Text {
  // One byte per character is enough for all URLs and digests.
  const latin1 = Buffer.from(text, 'latin1').toString('latin1');
  return (latin1 === text ? latin1 : Buffer.from(text, 'utf16le').toString('utf16le')) as Text;
}
