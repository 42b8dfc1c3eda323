/** The judgement and the versions by which the pages of a crawl become a corpus. */
import { isoTime } from '../../base/core/clock.ts';
import { DataError } from '../../base/core/errors.ts';
import type { CorpusRecord, Topic, Unit } from '../../base/core/types.ts';
import { lastMomentOf } from '../../base/text/written-date.ts';
import type { KeptRecords } from '../../corpus/records/kept-records.ts';
import type { CrawlSourceOptions } from '../../corpus/select/crawl-source.ts';
import type { VersionChoice } from '../../corpus/select/page-versions.ts';
import { judgementsOf } from '../../crawling/crawl/topic-judgements.ts';
import { topicNamed } from '../../crawling/crawl-dir/crawl-directory.ts';
import type { OpenCrawl } from '../../crawling/crawl-dir/open-crawl.ts';

/** A date as its last moment. */
export function momentsOf(versions: VersionChoice = 'newest'): VersionChoice {
  return typeof versions === 'object' ? { at: isoTime(lastMomentOf(versions.at)) } : versions;
}

/** Selects the records that the frontier names: the last version of each page, and no record of another crawl. */
export function newestOf(expected: KeptRecords): (record: CorpusRecord) => boolean {
  return ({ id }) => expected.has(id);
}

/** The versions to read of a crawl. Earlier ones have the judgement of their day. */
export function versionsOfCrawl(
  expected: KeptRecords,
  { present, presentEarlier }: Pick<View, 'present' | 'presentEarlier'>,
  versions: VersionChoice,
): Pick<CrawlSourceOptions, 'isNewest' | 'isVersion' | 'versions' | 'present'> {
  const isNewest = newestOf(expected);
  const own = (record: CorpusRecord) => record;
  const [now, before] = [present ?? own, presentEarlier ?? own];
  return {
    ...(versions !== 'newest' && { versions }),
    isNewest,
    isVersion: ({ url }) => expected.knows(url),
    ...((present || presentEarlier) && { present: (record) => (isNewest(record) ? now : before)(record) }),
  };
}

/** The judgement that a corpus uses. */
export interface View {
  readonly topic: Topic;
  /** Folder of its model; null for several topics together, which have no common model. */
  readonly folder: string | null;
  /** Gives a record that topic's judgement; null if the records already have it. */
  readonly present: ((record: CorpusRecord) => CorpusRecord) | null;
  /** Gives a version before the newest the judgement that it had; null if the records already have it. */
  readonly presentEarlier: ((record: CorpusRecord) => CorpusRecord) | null;
}

/**
 * The judgement of a corpus. A model that was trained after the moment of its versions does not count.
 * @throws UsageError if the crawl has no such topic
 */
export function viewOf(crawl: OpenCrawl, name: string | undefined, versions: VersionChoice = 'newest'): View {
  const { manifest, paths } = crawl;
  const found = name === undefined ? null : topicNamed(paths, manifest, name);
  const isJudgedAgain = manifest.relabelled.some(({ at }) => typeof versions !== 'object' || at <= versions.at);
  if (manifest.topics.length > 0) {
    const judged = isJudgedAgain ? topicsNow(crawl) : (record: CorpusRecord) => record;
    if (found)
      return {
        topic: found,
        folder: found.folder,
        present: (record) =>
          isJudgedAgain || manifest.relabelled.length === 0 ? judgedBy(judged(record), found) : judgedThen(record, found),
        presentEarlier: (record) => judgedThen(record, found),
      };
    return { topic: manifest.topic, folder: null, present: isJudgedAgain ? asKeptNow(crawl, judged) : null, presentEarlier: null };
  }
  return { topic: manifest.topic, folder: paths.model, present: isJudgedAgain ? asJudgedNow(crawl) : null, presentEarlier: null };
}

/** An earlier version with the judgement that it had of a topic; a version from before that topic stays as it is. */
function judgedThen(record: CorpusRecord, { name }: Topic): CorpusRecord {
  const judgement = record.topics?.find((one) => one.name === name);
  if (judgement === undefined) return record;
  const { relevance, threshold, modelId } = judgement;
  return { ...record, relevance, threshold, modelId };
}

/** A record with the judgement of one topic of several. */
function judgedBy(record: CorpusRecord, { id }: Topic): CorpusRecord {
  const judgement = record.topics?.find(({ modelId }) => modelId === id);
  if (judgement === undefined)
    throw new DataError(`${record.url}: its record lacks the judgement of topic model ${id}; restore the corpus from a copy`);
  const { relevance, threshold, modelId } = judgement;
  return { ...record, relevance, threshold, modelId };
}

/** Gives records the judgements of the active models of several topics. */
function topicsNow({ manifest, frontier }: OpenCrawl): (record: CorpusRecord) => CorpusRecord {
  const relevances = new Map<string, readonly Unit[]>();
  for (const line of frontier.ledger()) if (line.state === 'kept' && line.relevances) relevances.set(line.url, line.relevances);
  return (record) => {
    const now = relevances.get(record.url);
    return now === undefined ? record : { ...record, topics: judgementsOf(manifest.topics, now) };
  };
}

/**
 * Also gives records the combined relevance of several topics and its threshold. So a harvest of all topics omits the pages that are on none of them
 * now.
 */
function asKeptNow(crawl: OpenCrawl, judged: (record: CorpusRecord) => CorpusRecord): (record: CorpusRecord) => CorpusRecord {
  const combined = asJudgedNow(crawl);
  return (record) => combined(judged(record));
}

/** Gives records the judgement of the active model; their WARC records keep the judgement of the fetch. */
function asJudgedNow({ manifest, frontier }: OpenCrawl): (record: CorpusRecord) => CorpusRecord {
  const { id: modelId, threshold } = manifest.topic;
  const relevances = new Map<string, Unit | null>();
  for (const { url, state, relevance } of frontier.ledger()) if (state === 'kept') relevances.set(url, relevance);
  return (record) => ({ ...record, relevance: relevances.get(record.url) ?? record.relevance, threshold, modelId });
}
