/** A document as a page for the extractor: a head that states the facts, and the body. */
import { escapeSigns } from '../../base/text/escape-signs.ts';
import type { DocumentFacts } from './document-kind.ts';

type Stated = Pick<DocumentFacts, 'title' | 'authors' | 'published' | 'modified' | 'language'>;

/**
 * The whole page. Its `<title>` is the declared title if that is one, else `heading`, if there is one.
 * @param heading first heading of the document, as text; null without one
 */
export function documentPage(facts: Stated, heading: string | null, body: string): string {
  return `${documentHead(facts, heading)}${body}</body></html>`;
}

/** The part of the page before its body; offsets in the body shift by its length. */
export function documentHead({ title, authors, published, modified, language }: Stated, heading: string | null): string {
  const shown = honestTitle(title === null ? null : cappedFact(title)) ?? titleOfHeading(heading);
  const metas = [
    ...authors.map((author) => meta('name="author"', cappedFact(author))),
    ...(published === null ? [] : [meta('property="article:published_time"', published)]),
    ...(modified === null ? [] : [meta('property="article:modified_time"', modified)]),
  ];
  const lang = language === null ? '' : ` lang="${escapeSigns(language)}"`;
  const named = shown === null ? '' : `<title>${escapeSigns(shown)}</title>`;
  return `<!doctype html><html${lang}><head><meta charset="utf-8">${named}${metas.join('')}</head><body>`;
}

/** Longest title, name of an author, and name of a program, in characters. */
const MAX_CHARS = 1000;

/** A stated fact at a length that facts have: the page has no more room for its head. */
export function cappedFact(stated: string): string {
  return stated.slice(0, MAX_CHARS);
}

function meta(key: string, value: string): string {
  return `<meta ${key} content="${escapeSigns(value)}">`;
}

/** Titles that programs write by themselves, and names of files. */
const NO_TITLE = [
  /^(?:microsoft (?:word|powerpoint|excel)|power ?point presentation|adobe \w+|openoffice\S*|libreoffice\S*)(?:\s*-.*)?$/i,
  /^(?:untitled|no title|title|document|dokument|documento|presentation|slide|folie|ohne titel|sans titre|sin título|senza titolo|без имени|безымянный|无标题|無題|無題ドキュメント|stdin|-)[\s\d().-]*$/iu,
  /^(?:file:|[a-z]:\\|\/|\.\/)\S/i,
  /^[^\s]*\S\.(?:docx?|dotx?|odt|pptx?|xlsx?|pdf|tex|dvi|ps|eps|indd|qxd|qxp|pmd|p65|fm|rtf|txt|html?|xml|md|cdr|ai|pub|wpd|sxw|pages|epub)$/i,
  /^[^<>]{1,200}\.(?:docx?|odt|pptx?|dvi|indd|qxd|qxp|pmd|p65|rtf|cdr|wpd|sxw)$/i,
];

/** Marks of a footnote behind a title: of thanks, of an address. */
const FOOTNOTE_MARKS = /[\s*∗†‡§¶]+$/;
/** A large first letter that stands alone is no heading; one character may be a word in Chinese, Japanese and Korean. */
const WORD = /\p{L}.*\p{L}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;

function titleOfHeading(heading: string | null): string | null {
  return heading === null || !WORD.test(heading) ? null : heading.replace(FOOTNOTE_MARKS, '');
}

/** The declared title, its white space collapsed; null if it is none: a program's default, a name of a file, or signs without a letter. */
export function honestTitle(declared: string | null): string | null {
  const title = (declared ?? '').replace(/\s+/g, ' ').trim().replace(FOOTNOTE_MARKS, '');
  if (!/\p{L}/u.test(title) || NO_TITLE.some((form) => form.test(title))) return null;
  return title;
}
