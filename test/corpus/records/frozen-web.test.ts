import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DataError } from '../../../src/base/core/errors.ts';
import type { FrozenVisit } from '../../../src/base/core/frozen-visit.ts';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { FrozenFile } from '../../../src/corpus/records/frozen-file.ts';
import { frozenHeader, frozenMember } from '../../../src/corpus/records/frozen-page.ts';
import { FrozenWeb } from '../../../src/corpus/records/frozen-web.ts';
import { runs } from '../../support/extent.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { freshDir } from './samples.ts';

const MIB = 1024 * 1024;

const HEADER = { software: 'forager/test', extractor: 'block' };

/** Any UTF-16 units: control characters, half surrogates, line separators. */
const odd = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 }).map((units) => String.fromCharCode(...units));
const words = fc.oneof(
  odd,
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('', '\n', '"\\', '\u2028', '\ud800', '__proto__'),
);
const status = fc.option(fc.integer({ min: 100, max: 599 }));
const link = fc.record({
  url: words as fc.Arbitrary<CanonicalUrl>,
  text: fc.record({
    anchorText: words,
    context: words,
    imageAlt: words,
    zone: fc.constantFrom('content' as const, 'navigation' as const, 'footer' as const, 'other' as const),
    tagPath: words,
  }),
});
const content = fc.record(
  {
    payloadSha256: words,
    title: words,
    text: words,
    otherText: words,
    lang: fc.option(words),
    noindex: fc.boolean(),
    links: fc.array(link, { maxLength: 5 }),
  },
  { requiredKeys: ['payloadSha256', 'title', 'text', 'lang', 'noindex', 'links'] },
);
const visitAt = (url: CanonicalUrl): fc.Arbitrary<FrozenVisit> =>
  fc.oneof(
    fc.record({ url: fc.constant(url), status, kind: fc.constant('page' as const), content }),
    fc.record({ url: fc.constant(url), status, kind: fc.constant('redirect' as const), to: words as fc.Arbitrary<CanonicalUrl> }),
    fc.record({
      url: fc.constant(url),
      status,
      kind: fc.constant('refused' as const),
      reason: fc.constantFrom('robots' as const, 'scope' as const),
    }),
    fc.record({
      url: fc.constant(url),
      status,
      kind: fc.constant('failed' as const),
      code: fc.constantFrom('dns' as const, 'http-4xx' as const),
    }),
  );
const visits = fc
  .uniqueArray(words as fc.Arbitrary<CanonicalUrl>, { minLength: 1, maxLength: 6 })
  .chain((urls) => fc.tuple(...urls.map(visitAt)));

function write(path: string, all: readonly FrozenVisit[]): string {
  const file = FrozenFile.create(path, HEADER);
  for (const visit of all) file.add(visit);
  file.finish();
  return path;
}

async function read(path: string): Promise<FrozenVisit[]> {
  const web = await FrozenWeb.open(path);
  try {
    return web.urls.map((url) => web.visit(web.indexOf(url)));
  } finally {
    web.close();
  }
}

const page = (url: string, text = 'a text'): FrozenVisit => ({
  url: url as CanonicalUrl,
  status: 200,
  kind: 'page',
  content: { payloadSha256: 'aa', title: 'a title', text, lang: null, noindex: false, links: [] },
});

test('what was written is read, whatever characters it has', async () => {
  const path = join(freshDir(), 'web.jsonl.gz');
  await fc.assert(
    fc.asyncProperty(visits, async (all) => {
      expect(await read(write(path, all))).toEqual(all);
    }),
    { numRuns: runs(200) },
  );
});

test('it says what wrote it, how many pages it has, and where a URL is', async () => {
  const path = write(join(freshDir(), 'web.jsonl.gz'), [
    page('http://a.test/'),
    { url: 'http://b.test/' as CanonicalUrl, status: 404, kind: 'failed', code: 'http-4xx' },
  ]);
  const web = await FrozenWeb.open(path);
  expect([web.header, web.size, web.pages]).toEqual([{ ...HEADER, visits: 2 }, 2, 1]);
  expect([web.indexOf('http://b.test/'), web.indexOf('http://c.test/')]).toEqual([1, -1]);
  web.close();
});

