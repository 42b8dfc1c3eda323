/** The identity of the crawler, and how to reach the people who run it. */
import { UsageError } from '../core/errors.ts';
import { PRODUCT_TOKEN, VERSION } from '../core/version.ts';
import { canonicalize } from './url.ts';

/** The characters of a header value (RFC 9110 §5.5), without the obsolete bytes beyond ASCII. */
const HEADER_TEXT = /^[\x20-\x7e]*$/;

/** A valid e-mail address (HTML Standard §4.10.5.1.5): one label after another, no quoted strings. */
const MAIL_ADDRESS = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

/** Can somebody be reached by it: is it a mail address or an http(s) URL? */
export function isContact(contact: string): boolean {
  return MAIL_ADDRESS.test(contact) || (/^https?:\/\/\S+$/i.test(contact) && canonicalize(contact) !== null);
}

/** The User-Agent header: the crawler's name and contact. @throws UsageError for text that a header cannot contain, and for a contact that reaches nobody. */
export function userAgentOf(custom: string | null, contact: string | null): string {
  for (const [option, text] of Object.entries({ '--user-agent': custom, '--contact': contact })) {
    if (text !== null && !HEADER_TEXT.test(text))
      throw new UsageError(`${option} ${JSON.stringify(text)}: may only hold printable ASCII characters`);
  }
  if (contact?.trim() && !isContact(contact))
    throw new UsageError(
      `--contact ${contact}: is neither a mail address nor an http(s) URL; give e.g. you@example.org or https://example.org/crawler`,
    );
  const name = custom ?? `${PRODUCT_TOKEN}/${VERSION}`;
  return contact ? `${name} (+${contact})` : name;
}
