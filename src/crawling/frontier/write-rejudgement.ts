/** Writes the judgements of a later model into the database of a frontier. */
import { inGroups } from '../../base/core/in-groups.ts';
import type { Unit } from '../../base/core/types.ts';
import { makeRoom } from './lmdb-file.ts';
import type { OpenDatabase } from './lmdb-opening.ts';
import { bytesOf, type RejudgementHead, type RejudgementTable, type TopicRejudgements } from './rejudgement.ts';

/** Bytes of scores that are written in one transaction. */
const AT_ONCE = 1024 * 1024;

/** The judgements of a model. See `RejudgementKey`. */
export interface MadeRejudgement {
  readonly modelId: string;
  /** The model whose judgements stay; null for none. */
  readonly active: string | null;
  readonly head: RejudgementHead;
  /** Relevance by slot, NaN without a judgement. */
  readonly pages: Float64Array;
  /** See `linkScores`. */
  readonly links: Iterable<readonly [index: number, scores: Float64Array]>;
  /** null for one topic. */
  readonly topics: TopicRejudgements | null;
  /** 1 by slot for a page of a wanted subtopic; null without a wish. */
  readonly wanted: Float64Array | null;
}

/**
 * Several transactions. The head of the judgements is in the last one: a crash leaves judgements without it, which the next call overwrites. Of earlier
 * models, only `active` stays.
 * @param putHead writes the head of the database
 * @throws StoreError, the error of LMDB
 */
export async function writeRejudgement(
  { path, root, tables: { rejudgements: table } }: OpenDatabase,
  made: MadeRejudgement,
  putHead: () => void,
): Promise<void> {
  const { modelId, active, head, pages, links, topics, wanted } = made;
  const forgotten = [...table.keys()].filter(([other]) => other !== active);
  await root.transaction(() => {
    for (const key of forgotten) table.remove(key);
  });
  for (const some of inGroups(links, AT_ONCE, ([, scores]) => scores.byteLength)) {
    makeRoom(path, 2 * AT_ONCE);
    await root.transaction(() => {
      for (const [index, scores] of some) table.put([modelId, 'links', index], bytesOf(scores));
    });
  }
  makeRoom(path, pages.byteLength * (3 + (topics?.relevances.length ?? 0)));
  await root.transaction(() => {
    table.put([modelId, 'pages', 0], bytesOf(pages));
    if (topics !== null) putTopics(table, modelId, topics);
    if (wanted !== null) table.put([modelId, 'wanted', 0], bytesOf(wanted));
    table.put([modelId, 'head', 0], Buffer.from(JSON.stringify(head)));
    putHead();
  });
}

function putTopics(table: RejudgementTable, modelId: string, { relevances, keptFor }: TopicRejudgements): void {
  for (const [i, one] of relevances.entries()) table.put([modelId, 'topics', i], bytesOf(one));
  table.put([modelId, 'kept-for', 0], bytesOf(keptFor));
}

/** Notes a model as the active one that has judged each page itself. */
export function withoutJudgements(modelId: string, threshold: Unit): MadeRejudgement {
  return { modelId, active: null, head: { threshold, settled: 0 }, pages: new Float64Array(0), links: [], topics: null, wanted: null };
}
