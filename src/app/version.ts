import { readFileSync } from 'node:fs';
import { UsageError } from '../core/errors.ts';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { readonly version: string };

/** Version of this software, as in package.json. */
export const VERSION: string = manifest.version;

/** Name under which robots.txt files may address us (RFC 9309 §2.2.1), and the first word of the User-Agent. */
export const PRODUCT_TOKEN = 'Forager';

/** What may stand in a header value (RFC 9110 §5.5), less the obsolete bytes beyond ASCII. */
const HEADER_TEXT = /^[\x20-\x7e]*$/;

/** The User-Agent header: who we are and how to reach who runs us. @throws UsageError for text no header can carry. */
export function userAgentOf(custom: string | null, contact: string | null): string {
  for (const [option, text] of Object.entries({ '--user-agent': custom, '--contact': contact })) {
    if (text !== null && !HEADER_TEXT.test(text))
      throw new UsageError(`${option} ${JSON.stringify(text)}: may only hold printable ASCII characters`);
  }
  const name = custom ?? `${PRODUCT_TOKEN}/${VERSION}`;
  return contact ? `${name} (+${contact})` : name;
}
