/** Terms of a model that say nothing about a subject. Pure. */
import type { Unit } from '../../base/core/types.ts';
import { combineHashes, hashWord, wordsOf } from '../../base/text/tokens.ts';
import type { Background } from './background.ts';
import { bigramBucket, wordBucket } from './features.ts';
import { pageShare } from './weighting.ts';

/** Number of the strongest terms that are looked at. */
export const STRONGEST = 10;
/**
 * A word of more background pages of its language is a function word. In the bundled background “that” is in 76 % of the pages and “one” in 58 %, but
 * “file” in 35 % and “library” in 6 %.
 */
const COMMON: Unit = 0.45;

/** Words of templates and of registers (address of the reader, first person, reported speech), folded. Other languages have only the rule of `COMMON`. */
const EMPTY_WORDS = new Set(
  [
    'cookie cookies privacy policy copyright rights reserved login logout sign subscribe newsletter share tweet comment comments reply posted',
    'home menu search contact sitemap navigation skip content click read more next previous back page site website email facebook twitter',
    'a i im ive me my we us our he him himself his she her they their you your said says told dont didnt just really please http https www html com',
    'datenschutz impressum kommentar kommentare anmelden startseite suche kontakt ich wir uns unser sie ihr mein',
    'accueil recherche connexion commentaires je nous vous notre votre inicio buscar contacto comentarios nosotros',
  ].flatMap((line) => line.split(' ')),
);

type Frequencies = Pick<Background, 'idf' | 'documents'>;

/**
 * Function words, and words of templates and registers, among the strongest terms for a topic: each word of the term is one. Terms in the
 * order given, at most `STRONGEST` of them.
 * @param terms names of features, strongest first, as on a model card
 */
export function commonTerms(terms: readonly string[], background: Frequencies): string[] {
  return terms.slice(0, STRONGEST).filter((term) => isCommon(term, background));
}

/** Is each word of a term a function word, or a word of templates and registers? */
export function isCommon(term: string, { idf, documents }: Frequencies): boolean {
  const shareOf = (bucket: number) => pageShare(idf, documents, bucket);
  // Names that share a bucket are joined; the first is that of the first page.
  const [name = ''] = term.split('|');
  const words = wordsOf(name.replace(/^(?:title|url):/, ''));
  if (words.length === 0) return false;
  const [first = '', second] = words;
  if (second !== undefined && shareOf(bigramBucket(combineHashes(hashWord(first), hashWord(second)))) >= COMMON) return true;
  return words.every((word) => EMPTY_WORDS.has(word) || /^\p{N}+$/u.test(word) || shareOf(wordBucket(hashWord(word))) >= COMMON);
}
