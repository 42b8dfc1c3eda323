/** Names of authors out of the texts that pages have for them. */
import { squeeze } from '../../base/text/squeeze.ts';

/** Longer than any list of names that is read. */
const MAX_CHARS = 1_000;
/** Longer than any name; a sentence is not a name. */
const MAX_NAME_CHARS = 200;

/** `By`, `Written by`, `Author:` before a name. */
const LEAD =
  /^(?:(?:(?:view all posts|written|posted|published|reported|edited|story|text|words|article|photos?) )?by:? |(?:authors?|autor|auteur|autore|автор|작성자)\s?: ?|(?:作者|文)[:：] ?)/i;
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
/** Least number of names with commas alone: two may be the parts of one, `García Márquez, Gabriel José`. */
const LEAST_LISTED = 3;
const OTHERS = /[\s,]+et al\b\.?$/i;
const TITLES = /^(?:(?:dr|prof|professor|dipl|ing|mag|lic)\b\.?(?:-?(?:ing|phil|med|rer|nat|med|dent|jur)\b\.)*\s+)+/i;
/** Words for work, and degrees, behind the name of a person and a comma. */
const ROLE =
  /^(?:(?:ph\.? ?d|m\.?d|d\.?o|j\.?d|dds|dvm|rn|np|rd|rdn|ldn|msn?|m\.?sc?|b\.?sc?|m\.?a|b\.?a|mba|mph|msw|lcsw|lmft|esq|cf[ap]|cp[at]|cfp|cissp|pmp|fand|facs|fache|edd|psyd|dpt|pt|cscs|cnm)\b[.®]?|.*\b(?:editor|reporter|writer|author|correspondent|contributor|columnist|journalist|producer|photographer|staff|director|officer|manager|president|chief|chair(?:man|woman)?|founder|ceo|cto|coo|cmo|vp|head|lead|senior|junior|analyst|engineer|developer|designer|consultant|strategist|specialist|expert|researcher|scientist|scholar|fellow|lecturer|professor|attorney|lawyer|nurse|physician|dietitian|therapist|coach|student|intern|marketer|copywriter|blogger|redakteur(?:in)?|journaliste|redactora?|giornalista|redattore)s?\b.*)$/i;
/** Words with capitals that begin no name: of headings, or behind one that was cut. */
const NO_PERSON =
  /^(?:from|the|our|your|this|with|about|image|photo|in|on|at|and|an?|for|to|all|more|read|view|see|how|what|why|share|follow)\s|\b(?:written|posted|published|updated|read|size|min|minutes?|text|share|menu|contents?|article|author|admin|profile|bio|follow|about|contact|blog|newsletter|subscribe)\b/i;
/** Words of names of organisations, in which an `and` is part of the name. */
const ORGANISATION =
  /\b(?:departments?|ministry|office|bureau|agency|institut\p{L}*|cent(?:er|re)s?|universit\p{L}*|college|school|faculty|society|association|council|commission|committee|board|museums?|library|news|newsroom|press|times|post|staff|teams?|editors?|editorial|group|company|corp|inc|ltd|llc|gmbh|foundation|trust|services?|research|science|health|technolog(?:y|ies)|media|magazine|journal|review|co|sons|partners|associates|gardens?|parks|network|channel|online|forums?|alliance|contributors?|reporters?|correspondents?)\b/iu;

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

/** `A B, C D and E F`, `A B, C D, E F`: people, if each part is the name of one. */
function people(text: string): readonly string[] {
  const parts = text.split(AND).map(withoutRole);
  const all = parts.flatMap((part) => part.split(/\s*,\s*/)).map(trimmed);
  if (parts.length === 1 && all.length < LEAST_LISTED) return parts;
  return all.every(isPerson) ? all : [withoutRole(text)];
}

/** `Ada Vale, PhD`, `Ada Vale, Senior Editor`, `Ada Vale et al.`: the name alone. */
function withoutRole(text: string): string {
  const name = text.replace(OTHERS, '').replace(TITLES, '');
  const [first = '', ...rest] = name.split(/\s*,\s*/);
  return rest.length > 0 && isPerson(trimmed(first)) && rest.every(isRole) ? first : name;
}

/** Is it what a person does, or a degree? */
export function isRole(text: string): boolean {
  return ROLE.test(text);
}

/** Is it the name of a person, as newspapers write it? */
export function isPerson(name: string): boolean {
  return PERSON.test(name) && !ORGANISATION.test(name) && !NO_PERSON.test(name);
}

/** Is it the name of an organisation, in a few words with capitals? */
export function isOrganisation(name: string): boolean {
  const words = name.split(/\s+/);
  return (
    words.length > 1 &&
    words.length <= 6 &&
    ORGANISATION.test(name) &&
    !isRole(name) &&
    words.every((word) => /^(?:\p{Lu}|of$|the$|for$|and$|&$)/u.test(word))
  );
}

function trimmed(name: string): string {
  return name.replace(LEAD, '').replace(/^[\s,;:|·•–—-]+|[\s,;:|·•–—-]+$/g, '');
}

/** Has it more signs than letters? Fields of damaged files have; the dots of initials are no more than their letters. */
function isGarbled(name: string): boolean {
  const signs = name.match(/[^\p{L}\p{M}\p{N}\s]/gu)?.length ?? 0;
  return signs > (name.match(/\p{L}/gu)?.length ?? 0);
}

function isName(name: string): boolean {
  if (name === '' || name.length > MAX_NAME_CHARS || !/\p{L}/u.test(name) || isGarbled(name)) return false;
  return ![ADDRESS, HANDLE, UNFILLED, NOBODY].some((pattern) => pattern.test(name));
}
