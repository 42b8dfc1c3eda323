import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { crawl, harvest, type JudgedPage } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wholeTest } from '../../support/whole-test.ts';
import { done, forager, foragerWith, jsonLines, refused, start } from './forager.ts';
import { type Served, smallWeb, trainedOn } from './small-web.ts';

interface Extracted {
  readonly id: string;
  readonly url: string | null;
  readonly title: string;
  readonly text: string;
  readonly outlinks: readonly { readonly url: string; readonly anchorText: string }[];
}

const small = smallWeb();
const { path, examples } = small;
const page = `${examples}/0.html`;
const html = readFileSync(page, 'utf8');
const [, title = ''] = /<title>([^<]*)/.exec(html) ?? [];
let served: Served;
let model: string;
/** Each form of input, with how many pages it has. */
const forms = new Map<string, { readonly args: readonly string[]; readonly pages: number; readonly stdin?: string }>();

beforeAll(async () => {
  served = await small.serve();
  model = await trainedOn(small);
  await crawl({ dir: path('crawl'), topic: model, seeds: small.seeds, proxy: served.proxy, delay: 0, maxPages: 20 });
  const { card } = await harvest({ dir: path('crawl'), out: path('corpus'), formats: ['warc'] });
  const [url = ''] = small.seeds;
  const lines = [{ url: 'http://a.example/', html }, { text: 'only words' }];
  writeFileSync(path('pages.jsonl'), lines.map((line) => `${JSON.stringify(line)}\r\n`).join('\n'));
  writeFileSync(path('urls.txt'), small.seeds.join('\n'));
  const network = ['--proxy', served.proxy, '--delay', '0ms'];
  forms.set('file', { args: [page], pages: 1 });
  forms.set('folder', { args: [examples], pages: readdirSync(examples).length });
  forms.set('.jsonl', { args: [path('pages.jsonl')], pages: 2 });
  forms.set('.warc.gz', { args: [path('corpus', 'corpus-00000.warc.gz')], pages: card.records.kept });
  forms.set('URL', { args: [url, ...network], pages: 1 });
  forms.set('file of URLs', { args: [path('urls.txt'), ...network], pages: small.seeds.length });
  forms.set('-', { args: ['-'], pages: 1, stdin: html });
});
afterAll(() => small.close());

