/** The crawl of a corpus, and the models it used, on the card for people. */

import { refusalText } from '../../base/core/refusal-words.ts';
import type { ListsFollowed, Unit } from '../../base/core/types.ts';
import { CARD_FILE } from '../../base/disk/own-names.ts';
import { excludedText } from '../../base/text/excluded-pages.ts';
import { counted } from '../../base/text/number-text.ts';
import { wishesLine } from '../../base/text/wishes-text.ts';
import type { LabelFacts, RunFacts, TrainingFacts, VisitRules } from '../select/crawl-facts.ts';
import { dateSpan, list, rounded, rowsOf, section, textTable } from './card-tables.ts';
import { codingText } from './coding-words.ts';
import type { CorpusCard } from './corpus-card.ts';
import { notMeasuredText, precisionLine } from './precision-text.ts';

const TOP_SEEDS = 50;

export function crawlLines({ crawl, topic, topics = [] }: CorpusCard): string[] {
  const isOfSeveral = topics.length > 0 && topics.every(({ modelId }) => modelId !== topic.modelId);
  return [
    ...(topics.length === 0 ? [] : [`crawled for ${topics.length} topics together: ${topics.map(({ name }) => name).join(', ')}`]),
    ...(isOfSeveral ? [] : [`topic model: ${topic.modelId}, on topic from ${rounded(topic.threshold)}`]),
    ...(crawl.query === null ? [] : [`query of the topic at the start: ${crawl.query}`]),
    ...[(crawl.excludedByNot && excludedText(crawl.excludedByNot)) ?? []].flat(),
    ...ruleLines(crawl.rules),
    ...optionLines(crawl.options),
    ...labelsLines(crawl.labels),
    ...wishesLine(crawl.wishes ?? []),
    `strategy: ${crawl.strategy}`,
    `visits: ${crawl.visited} (pages, redirects and failed requests; these count against the budget); not counted: robots.txt files, sitemaps, feeds, and ${crawl.reservationFiles} tdmrep.json files`,
    ...(crawl.reopened > 0
      ? [`on topic since labels were given, not in the corpus, and to be visited again: ${crawl.reopened} pages`]
      : []),
    ...crawl.runs.map(runText),
    `stop reason: ${crawl.stopReason}`,
    `robots.txt: ${crawl.robots}, ${crawl.robotsRefusals} URLs refused`,
    `software: ${crawl.software}`,
    `user agent: ${crawl.userAgent}`,
    ...politenessLines(crawl),
  ];
}

function politenessLines({ politeness }: CorpusCard['crawl']): string[] {
  if (politeness === undefined) return [];
  const { contact, delay, delayFactor } = politeness;
  return [
    `contact: ${contact ?? 'none'}`,
    `delay between requests to a host: at least ${delay / 1000} s, and ${delayFactor} times the last response time`,
  ];
}

const WHOSE_LISTS: Readonly<Record<ListsFollowed, string>> = {
  auto: 'of hosts of seeds, and of hosts that gave on-topic pages',
  always: 'of all hosts that gave pages',
  never: 'not requested, except seeds',
};

/** The URLs that the crawl was allowed to visit. */
function ruleLines(rules: VisitRules | undefined): string[] {
  if (rules === undefined) return [];
  const { scope, maxDepth, maxPagesPerHost, tunnel, warmUp, patience, sitemaps, proxied } = rules;
  const limit = (value: number | null) => value ?? 'no limit';
  return [
    `scope: ${scope.length === 0 ? 'everywhere' : scope.join(', ')}`,
    `limits: hops from a seed: ${limit(maxDepth)}; visits to one host: ${limit(maxPagesPerHost)}; off-topic pages in a row: ${limit(tunnel)}`,
    `random visits at the start: ${warmUp}; longest wait for a better host: ${patience === null ? 'by the limits of each run' : `${patience / 1000} s`}; sitemaps and feeds: ${WHOSE_LISTS[sitemaps]}; proxy: ${proxied ? 'yes' : 'no'}`,
  ];
}

/** Options as given; `contact` and the like have lines of their own. */
function optionLines(options: CorpusCard['crawl']['options']): string[] {
  if (options === undefined) return [];
  const given = Object.entries(options).map(([name, value]) => `--${name} ${value}`);
  return [`options that differ from a new crawl without any: ${given.length === 0 ? 'none' : given.join(' ')}`];
}

/** Causes of failures that are named. */
const TOP_FAILURES = 20;

/** Sections about URLs that gave no page, with the reasons. */
export function troubleSections({ refusals = {}, failures = {} }: CorpusCard['crawl']): string[] {
  const refused = rowsOf(refusals).map(([reason = '', urls = '']) => [refusalText(reason), urls]);
  return [
    ...(refused.length === 0 ? [] : [section('Refused URLs', textTable(['reason', 'URLs'], refused))]),
    ...(Object.keys(failures).length === 0
      ? []
      : [section('Failed URLs', textTable(['cause', 'URLs'], rowsOf(failures).slice(0, TOP_FAILURES)))]),
  ];
}

