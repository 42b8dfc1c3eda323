import type { Extraction } from '../core/types.ts';
import { languageDetector } from '../text/language.ts';
import type { LinearTopicModel } from '../topic/model.ts';
import { needs } from '../topic/rule.ts';

/** The language of a page as the rules of models are told it. */
export type PageLanguage = (page: Pick<Extraction, 'lang' | 'text'>) => string | null;

/** The declared language; where a page declares none and a model's rule asks for it, the detected one. Loads the detector only then. */
export async function pageLanguage(...models: readonly Pick<LinearTopicModel, 'rule'>[]): Promise<PageLanguage> {
  if (!models.some(({ rule }) => rule !== null && needs(rule).language)) return ({ lang }) => lang;
  const detect = await languageDetector();
  return ({ lang, text }) => lang ?? detect(text);
}