async function linesOf<T>(command: readonly string[], form: string): Promise<T[]> {
  const { args, pages, stdin = '' } = forms.get(form) ?? { args: [], pages: 0 };
  const { code, stdout, stderr } = await foragerWith(stdin, ...command, ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = jsonLines<T>(stdout);
  expect(lines.length).toBe(pages);
  return lines;
}

test.each(['file', 'folder', '.jsonl', '.warc.gz', 'URL', 'file of URLs', '-'])(
  '%s: one JSON line a page, from extract and judge',
  async (form) => {
    const extracted = await linesOf<Extracted>(['extract'], form);
    const judged = await linesOf<JudgedPage>(['judge', model], form);
    expect(judged.map(({ id, url, title }) => ({ id, url, title }))).toEqual(extracted.map(({ id, url, title }) => ({ id, url, title })));
    for (const { id, text } of extracted) {
      expect(id).not.toBe('');
      expect(text.length).toBeGreaterThan(0);
    }
    for (const { relevance, threshold, onTopic } of judged) {
      expect(relevance).toBeGreaterThanOrEqual(0);
      expect(relevance).toBeLessThanOrEqual(1);
      expect(onTopic).toBe(relevance >= threshold);
    }
    if (form !== '.jsonl') expect(judged.filter(({ onTopic }) => onTopic).length).toBe(judged.length); // all of the topic
  },
);

test('extract gives title, text, and links against the URL where it is known', async () => {
  const [fromFile] = await linesOf<Extracted>(['extract'], 'file');
  expect(fromFile).toMatchObject({ id: page, url: null, title });
  const [known, words] = await linesOf<Extracted>(['extract'], '.jsonl');
  expect(known).toMatchObject({ id: `${path('pages.jsonl')}:1`, url: 'http://a.example/', title, text: fromFile?.text });
  expect(words).toMatchObject({ url: null, text: 'only words', outlinks: [] });
  const [first] = small.seeds;
  const [fetched] = await linesOf<Extracted>(['extract'], 'URL');
  expect(fetched).toMatchObject({ id: first, url: first });
  expect(fetched?.outlinks.map(({ url }) => url)).toEqual(expect.arrayContaining(small.web.links(first ?? '').map(({ url }) => url)));
});

test('judge --explain: the terms and the bias are the logit, and the logit the relevance', async () => {
  for (const { relevance, explanation } of await linesOf<JudgedPage>(['judge', model, '--explain'], 'folder')) {
    if (!explanation) throw new Error('asked for, not given');
    const sum = explanation.contributions.reduce((total, { contribution }) => total + contribution, explanation.bias);
    expect(Math.abs(sum - explanation.logit)).toBeLessThan(1e-6);
    expect(1 / (1 + Math.exp(-explanation.logit))).toBeCloseTo(relevance, 6);
  }
});

test('a private address needs --allow-private, which the error names', async () => {
  const extra = new Map<string, string>();
  const { proxy: own } = await small.serve({ extra });
  extra.set(`${own}/`, html);
  const ended = await forager('extract', `${own}/`, '--delay', '0ms');
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain('(private-address)');
  expect(ended.stderr).toContain('--allow-private');
  const [allowed] = jsonLines<Extracted>(await done('extract', `${own}/`, '--delay', '0ms', '--allow-private'));
  expect(allowed).toMatchObject({ url: `${own}/`, title });
});

test('inputs that cannot be read: each is named, and nothing is printed', async () => {
  for (const command of [['extract'], ['judge', model]]) {
    const [name = '', ...rest] = command;
    await refused(2, [path('gone.html'), 'no such file'], name, ...rest, path('gone.html'));
    await refused(2, ['http://', 'not a usable'], name, ...rest, 'http://');
  }
  mkdirSync(path('empty'));
  await refused(2, [path('empty'), 'has no example pages'], 'extract', path('empty'));
  writeFileSync(path('packed.html'), gzipSync(html));
  await refused(2, [path('packed.html'), 'binary data'], 'extract', path('packed.html'));
  writeFileSync(path('bad.jsonl'), '\n{"text": \n');
  await refused(2, [`${path('bad.jsonl')}:2: is not JSON`], 'extract', path('bad.jsonl'));
  writeFileSync(path('no.warc'), 'this is no WARC file');
  await refused(2, [path('no.warc')], 'extract', path('no.warc'));
  // Reading one's own memory from its start is an I/O error, for root too.
  for (const name of ['memory.html', 'memory.jsonl', 'memory.warc']) {
    symlinkSync('/proc/self/mem', path(name));
    await refused(3, [path(name), 'the disk fails'], 'extract', path(name));
  }
});

test('a folder goes on after a bad file, a bad line and a damaged WARC: each is told, all are counted', async () => {
  mkdirSync(path('mixed', 'below'), { recursive: true });
  writeFileSync(path('mixed', 'a.html'), `<p>${String.fromCharCode(1)} ${'a page with a stray control byte '.repeat(9)}`);
  writeFileSync(path('mixed', 'b.txt'), `${'notes with a slip '.repeat(9)}${String.fromCharCode(0, 2)}`);
  writeFileSync(path('mixed', 'c.html'), '%PDF-1.7\nno page');
  writeFileSync(path('mixed', 'd.jsonl'), '{"text": "first"}\n{"text": \n{"text": "third"}\n');
  writeFileSync(path('mixed', 'e.warc'), 'this is no WARC file');
  writeFileSync(path('mixed', 'below', 'f.txt'), Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 97) % 251)));
  writeFileSync(path('mixed', 'z.html'), html);
  const ended = await forager('extract', path('mixed'));
  expect(ended.code).toBe(0);
  expect(jsonLines<Extracted>(ended.stdout).map(({ id }) => id.replace(`${path('mixed')}/`, ''))).toEqual([
    'a.html',
    'b.txt',
    'd.jsonl:1',
    'd.jsonl:3',
    'z.html',
  ]);
  for (const bad of ['below/f.txt: is binary data', 'c.html: is a damaged PDF', 'd.jsonl:2: is not JSON', 'e.warc'])
    expect(ended.stderr).toContain(path('mixed', bad));
  expect(ended.stderr).toContain(`${path('mixed')}: 5 pages read, 4 unreadable files or lines skipped`);
});

test('of more bad files than can be looked through twenty are named, and all counted', async () => {
  mkdirSync(path('many-bad'));
  for (let i = 0; i < 30; i++) writeFileSync(path('many-bad', `${i}.html`), '%PDF-1.7\nno page');
  writeFileSync(path('many-bad', 'z.html'), html);
  const { stderr } = await forager('extract', path('many-bad'));
  expect(stderr.match(/is a damaged PDF/g)).toHaveLength(20);
  expect(stderr).toContain('1 pages read, 30 unreadable files or lines skipped');
});

