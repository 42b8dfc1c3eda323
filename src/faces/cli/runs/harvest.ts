import { EXIT, StoreError } from '../../../base/core/errors.ts';
import { foragerCommand } from '../../../base/text/forager-command.ts';
import { counted, countText } from '../../../base/text/number-text.ts';
import type { CorpusCard } from '../../../corpus/describe/corpus-card.ts';
import { HARVEST_FILTERS } from '../../../corpus/select/harvest-filters.ts';
import { print, printJson, warn } from '../command.ts';
import { corpusProgress, printDominantHost, printFiles, printOmitted } from '../corpus-text.ts';
import type { CommandOptions } from '../define.ts';
import { precisionText } from '../grounds-text.ts';
import { longWork } from '../long-work.ts';
import { outputFromEnvironment } from '../output-environment.ts';
import { onDamagedOf } from '../skip-damaged.ts';

export async function runHarvest({ json, skipDamaged, ...options }: CommandOptions<'harvest'>): Promise<number> {
  const { harvest } = await import('../../app/harvest-crawl.ts');
  const harvested = await longWork(corpusProgress('select'), (signal, progress) =>
    harvest({ ...options, ...onDamagedOf(skipDamaged), ...outputFromEnvironment(options.out), signal, progress, warn }),
  );
  if (harvested === null) return EXIT.interrupted;
  const { outDir, card, otherLanguages } = harvested;
  if (card.records.read === 0 && card.damaged.records > 0)
    throw new StoreError(
      'STORE_CORRUPT',
      `${options.dir}: the ${counted(card.damaged.records, 'page')} of the crawl are damaged; restore its folder corpus from a copy`,
    );
  if (json) printJson(card);
  else await describe(options.dir, options.topicName, outDir, card);
  if (card.records.kept > 0) return EXIT.done;
  warn(`the corpus has no page: ${whyEmpty(card, options.minRelevance === undefined, otherLanguages)}`);
  return EXIT.noPage;
}

async function describe(dir: string, topicName: string | undefined, outDir: string, card: CorpusCard): Promise<void> {
  const { read, kept } = card.records;
  const size =
    card.versionedPages === undefined ? counted(kept, 'page') : `${counted(card.versionedPages, 'page')} in ${counted(kept, 'version')}`;
  print(`${outDir}: ${size} of ${countText(read)}, from ${counted(card.hosts.count, 'host')}`);
  if (card.gone !== undefined) print(`  ${countText(card.gone).padStart(7)} gone when they were last requested, see the column gone`);
  printOmitted(card);
  const lost = damagedText(card);
  if (lost !== '') print(`  ${lost}`);
  const reservations = reservationsText(card);
  if (reservations !== '') print(`  ${reservations}`);
  for (const { name, pages } of card.topics ?? []) print(`  ${countText(pages).padStart(7)} on ${name}`);
  const labels = { precision: card.precision, drawn: card.crawl.labels?.drawn ?? null };
  if (topicName === undefined && card.topics !== undefined)
    for (const { name, inCorpus = null } of card.topics)
      print(`  ${name}: ${precisionText({ dir, topicName: name }, 'corpus', { precision: inCorpus, drawn: null })}`);
  else print(`  ${precisionText({ dir, topicName }, 'corpus', labels)}`);
  printDominantHost(card);
  await printFiles(card);
}

/** Kept pages that the corpus lacks because of damage; '' if none is missing. */
function damagedText({ damaged: { records, warc } }: CorpusCard): string {
  const parts = [
    records > 0 ? `${counted(records, 'page')} of the crawl omitted, since their stored data is damaged` : [],
    warc > 0 ? `${counted(warc, 'page')} without a WARC record, since it is damaged` : [],
  ];
  return parts.flat().join('; ');
}

/** Text about who reserves the rights to mine pages; '' if no reservation is known. */
function reservationsText({ harvest, reservations }: CorpusCard): string {
  const by = Object.entries(reservations.by).map(([source, pages]) => `${countText(pages)} by ${RESERVED_BY[source] ?? source}`);
  if (by.length === 0) return '';
  const how = harvest.filters.reserved === 'omit' ? 'omitted' : 'included anyway';
  return `rights to mine them reserved, ${how}: ${by.join(', ')}`;
}

const RESERVED_BY: Readonly<Record<string, string>> = { meta: 'meta elements', header: 'headers', file: 'tdmrep.json', noai: 'noai' };

/** @param byModel does the threshold of a model set the limit? */
function whyEmpty(
  { records, topic, topics, harvest: { filters } }: CorpusCard,
  byModel: boolean,
  otherLanguages: ReadonlyMap<string, number>,
): string {
  const { read, leftOut } = records;
  const { rights: reserved, language: otherLanguage, relevance: belowRelevance } = leftOut;
  const { versions } = filters;
  if (read === 0 && typeof versions === 'object') return `the crawl had kept none by ${versions.at}; give a later date`;
  if (read === 0) return `the crawl has kept none; see ${foragerCommand('status')}`;
  const ofModel = topics
    ? `the threshold of ${topic.name}`
    : `the threshold of the active model, trained with labels (--min-relevance 0 takes all, ${foragerCommand('label undo')} undoes the training)`;
  const bar = byModel ? ofModel : '--min-relevance (a smaller one takes more)';
  const others = HARVEST_FILTERS.filter(({ name }) => !['rights', 'language', 'relevance'].includes(name) && leftOut[name] > 0);
  if (otherLanguage + reserved + others.length === 0) return `the ${countText(belowRelevance)} of the crawl are all below ${bar}`;
  const reasons = [
    otherLanguage > 0
      ? `${countText(otherLanguage)} of the crawl are in other languages than --lang (${languagesText(otherLanguages)})`
      : [],
    reserved > 0 ? `${countText(reserved)} reserve the rights to mine them (--reserved include takes those)` : [],
    belowRelevance > 0 ? `${countText(belowRelevance)} below ${bar}` : [],
    others.map(({ name, leaves }) => `${countText(leftOut[name])} omitted: ${leaves}`),
  ];
  return reasons.flat().join(', ');
}

/** Languages named when all pages are in others. */
const TOP_LANGUAGES = 5;

function languagesText(pages: ReadonlyMap<string, number>): string {
  const most = [...pages]
    .sort(([, a], [, b]) => b - a)
    .map(([code, count]) => `${code === 'und' ? 'not known' : code} ${countText(count)}`);
  return `${most.slice(0, TOP_LANGUAGES).join(', ')}${most.length > TOP_LANGUAGES ? ', …' : ''}`;
}
