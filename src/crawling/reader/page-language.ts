import type { Extraction } from '../../base/core/types.ts';
import { languageDetector } from '../../base/text/language.ts';
import type { LinearTopicModel } from '../../reading/topic/model.ts';
import { needs } from '../../reading/topic/rule.ts';

/** The language of a page, for the rules of models. */
export type PageLanguage = (page: Pick<Extraction, 'lang' | 'text'>) => string | null;

/** The declared language. If a page declares none and the rule of a model asks for it, the detected one; only then is the detector loaded. */
export async function pageLanguage(...models: readonly Pick<LinearTopicModel, 'rule'>[]): Promise<PageLanguage> {
  if (!models.some(({ rule }) => rule !== null && needs(rule).language)) return ({ lang }) => lang;
  const detect = await languageDetector();
  return ({ lang, text }) => lang ?? detect(text);
}