test('of several inputs one that cannot be read is told, the others are read, and the exit code says it', async () => {
  writeFileSync(path('paper.html'), '%PDF-1.7\nno page');
  const ended = await forager('extract', path('gone.html'), page, path('paper.html'), page);
  expect(ended.code).toBe(2);
  expect(jsonLines<Extracted>(ended.stdout).map(({ id }) => id)).toEqual([page, page]);
  expect(ended.stderr).toContain(`${path('gone.html')}: no such file`);
  expect(ended.stderr).toContain(`${path('paper.html')}: is a damaged PDF`);
});

test('a .jsonl without an end of line for longer than any page is refused, not held', async () => {
  const fd = openSync(path('long.jsonl'), 'w');
  const chunk = Buffer.alloc(1024 * 1024, 'a');
  for (let i = 0; i < 34; i++) writeFileSync(fd, chunk);
  closeSync(fd);
  await refused(2, [path('long.jsonl'), 'a line of over', 'split or remove it'], 'extract', path('long.jsonl'));
});

test('standard input that is no page', async () => {
  const ended = await foragerWith('\u0000\u0001\u0002', 'extract', '-');
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain('standard input: is binary data');
});

wholeTest('a page on standard input may be an example too', async () => {
  const ended = await start(
    ['train', examples, '-', '--out', path('with-stdin'), '--json', '--word-vectors', 'none'],
    small.web.examples(small.topic, 13).at(-1),
  ).ended;
  expect(ended).toMatchObject({ code: 0 });
  expect(JSON.parse(ended.stdout)).toMatchObject({ counts: { examples: readdirSync(examples).length + 1 } });
});

test('a URL that gives no page is said, and the others are read', async () => {
  const gone = 'http://site-1.example/a/999999.html';
  writeFileSync(path('some.txt'), `${gone}\n${small.seeds[0]}\n`);
  const ended = await forager('judge', model, path('some.txt'), '--proxy', served.proxy, '--delay', '0ms');
  expect(ended).toMatchObject({ code: 0, stderr: `forager: ${gone}: not fetched: HTTP 404: no such page (http-4xx)\n` });
  expect(jsonLines(ended.stdout)).toMatchObject([{ url: small.seeds[0], onTopic: true }]);
});

test('an example page that was saved as text is read as text', async () => {
  writeFileSync(path('note.md'), '# Moss\n\nA <b> is not markup here.\n');
  expect(jsonLines<Extracted>(await done('extract', path('note.md')))).toMatchObject([
    { text: expect.stringContaining('A <b> is not markup') },
  ]);
});

test('extract --format: text and Markdown, pages parted by a form feed; several inputs', async () => {
  const html =
    '<title>Tides &amp; *birds*</title><article><h2>Up the river</h2><p>The tide comes in, and the birds go up the river with it. It is <a href="/s">spring</a>.</p></article>';
  writeFileSync(path('one.html'), html);
  writeFileSync(path('two.html'), '<h1>Two</h1><p>The second page has a sentence of its own, and that is long enough to be its text.</p>');
  const text = await done('extract', path('one.html'), '--format', 'text');
  expect(text).toContain('The tide comes in, and the birds go up the river with it. It is spring.\n');
  const both = (await done('extract', path('one.html'), path('two.html'), '--format', 'markdown')).split('\f\n');
  expect(both).toHaveLength(2);
  expect(both[0]).toMatch(/^# Tides & \\\*birds\\\*\n\n(## Up the river\n\n)?The tide comes in/);
  expect(both[1]).toContain('The second page');
  expect(jsonLines(await done('extract', path('one.html'), path('two.html')))).toHaveLength(2);
  writeFileSync(path('one.jsonl'), `${JSON.stringify({ url: 'http://a.example/', html })}\n`);
  expect(await done('extract', path('one.jsonl'), '--format', 'markdown', '--links')).toContain('[spring](http://a.example/s)');
  await refused(2, ['--links', '--format markdown'], 'extract', path('one.html'), '--links');
  await refused(2, ['--format', 'did you mean markdown?'], 'extract', path('one.html'), '--format', 'markdwn');
  const piped = await start(['extract', '-', '--format', 'text'], html).ended;
  expect(piped).toMatchObject({ code: 0, stdout: text });
});

test('warnings: in the line, or on standard error', async () => {
  writeFileSync(path('cut.html'), '<p>One sentence that is the text of this page, and a script.</p><script>');
  const warning = 'the page ends inside <script>';
  expect(jsonLines(await done('extract', path('cut.html')))).toMatchObject([
    { warnings: [warning], charset: expect.any(String), metadata: {}, outlinks: [] },
  ]);
  expect(await forager('extract', path('cut.html'), '--format', 'text')).toMatchObject({
    code: 0,
    stdout: 'One sentence that is the text of this page, and a script.\n',
    stderr: `forager: ${path('cut.html')}: ${warning}\n`,
  });
});
