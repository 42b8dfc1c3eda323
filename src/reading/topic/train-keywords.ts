import type { Advice } from './advice.ts';
import { type Background, loadBackground } from './background.ts';
import type { ModelCard } from './card.ts';
import { tokenizerFingerprint } from './feature-names.ts';
import { keywordModelWeights, keywordTerms } from './keywords.ts';
import { libraryVersions } from './library-versions.ts';
import { LinearTopicModel } from './model.ts';
import { modelReplaced, type Rule, ruleText, withModel } from './rule.ts';
import { nodeText } from './rule-node.ts';
import type { RowTrainingOptions, TrainedTopic } from './train-on-rows.ts';
import { dataDigest } from './training-set.ts';
import { KIND_FACTORS } from './weighting.ts';

export interface KeywordOptions
  extends Pick<RowTrainingOptions, 'name' | 'seed' | 'extractor' | 'now' | 'software' | 'background' | 'rule'> {
  /** A rule of words: see `parseRule`. A page must satisfy it, and its score ranks pages. */
  readonly keywords: Rule;
}

/** `keywordModelWeights` places relevance ½. */
const THRESHOLD = 0.5;

/**
 * A topic from words alone, before there are any pages: relevance by the frequency of the words in a page, compared with the background; 0 for pages
 * that do not satisfy the query.
 * @throws UsageError if no word is wanted; ModelError if the bundled background is damaged
 */
export async function trainKeywords(options: KeywordOptions): Promise<TrainedTopic> {
  const background = options.background ?? (await loadBackground());
  const terms = keywordTerms(options.keywords);
  const { weights, bias, reached, topicHosts } = keywordModelWeights(terms, background);
  const model = new LinearTopicModel(
    {
      name: options.name,
      bias,
      threshold: THRESHOLD,
      factors: KIND_FACTORS,
      idfStep: background.idf.step,
      tokenizer: tokenizerFingerprint(),
      extractor: options.extractor,
      rule: ruleText(lastWord(withModel(options.keywords), options.rule)),
      template: [],
    },
    { weights, idfCodes: background.idf.codes },
  );
  return { model, card: cardOf(model, terms, { reached, topicHosts }, background, options) };
}

/** The rule in addition to the query, which replaces the model in it. */
function lastWord(query: Rule, rule: Rule | undefined): Rule {
  return rule === undefined ? query : modelReplaced(withModel(rule), query);
}

function cardOf(
  model: LinearTopicModel,
  terms: readonly { readonly term: string }[],
  { reached, topicHosts }: { readonly reached: number; readonly topicHosts: readonly string[] },
  background: Background,
  { keywords, extractor, name, now, rule, seed, software }: KeywordOptions,
): ModelCard {
  const none = { averagePrecision: null, rocAuc: null, precision: null, recall: null, brier: null, calibrationError: null };
  const aside = topicHosts.length > 0 ? `, without hosts on the topic: ${topicHosts.join(', ')}` : '';
  return {
    name,
    modelId: model.id,
    created: new Date(now).toISOString(),
    software,
    versions: libraryVersions(),
    method: 'keywords',
    query: ruleText(keywords),
    rule: rule === undefined ? null : ruleText(rule),
    description: `sum of sublinear tf-idf over ${terms.length} terms of the query ${ruleText(keywords)}, calibrated on the background`,
    extractor,
    counts: {
      examples: 0,
      irrelevant: 0,
      background: background.sample.length,
      extraBackground: 0,
      backgroundDropped: 0,
      duplicates: 0,
      empty: 0,
    },
    examplesByHost: [],
    validation: { folds: 'none', count: 0, ...none, curve: [], learningCurve: [], unlabelled: null },
    threshold: model.threshold,
    thresholdRule: `where a usual page has one term twice, and at most 1 % of background pages stand above (${(100 * reached).toFixed(1)} %${aside})`,
    termsFor: terms.map(({ term }) => ({ feature: term, contribution: 0 })),
    termsAgainst: [],
    backend: 'none',
    seed,
    dataSha256: dataDigest([]),
    warnings: [],
    advice: adviceOn(keywords),
  };
}

function adviceOn({ root }: Rule): Advice[] {
  const notes: Pick<Advice, 'code' | 'message' | 'remedy'>[] = [
    {
      code: 'not-held-out',
      message: 'a topic of keywords: precision and recall are not known',
      remedy: 'crawl some pages, then answer questions about them with the command label: the answers make it a model of examples',
    },
  ];
  if (root.kind === 'words' && root.phrase.words.length > 1)
    notes.push({
      code: 'one-phrase',
      message: `the query is one phrase: a page must have the words ${nodeText(root)} in a row`,
      remedy: 'put commas between words that are wanted each by itself',
    });
  return notes.map((note) => ({ ...note, severity: 'note' }));
}
