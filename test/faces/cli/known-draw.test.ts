/** Pages drawn at random from a list become the known pages of a crawl, by the answers of a person. */
import { appendFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openKnownDraw, status } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { done, type Ended, foragerWith, jsonLines, refused } from './forager.ts';
import { type CrawlToLabel, crawlToLabel } from './labelled-crawl.ts';
import { smallWeb } from './small-web.ts';

const small = smallWeb();
const list = small.path('catalogue.txt');
let made: CrawlToLabel;

beforeAll(async () => {
  made = await crawlToLabel(small, 60);
  writeFileSync(list, [...small.web.urls(), 'https://elsewhere.example/picture.jpg'].map((url) => `see ${url}\n`).join(''));
});
afterAll(() => small.close());

const isOn = (url: string) => small.web.page(url)?.topic === small.topic;
const drawnIn = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : ((JSON.parse(line) as { draw?: string[] }).draw ?? [])));
const replies = (urls: readonly string[]) => urls.map((url) => (isOn(url) ? 'y\n' : 'n\n')).join('');
const ask = async (input: string, ...args: string[]): Promise<Ended> => {
  const ended = await foragerWith(input, 'known', ...args);
  expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' });
  return ended;
};

test('documents that the crawl reads are drawn, other ones and pictures are not', async () => {
  const dir = small.path('documents');
  cpSync(made.dir, dir, { recursive: true });
  const site = small.seeds[0] ?? '';
  const urls = ['report.pdf', 'report.docx', 'photo.jpg'].map((name) => new URL(name, site).href);
  writeFileSync(small.path('files.txt'), urls.join('\n'));
  const args = ['known', dir, '--from', small.path('files.txt'), '--out'];
  await refused(2, ['has no page to draw'], ...args, small.path('files.jsonl'));
  const manifest = join(dir, 'crawl.json');
  writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), documents: ['pdf'] }));
  await foragerWith('q\n', ...args, small.path('files.jsonl'));
  expect(drawnIn(small.path('files.jsonl'))).toEqual(urls.slice(0, 1));
});

test('drawn pages are asked about without the judgement, answers survive q, and u takes one back', async () => {
  const out = small.path('known.jsonl');
  const first = await ask('q\n', made.dir, '--from', list, '--draw', '12', '--out', out);
  expect(first.stdout).toContain('page 1 of 12 (so far 0 yes, 0 no)');
  expect(first.stdout).not.toMatch(/relevance|threshold|for:|in the corpus/);
  expect(first.stdout).toContain('12 pages have no answer yet');
  const drawn = drawnIn(out);
  expect(drawn).toHaveLength(12);
  const wrong = await ask(
    `${isOn(drawn[0] ?? '') ? 'n' : 'y'}\nu\n${replies(drawn.slice(0, 5))}q\n`,
    made.dir,
    '--out',
    out,
    '--name',
    'Ada',
  );
  expect(wrong.stdout).toContain('page 6 of 12');
  const before = made.served.pages.length;
  const last = await ask(replies(drawn.slice(5)), made.dir, '--out', out);
  const yes = drawn.filter(isOn).length;
  expect(yes).toBeGreaterThan(0);
  expect(last.stdout).toContain(`12 drawn, ${yes} on topic, ${12 - yes} off topic, answered by Ada`);
  expect(last.stdout).toMatch(/recall \.\d\d|recall 1\.00/);
  // Only pages that the crawl has not read, each once.
  const asked = made.served.pages.slice(before);
  expect(new Set(asked).size).toBe(asked.length);
  const read = new Set(jsonLines<{ url: string }>(await done('ledger', made.dir, '--state', 'kept,off-topic')).map(({ url }) => url));
  expect(asked.filter((url) => read.has(url))).toEqual([]);
});

test('the file is what crawl --known reads; status tells how its pages were drawn', async () => {
  const dir = small.path('resumed');
  cpSync(made.dir, dir, { recursive: true });
  const out = small.path('known.jsonl');
  await done('crawl', dir, '--known', out, '--max-pages', '61');
  const { recall } = await status(dir);
  const drawn = drawnIn(out);
  expect(recall).toMatchObject({
    origin: 'independent',
    drawn: { drawn: 12, yes: drawn.filter(isOn).length, unread: 0, seed: 1, names: ['Ada'] },
  });
  expect(recall?.drawn?.listed).toBeLessThan([...small.web.urls()].length);
  expect(await done('status', dir)).toContain(`known pages drawn at random from ${recall?.drawn?.listed} URLs of ${list}`);
  const listed = small.path('known-listed');
  cpSync(made.dir, listed, { recursive: true });
  await done('crawl', listed, '--known', `listed:${out}`, '--max-pages', '61');
  expect((await status(listed)).recall).toMatchObject({ origin: 'listed', recall: null });
});

