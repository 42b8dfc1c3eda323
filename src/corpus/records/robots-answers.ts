/** The answers of hosts about their robots.txt, kept as a proof of the rules of that day. */
import { join } from 'node:path';
import * as z from 'zod';
import { checksummedLine } from '../../base/core/checksum.ts';
import type { Bytes, CanonicalUrl, IsoTime, RecordId, RobotsAnswer, RobotsTrouble } from '../../base/core/types.ts';
import { lineFaults, linesRead } from './line-faults.ts';

/** One `KeptRobotsAnswer` a line, in the order of the requests. */
export const ROBOTS_FILE = 'robots.jsonl';
/** Responses and requests of robots.txt files and other files of statements, as WARC records. */
export const RIGHTS_WARC = 'rights.warc.gz';

/** An answer, with the id of the WARC record of its text. */
export interface KeptRobotsAnswer extends RobotsAnswer {
  /** null without a text, and for the text of the last answer before it. */
  readonly recordId: RecordId | null;
}

/** Line of a file with its checksum and line feed. */
export function robotsLine(answer: KeptRobotsAnswer): Buffer {
  return checksummedLine(answer);
}

/** The answers in a corpus folder; none in crawls of earlier versions. @param end number of valid bytes. @throws DataError */
export function robotsAnswers(dir: string, end: Bytes): AsyncGenerator<KeptRobotsAnswer> {
  return linesRead(join(dir, ROBOTS_FILE), end, answerIn);
}

/** The fault of each line, or null. @throws DataError if the file cannot be read */
export function robotsFaults(dir: string, end: Bytes): AsyncGenerator<string | null> {
  return lineFaults(join(dir, ROBOTS_FILE), end, answerIn);
}

const url = z.custom<CanonicalUrl>((value) => typeof value === 'string' && URL.canParse(value));
const schema = z.object({
  url,
  fetchedAt: z.custom<IsoTime>((value) => typeof value === 'string'),
  outcome: z.enum(['file', 'absent', 'redirect', 'unreachable']),
  status: z.number().nullable(),
  to: url.nullable(),
  cause: z.custom<RobotsTrouble>((value) => typeof value === 'string').nullable(),
  sha256: z.string().nullable(),
  recordId: z.custom<RecordId>((value) => typeof value === 'string').nullable(),
});

function answerIn(value: unknown): KeptRobotsAnswer {
  const answer = schema.safeParse(value);
  if (!answer.success) throw new TypeError('no answer about a robots.txt');
  return answer.data;
}
