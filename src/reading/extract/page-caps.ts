/** Longest page that is read, in UTF-16 units of decoded text. The rest is omitted, with a warning. */
export const MAX_PAGE_CHARS = 4 * 1024 * 1024;
