import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { harvest, crawl as runCrawl } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sample } from '../../support/extent.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, forager, jsonLines, refused } from './forager.ts';
import { type Served, smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb();
const { path, examples } = small;
let served: Served;
let warc: string;
const out = path('out');
/** They take longer than the rest of a training. */
const NO_VECTORS = ['--word-vectors', 'none'] as const;

beforeAll(async () => {
  served = await small.serve();
  const topic = await trainedOn(small);
  await runCrawl({ dir: path('crawl'), topic, seeds: small.seeds, proxy: served.proxy, delay: 0, maxPages: 30 });
  await harvest({ dir: path('crawl'), out: path('corpus'), formats: ['warc'] });
  warc = path('corpus', 'corpus-00000.warc.gz');
});
afterAll(() => small.close());

function folder(name: string, pages: number): string {
  mkdirSync(path(name));
  for (let i = 0; i < pages; i++) copyFileSync(`${examples}/${i}.html`, path(name, `${i}.html`));
  return path(name);
}

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(path(name), content);
  return path(name);
}

function refusedAsExamples(input: string, parts: readonly string[]): Promise<void> {
  return refusedAsExamplesWith([input], parts);
}

async function refusedAsExamplesWith(args: readonly string[], parts: readonly string[]): Promise<void> {
  await refused(2, parts, 'train', ...args, '--out', out);
  expect(readdirSync(small.dir)).not.toContain('out');
}

test('examples that are not there', () => refusedAsExamples(path('nothing'), [path('nothing'), 'give a folder, a file or an http(s) URL']));

async function trainedWithout(dir: string, parts: readonly string[]): Promise<void> {
  const ended = await forager('train', dir, '--out', `${dir}-model`, '--json');
  for (const part of [...parts, `${dir}: 3 pages read, 1 unreadable files or lines skipped`]) expect(ended.stderr).toContain(part);
  expect(ended.code).toBe(0);
  expect(jsonLines<{ counts: { examples: number } }>(ended.stdout)[0]?.counts.examples).toBe(3);
}

wholeTest('an example file that cannot be read is told and passed over (a broken link: root may read a file of mode 000)', async () => {
  const dir = folder('broken', 3);
  symlinkSync(path('gone.html'), path('broken', 'x.html'));
  await trainedWithout(dir, [path('broken', 'x.html'), 'mend or remove it']);
});

test('a folder none of whose files can be read is refused, with the first fault', async () => {
  const dir = folder('all-broken', 0);
  symlinkSync(path('gone.html'), path('all-broken', 'x.html'));
  writeFileSync(path('all-broken', 'y.html'), gzipSync('a page, but packed'));
  await refusedAsExamples(dir, [`${dir}: has no page that can be read`, path('all-broken', 'x.html')]);
});

wholeTest('a folder that is called like a page is no example', async () => {
  const dir = folder('folder-in-it', 3);
  mkdirSync(path('folder-in-it', 'x.html'));
  const [card] = jsonLines<{ counts: { examples: number } }>(await done('train', dir, '--out', path('m-folder'), '--json'));
  expect(card?.counts.examples).toBe(3);
});

test('an empty folder', async () => {
  mkdirSync(path('empty'));
  await refusedAsExamples(path('empty'), [path('empty'), 'put .html']);
});

wholeTest('a binary file among examples', async () => {
  const dir = folder('binary', 3);
  writeFileSync(path('binary', 'y.html'), gzipSync('a page, but packed'));
  await trainedWithout(dir, [path('binary', 'y.html'), 'binary', 'remove it; skipped']);
});

wholeTest('a page file of 200 MB', async () => {
  const dir = folder('huge', 3);
  truncateSync(file('huge/z.html', ''), 200 * 1024 * 1024);
  await trainedWithout(dir, [path('huge', 'z.html'), 'over the cap', 'split or remove it']);
  await refusedAsExamples(path('huge', 'z.html'), [path('huge', 'z.html'), 'over the cap', 'split or remove it']);
});

test('a PDF named as an example, whatever its name says', async () => {
  const pdf = '%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\nThis is read as text by nobody.\n';
  for (const name of ['paper', 'paper.html', 'paper.txt']) {
    const input = file(name, pdf);
    await refusedAsExamples(input, [`${input}: is a damaged PDF`, 'mend or remove it']);
  }
});

test.each([
  ['is not JSON', '{"text": bad'],
  ['has neither "html" nor "text"', '{"url": "http://a.example/"}'],
  ['is not an object', '[1]'],
])('a .jsonl line that %s', async (why, line) => {
  const input = file('bad.jsonl', `{"text": "a good line"}\n\n${line}\n`);
  await refusedAsExamples(input, [`${input}:3: ${why}`, 'mend or delete the line']);
});

