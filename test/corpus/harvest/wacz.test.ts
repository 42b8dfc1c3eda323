/** corpus.wacz: its parts, hashes and index. ReplayWeb.page opens it in wacz-replay.test.ts. */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { WarcPass } from '../../../src/corpus/formats/harvest-warc.ts';
import { wacz } from '../../../src/corpus/formats/wacz.ts';
import { claimHarvestFolder } from '../../../src/corpus/harvest/harvest-output.ts';
import { CrawlSource } from '../../../src/corpus/select/crawl-source.ts';
import { sample } from '../../support/extent.ts';
import { freshDir, INFO, T0 } from '../records/samples.ts';
import { CRAWL_FACTS, harvestOf, has, run, type SamplePage, sampleCrawl } from './harvest-samples.ts';

const HAS_PYTHON = await has('python3', '--version');
if (!HAS_PYTHON) console.log('Tests of corpus.wacz are left out: no python3 to unpack it');

const PAGES: readonly SamplePage[] = Array.from({ length: 12 }, (_, i) => ({
  url: `http://host-${i % 3}.example/${i}`,
  html: `<title>Page ${i}</title><p>text ${i}`,
  record: { title: `Page “${i}” <&>`, text: `text ${i}`, relevance: i === 5 ? 0.1 : 0.9 },
  again: i === 3 ? ['server-not-modified', 'identical-payload-digest'] : [],
}));

