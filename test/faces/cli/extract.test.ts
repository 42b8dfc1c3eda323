/** `extract`: explanations, parts of the text, and what it takes on standard input. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { explainPages, extractPages } from 'forager';
import { afterAll, expect, test } from 'vitest';
import { sample } from '../../support/extent.ts';
import { warcRecord } from '../app/warc.ts';
import { done, type Ended, forager, foragerWith, jsonLines, refused, start } from './forager.ts';

const dir = mkdtempSync(join(tmpdir(), 'forager-extract-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const golden = (name: string) => fileURLToPath(new URL(`../../golden/${name}.html`, import.meta.url));
const article = golden('article');

const sentence = 'The tide comes in over the flats, and the birds go up the river with it. ';
const comments = '<div class="comments"><p>Lovely birds, I have seen them too.</p></div>';
const html = `<title>Tides</title><article><p>${sentence}</p><h2>Up the river</h2><p>${sentence.repeat(4)}</p><pre>count = birds</pre><p>${sentence.repeat(3)}</p></article>${comments}`;
const path = join(dir, 'tides.html');
writeFileSync(path, html);

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

interface Explained {
  readonly id: string;
  readonly title: string;
  readonly extractor: string;
  readonly threshold: number | null;
  readonly blocks: readonly {
    readonly role: string;
    readonly rule: string;
    readonly text: string;
    readonly lineEnds: number;
    readonly model: {
      readonly logit: number;
      readonly bias: number;
      readonly others: number;
      readonly reasons: readonly { readonly contribution: number }[];
    } | null;
  }[];
}

test.each(['block', 'slope', 'none'])('--explain --extractor %s: a table in a hundred columns, as the JSON has it', async (extractor) => {
  const table = await done('extract', article, golden('cjk'), '--explain', '--extractor', extractor);
  const lines = table.split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  expect(lines[0]).toBe(`${article}: Lichens return to the old harbour wall | Tideline Weekly`.slice(0, Math.max(100, article.length + 1)));
  const pages = jsonLines<Explained>(
    await done('extract', article, golden('cjk'), '--explain', '--extractor', extractor, '--format', 'jsonl'),
  );
  expect(pages.map(({ id }) => id)).toEqual([article, golden('cjk')]);
  const rows = lines.filter((line) => /^ +\d+ {2}(text|links|outside)/.test(line));
  const blocks = pages.flatMap((page) => page.blocks);
  expect(rows.map((row) => row.trim().split(/\s+/)[1])).toEqual(blocks.map(({ role }) => role));
  for (const [i, { text, rule }] of blocks.entries()) {
    expect(rows[i]).toContain(text.slice(0, 12));
    expect(rows[i]).toContain(rule.replaceAll('-', ' '));
  }
  const extracted = jsonLines<{ readonly text: string }>(await done('extract', article, golden('cjk'), '--extractor', extractor));
  for (const [i, page] of pages.entries()) {
    expect(page.extractor).toBe(extractor);
    const texts = page.blocks.filter(({ role }) => role === 'text').map(({ text }) => text);
    expect(texts).toEqual(extracted[i]?.text.split(/\n+/));
    for (const { lineEnds } of page.blocks.slice(1)) expect([1, 2]).toContain(lineEnds);
  }
});

test('--explain --extractor block: reasons below each block; as many in the JSON, with the others and the bias the logit', async () => {
  const table = await done('extract', article, '--explain', '--extractor', 'block');
  expect(table).toMatch(/^extractor block, threshold 0\.\d{3}: \d+ of 17 blocks are text$/m);
  expect(table).toMatch(/^block {2}role {5,}prob {2}decided by +text$/m);
  expect(
    table.match(/^ {7}[a-zA-Z]+\d*\.\w+ -?[\d.e+-]+ \([+-]\d+\.\d\d\)( {2}[a-zA-Z]+\d*\.\w+ -?[\d.e+-]+ \([+-]\d+\.\d\d\)){1,2}$/gm),
  ).toHaveLength(17);
  const [page] = jsonLines<Explained>(await done('extract', article, '--explain', '--extractor', 'block', '--format', 'jsonl'));
  for (const { model } of page?.blocks ?? []) {
    const { reasons = [], bias = Number.NaN, others = Number.NaN, logit = Number.NaN } = model ?? {};
    expect(reasons).toHaveLength(3);
    expect(reasons.reduce((total, { contribution }) => total + contribution, bias + others)).toBeCloseTo(logit, 2);
  }
});

test('--explain --format jsonl: a line is a few times a page of short blocks, not forty', async () => {
  const line = await done('extract', article, '--explain', '--extractor', 'block', '--format', 'jsonl');
  expect(line.length).toBeLessThan(5 * statSync(article).size);
});

test('--explain: the options of the text are told, as are pages without blocks', async () => {
  const table = await done('extract', path, '--explain', '--no-headings');
  expect(table).toMatch(/^ +1 {2}links .* left out +Up the river$/m);
  writeFileSync(join(dir, 'note.txt'), 'only words');
  expect(await done('extract', join(dir, 'note.txt'), '--explain')).toBe(`${join(dir, 'note.txt')}\nplain text, used as it is\n`);
  expect(jsonLines(await done('extract', join(dir, 'note.txt'), '--explain', '--format', 'jsonl'))).toMatchObject([{ blocks: null }]);
});

test('--explain: what the page says cannot move the cursor', async () => {
  writeFileSync(join(dir, 'escape.html'), `<title>a&#27;[2Jb</title><p>c\u001b[31m&#x202e;d ${sentence}</p>`);
  const table = await done('extract', join(dir, 'escape.html'), '--explain');
  expect(table).toContain('c [31m');
  expect(table.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test('parts of the text, in every format', async () => {
  const without = ['--no-headings', '--no-code', '--no-comments', '--title'];
  const [line] = jsonLines<{ readonly text: string }>(await done('extract', path, ...without));
  const text = `Tides\n\n${sentence.trim()}\n\n${sentence.repeat(4).trim()}\n\n${sentence.repeat(3).trim()}`;
  expect(line?.text).toBe(text);
  expect(await done('extract', path, '--format', 'text', ...without)).toBe(`${text}\n`);
  expect(await done('extract', path, '--format', 'markdown', ...without)).toBe(
    `# Tides\n\n${sentence.trim()}\n\n${sentence.repeat(4).trim()}\n\n${sentence.repeat(3).trim()}\n`,
  );
  const bare = await done('extract', path, '--format', 'markdown', '--no-title', '--no-tables');
  expect(bare).toContain('\n\n## Up the river\n');
  expect(bare).toContain('count = birds');
  expect(await done('extract', path, '--format', 'text', '--comments')).toContain('Lovely birds');
});

test('the library takes the same', async () => {
  const [page] = await collected(extractPages(path, { parts: { headings: false, title: true } }));
  expect(page?.extraction.text).toMatch(/^Tides\n\nThe tide/);
  const [explained] = await collected(explainPages(path, { extractor: 'block', parts: { code: false } }));
  expect(explained?.explanation?.blocks.find(({ text }) => text.startsWith('count'))?.role).not.toBe('text');
});

test('options that do not go together', async () => {
  await refused(2, ['--title, --no-title', 'exclude each other'], 'extract', path, '--title', '--no-title');
  await refused(2, ['--comments, --no-comments'], 'extract', path, '--comments', '--no-comments');
  await refused(2, ['--explain', 'table or JSON lines'], 'extract', path, '--explain', '--format', 'markdown');
  await refused(2, ['--explain', '--fields'], 'extract', path, '--explain', '--fields', 'rules.yaml');
  await refused(2, ['--no-heading', 'did you mean --no-headings?'], 'extract', path, '--no-heading');
});

// Standard input; more of it in test/crawling/input/standard-input.test.ts.

interface Extracted {
  readonly id: string;
  readonly url: string | null;
  readonly text: string;
}

const urls = ['http://a.example/1', 'http://a.example/2', 'http://a.example/3'];
const records = urls.map((url, i) => warcRecord(url, `<p>${sentence.repeat(i + 1)}</p>`));
const members = records.map((bytes) => gzipSync(bytes));

function piped(bytes: Uint8Array, ...args: string[]): Promise<Ended> {
  const { child, ended } = start(['extract', '-', ...args], null);
  child.stdin?.end(bytes);
  return ended;
}

const WARCS = [
  ['plain', Buffer.concat(records)],
  ['gzipped', Buffer.concat(members)],
] as const;
test.each(sample(WARCS, []))('a WARC on standard input: %s', async (_, bytes) => {
  const { code, stdout, stderr } = await piped(bytes);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const pages = jsonLines<Extracted>(stdout);
  expect(pages.map(({ id, url }) => ({ id, url }))).toEqual(urls.map((url) => ({ id: url, url })));
  expect(pages.map(({ text }) => text)).toEqual([1, 2, 3].map((times) => sentence.repeat(times).trim()));
});

test('JSON lines and a gzipped page on standard input', async () => {
  const lines = `${urls.map((url) => JSON.stringify({ url, html })).join('\n')}\n{"text":"only words"}`;
  const { code, stdout } = await piped(Buffer.from(lines));
  expect(code).toBe(0);
  const pages = jsonLines<Extracted>(stdout);
  expect(pages.map(({ url }) => url)).toEqual([...urls, null]);
  expect(pages.at(-1)).toMatchObject({ id: 'standard input:4', text: 'only words' });
  const stdoutOfPage = await done('extract', path, '--format', 'text');
  expect(await piped(gzipSync(html), '--format', 'text')).toEqual({ code: 0, stdout: stdoutOfPage, stderr: '' });
});

const FAULTY: readonly (readonly [string, Uint8Array, number, string])[] = [
  ['nothing', Buffer.alloc(0), 0, 'standard input: is empty'],
  ['a cut-off WARC', Buffer.concat(records).subarray(0, -60), 2, 'ends inside a record'],
  ['a cut-off gzipped WARC', Buffer.concat(members).subarray(0, -20), 2, 'ends inside a gzip member'],
  ['a bad line', Buffer.from('{"text": "one"}\n{"text": \n'), 1, 'standard input:2: is not JSON'],
];
test.each(sample(FAULTY, []))('standard input with %s: one line of error, after what was good', async (_, bytes, before, part) => {
  const { code, stdout, stderr } = await piped(bytes);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^forager: standard input[^\n]+\n$/);
  expect(stderr).toContain(part);
  expect(stdout === '' ? [] : jsonLines(stdout)).toHaveLength(before);
});

test('pages are given as they come, and a bad line ends the command though more could come', async () => {
  const { child, ended } = start(['extract', '-'], null);
  const given = new Promise<string>((resolve) => child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString())));
  child.stdin?.write('{"text": "one"}\n');
  expect(await given).toContain('"text":"one"');
  child.stdin?.write('{"text": \n'.repeat(10));
  expect(await ended).toMatchObject({ code: 2 });
});

test('standard input is there once', async () => {
  const ended = await foragerWith(html, 'extract', '-', '-');
  expect(ended).toMatchObject({ code: 2, stderr: 'forager: standard input: was read already; give - once\n' });
  expect(jsonLines(ended.stdout)).toHaveLength(1);
});

test('--help has the options and examples', async () => {
  const help = await done('extract', '--help');
  for (const name of ['explain', 'title', 'headings', 'tables', 'code', 'comments']) {
    expect(help).toMatch(new RegExp(`^ +--${name} `, 'm'));
  }
  expect(help).toContain('forager extract page.html --explain');
  expect(await done('--help')).toContain('--no-NAME');
  expect(await forager('extract')).toMatchObject({ code: 2 });
  expect(readFileSync(path, 'utf8')).toBe(html);
});