test('a larger draw begins with the smaller one; seeds, examples and labels are never drawn', async () => {
  const out = small.path('larger.jsonl');
  const labelled = small.path('labelled');
  cpSync(made.dir, labelled, { recursive: true });
  const judged = jsonLines<{ url: string; state: string }>(await done('ledger', labelled, '--state', 'kept,off-topic'))
    .map(({ url }) => url)
    .slice(0, 20);
  writeFileSync(small.path('labels.csv'), judged.map((url) => `${url},y\n`).join(''));
  await foragerWith('', 'label', 'import', labelled, small.path('labels.csv'), '--no-retrain');
  await ask('q\n', labelled, '--from', list, '--draw', '10', '--out', out);
  const ten = drawnIn(out);
  await ask('q\n', labelled, '--draw', '250', '--out', out);
  const all = drawnIn(out);
  expect(all.slice(0, 10)).toEqual(ten);
  expect(new Set(all).size).toBe(all.length);
  const given = new Set([...small.seeds, ...judged]);
  expect(all.filter((url) => given.has(url))).toEqual([]);
  expect(all.length).toBeGreaterThan(200);
  expect(all.some((url) => url.endsWith('.jpg'))).toBe(false);
});

test('a torn answer is asked again, a damaged line is named', async () => {
  const out = small.path('torn.jsonl');
  await ask('y\nq\n', made.dir, '--from', list, '--draw', '5', '--out', out);
  const whole = readFileSync(out, 'utf8');
  appendFileSync(out, '{"url":"http://half');
  const { stdout } = await ask('n\nq\n', made.dir, '--out', out);
  expect(stdout).toContain('page 2 of 5 (so far 1 yes, 0 no)');
  expect(readFileSync(out, 'utf8').startsWith(whole)).toBe(true);
  writeFileSync(out, whole.replace('"answer":"y"', '"answer":"n"'));
  await refused(3, [`${out}:3`, 'checksum is wrong'], 'known', made.dir, '--out', out);
  await refused(3, [`${out}:3`, 'checksum is wrong'], 'crawl', made.dir, '--known', out);
});

test('pages that cannot be read are noted with their reason, and not asked about', async () => {
  const out = small.path('unread.jsonl');
  const missing = ['one', 'two', 'three'].map((name) => new URL(`/no-such-${name}`, small.seeds[0]).href);
  writeFileSync(small.path('gone.txt'), missing.join('\n'));
  const { stdout } = await ask('', made.dir, '--from', small.path('gone.txt'), '--draw', '3', '--out', out, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ answered: 0, yes: 0, unread: 3, recall: null });
  expect(readFileSync(out, 'utf8').match(/"unread":"http-4xx \(404\)"/g)).toHaveLength(3);
  await refused(2, [out, 'no page with the answer y'], 'crawl', made.dir, '--known', out);
});

test('what cannot be drawn is refused with its remedy', async () => {
  const out = small.path('refused.jsonl');
  await refused(2, ['--from: is missing', 'sitemap, or a file'], 'known', made.dir, '--out', out);
  await refused(2, ['no-list.txt'], 'known', made.dir, '--from', small.path('no-list.txt'), '--out', out);
  writeFileSync(small.path('seeds.txt'), small.seeds.join('\n'));
  await refused(2, ['has no page to draw', 'give another list'], 'known', made.dir, '--from', small.path('seeds.txt'), '--out', out);
  await refused(2, ['is not a file of drawn pages'], 'known', made.dir, '--from', list, '--out', list);
  await refused(2, ['no crawl is here'], 'known', small.path('nowhere'), '--from', list, '--out', out);
  const drawn = small.path('known.jsonl');
  await refused(2, ['are drawn from', 'omit --from'], 'known', made.dir, '--from', small.path('seeds.txt'), '--out', drawn);
  await refused(2, ['was drawn with seed 1'], 'known', made.dir, '--seed-rng', '7', '--out', drawn);
  const followed = small.path('followed');
  cpSync(made.dir, followed, { recursive: true });
  await done('crawl', followed, '--url-list', list, '--max-pages', '61');
  await refused(2, ['was given this list with --url-list'], 'known', followed, '--from', list, '--out', out);
});

test('the library asks as well, from the sitemaps of the seeds, and says that the crawl reads them', async () => {
  const site = smallWeb();
  const host = new URL(site.seeds[0] ?? '').origin;
  const own = [...site.web.urls()].filter((url) => url.startsWith(`${host}/`));
  const sitemap = `<urlset>${own.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;
  const { proxy } = await site.serve({ extra: new Map([[`${host}/sitemap.xml`, sitemap]]) });
  const dir = site.path('crawl');
  await done(
    'crawl',
    dir,
    '--topic',
    made.topic,
    '--seeds',
    site.seeds[0] ?? '',
    '--proxy',
    proxy,
    '--delay',
    '0',
    '--max-pages',
    '5',
    '--scope',
    `host:${new URL(host).host}`,
  );
  const warnings: string[] = [];
  const draw = await openKnownDraw({
    dir,
    from: 'sitemap',
    draw: 8,
    out: site.path('out.jsonl'),
    warn: (message) => warnings.push(message),
  });
  for (let page = await draw.next(); page !== null; page = await draw.next()) await draw.answer(isOn(page.url) ? 'y' : 'n');
  const { known, counts } = draw;
  expect(warnings).toEqual([]);
  expect(counts).toMatchObject({ drawn: 8, unread: 0 });
  expect(known?.drawn).toMatchObject({ from: 'sitemap', listed: own.length - 1, followed: true });
  expect(await draw.undo()).toBe(true);
  expect((await draw.next())?.place).toBe(8);
  await draw.close();
  await site.close();
});
