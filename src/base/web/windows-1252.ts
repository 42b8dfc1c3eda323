/** The characters of the bytes 0x80 to 0x9F in windows-1252 (WHATWG Encoding, index-windows-1252); the five unassigned ones stay as they are. */
export const WINDOWS_1252_HIGH: readonly string[] = [
  ...['€', '\x81', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\x8d', 'Ž', '\x8f'],
  ...['\x90', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\x9d', 'ž', 'Ÿ'],
];
