/** The word vectors of a model card, in words. */
import { countText } from '../../base/text/number-text.ts';
import type { ModelCard } from './card.ts';

/**
 * `word vectors: 812 of 1,010 words of the examples have one; …`: those of a training, and their effect. It has no figures against the bundled
 * background, since any model passes that test.
 */
export function vectorsText({ wordVectors, validation }: Pick<ModelCard, 'wordVectors' | 'validation'>): string | null {
  if (wordVectors === undefined) return null;
  const { name, exampleWords, used, averagePrecision, choice } = wordVectors;
  const pair = (one: { readonly without: number; readonly with: number }) =>
    `${one.without.toFixed(3)} without, ${one.with.toFixed(3)} with`;
  const known = `word vectors${name === 'bundled' ? '' : ` of ${name}`}: ${countText(exampleWords.covered)} of ${countText(exampleWords.words)} words of the examples have one`;
  if (choice !== null)
    return `${known}; average precision of ${countText(choice.pages)} labelled pages ${pair(choice)}, so the model ${used ? 'judges by them' : 'does without'}`;
  const isShown = averagePrecision !== null && validation.against === 'pages';
  return isShown ? `${known}; average precision of held-out pages ${pair(averagePrecision)}` : known;
}
