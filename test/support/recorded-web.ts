/** A proxy that records what it answers as another program writes WARC files, and that program's index of them. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { CDXIndexer, WARCParser, WARCRecord, WARCSerializer } from 'warcio';
import type { PageAnswer, PageSource } from '../../datasets/page-source.ts';

export interface Recorded {
  readonly url: string;
  readonly answer: PageAnswer;
}

/** The source, and each answer that it gave for a host it knows, in order. */
export function recording(source: PageSource): { readonly source: PageSource; readonly answers: readonly Recorded[] } {
  const answers: Recorded[] = [];
  const get = (host: string, path: string) => {
    const answer = source.get(host, path);
    if (answer !== null) answers.push({ url: `http://${host}${path}`, answer });
    return answer;
  };
  return { source: { get }, answers };
}

export interface WrittenRecord extends Recorded {
  readonly date: string;
  readonly type?: 'response' | 'revisit' | 'resource';
  readonly fields?: Readonly<Record<string, string>>;
}

/** One record by warcio. @param gzip Default: each record is a gzip member */
export async function writtenRecord({ url, answer, date, type = 'response', fields = {} }: WrittenRecord, gzip = true): Promise<Buffer> {
  const record = WARCRecord.create(
    {
      ...{ url, date, type, warcVersion: 'WARC/1.1' },
      warcHeaders: { 'WARC-Payload-Digest': digestOf(answer.body), ...fields },
      ...(type !== 'resource' && { httpHeaders: { ...answer.headers }, statusline: `HTTP/1.1 ${answer.status} said` }),
    },
    (async function* () {
      yield answer.body;
    })(),
  );
  return Buffer.from(await WARCSerializer.serialize(record, { gzip }));
}

export function digestOf(body: Uint8Array): string {
  return `sha256:${createHash('sha256').update(body).digest('hex')}`;
}

/** The CDXJ that warcio writes for a file, whose lines name `filename`. */
export async function cdxjBy(path: string, filename: string): Promise<string> {
  const indexer = new CDXIndexer({ format: 'cdxj' });
  const lines: string[] = [];
  for await (const found of indexer.iterRecords(new WARCParser(createReadStream(path)), filename)) lines.push(indexer.serializeCDXJ(found));
  return lines.join('');
}
