/** Facts about the sink of a crawl: how many kept records it has, and how many wait for it. */
import type { SinkMark } from '../../base/core/parts/queueing.ts';
import { counted, countText } from '../../base/text/number-text.ts';
import { countLines } from '../../corpus/records/records.ts';
import type { OpenCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { COMMAND, isCommandName } from '../../crawling/settings/own-code.ts';
import { recordsEnd } from '../label/judged-pages.ts';

/** `records` were acknowledged, `waiting` were not. */
export interface SinkFacts extends Pick<SinkMark, 'sink' | 'records' | 'failures' | 'failure'> {
  readonly waiting: number;
}

/** Facts as of the last commit; null for a crawl without a sink. O(waiting records). @throws DataError */
export async function sinkFacts({ manifest, paths, frontier }: OpenCrawl): Promise<SinkFacts | null> {
  const { sink } = manifest;
  if (sink === null) return null;
  const stored = frontier.notes.sink;
  const isOurs = stored !== undefined && (sink === COMMAND ? isCommandName(stored.sink) : stored.sink === sink);
  const mark = isOurs ? stored : { sink, records: 0, bytes: 0, failures: 0, failure: null };
  const end = recordsEnd(frontier);
  return factsOfSink(mark, end > mark.bytes ? await countLines(paths.corpus, mark.bytes, end) : 0);
}

export function factsOfSink({ sink, records, failures, failure }: Omit<SinkMark, 'bytes' | 'id'>, waiting: number): SinkFacts {
  return { sink, records, waiting, failures, failure };
}

/** The facts in a line of a report. */
export function sinkLine({ sink, records, waiting, failures, failure }: SinkFacts): string {
  const left = waiting === 0 ? '' : `, ${countText(waiting)} more wait${waiting === 1 ? 's' : ''} for delivery by a run`;
  const failed = failures === 0 ? '' : `; ${counted(failures, 'delivery', 'deliveries')} failed`;
  return `sink ${sink}: ${counted(records, 'record')} delivered${left}${failed}${failure === null ? '' : `, the last one: ${failure}`}`;
}
