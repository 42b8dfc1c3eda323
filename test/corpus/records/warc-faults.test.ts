/** Records of a WARC file, held against the digests that they have of themselves. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { FetchedPage } from '../../../src/base/core/types.ts';
import { examinedWarc } from '../../../src/corpus/records/warc-faults.ts';
import { newRecordId, pageMembers, sha1Base32 } from '../../../src/corpus/records/warc-record.ts';
import { collected, freshDir, pageOf, recordOf } from './samples.ts';

const URL = 'http://orchard.example/';
const PAGE = pageOf(URL, 'about apples');
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** @param change of the text of the response's record, as latin1 */
async function examined(page: FetchedPage, change: (text: string) => string = (text) => text) {
  const record = recordOf(page);
  const { response, request, metadata } = pageMembers(record, page, newRecordId());
  const changed = gzipSync(Buffer.from(change(gunzipSync(response).toString('latin1')), 'latin1'));
  const path = join(freshDir(), 'one.warc.gz');
  const bytes = Buffer.concat([changed, request, metadata]);
  writeFileSync(path, bytes);
  return { path, id: record.id, records: await collected(examinedWarc(path, bytes.length)), bytes };
}

const fine = { response: null, fault: null };

test('a response is known by its id and its URL, and by the hash of its body as it was read', async () => {
  const { id, records } = await examined(PAGE);
  expect(records).toEqual([{ response: { id, url: URL, payloadSha256: sha256('about apples') }, fault: null }, fine, fine]);
});

test.each<[string, Partial<FetchedPage>, string | null]>([
  ['packed', { rawHeaders: [['Content-Encoding', 'br']], wireBody: brotliCompressSync('about apples') }, sha256('about apples')],
  ['cut when it was fetched', { truncated: true }, null],
  [
    'under the name of no coding',
    { rawHeaders: [['Content-Encoding', 'no-such-coding']], wireBody: Buffer.from('plums') },
    sha256('plums'),
  ],
  ['in a coding that nobody knows', { rawHeaders: [['Content-Encoding', 'zstd']], wireBody: Buffer.from('28b52ffd04', 'hex') }, null],
])('a body %s', async (_, over, payloadSha256) => {
  const { id, records } = await examined({ ...PAGE, ...over });
  expect(records[0]).toEqual({ response: { id, url: URL, payloadSha256 }, fault: null });
});

/** The record with another block, and the digest that fits it. */
function withBlock(text: string, block: (block: string) => string): string {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const was = rest.join('\r\n\r\n').replace(/\r\n\r\n$/, '');
  const now = block(was);
  const digest = sha1Base32([Buffer.from(now, 'latin1')]);
  const fields = head
    .replace(/WARC-Block-Digest: .*/, `WARC-Block-Digest: ${digest}`)
    .replace(/Content-Length: \d+/, `Content-Length: ${now.length}`);
  return `${fields}\r\n\r\n${now}\r\n\r\n`;
}

test.each<[string, (text: string) => string, string]>([
  ['another letter in the body', (text) => text.replace('apples', 'applez'), 'its block does not match its digest'],
  ['another header', (text) => text.replace('text/html', 'text/htmx'), 'its block does not match its digest'],
  ['no digest of the block', (text) => text.replace(/WARC-Block-Digest: .*\r\n/, ''), 'its block does not match its digest'],
  [
    'another body, with the digest of its block',
    (text) => withBlock(text, (block) => block.replace('apples', 'pears!')),
    'its payload does not match its digest',
  ],
  ['no digest of the payload', (text) => text.replace(/WARC-Payload-Digest: .*\r\n/, ''), 'its payload does not match its digest'],
  ['a block that is no answer', (text) => withBlock(text, () => 'about apples'), 'it is not an HTTP response'],
])('a record with %s is told by its place and its id, and is no response', async (_, change, why) => {
  const { path, id, records } = await examined(PAGE, change);
  expect(records).toEqual([
    { response: null, fault: `${path}: damaged at byte 0 (${why}; record ${id}); restore the file from a copy` },
    fine,
    fine,
  ]);
});

test('what is no record is told where it stands among the others', async () => {
  const { path, bytes } = await examined(PAGE);
  const faults = async (at: number) => {
    writeFileSync(path, Buffer.concat([bytes.subarray(0, at), Buffer.alloc(50), bytes.subarray(at)]));
    return (await collected(examinedWarc(path, bytes.length + 50))).map(({ fault }) => fault);
  };
  const told = expect.stringContaining(`${path}: damaged at byte`);
  expect(await faults(0)).toEqual([told, null, null, null]);
  expect(await faults(bytes.length)).toEqual([null, null, null, told]);
});
