/** Labelled webs on which a crawl of a broad subject has true groups: subjects of hosts of the Debian web, or topics of generated webs. */
import { subjectOf } from '../../../datasets/debian-web/labels.ts';
import { type GeneratedWeb, generateWeb } from '../../../datasets/generated-web/web.ts';
import type { FocusTopic, Split } from '../focus/topics.ts';

/** A broad subject with true groups inside. */
export interface GroupedTopic extends FocusTopic {
  /** The true group of a page; null for a page off topic. */
  readonly labelOf: (url: string) => string | null;
}

/** Mixtures of subjects of hosts.tsv. Nothing was chosen on those to report. */
const MIXTURES: readonly (readonly [Split, readonly string[]])[] = [
  ['dev', ['biology', 'networking', 'mathematics']],
  ['dev', ['networking', 'mathematics', 'chemistry', 'operating-systems']],
  ['report', ['astronomy', 'databases', 'medicine', 'physics']],
  ['report', ['physics', 'programming', 'geography', 'medicine']],
  ['report', ['astronomy', 'music', 'graphics', 'geography']],
];

const LOCALITIES: readonly (readonly [Split, number])[] = [
  ['dev', 0.5],
  ['report', 0.3],
  ['report', 0.6],
];
const PAGES = 6000;
/** Half of the eight topics of such a web. */
const TOPICS = ['topic-1', 'topic-2', 'topic-3', 'topic-4'];
/** Other webs than those of `bench -- focus`. */
const SEED = { dev: 17, report: 41 } as const;

/** @param hosts of the web of portals, see `portalHosts` */
export function groupedTopics(hosts: readonly string[]): GroupedTopic[] {
  const mixtures = MIXTURES.map(([split, subjects]) => mixture(hosts, split, subjects));
  return [...mixtures, ...LOCALITIES.map(([split, locality]) => generatedTopic(split, locality))];
}

/** Any subjects of hosts.tsv as one. */
export function mixture(hosts: readonly string[], split: Split, subjects: readonly string[]): GroupedTopic {
  const labelOf = (url: string) => subjects.find((subject) => subjectOf(url) === subject) ?? null;
  const web = { kind: 'portals', name: 'small', hosts, seed: 1 } as const;
  return { name: subjects.join('+'), split, web, labelOf, isOnTopic: (url) => labelOf(url) !== null };
}

function generatedTopic(split: Split, locality: number): GroupedTopic {
  const options = { seed: SEED[split], pages: PAGES, locality };
  let web: GeneratedWeb | null = null;
  const labelOf = (url: string) => {
    web ??= generateWeb(options);
    const own = web;
    return TOPICS.find((topic) => own.isOnTopic(url, topic)) ?? null;
  };
  return { name: `locality ${locality}`, split, web: { kind: 'generated', options }, labelOf, isOnTopic: (url) => labelOf(url) !== null };
}
