import { decodeHTML } from 'entities';

/** A text with its references decoded. */
export function decoded(text: string): string {
  return text.includes('&') ? decodeHTML(text) : text;
}
