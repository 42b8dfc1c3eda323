/** The methods section of a paper, from a corpus card: each number of it stands on the card. */
import type { Unit } from '../../base/core/types.ts';
import { counted, countText, percentText } from '../../base/text/number-text.ts';
import type { CoderAlpha, CoderPair, CodingFacts } from '../select/coding-facts.ts';
import type { PrecisionFacts } from '../select/crawl-facts.ts';
import { HARVEST_FILTERS } from '../select/harvest-filters.ts';
import type { BiasFacts, StabilityFacts } from '../select/measured-facts.ts';
import type { RecallFacts } from '../select/recall-facts.ts';
import { dateSpan } from './card-tables.ts';
import type { CorpusCard } from './corpus-card.ts';
import { FACET_WORDS, frameText } from './measured-words.ts';

/** The methods of a corpus of one crawl, a paragraph each for topic, crawl, quality, bias and stability, and corpus; [] for a merged corpus, whose parts have their own. */
export function methodsParagraphs(card: CorpusCard): readonly string[] {
  if (card.corpora !== undefined) return [];
  return [modelSentences, crawlSentences, qualitySentences, measuredSentences, corpusSentences].map((sentencesOf) =>
    sentencesOf(card).join(' '),
  );
}

function modelSentences({ topic, crawl: { training = [], query, software } }: CorpusCard): string[] {
  const subjects = training.length === 0 ? [topic.name] : training.map(({ name, subject }) => subject ?? name);
  const models = training.map(({ name, examples, irrelevant, validation }) => {
    const of = training.length > 1 ? ` of ${name}` : '';
    const { averagePrecision, pages, folds } = validation;
    const held =
      averagePrecision === null
        ? 'Its precision was not measured on held-out pages'
        : `Its average precision on ${countText(pages)} held-out pages (${folds}) was ${averagePrecision.toFixed(3)}`;
    return `A topic model${of} was trained from ${counted(examples, 'example page')} and ${counted(irrelevant, 'irrelevant page')}. ${held}.`;
  });
  const asked = query === null ? [] : [`The topic at the start was the query ${query}.`];
  return [`We collected web pages about ${subjects.join('; ')} with ${software}.`, ...asked, ...models];
}

function crawlSentences({ crawl, fetched }: CorpusCard): string[] {
  const { seeds, seedCount = seeds.length, strategy, rules, visited, stopReason, robotsRefusals, politeness, robots } = crawl;
  const scope = rules === undefined || rules.scope.length === 0 ? 'without a limit of scope' : `within the scope ${rules.scope.join(', ')}`;
  const when = fetched === null ? '' : `, ${dateSpan(fetched.first.slice(0, 10), fetched.last.slice(0, 10))}`;
  const pace = politeness === undefined ? '' : ` and waited at least ${politeness.delay / 1000} s between requests to a host`;
  return [
    `The crawl started from ${counted(seedCount, 'seed')} ${scope}, with the strategy ${strategy}.`,
    `It made ${counted(visited, 'visit')}${when}, and ended with the reason ${stopReason}.`,
    `It ${robots === 'obey' ? 'obeyed robots.txt' : `treated robots.txt as ${robots}`} (${counted(robotsRefusals, 'URL')} refused)${pace}.`,
  ];
}

function qualitySentences({ precision, crawl: { recall, labels } }: CorpusCard): string[] {
  return [
    precision === null
      ? 'The precision of the corpus was not measured: its pages are on topic by the model alone.'
      : `The precision of the corpus was ${precisionText(precision)}.`,
    ...(labels?.coding === undefined ? [] : codingSentences(labels.coding)),
    recall === undefined || recall.recall === null
      ? 'The recall of the crawl was not measured.'
      : `The recall of the crawl was ${recallText(recall, recall.recall)}.`,
  ];
}

function measuredSentences({ crawl: { bias, stability } }: CorpusCard): string[] {
  return [
    bias === undefined ? 'The bias of the crawl was not measured.' : biasSentence(bias),
    stability === undefined ? 'The stability of the crawl was not measured.' : stabilitySentence(stability),
  ];
}

