/** Names of authors out of the texts that pages have for them. */
import { squeeze } from '../../base/text/squeeze.ts';

/** Longer than any list of names that is read. */
const MAX_CHARS = 1_000;
/** Longer than any name; a sentence is not a name. */
const MAX_NAME_CHARS = 200;

/** `By`, `Written by`, `Author:` before a name. */
const LEAD =
  /^(?:(?:(?:written|posted|published|reported|edited|story|text|words|article|photos?) )?by:? |(?:authors?|autor|auteur|autore|автор|작성자)\s?: ?|(?:作者|文)[:：] ?)/i;
/** An address of mail, with the marks around it. A mailto is one too. */
const MAIL = /[<([]?(?:mailto:)?[^\s@<>()[\]|,;]+@[^\s<>()[\]|,;]+[>)\]]?/g;
/** Keys and variables of templates that were not filled in: `page.head.author`, `{{ author }}`, `%author%`, `[author_name]`. */
const UNFILLED =
  /^(?:[a-z_$][\w$]*(?:\.[\w$]+){2,}|(?:page|site|post|user|item|data|article|author|meta)\.[\w$]+|.*(?:\{\{|\}\}|\$\{|<[%?]|[%?]>|\{%).*|[[{%$_]+[\w .-]+[\]}%$_]*|author[_-]?name|(?:the_)?author)$/i;
/** Placeholders of content systems for nobody. */
const NOBODY =
  /^(?:undefined|null|none|n\/?a|nan|unknown|anonymous|admin(?:istrator)?|webmaster|root|user|default|guest|test|-+|\[object object\])$/i;
const ADDRESS = /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.|\/)/i;
const HANDLE = /^@\S+$/;

/** Signs between names of any kind. */
const STRONG = /\s*[;|·•、]\s*|\s+\/\s+/;
const AND = /,?\s+(?:and|und|et|y|&)\s+/i;
/** A name of a person as newspapers write it: two to four words that begin with capitals or are particles, and initials. */
const PERSON =
  /^(?:\p{Lu}[\p{L}\p{M}'’.-]*|(?:de|da|do|dos|del|della|di|du|la|le|van|von|der|den|ten|ter|bin|ibn|al|el|zu)(?=\s))(?:\s+(?:\p{Lu}[\p{L}\p{M}'’.-]*|de|da|do|dos|del|della|di|du|la|le|van|von|der|den|ten|ter|bin|ibn|al|el|zu|y|e)){1,4}$/u;
/** Words of names of organisations, in which an `and` is part of the name. */
const ORGANISATION =
  /\b(?:department|ministry|office|bureau|agency|institut|cent(?:er|re)|universit|college|school|faculty|society|association|council|commission|committee|board|museum|library|news|press|times|post|staff|team|editor|group|company|corp|inc|ltd|llc|gmbh|foundation|trust|service|research|science|health|technology|media|magazine|journal|review|company|co|sons|partners|associates|museums?|gardens?|parks?)/i;

/**
 * The names in a text: of several people if the text joins them with `and`, `;` or `|`, without leading words and mail addresses. [] for a URL, a
 * handle, a key of a template, a placeholder, and for a text that is too long for a name.
 */
export function namesIn(written: string): string[] {
  const text = squeeze(written.slice(0, MAX_CHARS).replaceAll(MAIL, ' ')).replace(LEAD, '');
  const names = text.split(STRONG).flatMap(people).map(trimmed).filter(isName);
  // `Jane Doe | Moss Daily`: the site after the author.
  const persons = text.includes('|') ? names.filter(isPerson) : [];
  return persons.length > 0 ? persons : names;
}

/** `A B, C D and E F`: people, if each part is the name of one. */
function people(text: string): readonly string[] {
  const parts = text.split(AND);
  if (parts.length === 1) return parts;
  const all = parts.flatMap((part) => part.split(/\s*,\s*/)).map(trimmed);
  return all.every(isPerson) ? all : [text];
}

function isPerson(name: string): boolean {
  return PERSON.test(name) && !ORGANISATION.test(name);
}

function trimmed(name: string): string {
  return name.replace(LEAD, '').replace(/^[\s,;:|·•–—-]+|[\s,;:|·•–—-]+$/g, '');
}

function isName(name: string): boolean {
  if (name === '' || name.length > MAX_NAME_CHARS || !/\p{L}/u.test(name)) return false;
  return ![ADDRESS, HANDLE, UNFILLED, NOBODY].some((pattern) => pattern.test(name));
}
