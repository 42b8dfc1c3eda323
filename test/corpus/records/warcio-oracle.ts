import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { WARCParser } from 'warcio';

export interface ReadBack {
  readonly type: string;
  readonly id: string;
  readonly concurrentTo: string | null;
  readonly fields: ReadonlyMap<string, string>;
  readonly httpStatus: string | null;
  readonly httpHeaders: ReadonlyMap<string, string>;
  readonly payload: Uint8Array;
}

/** A WARC file as another implementation reads it, every digest recomputed. */
export async function readBack(path: string): Promise<ReadBack[]> {
  const heads = new Map<string, ReadBack>();
  const digests = new Map<string, string>();
  for await (const record of new WARCParser(createReadStream(path), { parseHttp: true })) {
    const fields = new Map([...record.warcHeaders.headers].map(([name, value]) => [name.toLowerCase(), value]));
    const payload = await record.readFully(false);
    const id = bare(fields.get('warc-record-id'));
    const declared = fields.get('warc-payload-digest');
    // Of a revisit record the payload is that of the record it refers to (ISO 28500:2017 §6.7.2).
    const own = record.warcType === 'revisit' ? digests.get(bare(fields.get('warc-refers-to'))) : sha1(payload);
    digests.set(id, own ?? '');
    if (declared !== undefined && own !== undefined && declared !== own) throw new Error(`${id}: payload digest ${declared}, not ${own}`);
    heads.set(id, {
      type: String(record.warcType),
      id,
      concurrentTo: fields.has('warc-concurrent-to') ? bare(fields.get('warc-concurrent-to')) : null,
      fields,
      httpStatus: record.httpHeaders?.statusline ?? null,
      httpHeaders: new Map([...(record.httpHeaders?.headers ?? [])].map(([name, value]) => [name.toLowerCase(), value])),
      payload,
    });
  }
  await checkBlocks(path);
  return [...heads.values()];
}

/** A second reading without HTTP parsing, where the content is the whole block. */
async function checkBlocks(path: string): Promise<void> {
  for await (const record of new WARCParser(createReadStream(path), { parseHttp: false })) {
    const block = await record.readFully(false);
    const declared = record.warcHeader('WARC-Block-Digest');
    if (declared !== sha1(block)) throw new Error(`block digest ${declared}, not ${sha1(block)}`);
    if (record.warcHeader('Content-Length') !== String(block.length)) throw new Error('Content-Length is not that of the block');
  }
}

function bare(id: string | undefined): string {
  return id?.replace(/^<|>$/g, '') ?? '';
}

/** By way of bit strings, to share nothing with the code under test. */
function sha1(bytes: Uint8Array): string {
  const bits = [...createHash('sha1').update(bytes).digest()].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return `sha1:${(bits.match(/.{5}/g) ?? []).map((group) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(group, 2)]).join('')}`;
}
