/** Personal data in whole harvests: in no byte of any format, in the columns, and in the counts of the card. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NO_METADATA } from '../../../src/base/core/no-metadata.ts';
import type { CanonicalUrl, CorpusRecord } from '../../../src/base/core/types.ts';
import { FORMAT_NAMES } from '../../../src/corpus/formats/format-names.ts';
import { PERSONAL_KINDS } from '../../../src/corpus/personal/personal-names.ts';
import type { HarvestedPage } from '../../../src/corpus/select/harvested-page.ts';
import { freshDir } from '../records/samples.ts';
import { recordWith, selected } from './selected.ts';
import { harvestOf, type WrittenPage, writtenCrawl } from './written-crawl.ts';

const MAIL = 'jo.secret@debian.org';
const IBAN = 'DE89 3704 0044 0532 0130 00';
const url = (text: string) => text as CanonicalUrl;

const SECRET: Partial<CorpusRecord> = {
  lang: 'de',
  title: `Title ${MAIL}`,
  text: `First paragraph by ${MAIL} of the page.\n\nTel. 030 23125 123, Konto ${IBAN}, Karte 4111 2222 3333 4448.\n\nLast, from 193.99.144.80, PESEL 44051401359.`,
  otherText: `Footer ${MAIL}`,
  anchorText: `write to ${MAIL}`,
  referrer: url('https://lists.debian.org/jo.secret%40debian.org/1'),
  tags: [MAIL],
  fields: { contact: MAIL, all: ['x', `y ${MAIL}`], url: `mailto:${MAIL}` },
  metadata: {
    ...NO_METADATA,
    description: `By ${MAIL}`,
    authors: ['Jo Secret', `Jo Secret <${MAIL}>`],
    rights: `© ${MAIL}`,
    siteName: `Site of ${MAIL}`,
    canonical: url(`https://www.debian.org/?to=${MAIL}`),
  },
  posts: [{ author: MAIL, published: null, text: `I am ${MAIL}`, depth: 0, url: `https://www.debian.org/#${MAIL}` }],
  document: { kind: 'pdf', pages: 2, declaredTitle: MAIL, producer: 'x', language: null, pageOffsets: [0, 54], cut: false },
  product: {
    ...{ name: `Lamp ${MAIL}`, description: MAIL, sku: '4111222233334448', sources: ['json-ld'] },
    properties: [{ name: 'maker', value: MAIL }],
  },
};

const PAGES: readonly WrittenPage[] = [
  { at: 'http://a.example/1', html: `<p>${SECRET.text}</p><a href="http://a.example/${MAIL}">${MAIL}</a>`, ...SECRET },
  {
    at: 'http://a.example/2',
    html: `<p>A page that shows nobody's address, with a <a href="mailto:${MAIL}">link to one</a> and <a href="http://a.example/1">another</a>.</p>`,
    text: "A page that shows nobody's address, with a link to one and another.",
  },
  { at: `http://a.example/u/${MAIL}`, text: 'A page with an address in its URL.' },
];

const MASKABLE = FORMAT_NAMES.filter((name) => name !== 'warc' && name !== 'wacz' && name !== 'zip');
const SECRETS = ['jo.secret', '030 23125', IBAN, '4111 2222', '193.99.144.80', '44051401359'];

async function bytesOf(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return new Map(await Promise.all(files.map(async (path) => [path, await readFile(path, 'utf8')] as const)));
}

const jsonLines = async <T>(...path: string[]) =>
  (await readFile(join(...path), 'utf8')).split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]));

test.each(['mask', 'omit'] as const)('%s: no byte of any format has the data', async (personal) => {
  const dir = freshDir();
  const crawl = await writtenCrawl(dir, personal === 'mask' ? PAGES.slice(0, 2) : PAGES);
  const { outDir, card } = await harvestOf(crawl, join(dir, 'out'), { personal, formats: MASKABLE, compression: 'none', csvText: true });
  const files = await bytesOf(outDir);
  expect(files.size).toBeGreaterThan(MASKABLE.length);
  for (const [path, bytes] of files) for (const secret of SECRETS) expect([path, bytes.includes(secret)]).toEqual([path, false]);
  expect(card.records.leftOut.personal).toBe(personal === 'omit' ? 2 : 0);
  const leftOut = await jsonLines(outDir, 'left-out.jsonl');
  if (personal === 'mask') expect(leftOut).toEqual([]);
  else
    expect(leftOut).toEqual([
      expect.objectContaining({
        reason: 'personal',
        found: expect.objectContaining({ mail: expect.any(Number), iban: 1, card: 1, ip: 1 }),
      }),
      expect.objectContaining({ reason: 'personal', url: 'http://a.example/u/[mail]', found: { mail: 1 } }),
    ]);
});

test('masks keep their kind, names, numbers of things, and the ranges of other columns', async () => {
  const pages = [SECRET, ...['/2', '/3', '/4'].map(() => ({ text: `${SECRET.text}\n\nMore.` }))].map((over, i) =>
    recordWith(over.text ?? '', 'a.example', i, over),
  );
  const all = await selected(pages, { personal: 'mask', repeated: 'mark' });
  const [page, other] = all.pages as [HarvestedPage, HarvestedPage];
  expect(page.text).toBe(
    'First paragraph by [mail] of the page.\n\nTel. [phone], Konto [iban], Karte [card].\n\nLast, from [ip], PESEL [id].',
  );
  expect(page.personal).toMatchObject({ phone: 1, iban: 1, card: 1, ip: 1, id: 1 });
  expect(page.personalRanges?.map(([start, end]) => page.text.slice(start, end))).toEqual([
    '[mail]',
    '[phone]',
    '[iban]',
    '[card]',
    '[ip]',
    '[id]',
  ]);
  expect(page.metadata.authors).toEqual(['Jo Secret', 'Jo Secret <[mail]>']);
  expect([page.document?.pageOffsets, page.product?.sku]).toEqual([[0, page.text.indexOf('Tel.')], '4111222233334448']);
  expect(other.repeated?.map(([start, end]) => other.text.slice(start, end))).toEqual(page.text.split('\n\n'));
});

test('mark changes no text, and points to the data in it', async () => {
  const record = recordWith('', 'a.example', 1, SECRET);
  const { pages } = await selected([record], { personal: 'mark' });
  const { personal, personalRanges, ...rest } = pages[0] as HarvestedPage;
  expect(rest).toEqual({ ...record, lang: 'de' });
  expect(personalRanges?.map(([start, end, kind]) => [kind, rest.text.slice(start, end)])).toEqual([
    ['mail', MAIL],
    ['phone', '030 23125 123'],
    ['iban', IBAN],
    ['card', '4111 2222 3333 4448'],
    ['ip', '193.99.144.80'],
    ['id', '44051401359'],
  ]);
  expect(personal?.mail).toBeGreaterThan(15);
});

test('the card counts finds and pages by kind, and says what is not searched for', async () => {
  const dir = freshDir();
  const crawl = await writtenCrawl(dir, PAGES);
  const { outDir, card } = await harvestOf(crawl, join(dir, 'out'), { personal: 'mask' });
  expect(card.personal).toMatchObject({ pagesWithAny: 1, urls: 1, pages: { mail: 1, iban: 1 }, finds: { iban: 1 } });
  const markdown = await readFile(join(outDir, 'corpus-card.md'), 'utf8');
  expect(markdown).toContain('Of 3 pages, 1 have mail addresses');
  expect(markdown).toContain('Names of persons are not searched for and stay.');
  expect(markdown).toMatch(/\| bank accounts \(IBAN\) \| 1 \| 1 \|/);
  const croissant = JSON.parse(await readFile(join(outDir, 'croissant.json'), 'utf8')) as Record<string, unknown>;
  expect(croissant['rai:personalSensitiveInformation']).toContain('replaced by masks such as [mail]');
});

test('pages without personal data stay byte for byte', async () => {
  const dir = freshDir();
  const texts = [
    'Version 1.2.3.4 of 2020-12-31 closes bug 4111222233334448.',
    'ISBN 0-306-40615-2; 52.5200066, 13.4049540',
    'Plain words.',
  ];
  const crawl = await writtenCrawl(
    dir,
    texts.map((text, i) => ({ at: `http://a.example/${i}`, text })),
  );
  const of = async (personal: 'keep' | 'mask') =>
    jsonLines<HarvestedPage>((await harvestOf(crawl, join(dir, personal), { personal })).outDir, 'corpus.jsonl');
  const masked = await of('mask');
  for (const { personal } of masked) expect(PERSONAL_KINDS.every((kind) => personal?.[kind] === 0)).toBe(true);
  expect(masked.map(({ personal: _, personalRanges: __, ...page }) => page)).toEqual(await of('keep'));
});

test.each(['warc', 'wacz'] as const)('masks and %s together are refused: it holds the bytes as received', async (format) => {
  const dir = freshDir();
  const crawl = await writtenCrawl(dir, PAGES);
  for (const personal of ['mask', 'omit'] as const)
    await expect(harvestOf(crawl, join(dir, 'out'), { personal, formats: ['jsonl', format] })).rejects.toThrow(
      `--personal ${personal}: the format ${format} holds pages as they were received`,
    );
  await harvestOf(crawl, join(dir, 'out'), { personal: 'mark', formats: ['jsonl', format] });
});