test('a damaged .warc.gz: cut short, or changed', async () => {
  const bytes = readFileSync(warc);
  const cut = file('cut.warc.gz', bytes.subarray(0, Math.floor(bytes.length / 2)));
  await refusedAsExamples(cut, [cut, 'damaged at byte']);
  bytes.fill(0xff, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 64);
  const changed = file('changed.warc.gz', bytes);
  await refusedAsExamples(changed, [changed, 'damaged at byte']);
});

test('examples that are all the same page', async () => {
  mkdirSync(path('same'));
  for (const name of ['a', 'b', 'c']) copyFileSync(`${examples}/0.html`, path('same', `${name}.html`));
  await refusedAsExamples(path('same'), ['all 3 examples', 'give different pages']);
});

test('--out that exists: a model needs --force, anything else is never replaced', async () => {
  const model = path('model');
  const before = readFileSync(path('model', 'card.json'), 'utf8');
  await refused(2, [model, 'give another', '--force to replace it'], 'train', examples, '--out', model);
  expect(readFileSync(path('model', 'card.json'), 'utf8')).toBe(before);
  await done('train', examples, '--out', model, '--force', '--seed-rng', '9', ...NO_VECTORS);
  expect(JSON.parse(readFileSync(path('model', 'card.json'), 'utf8'))).toMatchObject({ seed: 9 });
  mkdirSync(path('thesis'));
  file('thesis/chapter.txt', 'years of work');
  await refused(2, [path('thesis'), 'something other than a model'], 'train', examples, '--out', path('thesis'));
  await refused(2, [path('thesis'), 'something other than a model'], 'train', examples, '--out', path('thesis'), '--force');
  expect(readdirSync(path('thesis'))).toEqual(['chapter.txt']);
});

test('--out below a file, on a file, or where nothing can be written', async () => {
  const plain = file('plain', 'x');
  await refused(2, [`${plain} is a file`], 'train', examples, '--out', `${plain}/model`);
  await refused(2, [`${plain} is a file`], 'train', examples, '--out', plain, '--force');
  expect(readFileSync(plain, 'utf8')).toBe('x');
  await refused(3, ['/proc/forager', 'give a path that can be written to'], 'train', examples, '--out', '/proc/forager/model');
});

test('from a folder, a .jsonl, a .warc.gz and a file of URLs: model, weights and card', async () => {
  const pages = readdirSync(examples).map((name) => ({
    url: `http://h${name.length}.example/${name}`,
    html: readFileSync(`${examples}/${name}`, 'utf8'),
  }));
  const urls = small.web.urlsOf(small.topic).slice(0, 12);
  const inputs = [
    examples,
    file('good.jsonl', pages.map((page) => `${JSON.stringify(page)}\n`).join('')),
    warc,
    file('urls.txt', `# good pages\n${urls.join('\n')}\n`),
  ];
  for (const [i, input] of sample([...inputs.entries()], [3])) {
    const report = await done('train', input, '--out', path(`model-${i}`), '--proxy', served.proxy, '--delay', '0ms', ...NO_VECTORS);
    expect(readdirSync(path(`model-${i}`)).sort()).toEqual(['card.json', 'model.json', 'training.bin.gz', 'weights.bin']);
    expect(report).toContain('precision on pages of a crawl: not measured; after a crawl, npx forager label <dir> measures it');
    // Of 10 hosts; the folder gives none, the .jsonl two.
    expect(report.includes('these examples give no figures of a crawl'), report).toBe(i < 2);
    expect(report).toContain('given with --pool (unlabelled)');
    expect(report).not.toMatch(/average precision|precision \d/);
    expect(report).toMatch(/at threshold 0\.\d{1,4}: recall \d+\.\d % of held-out examples, precision/);
    expect(report).toMatch(/strongest terms for: +\S+, \S+/);
    const hosts = i === 0 ? /^ +12 {2}without a URL$/m : i === 1 ? /^ +\d+ {2}h\d\.example$/m : /^ +\d+ {2}site-\d+\.example$/m;
    expect(report).toMatch(hosts);
  }
  for (const url of urls) expect(served.pages).toContain(url);
});

