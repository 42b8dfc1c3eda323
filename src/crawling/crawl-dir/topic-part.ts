/** One topic of a crawl with its own part of manifest and files. Labels are of one topic, and train its model alone. */

import { join } from 'node:path';
import { UsageError } from '../../base/core/errors.ts';
import type { Topic } from '../../base/core/types.ts';
import { commandOn } from '../../base/text/forager-command.ts';
import type { ShellWord } from '../../base/text/shell-line.ts';
import { type CrawlManifest, type CrawlPaths, crawlPaths, topicNamed } from './crawl-directory.ts';

/** A topic of a crawl with its own manifest and files. In a crawl of one topic they are those of the crawl. */
export interface TopicPart {
  readonly topic: Topic;
  /** Place of the topic among several, which never changes; null for a crawl of one. */
  readonly place: number | null;
  /** The manifest that a crawl of this topic alone would have. It is never written. */
  readonly manifest: CrawlManifest;
  /** Paths with the model that the topic started with, and with its own labels, questions, and answers of language models. */
  readonly paths: CrawlPaths;
}

/**
 * @param name of one of several topics
 * @throws UsageError with the names if the crawl has no topic of this name, or if it has several and `name` is undefined
 */
export function topicPart(dir: string, manifest: CrawlManifest, name: string | undefined): TopicPart {
  const paths = crawlPaths(dir);
  if (name !== undefined) topicNamed(paths, manifest, name);
  if (manifest.topics.length === 0) return { topic: manifest.topic, place: null, manifest, paths };
  const part = topicParts(dir, manifest).find(({ topic }) => topic.name === name);
  if (part !== undefined) return part;
  const names = manifest.topics.map((topic) => topic.name).join(', ');
  throw new UsageError(
    `--topic-name: labels are of one topic, and the crawl in ${dir} has ${manifest.topics.length}; name one of them: ${names}`,
  );
}

/** Commands of labels that others print. */
type LabelCommand = 'label' | 'label audit' | 'label decide' | 'label import' | 'label train' | 'label undo';

/** A crawl as commands of labels name it: its directory, and the topic of several. */
export interface Labelled {
  readonly dir: string;
  readonly topicName?: string | undefined;
}

/** `npx forager label train crawls/moss --topic-name peat`. */
export function labellingCommand(command: LabelCommand, { dir, topicName }: Labelled, ...words: readonly ShellWord[]): string {
  return commandOn(command, dir, ...(topicName === undefined ? [] : ['--topic-name', topicName]), ...words);
}

/** The part of a topic in a crawl that was opened later. */
export function partOf(
  { paths, manifest }: { readonly paths: CrawlPaths; readonly manifest: CrawlManifest },
  { place, topic }: TopicPart,
): TopicPart {
  return topicPart(paths.dir, manifest, place === null ? undefined : topic.name);
}

/** All topics of a crawl, in their order. */
export function topicParts(dir: string, manifest: CrawlManifest): TopicPart[] {
  const paths = crawlPaths(dir);
  if (manifest.topics.length === 0) return [{ topic: manifest.topic, place: null, manifest, paths }];
  return manifest.topics.map(({ keptBeside = null, ...topic }, place) => {
    const relabelled = manifest.relabelled.filter((one) => one.topic === topic.name);
    const labelling = join(paths.labelling, `topic-${place + 1}`);
    return {
      topic,
      place,
      manifest: { ...manifest, topic, topics: [], relabelled, keptBeside },
      paths: {
        ...paths,
        model: join(paths.models, relabelled[0]?.from ?? topic.id),
        labels: join(labelling, 'labels.jsonl'),
        labelling,
      },
    };
  });
}
