/**
 * What is looked for, and where. Topics of the split `dev` are those the apprentice's settings were chosen on; those of `report` lie on other
 * hosts, other subjects and other generated webs, and nothing was chosen on them.
 */
import { subjectOf, underPrefix } from '../../../datasets/debian-web/labels.ts';
import { readManifest } from '../../../datasets/debian-web/manifest.ts';
import { manualSubjects, pageReader, pagesOfManual, pagesOfSubject, type Structure } from '../../../datasets/debian-web/manuals.ts';
import { readPages } from '../../../datasets/entry-web/store.ts';
import { ENTRY_WEBS } from '../../../datasets/entry-web/webs.ts';
import { type GeneratedWeb, generateWeb } from '../../../datasets/generated-web/web.ts';
import type { WebFolders, WebSpec } from './webs.ts';

export type Split = 'dev' | 'report';

export interface FocusTopic {
  readonly name: string;
  readonly split: Split;
  readonly web: WebSpec;
  readonly isOnTopic: (url: string) => boolean;
  /** Of a subject inside a manual. Absent for the others. */
  readonly structure?: Structure;
}

/** Sub-topics inside one host, labelled by URL prefix. */
const INSIDE: readonly (readonly [Split, name: string, prefix: string])[] = [
  ['dev', 'networking', 'docs.kernel.org/networking/'],
  ['dev', 'combinat', 'doc.sagemath.org/html/en/reference/combinat/'],
  ['dev', 'thread', 'en.cppreference.com/w/cpp/thread/'],
  ['dev', 'units', 'www.boost.org/doc/libs/1_81_0/doc/html/boost/units/'],
  ['dev', 'classifiers', 'weka.sourceforge.io/doc.stable/weka/classifiers/'],
  ['report', 'graphs', 'macaulay2.com/doc/Macaulay2/share/doc/Macaulay2/Graphs/'],
  ['report', 'programming', 'docs.oracle.com/cd/E17276_01/html/programmer_reference/'],
  ['report', 'glossary', 'lilypond.org/doc/v2.24/Documentation/music-glossary/'],
  ['report', 'gui', 'docs.racket-lang.org/gui/'],
  ['report', 'tasks', 'ant.apache.org/manual/Tasks/'],
  ['report', 'c3ref', 'www.sqlite.org/c3ref/'],
];

/** Subjects of hosts.tsv with three hosts or more below `MOST_PAGES`. */
const SUBJECTS: readonly (readonly [Split, subject: string])[] = [
  ['dev', 'biology'],
  ['dev', 'networking'],
  ['dev', 'mathematics'],
  ['report', 'astronomy'],
  ['report', 'databases'],
  ['report', 'medicine'],
  ['report', 'music'],
  ['report', 'physics'],
];

const LOCALITIES = [0.1, 0.3, 0.5, 0.7] as const;
const GENERATED_PAGES = 4000;
/** Seeds of the generated webs. */
const GENERATED_SEED = { dev: 11, report: 29 } as const;
const GENERATED_TOPICS = { dev: ['topic-1'], report: ['topic-2', 'topic-5'] } as const;

/** Subjects of manuals.tsv: its splits are of hosts. The pages of the web are read when a subject is first asked about. */
function manualTopics(dir: string): FocusTopic[] {
  return manualSubjects().map((subject): FocusTopic => {
    let known: ReadonlySet<string> | null = null;
    return {
      name: `${subject.manual} ${subject.value}`,
      split: subject.split,
      web: { kind: 'manual', manual: subject.manual },
      structure: subject.structure,
      isOnTopic: (url) => {
        known ??= pagesOfSubject(subject, pagesOfManual(dir, subject.manual), pageReader(dir));
        return known.has(url.replace(/^http:\/\//, ''));
      },
    };
  });
}

/** Labels of the webs of entries, by their editors. The pages of a web are read when one of its topics is first asked about. */
function entryTopics(dir: string): FocusTopic[] {
  return ENTRY_WEBS.flatMap(({ name, split, topics }) => {
    let known: ReadonlyMap<string, readonly string[]> | null = null;
    return topics.map(
      (topic): FocusTopic => ({
        name: `${name} ${topic}`,
        split,
        web: { kind: 'entries', name },
        isOnTopic: (url) => {
          known ??= new Map(readPages(dir, name).map((page) => [page.url, page.labels]));
          return known.get(url)?.includes(topic) ?? false;
        },
      }),
    );
  });
}

/** Hosts of the web of portals have at most so many pages: the larger ones would be most of it. */
const MOST_PAGES = 500;

/** Hosts of the portal web. @param dir the built Debian web; without it there are none */
export function portalHosts(dir: string): string[] {
  const pages = new Map<string, number>();
  for (const row of readManifest(dir).rows) pages.set(row.host, (pages.get(row.host) ?? 0) + row.pages);
  return [...pages].filter(([, count]) => count <= MOST_PAGES).map(([host]) => host);
}

/** @param hosts of the portal web, see `portalHosts` */
export function focusTopics(hosts: readonly string[], { web: dir, entries }: WebFolders): FocusTopic[] {
  const inside = INSIDE.map(([split, name, prefix]) => ({
    name: `${prefix.slice(0, prefix.indexOf('/'))} ${name}`,
    split,
    web: { kind: 'host', host: prefix.slice(0, prefix.indexOf('/')) } as const,
    isOnTopic: underPrefix(prefix),
  }));
  const across = SUBJECTS.map(([split, subject]) => ({
    name: `portals ${subject}`,
    split,
    web: { kind: 'portals', name: 'small', hosts, seed: 1 } as const,
    isOnTopic: (url: string) => subjectOf(url) === subject,
  }));
  const splits = ['dev', 'report'] as const;
  return [
    ...inside,
    ...manualTopics(dir),
    ...entryTopics(entries),
    ...across,
    ...splits.flatMap((split) => LOCALITIES.flatMap((locality) => generatedTopics(split, locality))),
  ];
}

function generatedTopics(split: Split, locality: number): FocusTopic[] {
  const options = { seed: GENERATED_SEED[split], pages: GENERATED_PAGES, locality };
  let web: GeneratedWeb | null = null;
  return GENERATED_TOPICS[split].map((topic) => ({
    name: `locality ${locality} ${topic}`,
    split,
    web: { kind: 'generated', options },
    isOnTopic: (url) => {
      web ??= generateWeb(options);
      return web.isOnTopic(url, topic);
    },
  }));
}

/** Kind of web, as the tables group by it. */
export function kindOf({ web, structure }: FocusTopic): string {
  if (web.kind === 'manual') return `manuals by ${structure}`;
  if (web.kind === 'entries') return 'not manuals';
  if (web.kind === 'host') return 'inside hosts';
  return web.kind === 'portals' ? 'across hosts' : `locality ${web.options.locality}`;
}
