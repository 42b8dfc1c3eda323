/** Lists and archives ranked as seeds by a topic of keywords: the relevances are those of the words, so the order is known. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type RankedSeeds, rankSeeds, train } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { htmlAnswer } from '../../../datasets/page-source.ts';
import { cdxjBy, writtenRecord } from '../../support/recorded-web.ts';
import { zipFile } from '../../support/zip-file.ts';
import { done, forager, refused } from '../cli/forager.ts';

const dir = mkdtempSync(join(tmpdir(), 'forager-rank-'));
const path = (...parts: string[]) => join(dir, ...parts);
const topic = path('model');
beforeAll(async () => {
  await train({ examples: [], keywords: 'peat, moss, fen', out: topic });
});
afterAll(() => rmSync(dir, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(path(name), content);
  return path(name);
}

const CSV = () =>
  file(
    'links.csv',
    [
      'url,title,description',
      'http://trams.example/line/2,Tram timetable,',
      'http://fen.example/a,Peat and moss of the fen,',
      'http://fen.example/b,Home,about peat',
      'http://one.example/moss-and-peat/,,',
      'http://fen.example/a,Tram,',
      'ftp://fen.example/no,Peat,',
    ].join('\n'),
  );

const urls = ({ pages }: RankedSeeds) => pages.map(({ url }) => url);

test('a list is ranked by title, context and path; each URL counts once', async () => {
  const ranked = await rankSeeds({ from: [CSV()], topic });
  expect(urls(ranked).at(-1)).toBe('http://trams.example/line/2');
  expect(ranked).toMatchObject({ ranked: 4, visited: 0, sources: [{ read: 5, ended: 'end', reason: null }] });
  expect(ranked.pages.every(({ score }, i) => score <= (ranked.pages[i - 1]?.score ?? 3))).toBe(true);
  expect(ranked.pages.find(({ url }) => url.endsWith('moss-and-peat/'))?.words.toSorted()).toEqual(['moss', 'peat']);
  expect(ranked.hosts[0]).toMatchObject({ host: 'http://fen.example', pages: 2, good: 2 });
});

test('--top, --show, --format urls and --json', async () => {
  const list = CSV();
  const shown = await done('seeds', '--from', list, '--topic', topic, '--top', '1');
  expect(shown).toContain(`${list}: 5 URLs`);
  expect(shown).toContain('4 URLs ranked by the words of title, context and path');
  expect(shown).not.toContain('trams.example');
  const lines = await done('seeds', '--from', list, '--topic', topic, '--show', 'pages', '--format', 'urls');
  expect(lines.split('\n').filter((line) => /^http/.test(line))).toHaveLength(4);
  const json = JSON.parse(await done('seeds', '--from', list, '--topic', topic, '--json', '--show', 'hosts')) as RankedSeeds;
  expect(json.pages).toEqual([]);
  expect(json.hosts).toHaveLength(3);
});

test('damage behind the first URL ends its list alone', async () => {
  const whole = gzipSync(Array.from({ length: 20_000 }, (_, i) => `http://fen.example/${i}-${(i * 7919) % 1000}`).join('\n'));
  const cut = file('cut.gz', whole.subarray(0, whole.length / 2));
  const { stdout, stderr, code } = await forager('seeds', '--from', cut, CSV(), '--topic', topic);
  expect(code).toBe(0);
  expect(stderr).toContain('the gzip file is damaged here');
  expect(stdout).toMatch(/the rest is not read \(.*damaged/);
  expect(stdout).toContain('trams.example');
});

test('--max-time ends the reading, and what was read is ranked', async () => {
  const many = file('many.txt', Array.from({ length: 400_000 }, (_, i) => `http://fen.example/peat/${i}`).join('\n'));
  const ranked = await rankSeeds({ from: [many], topic, maxTime: 50 });
  expect(ranked.sources[0]).toMatchObject({ ended: 'time' });
  expect(ranked.ranked).toBeGreaterThan(0);
  expect(ranked.ranked).toBeLessThan(400_000);
});

const PAGES = [
  ['http://fen.example/', 'Peat peat moss. The fen grows peat and moss, and moss grows in the fen.'],
  ['http://fen.example/two', 'Moss of the fen, and peat below the moss.'],
  ['http://trams.example/', 'The tram leaves the depot at six.'],
] as const;

async function archives(): Promise<string[]> {
  const date = '2004-05-01T00:00:00Z';
  const records = PAGES.map(([url, text]) => ({ url, date, answer: htmlAnswer(`<title>Page</title><main><p>${text}</p></main>`) }));
  const warc = Buffer.concat(await Promise.all(records.map((record) => writtenRecord(record))));
  const plain = Buffer.concat(await Promise.all(records.map((record) => writtenRecord(record, false))));
  mkdirSync(path('folder'), { recursive: true });
  return [
    file('web.warc.gz', warc),
    file('plain.warc', plain),
    file('web.wacz', zipFile([{ name: 'archive/web.warc.gz', data: warc, stored: true }])),
    file('folder/inside.warc.gz', warc).replace('/inside.warc.gz', ''),
  ];
}

test('an archive is ranked by the text of its pages, in each of its forms', async () => {
  for (const archive of await archives()) {
    const ranked = await rankSeeds({ archives: [archive], topic });
    expect(ranked.hosts.map(({ host, pages, good }) => [host, pages, good])).toEqual([
      ['http://fen.example', 2, 2],
      ['http://trams.example', 1, 0],
    ]);
    const shown = await done('seeds', archive, '--topic', topic);
    expect(shown).toContain(`${archive}: 3 pages`);
    expect(shown).toMatch(/2 of +2 {2}http:\/\/fen\.example/);
  }
});

test('an index is read with the files beside it; without them its URLs are ranked by their words', async () => {
  const [warc = ''] = await archives();
  const index = file('web.cdxj', await cdxjBy(warc, 'web.warc.gz'));
  expect((await rankSeeds({ archives: [index], topic })).hosts[0]).toMatchObject({ host: 'http://fen.example', good: 2 });
  const lonely = file('lonely.cdxj', await cdxjBy(warc, 'gone.warc.gz'));
  await refused(2, ['names gone.warc.gz, which is not beside it'], 'seeds', lonely, '--topic', topic);
  expect((await rankSeeds({ from: [lonely], topic })).ranked).toBe(3);
});

test.each<[string, () => string[] | Promise<string[]>, string]>([
  ['no model', () => ['--from', CSV()], '--topic: is missing; give the folder of a topic model'],
  [
    'an archive without a model',
    async () => (await archives()).slice(0, 1),
    'is an archive; give the topic model that ranks its hosts with --topic',
  ],
  [
    'neither crawl nor list',
    () => [],
    '<dir> is missing: give a crawl directory, or an archive, --from, --queries or --search with --topic',
  ],
  ['a list that is not there', () => ['--from', path('gone.html'), '--topic', topic], 'gone.html: cannot be read (no such file)'],
  ['a list without a URL', () => ['--from', file('none.txt', 'nothing'), '--topic', topic], 'none.txt: has no http(s) URL in 1 lines'],
  ['no model there', () => ['--from', CSV(), '--topic', dir], 'no topic model is here'],
])('%s is refused', async (_, args, why) => refused(2, [why], 'seeds', ...(await args())));