test('members copied from one file to another are the same visits', async () => {
  const dir = freshDir();
  const all = [page('http://a.test/'), page('http://b.test/', 'other')];
  const web = await FrozenWeb.open(write(join(dir, 'one.jsonl.gz'), all));
  const copy = FrozenFile.create(join(dir, 'two.jsonl.gz'), HEADER);
  for (const [i] of web.urls.entries()) copy.copy(web.member(i));
  copy.finish();
  web.close();
  expect(await read(join(dir, 'two.jsonl.gz'))).toEqual(all);
});

test('of two visits to a URL the later counts', async () => {
  const path = write(join(freshDir(), 'web.jsonl.gz'), [
    page('http://a.test/', 'old'),
    page('http://b.test/'),
    page('http://a.test/', 'new'),
  ]);
  expect(await read(path)).toEqual([page('http://a.test/', 'new'), page('http://b.test/')]);
});

test('only as much counts as is said to', async () => {
  const path = join(freshDir(), 'web.jsonl.gz');
  const first = Buffer.concat([frozenHeader(HEADER), frozenMember(page('http://a.test/'))]);
  writeFileSync(path, Buffer.concat([first, frozenMember(page('http://b.test/'))]));
  const web = await FrozenWeb.open(path, first.length);
  expect(web.urls).toEqual(['http://a.test/']);
  web.close();
});

test('a file that was abandoned leaves nothing, and what was there as it was', () => {
  const path = join(freshDir(), 'web.jsonl.gz');
  writeFileSync(path, 'before');
  const file = FrozenFile.create(path, HEADER);
  file.add(page('http://a.test/'));
  file.abandon();
  expect([readFileSync(path, 'utf8'), existsSync(`${path}.tmp`)]).toEqual(['before', false]);
});

test('a file has its name only when it is finished', () => {
  const path = join(freshDir(), 'web.jsonl.gz');
  const file = FrozenFile.create(path, HEADER);
  for (let i = 0; i < 2000; i++) file.add(page(`http://a.test/${i}`, String(i).repeat(400)));
  expect(existsSync(path)).toBe(false);
  file.finish();
  file.abandon();
  expect([existsSync(path), existsSync(`${path}.tmp`)]).toEqual([true, false]);
});

test('of what is written no more than a megabyte is held in memory', () => {
  const path = join(freshDir(), 'web.jsonl.gz');
  const file = FrozenFile.create(path, HEADER);
  let written = frozenHeader(HEADER).length;
  for (let i = 0; i < 40; i++) {
    const visit = page(`http://a.test/${i}`, randomBytes(75_000).toString('base64'));
    file.add(visit);
    written += frozenMember(visit).length;
    expect(written - statSync(`${path}.tmp`).size).toBeLessThan(MIB);
  }
  file.finish();
  expect(statSync(path).size).toBe(written);
});

test('cut anywhere, between two visits too, or with any byte changed, it is damaged or the same', async () => {
  const dir = freshDir();
  const all = [page('http://a.test/'), page('http://b.test/', 'other')];
  const whole = readFileSync(write(join(dir, 'web.jsonl.gz'), all));
  const afterHeader = frozenHeader(HEADER).length;
  const afterFirst = afterHeader + frozenMember(page('http://a.test/')).length;
  const path = join(dir, 'broken.jsonl.gz');
  const outcome = () => read(path).catch((error: unknown) => (error instanceof DataError ? 'damaged' : error));
  for (const length of [afterHeader, afterFirst, ...Array.from({ length: whole.length / 7 }, (_, i) => 7 * i + 1)]) {
    writeFileSync(path, whole.subarray(0, length));
    expect([length, await outcome()]).toEqual([length, 'damaged']);
  }
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: whole.length - 1 }), fc.integer({ min: 1, max: 255 }), async (at, by) => {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ by;
      writeFileSync(path, bytes);
      const read = await outcome();
      if (read !== 'damaged') expect(read).toEqual(all);
    }),
    { numRuns: runs(300) },
  );
});

const three = ['http://a.test/', 'http://b.test/', 'http://c.test/'].map((url) => page(url));
const members = three.map(frozenMember);