test('--word-vectors: a file of your own is on the card, and a faulty one is refused with its line, before pages are read', async () => {
  const html = readFileSync(`${examples}/${readdirSync(examples)[0] ?? ''}`, 'utf8').replace(/<[^>]*>/g, ' ');
  const words = [...new Set(html.toLowerCase().match(/\b[a-z]{4,12}\b/g))].slice(0, 20);
  const rows = words.map((word, i) => `${word} ${Math.cos(i).toFixed(3)} ${Math.sin(i).toFixed(3)} 0.${i}\n`);
  const own = file('own.vec', `${words.length} 3\n${rows.join('')}`);
  const faulty = file('faulty.vec', `${words.length} 3\n${rows.join('').replace(' 0.2\n', '\n')}`);
  await refusedAsExamplesWith([examples, '--word-vectors', faulty], [`${faulty}:4: has 2 numbers, not 3`]);
  await refusedAsExamplesWith([examples, '--word-vectors', path('none-here.vec')], ['none-here.vec']);
  await done('train', examples, '--word-vectors', own, '--out', path('with-own'));
  const { wordVectors } = JSON.parse(readFileSync(path('with-own/card.json'), 'utf8')) as { wordVectors?: { name: string } };
  expect(wordVectors?.name).toBe('own.vec');
});

wholeTest('URLs that cannot be fetched are warned of; when none can, that is an error', async () => {
  const gone = 'http://site-1.example/a/999999.html';
  const none = file('none.txt', `${gone}\n`);
  const some = file('some.txt', `${gone}\n${small.web.urlsOf(small.topic).slice(0, 5).join('\n')}\n`);
  const partly = await forager('train', some, '--out', path('model-some'), '--proxy', served.proxy, '--delay', '0ms');
  expect(partly.code).toBe(0);
  expect(partly.stdout).toContain('examples 5 ');
  expect(partly.stderr).toContain(`${gone}: not fetched: HTTP 404: no such page (http-4xx)`);
  const ended = await forager('train', none, '--out', out, '--proxy', served.proxy, '--delay', '0ms');
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain('the URL could not be fetched: http');
  expect(ended.stderr).toContain(gone);
});

test('--strict saves no model that there is a warning about', () =>
  refusedAsExamplesWith([folder('few', 4), '--strict', ...NO_VECTORS], ['not saved because of --strict', 'only 4 examples']));

/** Trained with the pages of a crawl in the background. */
async function toldApartFrom(crawl: string) {
  const [card] = jsonLines<{ counts: { extraBackground: number; duplicates: number }; warnings: string[] }>(
    await done('train', examples, '--background', crawl, '--out', path('told-apart'), '--json', '--force'),
  );
  if (card === undefined) throw new Error('a card is printed');
  return { joined: card.counts.extraBackground + card.counts.duplicates, warnings: card.warnings };
}

wholeTest('--background: pages off topic in a crawl join, those answered n too; kept ones and those answered y do not', async () => {
  const ledger = jsonLines<{ url: string; state: string }>(await done('ledger', path('crawl'), '--state', 'kept,off-topic'));
  const [kept, off] = ['kept', 'off-topic'].map((state) => ledger.filter((line) => line.state === state).map(({ url }) => url));
  if (kept === undefined || off === undefined) throw new Error('both are named');
  expect(Math.min(kept.length, off.length)).toBeGreaterThan(2);
  const first = await toldApartFrom(path('crawl'));
  expect(first.joined).toBe(off.length);
  expect(first.warnings[0]).toBe(
    `${path('crawl')}: ${off.length} judged pages join the background, 0 of them answered n; excluded: ${kept.length} kept or on topic there, 0 answered y`,
  );

  cpSync(path('crawl'), path('answered'), { recursive: true });
  writeFileSync(path('answers.csv'), `${kept[0]},n\n${off[0]},y\n${off[1]},n\n`);
  await done('label', 'import', path('answered'), path('answers.csv'), '--no-retrain');
  const answered = await toldApartFrom(path('answered'));
  expect(answered.joined).toBe(off.length);
  expect(answered.warnings[0]).toContain(`2 of them answered n; excluded: ${kept.length - 1} kept or on topic there, 1 answered y`);

  writeFileSync(path('all-y.csv'), off.map((url) => `${url},y\n`).join(''));
  cpSync(path('crawl'), path('no-page-off-topic'), { recursive: true });
  await done('label', 'import', path('no-page-off-topic'), path('all-y.csv'), '--no-retrain');
  const none = await toldApartFrom(path('no-page-off-topic'));
  expect(none.joined).toBe(0);
  expect(none.warnings[0]).toContain('adds no page to the background');
  expect(none.warnings[0]).toContain(`forager label ${path('no-page-off-topic')}`);
});

