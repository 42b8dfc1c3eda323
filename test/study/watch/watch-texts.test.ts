/** Reports as Markdown and as a feed, whatever the pages say; and their files, whatever is missing. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { FEED_ENTRIES, watchFeed } from '../../../src/study/watch/watch-feed.ts';
import {
  newestReport,
  readReport,
  reportNumbers,
  storeReport,
  writeFeed,
  writeReportsWithout,
} from '../../../src/study/watch/watch-files.ts';
import { reportMarkdown } from '../../../src/study/watch/watch-markdown.ts';
import type { WatchReport } from '../../../src/study/watch/watch-report.ts';
import { madeReport } from '../../support/made-reports.ts';

const made = (number: number, words?: string) => madeReport(number, words) as unknown as WatchReport;
const HOSTILE = '<b>&amp; ]]> "quoted" | `code` [link](http://evil.example) *stars* \u0000\u0007\ufffe\ud800 \u202e# heading';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});
function place() {
  const dir = mkdtempSync(join(tmpdir(), 'forager-watch-'));
  folders.push(dir);
  return { dir, watch: join(dir, 'watch') };
}

/** Tags as the feed writes them, and text between them. */
const TOKEN = /<\?xml [^<>]*\?>|<(\/?)([a-z]+)(?: [a-z]+="[^"<]*")*(\/?)>|([^<]+)/gy;
/** Characters that XML 1.0 does not allow (§2.2). */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** The entries of a feed, which is well-formed: each element is closed, and each sign escaped. */
function entriesIn(feed: string) {
  const open: string[] = [];
  const tokens = [...feed.matchAll(TOKEN)];
  expect(tokens.map(([token]) => token).join('')).toBe(feed);
  for (const [token, closing, name = '', single, text] of tokens) {
    if (text !== undefined) expect(text.replaceAll(/&(?:amp|lt|gt|quot);/g, '')).not.toMatch(/[&>]/);
    else if (closing === '/') expect([open.pop(), token]).toEqual([name, token]);
    else if (name !== '' && single === '') open.push(name);
  }
  expect([open, NOT_XML.exec(Buffer.from(feed).toString())]).toEqual([[], null]);
  const textOf = (xml: string, name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';
  const entry = [...feed.matchAll(/<entry>[\s\S]*?<\/entry>/g)].map(([xml]) => ({
    id: textOf(xml, 'id'),
    title: textOf(xml, 'title'),
    updated: textOf(xml, 'updated'),
  }));
  return { updated: textOf(feed, 'updated'), entry };
}

test('a feed is well-formed XML with an id for each change, whatever a page is called', () => {
  const { entry, updated } = entriesIn(watchFeed('moss & bog', [made(2, HOSTILE), made(1, HOSTILE)]));
  expect(updated).toBe(made(2).to);
  expect(entry.map(({ title }) => title.split(':')[0])).toEqual(expect.arrayContaining(['New', 'Changed', 'Moved', 'Gone', 'Back']));
  expect(entry).toHaveLength(16);
  expect(new Set(entry.map(({ id }) => id)).size).toBe(16);
});

test('a feed has the newest entries alone, those of the newest report first', () => {
  const { items } = made(3);
  const [item] = items;
  const many = { ...made(3), items: Array.from({ length: FEED_ENTRIES - 5 }, () => ({ ...(item as (typeof items)[number]) })) };
  const { entry } = entriesIn(watchFeed('moss', [many, made(2), made(1)]));
  expect(entry).toHaveLength(FEED_ENTRIES);
  expect(entry.slice(0, FEED_ENTRIES - 5).every(({ updated }) => updated === item?.at)).toBe(true);
});

test('Markdown has no markup of a page, and names what it omits', () => {
  const text = reportMarkdown('moss', made(1, HOSTILE));
  expect(text.split('\n').filter((line) => line.startsWith('# '))).toEqual(['# moss: report 1']);
  expect(text).not.toMatch(/(?<!\\)\[link\](?!\\)\(http:\/\/evil/);
  expect(text).not.toContain('\u0000');
  const [item] = made(1).items;
  const many = { ...made(1), items: Array.from({ length: 250 }, () => ({ ...(item as WatchReport['items'][number]) })) };
  expect(reportMarkdown('moss', many)).toContain('- and 50 more in 1.json');
});

test('the reports are the state: without a feed or a text nothing is lost, and a damaged one is named with its remedy', () => {
  const paths = place();
  expect([reportNumbers(paths), newestReport(paths)]).toEqual([[], null]);
  for (const number of [0, 1, 2]) storeReport(paths, made(number));
  expect(readdirSync(paths.watch).sort()).toEqual(['0.json', '1.json', '1.md', '2.json', '2.md', 'feed.xml']);
  expect(newestReport(paths)).toEqual(made(2));
  // Killed after the text, before the report: the text of a report that does not count.
  writeFileSync(join(paths.watch, '3.md'), 'half');
  writeFileSync(join(paths.watch, '3.json.tmp'), '{"format"');
  rmSync(join(paths.watch, 'feed.xml'));
  expect(newestReport(paths)?.number).toBe(2);
  writeFeed(paths);
  expect(entriesIn(readFileSync(join(paths.watch, 'feed.xml'), 'utf8')).entry).toHaveLength(16);
  writeFileSync(join(paths.watch, '2.json'), '{"format":"forager-watch/1"}');
  expect(() => newestReport(paths)).toThrow(
    /2\.json: is damaged .*or delete it: the next report then begins where the one before it ended/,
  );
});

test('pages that are taken back leave all forms of all reports', () => {
  const [from, to] = [place(), place()];
  for (const number of [0, 1, 2]) storeReport(from, made(number));
  writeReportsWithout(from, to.watch, (url) => url.startsWith('http://bog.example/'));
  expect(readReport(to, 1).items.map(({ kind }) => kind)).toEqual(['new', 'new', 'changed', 'moved', 'back']);
  const texts = readdirSync(to.watch).map((name) => readFileSync(join(to.watch, name), 'utf8'));
  expect(texts.filter((text) => text.includes('bog.example'))).toEqual([]);
  expect(readReport(to, 2).covers).toEqual(made(2).covers);
});
