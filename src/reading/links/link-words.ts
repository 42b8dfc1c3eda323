import type { TopicModel } from '../../base/core/parts/reading.ts';
import type { LinkText, Unit } from '../../base/core/types.ts';

type Words = Pick<LinkText, 'anchorText' | 'imageAlt' | 'context'>;

/** The page model's judgement of the anchor text and image alt of a link. */
export function judgeAnchor({ anchorText, imageAlt }: Words, model: Pick<TopicModel, 'judgeText'>): Unit {
  return model.judgeText(anchorOf(anchorText, imageAlt));
}

/** Judges the words of a link together with their context. */
export function judgeContext({ anchorText, imageAlt, context }: Words, model: Pick<TopicModel, 'judgeText'>): Unit {
  const anchor = anchorOf(anchorText, imageAlt);
  return model.judgeText(context === '' ? anchor : `${anchor} ${context}`);
}

/** Both, if wanted; null otherwise. */
export function judgeWords(
  words: Words,
  model: Pick<TopicModel, 'judgeText'>,
  wanted: { readonly anchor: boolean; readonly context: boolean },
): Pick<LinkText, 'anchorScore' | 'contextScore'> {
  const anchorScore = wanted.anchor ? judgeAnchor(words, model) : null;
  // Without context, both are of the same text.
  const contextScore = wanted.context ? (words.context === '' && anchorScore !== null ? anchorScore : judgeContext(words, model)) : null;
  return { anchorScore, contextScore };
}

function anchorOf(anchorText: string, imageAlt: string): string {
  return imageAlt === '' ? anchorText : `${anchorText} ${imageAlt}`;
}
