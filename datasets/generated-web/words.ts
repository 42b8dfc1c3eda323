import type { Rng } from '../../src/base/core/rng.ts';
import { chanceOf, PURPOSE, pick } from './chance.ts';

/** Words by their place in a sentence. */
export interface Vocabulary {
  readonly nouns: readonly string[];
  readonly adjectives: readonly string[];
  readonly verbs: readonly string[];
}

/** Sizes of a topic's vocabulary: as many words as tell a narrow subject apart from another in practice. */
const NOUNS = 140;
const ADJECTIVES = 60;
const VERBS = 60;

const ONSETS = 'b br c ch cl d dr f fl g gl gr h j k l m n p pl pr qu r s sc sl sp st t th tr v w z'.split(' ');
/** Single vowels are the rule, as in English. */
const NUCLEI = 'a a a e e e i i i o o o u u ai ea ee oa ou'.split(' ');
const CODAS = ['', '', '', 'l', 'm', 'n', 'r', 's', 't', 'nd', 'nt', 'rk', 'x'];
const NOUN_ENDINGS = ['', 'er', 'ion', 'ity', 'ment', 'ance', 'um', 'ist'];
const ADJECTIVE_ENDINGS = ['al', 'ic', 'ous', 'ive', 'an', 'ful'];
const VERB_ENDINGS = ['', 'ate', 'ify', 'ise', 'en'];

/** Everyday words that every page uses: what topics do not tell apart. */
export const GENERAL: Vocabulary = {
  nouns: `time year people way day thing world life hand part child place case week company system program question work
government number night point home water room area story fact month lot right study book eye job word business issue side kind head house
service friend power hour game line end member law car city community name team minute idea body information back parent face level office
door health person art history party result change morning reason research moment air teacher force education foot boy age policy music
market sense nation plan college interest death experience effect use class control field development role effort rate heart drug show
leader light voice wife police mind price report decision son view relationship town road arm difference value building action season`.split(
    /\s+/,
  ),
  adjectives: `good new first last long great little own other old right big high different small large next early young important few
public bad same able common clear recent certain open simple strong whole free real full special easy sure local late hard major better
possible low short natural single quiet useful careful modern`.split(/\s+/),
  verbs: `use find give tell work call try ask need feel become leave put mean keep let begin help talk turn start show hear play run
move like live believe hold bring happen write provide sit stand lose pay meet include continue set learn change lead understand watch
follow stop create speak read allow add spend grow open walk win offer remember love consider appear buy wait serve send expect build stay
reach remain suggest raise pass sell require report decide pull explain carry develop describe`.split(/\s+/),
};

/** One vocabulary a topic. No word is in two of them, or in `GENERAL`. */
export function vocabularies(seed: number, topics: number): readonly Vocabulary[] {
  const taken = new Set([...GENERAL.nouns, ...GENERAL.adjectives, ...GENERAL.verbs]);
  return Array.from({ length: topics }, (_, topic) => {
    const rng = chanceOf(seed, PURPOSE.words, topic);
    const list = (count: number, endings: readonly string[]) => Array.from({ length: count }, () => newWord(endings, taken, rng));
    return { nouns: list(NOUNS, NOUN_ENDINGS), adjectives: list(ADJECTIVES, ADJECTIVE_ENDINGS), verbs: list(VERBS, VERB_ENDINGS) };
  });
}

function newWord(endings: readonly string[], taken: Set<string>, rng: Rng): string {
  for (;;) {
    const stem = (rng() < 0.6 ? pick(ONSETS, rng) + pick(NUCLEI, rng) : '') + syllable(rng);
    const ending = pick(endings, rng);
    const word = /[aeiou]$/.test(stem) && /^[aeiou]/.test(ending) ? `${stem}n${ending}` : stem + ending;
    if (word.length < 4 || taken.has(word)) continue;
    taken.add(word);
    return word;
  }
}

function syllable(rng: Rng): string {
  return pick(ONSETS, rng) + pick(NUCLEI, rng) + pick(CODAS, rng);
}
