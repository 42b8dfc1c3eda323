/**
 * Copy of a text in its own memory. V8 makes a slice of 13 or more characters a reference that keeps the whole string alive. Code that
 * keeps a part of a page or record for longer copies it here first.
 */
export function ownString<Text extends string>(text: Text): Text {
  // One byte per character is enough for all URLs and digests.
  const latin1 = Buffer.from(text, 'latin1').toString('latin1');
  return (latin1 === text ? latin1 : Buffer.from(text, 'utf16le').toString('utf16le')) as Text;
}
