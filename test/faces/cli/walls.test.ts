import { cpSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type CrawlReport, type CrawlStatus, freeze } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPage } from '../../../dist/faces/web-ui/open-page.js';
import { sentence } from '../../../src/base/text/sentence.ts';
import { crawlPaths, readManifest } from '../../../src/crawling/crawl-dir/crawl-directory.ts';
import { newReading, requestAgain } from '../../../src/faces/app/request-again.ts';
import { PageClient } from '../web-ui/page-client.ts';
import { done, forager, foragerWith, jsonLines } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

/** Half of a host is logins, consent walls and applications, under titles and addresses that are on topic. */
const small = smallWeb();
const dir = small.path('crawl');
const log = small.path('log.jsonl');
const HOST = 'http://walls.example';
const title = /<title>([^<]*)/.exec(small.web.examples(small.topic, 1)[0] ?? '')?.[1] ?? '';
const page = small.web.examples(small.topic, 1)[0]?.replace(/ href="[^"]*"/g, '') ?? '';
const app = `<title>${title}</title><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script src=/a.js></script>`;
const login = `<title>Sign in</title><h1>${title}</h1><form><p>Name <input name=n> Password <input type=password></p></form>`;
const consent = '<h1>Cookies</h1><p>We use cookies.</p><p>Accept the cookies to read on.</p><form><button>Accept</button></form>';
const links = ['/app/1', '/app/2', '/app/3', '/private', '/consent', '/page'].map((path) => `<a href="${path}">${title} ${path}</a>`);
const extra = new Map([
  [`${HOST}/`, `${page}${links.join(' ')}`],
  ...[1, 2, 3].map((i) => [`${HOST}/app/${i}`, app] as const),
  [`${HOST}/private`, `${login}<a href="/beside">${title}</a>`],
  [`${HOST}/consent`, consent],
  [`${HOST}/page`, `${page}<p>Another.</p>`],
  [`${HOST}/beside`, `${page}<p>A third.</p>`],
]);
let report: CrawlReport;
let told: string;
let args: string[];

beforeAll(async () => {
  const { proxy } = await small.serve({ extra });
  args = ['--topic', await trainedOn(small), '--proxy', proxy, '--delay', '0', '--scope', 'host:walls.example'];
  told = await done('crawl', dir, ...args, '--seeds', `${HOST}/`, '--log', log);
  report = JSON.parse(await done('crawl', dir, '--proxy', proxy, '--json')) as CrawlReport;
});
afterAll(() => small.close());

const LINES = [
  'pages without a text of their own, so not in the corpus: 3 pages need JavaScript, 1 page is a consent wall, 1 page is a login',
  `  http://walls.example: 3 of 8 pages need JavaScript (37.5 %); a browser renders them, and requests them again: npx forager crawl ${dir} --render auto`,
];

test('none of them is kept, whatever its title says, and links of a login are followed', () => {
  expect(report.counts).toMatchObject({ kept: 3, offTopic: 0, refused: 5, visited: 8 });
  expect(report.refusals).toEqual({ 'needs-javascript': 3, login: 1, 'consent-wall': 1 });
  expect(report.walls).toEqual([
    { host: HOST, wall: 'needs-javascript', pages: 3, visited: 8 },
    { host: HOST, wall: 'consent-wall', pages: 1, visited: 8 },
    { host: HOST, wall: 'login', pages: 1, visited: 8 },
  ]);
});

test('the end report counts them, and says what to do where they are many', () => {
  expect(told).toContain('1 with a login in place of the page');
  for (const line of LINES) expect(told).toContain(line);
});

test('status names them, in text and as JSON', async () => {
  const text = await done('status', dir);
  for (const line of LINES) expect(text).toContain(line);
  expect(text).toMatch(/needs-javascript +3 {2}that need JavaScript/);
  const status = JSON.parse(await done('status', dir, '--json')) as CrawlStatus;
  expect(status.walls).toEqual(report.walls);
  expect(status.reasons).toMatchObject({ 'refused:login': 1, 'refused:consent-wall': 1 });
});

test('the page names them in the same words', async () => {
  const page = await openPage({ dir, address: '0', run: null });
  const text = (await (await PageClient.of(page.url)).screen('/')).querySelector('main')?.textContent ?? '';
  await page.close();
  for (const line of LINES) expect(text).toContain(sentence(line.trim()));
});

test('why and the log name the wall', async () => {
  expect(await done('why', dir, `${HOST}/private`)).toMatch(
    /state refused \(login\), HTTP 200[\s\S]*was not judged: a login in place of the page; see --hosts\./,
  );
  expect(await done('why', dir, `${HOST}/consent`)).toContain('was not judged: a consent wall: ');
  const ends = jsonLines<{ event: string; url?: string; reason?: string }>(readFileSync(log, 'utf8'));
  expect(ends.find(({ event, url }) => event === 'settled' && url === `${HOST}/app/2`)?.reason).toBe('needs-javascript');
});

test('a seed that is one is named at once, and a crawl of it alone ends with 1', async () => {
  const { code, stdout } = await forager('crawl', small.path('alone'), ...args, '--seeds', `${HOST}/app/1`);
  expect(code).toBe(1);
  expect(stdout).toContain('refused (needs-javascript)  http://walls.example/app/1  the page needs JavaScript');
  expect(stdout).toContain('1 of 1 page needs JavaScript (100.0 %)');
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(
    /^nothing is kept: 1 of 1 page needs JavaScript; a browser renders them.* crawl .*alone --render auto$/,
  );
});

test('they wait again for a run with a browser, and no other page does', async () => {
  const again = small.path('again');
  cpSync(dir, again, { recursive: true });
  const paths = crawlPaths(again);
  const manifest = readManifest(again);
  const waiting = async () =>
    (await done('ledger', again, '--state', 'waiting')).split('\n').filter((line) => line.includes('/app/')).length;
  expect(newReading(manifest, manifest).renders).toBe('none');
  const reading = newReading(manifest, { ...manifest, render: 'auto' });
  expect(newReading({ ...manifest, render: 'always' }, { ...manifest, render: 'auto' }).renders).toBe('crashed');
  expect(await waiting()).toBe(0);
  await requestAgain(paths, manifest, { documents: [], renders: 'crashed' });
  expect(await waiting()).toBe(0);
  await requestAgain(paths, manifest, reading);
  expect(await waiting()).toBe(3);
  const { reasons } = JSON.parse(await done('status', again, '--json')) as CrawlStatus;
  expect(reasons).toMatchObject({ 'refused:login': 1, 'refused:consent-wall': 1 });
  expect(reasons).not.toHaveProperty('refused:needs-javascript');
});

test('a frozen web of the crawl has them, without their words', async () => {
  const out = small.path('web.jsonl.gz');
  const { complete, partial } = await freeze({ dir, out });
  expect(complete + partial).toBe(8);
  const frozen = gunzipSync(readFileSync(out)).toString();
  expect(frozen).toContain(`${HOST}/private`);
  expect(frozen).not.toContain('Sign in');
});

test('extract prints no text of an application, and says why', async () => {
  for (const format of ['jsonl', 'text']) {
    const { stdout, stderr } = await foragerWith(app, 'extract', '-', '--format', format);
    expect(stdout).not.toContain('enable JavaScript');
    expect(stderr).toContain('the page needs JavaScript');
  }
});