test.each<[string, readonly Buffer[], number]>([
  ['one from the middle', [members[0], members[2]].flatMap((one) => one ?? []), 2],
  ['the first', members.slice(1), 2],
  ['all but one', members.slice(0, 1), 1],
  ['none, and one stands twice', [...members, ...members.slice(0, 1)], 4],
])('a frozen web that lost visits is damaged: %s', async (_name, left, visits) => {
  const path = join(freshDir(), 'web.jsonl.gz');
  const header = readFileSync(write(path, three)).subarray(0, frozenHeader(HEADER).length);
  writeFileSync(path, Buffer.concat([header, ...left]));
  await expect(FrozenWeb.open(path)).rejects.toThrow(
    `${path}: damaged: has ${visits} visits where 3 were written; take it from a whole copy`,
  );
});

test('the header without a number, as in a recording or in a file of 0.2, is as long, and asks for none', async () => {
  const path = join(freshDir(), 'web.jsonl.gz');
  expect(frozenHeader({ ...HEADER, visits: 123_456_789 }).length).toBe(frozenHeader(HEADER).length);
  for (const header of [frozenHeader(HEADER), gzipSync(`${JSON.stringify({ header: 'forager-frozen-web', format: 1, ...HEADER })}\n`)]) {
    writeFileSync(path, Buffer.concat([header, ...members.slice(0, 2)]));
    expect(await read(path)).toEqual(three.slice(0, 2));
  }
});

test.each<[string, Buffer, string]>([
  ['nothing', Buffer.alloc(0), 'holds no page'],
  ['a header alone', frozenHeader(HEADER), 'holds no page'],
  ['plain text', Buffer.from('url,on_topic\n'), 'is not a frozen web; make one with: npx forager freeze'],
  ['gzip of something else', gzipSync('{"a":1}\n'), 'is not a frozen web'],
  ['gzip of no JSON', gzipSync('{"a"'), 'is not a frozen web'],
  [
    'another format',
    gzipSync('{"header":"forager-frozen-web","format":2,"software":"forager/9"}\n'),
    'is a frozen web of format 2, this program reads 1; freeze the crawl again (forager/9 wrote it)',
  ],
  [
    'a line that is no visit',
    Buffer.concat([frozenHeader(HEADER), gzipSync('{"url":"http://a.test/","kind":"page"}\n')]),
    'damaged at byte',
  ],
  ['a line of no JSON', Buffer.concat([frozenHeader(HEADER), gzipSync('{\n')]), 'damaged at byte'],
])('%s is told', async (_, bytes, message) => {
  const path = join(freshDir(), 'web.jsonl.gz');
  writeFileSync(path, bytes);
  const error = await FrozenWeb.open(path).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DataError);
  expect(error).toMatchObject({ message: expect.stringContaining(`${path}: ${message}`) });
  expect(error).toMatchObject({ message: expect.stringMatching(/^[^\n]+$/) });
});

/** A member whose line is as long as that, for all its blanks. */
function longMember(url: string, length: number): Buffer {
  const visit = `{"url":"${url}","status":404,"kind":"failed","code":"http-4xx"`;
  const bytes = Buffer.alloc(length, ' ');
  bytes.write(visit);
  bytes.write('}\n', length - 2);
  return gzipSync(bytes, { level: 1 });
}

wholeTest('a line of 64 MB is a visit, one of a byte more is told; several together may be longer', async () => {
  const path = join(freshDir(), 'web.jsonl.gz');
  const header = frozenHeader(HEADER);
  writeFileSync(path, Buffer.concat([header, longMember('http://a.test/', 64 * MIB), longMember('http://b.test/', MIB)]));
  const web = await FrozenWeb.open(path);
  const visits = [web.visit(0), web.visit(1)];
  web.close();
  expect(visits.map(({ url }) => url)).toEqual(['http://a.test/', 'http://b.test/']);
  writeFileSync(path, Buffer.concat([header, longMember('http://a.test/', 64 * MIB + 1)]));
  await expect(FrozenWeb.open(path)).rejects.toThrow(`the line at byte ${header.length} is over ${64 * MIB} bytes`);
});

test('a file that is not there is told, and one that changed after it was opened', async () => {
  const dir = freshDir();
  await expect(FrozenWeb.open(join(dir, 'none'))).rejects.toBeInstanceOf(DataError);
  const path = write(join(dir, 'web.jsonl.gz'), [page('http://a.test/'), page('http://b.test/')]);
  const web = await FrozenWeb.open(path);
  truncateSync(path, 100);
  expect(() => web.visit(1)).toThrow(/cannot be read at byte \d+ .*it was whole when it was opened/);
  expect(() => web.member(1)).toThrow(DataError);
  web.close();
});
