/** The model of a trial trained again with answers, as `forager label` does. */
import { pageTexts } from '../../base/core/page-texts.ts';
import type { Unit } from '../../base/core/types.ts';
import { languageDetector } from '../../base/text/language.ts';
import type { FrozenWeb } from '../../corpus/records/frozen-web.ts';
import { pageLanguage } from '../../crawling/reader/page-language.ts';
import type { Background } from '../../reading/topic/background.ts';
import { GivenPages } from '../../reading/topic/given-pages.ts';
import type { LinearTopicModel } from '../../reading/topic/model.ts';
import type { Rule } from '../../reading/topic/rule.ts';
import type { StoredTraining } from '../../reading/topic/training-file.ts';
import type { TrainingPage } from '../../reading/topic/training-set.ts';
import { rememberedWordVectors } from '../../reading/topic/word-vector-source.ts';
import { isWorse } from '../label/label-effect.ts';
import { missingLabels } from '../label/label-enough.ts';
import { type LabelledPage, trainWithPool, unlabelledRows } from '../label/label-training.ts';
import { Guide } from './guide.ts';

/** A model and all that its training with labels needs. */
export interface SimulatedPerson {
  readonly model: LinearTopicModel;
  readonly training: StoredTraining;
  /** The rule with the last word after a training with labels; null for the model alone. */
  readonly rule: Rule | null;
  /** Is it a model of words? Its first labels replace the query. */
  readonly ofKeywords: boolean;
  /** Default: the bundled one. */
  readonly background?: Background;
}

/** Labels and unlabelled pages for a pupil. */
export interface SimulatedAnswers {
  /** Answers, from URL to whether the page is on topic. */
  readonly labels: ReadonlyMap<string, boolean>;
  /** Answers that the active model was trained with. */
  readonly learned: ReadonlyMap<string, boolean>;
  /** Visits of a warm-up, as indices into the web; empty without one. */
  readonly warmUp: readonly number[];
  /** On-topic share of the judged pages, from random answers; null if unknown. */
  readonly share: Unit | null;
  readonly seed: number;
}

/**
 * The model trained with these labels, and with the pages of the warm-up. Those of all times join the training pages of the first model.
 * @returns null if the old model stays: too few labels and no mixed warm-up, no example left, or held-out labels say that the new model is worse
 */
export async function taught(
  pupil: SimulatedPerson,
  web: FrozenWeb,
  active: LinearTopicModel,
  answers: SimulatedAnswers,
): Promise<LinearTopicModel | null> {
  const pages = await labelledPages(web, answers);
  const pool = await warmUpTexts(web, answers);
  const yes = pages.filter(({ onTopic }) => onTopic).length;
  const missing = missingLabels({ yes, no: pages.length - yes }, pupil.ofKeywords && active === pupil.model) !== null;
  if (missing && pool.length === 0) return null;
  const rows = unlabelledRows(new GivenPages(pupil.training.rows), pages);
  if (yes === 0 && !rows.some(({ role }) => role === 'example')) return null;
  const { rule, background } = pupil;
  const result = await trainWithPool({ ...pupil.training, rows }, pages, !missing, {
    model: active,
    rule,
    taught: null,
    pool,
    share: answers.share,
    seed: answers.seed,
    now: 0,
    software: 'eval',
    wordVectors: await rememberedWordVectors(pupil.training.wordVectors),
    isWithoutVectors: active !== pupil.model && active.settings.wordVectors === undefined,
    ...(background && { background }),
  });
  if (!result.isPoolMixed) return null;
  return result.effect !== null && isWorse(result.effect) ? null : result.model;
}

/** The unlabelled pages of the warm-up. */
async function warmUpTexts(web: FrozenWeb, { labels, warmUp }: SimulatedAnswers): Promise<TrainingPage[]> {
  const detect = await languageDetector();
  return warmUp.flatMap((index): TrainingPage[] => {
    const visit = web.visit(index);
    if (visit.kind !== 'page' || labels.has(visit.url)) return [];
    return [{ ...pageTexts(visit.content), id: visit.url, url: visit.url, language: detect(visit.content.text) }];
  });
}

async function labelledPages(web: FrozenWeb, { labels, learned }: SimulatedAnswers): Promise<LabelledPage[]> {
  const detect = await languageDetector();
  const pages = [...labels].flatMap(([url, onTopic]): LabelledPage[] => {
    const visit = web.visit(web.indexOf(url));
    if (visit.kind !== 'page') return [];
    const texts = pageTexts(visit.content);
    return [{ ...texts, url, language: detect(texts.text), onTopic, isNew: learned.get(url) !== onTopic }];
  });
  return pages.sort((a, b) => (a.url < b.url ? -1 : 1));
}

/** The guide of a model. */
export async function guideBy(model: LinearTopicModel, web: FrozenWeb, labels: ReadonlyMap<string, boolean> | null = null): Promise<Guide> {
  const languageOf = await pageLanguage(model);
  const judge: LinearTopicModel['judge'] = (page) =>
    model.judge({ ...page, lang: languageOf({ lang: 'lang' in page ? page.lang : null, text: page.text }) });
  const { id, threshold } = model;
  return new Guide(web, { id, threshold, judge, judgeText: (text) => model.judgeText(text) }, labels);
}
