import { mailAddresses } from './mail-addresses.ts';
import { type MaskedText, maskedText } from './masked-text.ts';
import type { PersonalRange } from './personal-names.ts';

/** A URL with masks for its mail addresses, also for those with `%40`; other signs stay. */
export function urlWithMasks(url: string): Pick<MaskedText, 'text' | 'masks'> {
  const readable = url.replaceAll('%40', '@');
  const found = [...mailAddresses(readable)].map(([start, end]): PersonalRange => [start, end, 'mail']);
  return found.length === 0 ? { text: url, masks: [] } : maskedText(readable, found);
}

export function withoutMail(url: string): string {
  return urlWithMasks(url).text;
}

/** Is a mail address in a URL? */
export function hasMail(url: string): boolean {
  return urlWithMasks(url).masks.length > 0;
}
