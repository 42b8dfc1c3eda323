import type { Rng } from '../../src/base/core/rng.ts';
import type { Unit } from '../../src/base/core/types.ts';
import { pick, pickSkewed } from './chance.ts';
import { GENERAL, type Vocabulary } from './words.ts';

/** Where a text takes its content words from; what neither `own` nor `others` gives is everyday English. */
export interface WordMix {
  /** null: no topic. */
  readonly own: Vocabulary | null;
  readonly ownShare: Unit;
  readonly others: readonly Vocabulary[];
  readonly othersShare: Unit;
}

export const EVERYDAY: WordMix = { own: null, ownShare: 0, others: [], othersShare: 0 };

const DETERMINERS = ['the', 'a', 'this', 'each', 'the', 'its', 'another', 'the', 'any'];
const PREPOSITIONS = ['of', 'in', 'for', 'with', 'on', 'from', 'about', 'by', 'under'];
const JOINTS = [', and ', ', but ', ' because ', ', so ', ' while ', ', although '];
const OPENERS = ['', '', '', 'In practice, ', 'As a rule, ', 'For now, ', 'In many cases, ', 'Still, '];
const ENDS = ['.', '.', '.', '.', '.', '.', '.', '?', '!'];

/** One English-like sentence with punctuation, 8 to 30 words. */
export function sentence(mix: WordMix, rng: Rng): string {
  const rest = rng() < 0.45 ? pick(JOINTS, rng) + clause(mix, rng) : '';
  return capitalised(pick(OPENERS, rng) + clause(mix, rng) + rest) + pick(ENDS, rng);
}

/** Three or four words of the mix's own vocabulary (everyday words without one), capitalised. */
export function titleWords(mix: WordMix, rng: Rng): string {
  const words = mix.own ?? GENERAL;
  const tail = rng() < 0.5 ? ` ${pick(PREPOSITIONS, rng)} ${pickSkewed(words.nouns, rng)}` : ` and ${pickSkewed(words.nouns, rng)}`;
  return capitalised(`${pickSkewed(words.adjectives, rng)} ${pickSkewed(words.nouns, rng)}${tail}`);
}

function clause(mix: WordMix, rng: Rng): string {
  const link = rng() < 0.3 ? ` ${pick(PREPOSITIONS, rng)}` : '';
  const verb = thirdPerson(pickSkewed(source(mix, rng).verbs, rng));
  return `${nounPhrase(mix, rng)} ${verb}${link} ${nounPhrase(mix, rng)}`;
}

function nounPhrase(mix: WordMix, rng: Rng): string {
  const adjective = rng() < 0.4 ? ` ${pickSkewed(source(mix, rng).adjectives, rng)}` : '';
  const tail = rng() < 0.35 ? ` ${pick(PREPOSITIONS, rng)} the ${pickSkewed(source(mix, rng).nouns, rng)}` : '';
  const phrase = `${adjective} ${pickSkewed(source(mix, rng).nouns, rng)}${tail}`;
  const determiner = pick(DETERMINERS, rng);
  return (determiner === 'a' && /^ [aeiou]/.test(phrase) ? 'an' : determiner) + phrase;
}

function source(mix: WordMix, rng: Rng): Vocabulary {
  const at = rng();
  if (mix.own !== null && at < mix.ownShare) return mix.own;
  if (mix.others.length > 0 && at >= 1 - mix.othersShare) return pick(mix.others, rng);
  return GENERAL;
}

function thirdPerson(verb: string): string {
  if (/(?:s|sh|ch|x|z|o)$/.test(verb)) return `${verb}es`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
