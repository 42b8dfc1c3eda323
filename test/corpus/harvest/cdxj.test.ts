/** The index of WARC files, against warcio's. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getSurt } from 'warcio';
import { surt } from '../../../src/base/web/surt.ts';
import { cdxjLine } from '../../../src/corpus/records/cdxj.ts';
import { walkWarc } from '../../../src/corpus/records/warc-stream.ts';
import { runs } from '../../support/extent.ts';
import { collected } from '../records/samples.ts';
import { readBack } from '../records/warcio-oracle.ts';
import { harvestOf, run, type SamplePage, sampleCrawl } from './harvest-samples.ts';

const PAGES: readonly SamplePage[] = Array.from({ length: 30 }, (_, i) => ({
  url: `http${i % 3 === 0 ? 's' : ''}://${['www.', 'WWW2.', 'sub.', ''][i % 4]?.toLowerCase()}host-${i % 5}.example${i % 7 === 0 ? ':8080' : ''}/Päge/${i}?z=${i}&a=%20B`,
  html: `<p>page ${i}</p>${'text '.repeat(i * 20)}`,
  gzip: i % 4 === 1,
  again: ([[], ['server-not-modified'], ['identical-payload-digest', 'server-not-modified']] as const)[i % 3] ?? [],
})).map(({ url, ...rest }) => ({ ...rest, url: new URL(url).href }));

/** Of all files, sorted by bytes; digests without their prefix, which warcio takes off. */
async function warcioIndex(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.warc.gz')).map((name) => join(folder, name));
  const cli = join(import.meta.dirname, '../../../node_modules/warcio/dist/cli.js');
  const { stdout } = await run('node', [cli, 'cdx-index', ...names], { maxBuffer: 1e8 });
  return sorted(stdout.trimEnd().split('\n'));
}

function sorted(lines: readonly string[]): string[] {
  return lines.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

test('corpus.cdxj is the index that warcio makes of the files, line by line, with revisits', async () => {
  const out = await harvestOf(await sampleCrawl(PAGES), { formats: ['warc'], maxWarcBytes: 8000 });
  const own = (await readFile(join(out, 'corpus.cdxj'), 'utf8')).trimEnd().split('\n');
  expect(own).toEqual(sorted(own));
  expect(own.map((line) => line.replace('"digest":"sha1:', '"digest":"'))).toEqual(await warcioIndex(out));
  expect(own).toHaveLength(60);
  expect(own.filter((line) => line.includes('"mime":"warc/revisit"'))).toHaveLength(30);
  expect(new Set(own.map((line) => /"filename":"([^"]+)"/.exec(line)?.[1])).size).toBeGreaterThan(3);
});

test('revisits are copied with their requests, for selected pages only, and each refers to a warcinfo record of its file', async () => {
  const made = await sampleCrawl(PAGES.map((page, i) => ({ ...page, record: { relevance: i < 10 ? 0.9 : 0.2 } })));
  const out = await harvestOf(made, { formats: ['warc'], minRelevance: 0.5, maxWarcBytes: 6000 });
  const names = (await readdir(out)).filter((name) => name.endsWith('.warc.gz'));
  const files = await Promise.all(names.map((name) => readBack(join(out, name))));
  const kept = made.records.slice(0, 10).map(({ id }) => id);
  const revisits = files.flat().filter(({ type }) => type === 'revisit');
  expect(revisits).toHaveLength(9);
  for (const { id, fields } of revisits) {
    expect(kept).toContain(fields.get('warc-refers-to')?.slice(1, -1));
    expect(files.flat().filter(({ type, concurrentTo }) => type === 'request' && concurrentTo === id)).toHaveLength(1);
  }
  for (const records of files) {
    const infos = records.flatMap(({ type, id }) => (type === 'warcinfo' ? [`<${id}>`] : []));
    for (const { type, fields } of records) if (type !== 'warcinfo') expect(infos).toContain(fields.get('warc-warcinfo-id'));
  }
});

test('the key of a URL is that of warcio', () => {
  const urls = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.string({ unit: 'binary' }),
    fc.string().map((text) => `HTTP://www12.${text}`),
    fc
      .tuple(fc.constantFrom('http://www.', 'https://WWW9.', 'ftp://', 'https://'), fc.domain(), fc.nat(70_000), fc.string())
      .map(([scheme, host, port, rest]) => `${scheme}${host}:${port}/${rest}?b=2&a=${rest}&a`),
  );
  fc.assert(
    fc.property(urls, (url) => {
      expect(surt(url)).toBe(getSurt(url));
    }),
    { numRuns: runs(2000) },
  );
});

test('a record without an HTTP head has a line without mime type and status', () => {
  const fields = new Map([
    ['warc-type', 'response'],
    ['warc-target-uri', 'http://a.example/'],
    ['warc-date', '2024-05-06T07:08:09.010Z'],
  ]);
  const place = { fields, offset: 5, length: 7, filename: 'a.warc.gz' };
  const line = 'example,a)/ 20240506070809 {"url":"http://a.example/","length":"7","offset":"5","filename":"a.warc.gz"}';
  expect(cdxjLine({ ...place, content: null })).toBe(line);
  expect(cdxjLine({ ...place, content: Buffer.from('no HTTP') })).toBe(line);
});

test('the head alone of a record is read on request', async () => {
  const { dir } = await sampleCrawl([{ url: 'http://a.example/', html: 'x'.repeat(100_000) }]);
  const path = join(dir, 'forager-00000.warc.gz');
  const [, some] = await collected(walkWarc(path, () => 20));
  const [, all] = await collected(walkWarc(path, () => true));
  const [, none] = await collected(walkWarc(path, () => 0));
  expect(some?.content).toEqual(all?.content?.subarray(0, 20));
  expect(all?.content?.length).toBe(all?.length);
  expect(none?.content).toBeNull();
  expect(some?.end).toBe(all?.end);
});