/** Terms of a model that are named, as by `train`. */
const TOP_TERMS = 12;

const TOP_EXAMPLE_HOSTS = 20;

function termsText(names: readonly string[]): string {
  return names.slice(0, TOP_TERMS).join(', ') || 'none';
}

/** The subject of each topic: in the words of the user if they gave some, and by its strongest terms. Empty if no model card was read. */
export function subjectLines({ training = [] }: CorpusCard['crawl']): string[] {
  return training.map(({ name, subject, terms }) => {
    const strongest = terms === undefined ? '' : `; strongest terms of the model: ${termsText(terms.for)}`;
    return `${name}: ${subject ?? 'not given in words (train --subject)'}${strongest}`;
  });
}

export function trainingText({
  examples,
  irrelevant,
  background,
  examplesByHost,
  exampleNames = [],
  validation,
  ...model
}: TrainingFacts): string {
  const figure = (value: Unit | null) => (value === null ? 'not measured' : value.toFixed(3));
  const held = validation.pages === 0 ? 'none' : `${validation.pages} pages, ${validation.folds}`;
  const lines = [
    ...(model.terms
      ? [`strongest terms for: ${termsText(model.terms.for)}`, `strongest terms against: ${termsText(model.terms.against)}`]
      : []),
    `model: ${model.modelId}, method ${model.method}, trained ${model.created}`,
    `training pages: ${examples} examples, ${irrelevant} irrelevant, ${background} background; SHA-256 ${model.dataSha256}`,
    `held-out pages: ${held}`,
    `average precision: ${figure(validation.averagePrecision)}; at the threshold: precision ${figure(validation.precision)}, recall ${figure(validation.recall)}; on held-out training pages, not on this corpus`,
  ];
  const rows = examplesByHost.slice(0, TOP_EXAMPLE_HOSTS).map((row) => [row.host, String(row.examples)]);
  const others = examplesByHost.slice(TOP_EXAMPLE_HOSTS);
  if (others.length > 0) rows.push([`${others.length} more`, String(others.reduce((sum, row) => sum + row.examples, 0))]);
  const byHost = rows.length === 0 ? [] : [textTable(['host', 'examples'], rows)];
  const named = exampleNames.length === 0 ? [] : [`Examples:\n\n${list(shortened(exampleNames))}`];
  return [list(lines), ...byHost, ...named].join('\n\n');
}

function runText({ startedAt, maxPages, maxTimeMs, stopReason }: RunFacts, i: number): string {
  const limits = [maxPages === null ? [] : `${maxPages} visits in all`, maxTimeMs === null ? [] : `${maxTimeMs / 1000} s`].flat();
  const end = stopReason === null ? 'no end written down' : `ended: ${stopReason}`;
  return `run ${i + 1}, from ${startedAt}: budget ${limits.length === 0 ? 'none' : limits.join(', ')}; ${end}`;
}

/** Seeds without a page are listed apart, with the reason. */
export function seedSections({ seeds, seedsWithoutPage, seedCount = seeds.length }: CorpusCard['crawl']): string[] {
  const without = new Set(seedsWithoutPage.map(({ url }) => url));
  const served = seeds.filter((seed) => !without.has(seed));
  const reasons = seedsWithoutPage.map(({ url, state, reason }) => `${url}: ${state}${reason === '' ? '' : ` (${reason})`}`);
  return [
    section(`Seeds (${seedCount - seedsWithoutPage.length})`, list(shortened(served, seedCount - seeds.length))),
    ...(reasons.length === 0 ? [] : [section(`Seeds that gave no page (${reasons.length})`, list(shortened(reasons)))]),
  ];
}

function labelsLines(facts: LabelFacts | null): string[] {
  if (facts === null) return [];
  const { yes, no, drawn, precision } = facts;
  const labels = `labels: ${yes} on topic, ${no} off topic`;
  const by = [...labellerLines(facts), ...(facts.coding === undefined ? [] : codingText(facts.coding))];
  if (precision !== null) return [labels, ...by, precisionLine('kept', precision)];
  return [
    `${labels}; precision: ${notMeasuredText({ answered: drawn.kept, needed: drawn.needed })}; ${counted(drawn.leftOut, 'answer')} to pages not kept`,
    ...by,
  ];
}

function labellerLines({ labellers = [] }: LabelFacts): string[] {
  return labellers.map(
    ({ name, yes, no, first, last }) =>
      `labels by ${name ?? 'somebody without a name'}: ${yes} on topic, ${no} off topic, ${dateSpan(first.slice(0, 10), last.slice(0, 10))}`,
  );
}

/** @param unnamed number of further ones that the card does not list */
function shortened(lines: readonly string[], unnamed = 0): readonly string[] {
  const more = Math.max(0, lines.length - TOP_SEEDS);
  const rest = [more > 0 ? `${more} more in ${CARD_FILE}` : [], unnamed > 0 ? `${unnamed} more that no card names` : []].flat();
  return [...lines.slice(0, TOP_SEEDS), ...rest];
}