/** The unpacked file, each entry by its name; Python tests all checksums. */
async function unpacked(out: string): Promise<Map<string, Buffer>> {
  const path = join(out, 'corpus.wacz');
  await run('python3', ['-m', 'zipfile', '-t', path]);
  const dir = freshDir();
  await run('python3', ['-m', 'zipfile', '-e', path, dir]);
  const names = (await readdir(dir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  return new Map(
    await Promise.all(
      names.map(async ({ parentPath, name }) => {
        const file = join(parentPath, name);
        return [file.slice(dir.length + 1), await readFile(file)] as const;
      }),
    ),
  );
}

const hash = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

interface DataPackage {
  readonly profile: string;
  readonly wacz_version: string;
  readonly title: string;
  readonly software: string;
  readonly created: string;
  readonly resources: readonly { readonly name: string; readonly path: string; readonly hash: string; readonly bytes: number }[];
}

test.skipIf(!HAS_PYTHON)(
  'WARC files, index and pages, each with its true hash and size in the package, and the package in its digest',
  async () => {
    const out = await harvestOf(await sampleCrawl(PAGES), { formats: ['warc', 'wacz'], minRelevance: 0.5, maxWarcBytes: 4000 });
    const files = await unpacked(out);
    const data = JSON.parse(String(files.get('datapackage.json'))) as DataPackage;
    expect(data).toMatchObject({
      profile: 'data-package',
      wacz_version: '1.1.1',
      title: CRAWL_FACTS.topicName,
      software: CRAWL_FACTS.software,
    });
    expect(data.created).toBe(new Date(T0 + 30 * 86_400_000).toISOString());
    const listed = data.resources.map(({ path }) => path);
    expect([...files.keys()].sort()).toEqual([...listed, 'datapackage.json', 'datapackage-digest.json'].sort());
    for (const { path, hash: sum, bytes } of data.resources) {
      const content = files.get(path);
      expect([hash(content ?? Buffer.alloc(0)), content?.length], path).toEqual([sum, bytes]);
    }
    const digest: unknown = JSON.parse(String(files.get('datapackage-digest.json')));
    expect(digest).toEqual({ path: 'datapackage.json', hash: hash(files.get('datapackage.json') ?? Buffer.alloc(0)) });
    // The same files stand beside it.
    const warcs = listed.filter((path) => path.startsWith('archive/'));
    expect(warcs.length).toBeGreaterThan(2);
    for (const path of warcs) expect(files.get(path)).toEqual(await readFile(join(out, path.slice('archive/'.length))));
    // An answer 304 would hide the page that it confirms.
    const cdxj = (await readFile(join(out, 'corpus.cdxj'), 'utf8')).split('\n');
    expect(cdxj.filter((line) => line.includes('"mime":"warc/revisit"'))).toHaveLength(2);
    expect(String(files.get('indexes/index.cdx')).split('\n')).toEqual(cdxj.filter((line) => !line.includes('"status":"304"')));
    expect((await readdir(out)).filter((name) => name.startsWith('.'))).toEqual([]);
  },
);

test.skipIf(!HAS_PYTHON).each(sample([true, false], [0]))('the list of pages, with texts on request (%s)', async (waczText) => {
  const made = await sampleCrawl(PAGES);
  const out = await harvestOf(made, { formats: ['wacz'], minRelevance: 0.5, waczText });
  const [head, ...pages] = String((await unpacked(out)).get('pages/pages.jsonl'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(head).toEqual({ format: 'json-pages-1.0', id: 'pages', title: 'All Pages', hasText: waczText });
  const kept = made.records.filter(({ relevance }) => relevance > 0.5);
  expect(pages).toEqual(kept.map(({ id, url, fetchedAt, title, text }) => ({ id, url, ts: fetchedAt, title, ...(waczText && { text }) })));
  expect((await readdir(out)).sort()).toEqual(
    expect.arrayContaining(['corpus-card.json', 'corpus-card.md', 'corpus.wacz', 'left-out.jsonl']),
  );
});

test.skipIf(!HAS_PYTHON)('a page whose WARC record is lost is not in the list of pages, and counts once', async () => {
  const made = await sampleCrawl(PAGES, 1);
  const lost = made.records[2];
  const names = (await readdir(made.dir)).filter((name) => name.endsWith('.gz')).sort();
  await run('rm', [join(made.dir, names[2] ?? '')]);
  await expect(harvestOf(made, { formats: ['wacz'] })).rejects.toThrow(/1 of 12 pages have no WARC record/);
  await expect(stat(join(made.dir, '../harvest'))).rejects.toThrow('ENOENT');
  const told: string[] = [];
  const out = await harvestOf(made, { formats: ['warc', 'wacz'], onDamaged: (message) => told.push(message) });
  const files = await unpacked(out);
  expect(String(files.get('pages/pages.jsonl'))).not.toContain(lost?.id);
  expect(String(files.get('pages/pages.jsonl')).split('\n')).toHaveLength(1 + 11 + 1);
  const card = JSON.parse(await readFile(join(out, 'corpus-card.json'), 'utf8')) as { damaged: unknown };
  expect(card.damaged).toEqual({ records: 0, warc: 1 });
  expect(told).toHaveLength(1);
});

test.skipIf(!HAS_PYTHON)('a harvest of no page is a WACZ file too', async () => {
  const files = await unpacked(await harvestOf(await sampleCrawl(PAGES), { formats: ['wacz'], minRelevance: 1 }));
  expect(String(files.get('pages/pages.jsonl')).trimEnd().split('\n')).toHaveLength(1);
  expect(files.get('indexes/index.cdx')?.length).toBe(0);
  expect([...files.keys()]).toContain('archive/corpus-00000.warc.gz');
});

test.skipIf(!HAS_PYTHON)('an index above 10,000 lines is in blocks, each found by its first line in index.idx', async () => {
  const { dir } = await sampleCrawl([]);
  const source = await CrawlSource.open({ corpusDir: dir, committed: null });
  const folder = await claimHarvestFolder(join(dir, '../harvest'), [dir], false);
  const warcPass = new WarcPass({
    source,
    info: INFO,
    at: T0,
    maxWarcBytes: 1e9,
    scratch: (name) => folder.scratch(name),
    onPage: () => undefined,
  });
  const writer = await wacz.open({ folder, warcPass, crawl: CRAWL_FACTS, now: T0 });
  const { index } = await warcPass.run();
  const lines = Array.from(
    { length: 10_001 },
    (_, i) => `example,a)/ä/${String(i).padStart(5, '0')} 20240506070809 {"url":"http://a.example/ä/${i}"}`,
  );
  for (const line of lines.toReversed()) await index.add(line);
  await writer.finish();
  await folder.publish();
  const files = await unpacked(join(dir, '../harvest'));
  const gz = files.get('indexes/index.cdx.gz') ?? Buffer.alloc(0);
  expect(String(gunzipSync(gz))).toBe(`${lines.join('\n')}\n`);
  const [meta, ...places] = String(files.get('indexes/index.idx')).trimEnd().split('\n');
  expect(meta).toBe('!meta 0 {"format":"cdxj-gzip-1.0","filename":"index.cdx.gz"}');
  expect(places).toHaveLength(4);
  places.forEach((line, i) => {
    const start = line.indexOf(' {');
    const { offset, length, digest } = JSON.parse(line.slice(start)) as { offset: number; length: number; digest: string };
    const block = gz.subarray(offset, offset + length);
    expect(hash(block)).toBe(digest);
    expect(String(gunzipSync(block)).split('\n')[0]).toBe(lines[i * 3000]);
    expect(lines[i * 3000]?.startsWith(`${line.slice(0, start)} {`)).toBe(true);
  });
});

test('a harvest that is stopped leaves nothing, whichever page it is stopped at', async () => {
  const made = await sampleCrawl(PAGES);
  for (const stop of [1, 7, 12]) {
    const abort = new AbortController();
    const stopped = harvestOf(made, {
      formats: ['warc', 'wacz'],
      signal: abort.signal,
      progress: ({ stage, done }) => {
        if (stage === 'warc' && done === stop) abort.abort(new Error('stopped'));
      },
    });
    await expect(stopped).rejects.toThrow('stopped');
    expect(await readdir(join(made.dir, '..'))).toEqual(['corpus']);
  }
});