wholeTest('--pool: unlabelled pages join, of files and of crawls, and the examples are tested against them', async () => {
  const pages = small.web.urls().slice(0, 60);
  const urls = file('pool.txt', `${pages.join('\n')}\n`);
  const network = ['--proxy', served.proxy, '--delay', '0ms'];
  const report = await done('train', examples, '--pool', urls, path('crawl'), '--out', path('pooled'), ...network);
  const [, joined] = /unlabelled (\d+), background/.exec(report) ?? [];
  expect(Number(joined)).toBeGreaterThan(pages.length);
  const [, least, onTopic] =
    /against (?:\d+) unlabelled pages: average precision at least (\d\.\d+) [^\n]*\n {2}(\d+) of these \(\d+\.\d %\) reach the threshold, by the model/.exec(
      report,
    ) ?? [];
  expect(Number(least)).toBeGreaterThan(0);
  expect(Number(onTopic)).toBeLessThan(Number(joined));
  expect(report).not.toContain('not tested on the sites');
  await refusedAsExamplesWith(['--keywords', 'water', '--pool', urls], ['--keywords: uses no pages, so --irrelevant, --pool']);
  await refusedAsExamplesWith([examples, '--pool', path('nowhere')], [path('nowhere')]);
});

wholeTest('--keywords: words without a comma are one phrase, and that is said', async () => {
  const { stderr } = await forager('train', '--keywords', 'sloquuxment water', '--out', path('phrase'));
  expect(stderr).toContain('the query is one phrase: a page must have the words "sloquuxment water" in a row; put commas between');
  const known = await forager('train', '--keywords', 'water, river', '--out', path('known-words'));
  expect(known.stderr).not.toContain('one phrase');
});

wholeTest(
  'figures from examples alone name what they are against; a rule that refuses examples, and a precision not reached, are warned of',
  async () => {
    const { code, stdout: alone, stderr } = await forager('train', examples, '--out', path('alone'));
    expect(code).toBe(0);
    // Each line about a model says whether it is a note or a warning.
    const lines = stderr.split('\n').filter((line) => line.startsWith('forager: '));
    for (const line of lines) expect(line).toMatch(/^forager: (?:note|warning|danger): /);
    expect(lines.map((line) => line.split(': ')[1])).toEqual(expect.arrayContaining(['note', 'warning']));
    expect(alone).toContain('not tested on the sites to crawl');
    expect(alone).toContain(
      'these examples give no figures of a crawl: the example pages have no URL, so Forager cannot tell site from subject',
    );
    expect(alone).toMatch(/recall \d+\.\d % of held-out examples, precision not measured/);
    expect(alone).toContain('relevance assumes that one page in ten is on topic');
    const ruled = await forager('train', examples, '--rule', 'NOT title:no', '--out', path('ruled'));
    expect(ruled.stdout).toContain('figures are of the model alone, without its rule');
    expect(ruled.stderr).toMatch(/(warning|danger): the rule refuses \d+ of 12 examples/);
    await refusedAsExamplesWith(
      [examples, '--precision', '0.99', '--strict'],
      ['no threshold reaches a precision of 0.99', '268 held-out pages'],
    );
  },
);

test('--keywords: a model of words, which judges; and what does not go with them', async () => {
  const subject = 'words that nobody has | said';
  const report = await done('train', '--keywords', 'sloquuxment, quexous AND NOT nothing', '--out', path('words'), '--subject', subject);
  expect(JSON.parse(readFileSync(path('words', 'card.json'), 'utf8'))).toMatchObject({ subject });
  expect(report).toContain('training method keywords');
  expect(report).toContain('the query as Forager reads it: (sloquuxment OR quexous) AND NOT nothing; terms: sloquuxment, quexous');
  const page = file('words.txt', 'a sloquuxment on the hill, and a sloquuxment below it');
  expect(jsonLines(await done('judge', path('words'), page))).toMatchObject([{ onTopic: true }]);
  await refusedAsExamplesWith([examples, '--keywords', 'moss'], ['examples and --keywords']);
  await refusedAsExamplesWith(['--keywords', 'moss', '--precision', '0.9'], ['--keywords', '--precision have no effect']);
  await refusedAsExamplesWith(['--keywords', ' '], ['--keywords: the query is empty']);
  await refusedAsExamplesWith(['--keywords', ''], ['--keywords: the query is empty']);
  await refusedAsExamplesWith(['--keywords', 'NOT moss'], ['at least one word that is wanted']);
  await refusedAsExamplesWith([examples, '--method', 'supervised'], ['--irrelevant']);
});