/** The property that differs most. */
function biasSentence({ pages, framePages, distances, ...rest }: BiasFacts): string {
  const [most] = distances.toSorted((a, b) => b.distance - a.distance);
  const compared = `We compared ${counted(pages, 'page')} of the crawl with ${countText(framePages)} of ${frameText(rest)}`;
  if (most === undefined) return `${compared}.`;
  const { facet, distance, low, high } = most;
  return `${compared}; the largest distance of the shares beyond chance was ${distance.toFixed(3)} (95 % interval ${low.toFixed(3)} to ${high.toFixed(3)}), by ${FACET_WORDS[facet]}.`;
}

function stabilitySentence({ runs, budget, recorded, vary, overlap, kept }: StabilityFacts): string {
  return `In ${counted(runs, 'run')} of ${counted(budget, 'visit')} on a recording of ${counted(recorded, 'URL')}, with other ${vary.join(', ')}, two runs shared ${overlap.toFixed(3)} of the pages that either kept, and all runs kept ${countText(kept.inAll)}.`;
}

function precisionText({ share, low, high, answers }: PrecisionFacts): string {
  return `${percentText(share)} (95 % interval ${percentText(low)} to ${percentText(high)}), by ${counted(answers, 'answer')} about pages drawn at random`;
}

/** Alpha of three people or more, otherwise kappa, and the decisions. */
function codingSentences({ pairs, alpha, open, decided }: CodingFacts): string[] {
  const figure = alpha === null ? pairs.map(({ names, ...pair }) => kappaOf(pair)) : [alphaOf(alpha)];
  const differed = open + decided;
  const decisions =
    differed === 0
      ? []
      : [`They answered ${counted(differed, 'page')} differently, of which ${countText(decided)} were decided afterwards.`];
  return [...figure, ...decisions];
}

function kappaOf({ pages, kappa, low, high }: Omit<CoderPair, 'names'>): string {
  const shared = `Two people answered ${counted(pages, 'page')} independently`;
  return kappa === null ? `${shared}.` : `${shared}; Cohen's kappa was ${agreementText(kappa, low, high)}.`;
}

function alphaOf({ people, pages, alpha, low, high }: CoderAlpha): string {
  const shared = `Of ${people} people, two or more answered ${counted(pages, 'page')} independently`;
  return alpha === null ? `${shared}.` : `${shared}; Krippendorff's alpha was ${agreementText(alpha, low, high)}.`;
}

function agreementText(figure: number, low: number, high: number): string {
  return `${fraction(figure)} (95 % interval ${fraction(low)} to ${fraction(high)})`;
}

function recallText({ low, high, known, kept }: RecallFacts, recall: Unit): string {
  return `${fraction(recall)} (90 % interval ${fraction(low)} to ${fraction(high)}): it kept ${countText(kept)} of ${counted(known, 'page')} known to be on topic, which it was not given`;
}

function corpusSentences({ records, hosts, texts, languages, versionedPages, rendered = 0 }: CorpusCard): string[] {
  const omitted = HARVEST_FILTERS.flatMap(({ name, leaves }) => {
    const count = records.leftOut[name];
    return count === 0 ? [] : [`${countText(count)} (${leaves})`];
  });
  const rest = omitted.length === 0 ? 'None was omitted' : `Omitted were ${omitted.join(', ')}`;
  const names = Object.keys(languages).length;
  const [unit, of] = versionedPages === undefined ? ['page', ''] : ['version', ` of ${counted(versionedPages, 'page')}`];
  return [
    `The crawl kept ${counted(records.read, unit)}. ${rest}.`,
    `The corpus has ${counted(records.kept, unit)}${of} of ${counted(hosts.count, 'host')} in ${counted(names, 'language')}, with ${counted(texts.words, 'word')}.`,
    ...(rendered === 0
      ? []
      : [`For ${counted(rendered, 'page')}, a browser ran the scripts, and the text is that of the rendered document.`]),
  ];
}

function fraction(share: Unit): string {
  return share.toFixed(2);
}
