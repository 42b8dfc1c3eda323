/** The atoms of a rule that are written `field:value`. */
import { DOCUMENT_KIND_NAMES } from '../../base/core/document-kind-names.ts';
import { primaryLang } from '../../base/text/language.ts';
import { languageCode, languageMeant } from '../../base/text/language-code.ts';
import { comparablePath, matchesPath, parsePattern } from '../../base/web/robots-pattern.ts';
import { canonicalize, hostNameOf } from '../../base/web/url.ts';
import { MAX_PHRASE_WORDS, type Phrase, phraseOf } from './phrase.ts';
import type { RuleAtom } from './rule-node.ts';

/** Reports the fault of a value. */
type Refuse = (what: string) => never;

const FIELDS: Readonly<Record<string, (value: string, refuse: Refuse, isStored: boolean) => RuleAtom>> = { url, title, lang, site, type };

/**
 * The atom `name:value`; names in any case.
 * @param isStored it is in a model: accepts everything that earlier versions accepted.
 * @throws the error of `refuse`.
 */
export function fieldAtom(name: string, value: string, refuse: Refuse, isStored: boolean): RuleAtom {
  const plain = name.toLowerCase();
  const make = Object.hasOwn(FIELDS, plain) ? FIELDS[plain] : undefined;
  if (make === undefined) return refuse(unknownField(name, value));
  const trimmed = value.trim();
  if (trimmed === '') refuse(`${plain}: has no value; write it right behind the colon, e.g. ${EXAMPLES[plain]}`);
  return make(trimmed, refuse, isStored);
}

const EXAMPLES: Readonly<Record<string, string>> = {
  url: 'url:/blog/',
  title: 'title:bog',
  lang: 'lang:de',
  site: 'site:example.org',
  type: 'type:pdf',
};

/** No two fields share their first two letters, so these show which one was meant. */
function unknownField(name: string, value: string): string {
  if (value.startsWith('//')) return `"${name}:" begins a URL; write url: in front of it`;
  const meant = Object.keys(FIELDS).find((known) => known.slice(0, 2) === name.slice(0, 2).toLowerCase());
  const guess = meant === undefined ? 'the' : `did you mean ${meant}:? The`;
  return `unknown field "${shown(name)}:"; ${guess} fields are url:, title:, lang:, site: and type:, and words with a colon go in quotation marks`;
}

/**
 * A part of the URL; with `*`, which matches anything, the part must reach the end of the URL. Both sides are compared in lower case and in one form
 * of percent-encoding.
 */
function url(value: string): RuleAtom {
  // A quotation mark would end the value when it is written out; URLs contain none.
  const part = value.replaceAll('"', '%22');
  // `$` has a meaning only in robots.txt.
  const pattern = parsePattern(`*${part.toLowerCase().replaceAll('$', '%24')}${part.includes('*') ? '$' : ''}`);
  return { kind: 'url', value: part, holds: (page) => page.url !== null && matchesPath(pattern, comparablePath(page.url.toLowerCase())) };
}

function title(value: string, refuse: Refuse): RuleAtom {
  return { kind: 'title', phrase: phraseWithWords(value, refuse) };
}

/** Atom of a language by its primary subtag; `ger` and `deu` are `de`. */
function lang(value: string, refuse: Refuse, isStored: boolean): RuleAtom {
  const primary = primaryLang(value);
  // A code that no language has matches no page, as before.
  const code = primary === null ? null : (languageCode(value) ?? (isStored ? primary : null));
  if (code === null) return refuse(notALanguage(value));
  return { kind: 'lang', value: code, holds: ({ language }) => language !== null && languageCode(language) === code };
}

function notALanguage(value: string): string {
  const meant = languageMeant(value);
  return `lang: takes a language code such as de or pt-BR, not "${shown(value)}"${meant === null ? '' : `; did you mean ${meant}?`}`;
}

/** A kind of document. A model may name one of a later version, which no page has. */
function type(value: string, refuse: Refuse, isStored: boolean): RuleAtom {
  const kind = value.toLowerCase();
  const isKnown = DOCUMENT_KIND_NAMES.some((name) => name === kind);
  if (!isKnown && !(isStored && /^[a-z\d-]+$/.test(kind)))
    refuse(`type: takes a kind of document, not "${shown(value)}": ${DOCUMENT_KIND_NAMES.join(', ')}`);
  return { kind: 'type', value: kind, holds: ({ document }) => document === kind };
}

/** A host and all hosts below it. */
function site(value: string, refuse: Refuse): RuleAtom {
  const root = /[/?#@*\s]/.test(value.slice(2)) ? null : canonicalize(`http://${value.replace(/^(?:\*?\.)+/, '')}/`);
  const host = root === null ? '' : hostNameOf(root);
  if (root !== `http://${host}/`) refuse(`site: takes a host name such as example.org, not "${shown(value)}"; parts of a URL are for url:`);
  return { kind: 'site', value: host, holds: (page) => page.url !== null && isUnder(page.url, host) };
}

function isUnder(pageUrl: string, host: string): boolean {
  const canonical = canonicalize(pageUrl);
  if (canonical === null) return false;
  const name = hostNameOf(canonical);
  return name === host || name.endsWith(`.${host}`);
}

/** @throws the error of `refuse`, if no text can contain a word of it, or if it is a text rather than a phrase. */
export function phraseWithWords(source: string, refuse: Refuse): Phrase {
  const phrase = phraseOf(source);
  if (phrase.words.length === 0) refuse(`"${shown(source)}" has no word to search for; a word has letters and digits, at most 40`);
  if (phrase.words.length > MAX_PHRASE_WORDS)
    refuse(`a phrase of ${phrase.words.length} words; ${MAX_PHRASE_WORDS} are the most, so part it with commas, AND or OR`);
  return phrase;
}

/** Enough to recognise it. */
function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
