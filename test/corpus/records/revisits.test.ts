/** Pages that are as they were: their revisit records, and what is found of the responses they refer to. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DataError } from '../../../src/base/core/errors.ts';
import type { RecordId } from '../../../src/base/core/types.ts';
import { FileCorpusWriter } from '../../../src/corpus/records/corpus-writer.ts';
import { readRecords } from '../../../src/corpus/records/records.ts';
import { KeptResponses, storedResponses } from '../../../src/corpus/records/stored-responses.ts';
import { appendRendered, appScript, renderedOf } from './rendered-samples.ts';
import { collected, freshDir, INFO, pageOf, recordOf, T0 } from './samples.ts';
import { readBack } from './warcio-oracle.ts';

const URL = 'http://orchard.example/graft?a=b';
const FIRST = pageOf(URL, '<p>scion', {
  rawHeaders: [
    ['Content-Type', 'text/html'],
    ['ETag', '"1"'],
    ['Last-Modified', 'Mon, 06 May 2024 07:08:09 GMT'],
  ],
});
const AGAIN = T0 + 86_400_000;
const NOT_MODIFIED = pageOf(URL, '', {
  status: 304,
  statusText: 'Not Modified',
  rawHeaders: [
    ['ETag', 'W/"2"'],
    ['Content-Length', '8'],
  ],
  requestHeaders: [
    ['host', 'orchard.example'],
    ['if-none-match', '"1"'],
    ['authorization', 'Basic eDp5'],
  ],
  startedAt: AGAIN,
  endedAt: AGAIN + 5,
});
const SAME = pageOf(URL, '<p>scion', { startedAt: AGAIN, endedAt: AGAIN + 5, truncated: true });

async function written() {
  const dir = freshDir();
  const writer = await FileCorpusWriter.open(dir, null, INFO);
  const record = recordOf(FIRST);
  writer.append({ kind: 'page', record: record, page: FIRST });
  const other = recordOf(pageOf('http://orchard.example/other', 'x'));
  writer.append({ kind: 'page', record: other, page: pageOf('http://orchard.example/other', 'x') });
  await writer.flush();
  const offsets = writer.offsets();
  const stored = await storedResponses(dir, offsets, new Set([record.id]));
  return { dir, writer, record, other, offsets, stored };
}

test('what is found of a response: validators, the date it came and its digest; of those that are wanted', async () => {
  const { dir, writer, record, stored, offsets } = await written();
  await writer.close();
  const [, response] = await readBack(join(dir, 'forager-00000.warc.gz'));
  expect([...stored]).toEqual([
    [
      record.id,
      {
        etag: '"1"',
        lastModified: 'Mon, 06 May 2024 07:08:09 GMT',
        date: response?.fields.get('warc-date'),
        payloadDigest: response?.fields.get('warc-payload-digest'),
      },
    ],
  ]);
  expect((await storedResponses(dir, offsets, new Set(['urn:uuid:none' as RecordId]))).size).toBe(0);
  expect((await storedResponses(dir, offsets, new Set([record.id]), AbortSignal.abort())).size).toBe(0);
  await expect(storedResponses(freshDir(), offsets, new Set([record.id]))).rejects.toThrow(DataError);
});

test.each([
  ['server-not-modified', NOT_MODIFIED, 'HTTP/1.1 304 Not Modified'],
  ['identical-payload-digest', SAME, 'HTTP/1.1 200 OK'],
] as const)(
  '%s: a revisit record with the header that came and the request, read back by another implementation',
  async (profile, page, status) => {
    const { dir, writer, record, stored } = await written();
    const found = stored.get(record.id) ?? null;
    writer.append({ kind: 'revisit', record: { profile, of: record.id, stored: found }, page });
    await writer.close();
    const [revisit, request] = (await readBack(join(dir, 'forager-00000.warc.gz'))).slice(-2);
    const field = (name: string) => revisit?.fields.get(name);
    expect([revisit?.type, field('warc-profile')]).toEqual(['revisit', `http://netpreserve.org/warc/1.1/revisit/${profile}`]);
    expect([field('warc-refers-to'), field('warc-refers-to-target-uri'), field('warc-refers-to-date')]).toEqual([
      `<${record.id}>`,
      URL,
      found?.date,
    ]);
    expect([field('warc-date'), field('warc-target-uri')]).toEqual([new Date(AGAIN).toISOString(), URL]);
    expect(field('warc-payload-digest')).toBe(profile === 'identical-payload-digest' ? found?.payloadDigest : undefined);
    expect([revisit?.httpStatus, revisit?.payload.length]).toEqual([status, 0]);
    expect([request?.type, request?.concurrentTo, request?.httpStatus]).toEqual(['request', revisit?.id, 'GET /graft?a=b HTTP/1.1']);
    expect(revisit?.id).not.toBe(record.id);
    expect(await collected(readRecords(dir))).toHaveLength(2);
    if (profile === 'server-not-modified')
      expect([request?.httpHeaders.get('if-none-match'), request?.httpHeaders.get('authorization')]).toEqual(['"1"', '[redacted]']);
  },
);

test('later answers bring later validators; what is not committed does not count', async () => {
  const { dir, writer, record, other, stored } = await written();
  writer.append({
    kind: 'revisit',
    record: { profile: 'server-not-modified', of: record.id, stored: stored.get(record.id) ?? null },
    page: NOT_MODIFIED,
  });
  writer.append({
    kind: 'revisit',
    record: { profile: 'identical-payload-digest', of: other.id, stored: null },
    page: pageOf(other.url, 'x'),
  });
  const committed = writer.offsets();
  writer.append({
    kind: 'revisit',
    record: { profile: 'server-not-modified', of: record.id, stored: null },
    page: pageOf(URL, '', { status: 304, rawHeaders: [['ETag', '"3"']] }),
  });
  await writer.close();
  const found = await storedResponses(dir, committed, new Set([record.id]));
  expect(found.get(record.id)).toEqual({ ...stored.get(record.id), etag: 'W/"2"' });
  const reopened = await FileCorpusWriter.open(dir, { number: 0, offsets: committed }, INFO);
  await reopened.close();
  expect((await readBack(join(dir, 'forager-00000.warc.gz'))).filter(({ type }) => type === 'revisit')).toHaveLength(2);
});

test('responses that a run learns are those that the next one finds, and a version that another replaced is forgotten', async () => {
  const { dir, writer, record, stored } = await written();
  const kept = new KeptResponses(stored);
  const confirmed = {
    kind: 'revisit',
    record: { profile: 'server-not-modified', of: record.id, stored: null },
    page: NOT_MODIFIED,
  } as const;
  writer.append(confirmed);
  kept.learn(confirmed, record.id);
  const changed = pageOf(URL, '<p>stock', { startedAt: AGAIN + 9, rawHeaders: [['ETag', '"3"']] });
  const next = recordOf(changed);
  const rendered = renderedOf('apple', 'Apples keep till May.', appScript());
  expect(kept.get(record.id)).toMatchObject({ etag: 'W/"2"', lastModified: 'Mon, 06 May 2024 07:08:09 GMT' });
  writer.append({ kind: 'page', record: next, page: changed });
  kept.learn({ kind: 'page', record: next, page: changed }, record.id);
  appendRendered(writer, [rendered]);
  kept.learn({ kind: 'page', ...rendered });
  await writer.close();
  const found = await storedResponses(dir, writer.offsets(), new Set([next.id, rendered.record.id]));
  for (const id of [next.id, rendered.record.id]) expect(kept.get(id)).toEqual(found.get(id));
  expect([kept.has(record.id), kept.has(next.id)]).toEqual([false, true]);
});
