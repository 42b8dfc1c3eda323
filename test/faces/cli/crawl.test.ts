import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { trainedOnce } from '../../support/trained-once.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, forager, jsonLines, refused, refusedByProcess, start } from './forager.ts';
import { type Served, smallWeb, trainedOn } from './small-web.ts';

interface Report {
  readonly stopReason: string;
  readonly resumed: boolean;
  readonly counts: { readonly discovered: number; readonly visited: number; readonly kept: number };
}

const small = smallWeb();
const { path } = small;
const seeds = path('seeds.txt');
let model: string;
let served: Served;
/** A finished crawl of 20 pages; copied by the tests that damage one. */
const finished = path('finished');

beforeAll(async () => {
  writeFileSync(seeds, `# where to begin\n\n${small.seeds.join('\n')}\n`);
  served = await small.serve();
  model = await trainedOn(small);
  await done(...crawlArgs(finished, served, 20));
});
afterAll(() => small.close());

function crawlArgs(dir: string, { proxy }: Served, maxPages: number, ...more: string[]): string[] {
  return ['crawl', dir, '--topic', model, '--seeds', seeds, '--max-pages', String(maxPages), '--delay', '0ms', '--proxy', proxy, ...more];
}

/** Refused, and nothing made. */
async function refusedNew(code: number, parts: readonly string[], ...args: string[]): Promise<void> {
  await refused(code, parts, 'crawl', path('new'), ...args);
  expect(existsSync(path('new'))).toBe(false);
}

function copyOf(name: string): string {
  cpSync(finished, path(name), { recursive: true });
  return path(name);
}

async function statesOf(dir: string): Promise<Map<string, number>> {
  const states = new Map<string, number>();
  for (const { state } of jsonLines<{ state: string }>(await done('ledger', dir))) states.set(state, (states.get(state) ?? 0) + 1);
  return states;
}

test('seeds: bad lines, no such file, no URL, a folder, none', async () => {
  writeFileSync(path('bad.txt'), 'http://a.example/\nnot a url\n\nftp://b.example/\n');
  await refusedNew(
    2,
    [path('bad.txt'), 'line 2: not a url', 'line 4: ftp://b.example/', 'mend or delete'],
    '--topic',
    model,
    '--seeds',
    path('bad.txt'),
  );
  await refusedNew(2, ['gone.txt: is neither an http(s) URL nor a file'], '--topic', model, '--seeds', 'gone.txt');
  await refusedNew(2, ['http://: not a usable'], '--topic', model, '--seeds', 'http://');
  await refusedNew(2, [`${small.examples}: cannot be read (it is a folder`], '--topic', model, '--seeds', small.examples);
  await refusedNew(2, ['needs seeds; give --seeds'], '--topic', model);
  writeFileSync(path('empty.txt'), '# nothing yet\n');
  await refusedNew(2, [path('empty.txt'), 'has no URL'], '--topic', model, '--seeds', path('empty.txt'));
});

test('no topic', () => refusedNew(2, ['needs a topic; give --topic', 'forager train'], '--seeds', seeds));
test('a scope rule of no known form', () => refusedNew(2, ['"moon"', 'host:NAME'], '--topic', model, '--seeds', seeds, '--scope', 'moon'));

test.each<[string, (dir: string) => void, string]>([
  ['card is cut', (dir) => truncateSync(`${dir}/card.json`, 40), 'card.json'],
  ['card is empty', (dir) => truncateSync(`${dir}/card.json`, 0), 'card.json'],
  ['training pages are cut', (dir) => truncateSync(`${dir}/training.bin.gz`, 200), 'training.bin.gz'],
  ['training pages are no gzip', (dir) => writeFileSync(`${dir}/training.bin.gz`, 'moss'), 'training.bin.gz'],
])('a model whose %s is refused before the first request: the crawl would copy it unread', async (_, damage, part) => {
  const copy = path('model-damaged');
  cpSync(model, copy, { recursive: true });
  damage(copy);
  const asked = served.pages.length;
  await refusedNew(2, [copy, part], '--topic', copy, '--seeds', seeds);
  expect(served.pages.length).toBe(asked);
  rmSync(copy, { recursive: true, force: true });
});

test.each<[string, (dir: string) => void, string]>([
  ['of another version', (dir) => rewrite(`${dir}/model.json`, '"version": 4', '"version": 1'), 'version 1'],
  ['with truncated weights', (dir) => truncateSync(`${dir}/weights.bin`, 1000), 'weights.bin: has 1000 bytes'],
  ['without weights', (dir) => rmSync(`${dir}/weights.bin`), 'weights.bin: cannot be read'],
  ['whose model.json is not JSON', (dir) => writeFileSync(`${dir}/model.json`, '{'), 'model.json: is not JSON'],
  ['that is not there', (dir) => rmSync(dir, { recursive: true }), 'no topic model is here'],
])('a model %s: crawl and judge say so', async (_, damage, part) => {
  const copy = path('model-copy');
  cpSync(model, copy, { recursive: true });
  damage(copy);
  await refusedNew(2, [copy, part, 'train'], '--topic', copy, '--seeds', seeds);
  await refused(2, [copy, part, 'train'], 'judge', copy, small.examples);
  rmSync(copy, { recursive: true, force: true });
});

function rewrite(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}

test('a directory that holds something else is never touched, also with --force', async () => {
  const thesis = path('thesis');
  mkdirSync(thesis);
  writeFileSync(path('thesis', 'chapter.txt'), 'years of work');
  for (const force of [[], ['--force']]) {
    await refused(2, [thesis, 'chapter.txt', 'give another directory'], ...crawlArgs(thesis, served, 5, ...force));
  }
  expect(readdirSync(thesis)).toEqual(['chapter.txt']);
  await refused(2, [`${seeds} is a file`], ...crawlArgs(`${seeds}/crawl`, served, 5));
  await refused(3, ['/proc/forager', 'give a path that can be written to'], ...crawlArgs('/proc/forager', served, 5));
});

test('--force replaces a crawl, and leaves what else is there', async () => {
  const dir = copyOf('replaced');
  writeFileSync(path('replaced', 'notes.txt'), 'mine');
  const [report] = jsonLines<Report>(await done(...crawlArgs(dir, served, 7, '--force', '--json')));
  expect(report).toMatchObject({ resumed: false, stopReason: 'max-pages', counts: { visited: 7 } });
  expect(readFileSync(path('replaced', 'notes.txt'), 'utf8')).toBe('mine');
});

test('a proxy that does not answer, or is none', async () => {
  await refusedNew(
    3,
    ['--proxy http://127.0.0.1:1', 'does not answer', 'omit --proxy'],
    '--topic',
    model,
    '--seeds',
    seeds,
    '--proxy',
    'http://127.0.0.1:1',
  );
  await refused(3, ['--proxy http://127.0.0.1:1', 'does not answer'], 'extract', 'http://a.example/', '--proxy', 'http://127.0.0.1:1');
  for (const proxy of ['nowhere', 'localhost:8080', 'ftp://127.0.0.1:21'])
    await refusedNew(2, ['--proxy: not a proxy address', 'http://host:port'], '--topic', model, '--seeds', seeds, '--proxy', proxy);
});

const otherModel = () => trainedOnce({ examples: [], keywords: 'peat', out: path('other') });

test('a crawl goes on with its own topic and strategy only', async () => {
  const before = await done('ledger', finished);
  await otherModel();
  await refused(2, [finished, 'another topic model'], 'crawl', finished, '--topic', path('other'), '--max-pages', '25');
  await refused(2, [finished, 'started with --strategy apprentice'], 'crawl', finished, '--strategy', 'bfs', '--max-pages', '25');
  expect(await done('ledger', finished)).toBe(before);
});

test('a directory without a crawl', async () => {
  for (const args of [['status'], ['ledger'], ['why', 'http://a.example/'], ['harvest', '--out', path('new')]]) {
    const [command = '', ...rest] = args;
    await refused(2, [path('none'), 'no crawl is here', 'forager crawl'], command, path('none'), ...rest);
  }
  expect(existsSync(path('none'))).toBe(false);
  expect(existsSync(path('new'))).toBe(false);
});

test('why of a URL the crawl never met, or that is none', async () => {
  await refused(2, ['http://never.example/', 'never discovered'], 'why', finished, 'http://never.example/');
  await refused(2, ['mailto:me', 'not an http(s) URL'], 'why', finished, 'mailto:me');
});

test('a damaged crawl.json, and one of a newer format', async () => {
  const dir = copyOf('damaged');
  const manifest = path('damaged', 'crawl.json');
  rewrite(manifest, '"format": 2', '"format": 3');
  await refused(2, [manifest, 'format 3', 'use the version that wrote it (forager/'], 'status', dir);
  for (const content of ['{"format": 1,', '[]', '{"format": 1}']) {
    writeFileSync(manifest, content);
    await refused(3, [manifest, 'is damaged', 'restore it from a copy'], 'status', dir);
    await refused(3, [manifest, 'is damaged'], ...crawlArgs(dir, served, 25));
    expect(readFileSync(manifest, 'utf8')).toBe(content);
  }
});

test.each<[string, (file: string) => void]>([
  ['garbage', (file) => writeFileSync(file, Buffer.alloc(100_000, 'garbage '))],
  ['cut short', (file) => truncateSync(file, 50_000)],
  ['cut to less than a page', (file) => truncateSync(file, 100)],
  ['missing', (file) => rmSync(file)],
])('a frontier that is %s: exit 3, and the corpus stays', async (_, damage) => {
  const dir = copyOf('corrupt');
  damage(path('corrupt', 'frontier', 'data.mdb'));
  const corpus = readFileSync(path('corrupt', 'corpus', 'records.jsonl'));
  await refusedByProcess(3, ['data.mdb', 'restore it from a copy'], 'status', dir);
  await refusedByProcess(3, ['data.mdb', 'restore it from a copy'], ...crawlArgs(dir, served, 25));
  expect(readFileSync(path('corrupt', 'corpus', 'records.jsonl')).equals(corpus)).toBe(true);
  rmSync(dir, { recursive: true });
});

wholeTest('a second process on a crawl is refused, the first goes on', async () => {
  // The first must not end before the second is refused.
  const pace = { latency: 400 };
  const slow = await small.serve(pace);
  const dir = path('shared');
  const first = start(crawlArgs(dir, slow, 12, '--concurrency', '1'));
  await slow.reached(1);
  await refusedByProcess(3, [dir, `process ${first.child.pid}`, `kill -INT ${first.child.pid}`], ...crawlArgs(dir, slow, 12));
  pace.latency = 0;
  const ended = await first.ended;
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.stdout).toContain('12 visited');
});

wholeTest('the lock of a dead process is taken over', async () => {
  const dir = copyOf('stale');
  const slow = await small.serve({ latency: 250 });
  const dead = start(crawlArgs(dir, slow, 25));
  await slow.reached(1);
  dead.child.kill('SIGKILL');
  await dead.ended;
  expect(existsSync(path('stale', 'lock'))).toBe(true);
  const [report] = jsonLines<Report>(await done(...crawlArgs(dir, served, 22, '--json')));
  expect(report).toMatchObject({ resumed: true, counts: { visited: 22 } });
  expect(existsSync(path('stale', 'lock'))).toBe(false);
});

wholeTest(
  'a lock that another machine may hold: every command that writes is refused with the way out, status says that it cannot tell',
  async () => {
    const dir = copyOf('elsewhere');
    const left = JSON.stringify({ pid: 1, boot: 'x', started: '1', host: 'moss-2' });
    writeFileSync(path('elsewhere', 'lock'), left);
    expect(jsonLines(await done('status', dir, '--json'))[0]).toMatchObject({ stopReason: 'perhaps-running' });
    const who = 'process 1 of host moss-2 (another container, another machine, or before a restart) had the lock last';
    for (const args of [crawlArgs(dir, served, 22), ['compact', dir], ['repair', dir]])
      await refusedByProcess(3, [dir, who, 'make sure that it has ended, then run the command again with --take-over'], ...args);
    expect(readFileSync(path('elsewhere', 'lock'), 'utf8')).toBe(left);
    await done('compact', dir, '--take-over');
    expect(existsSync(path('elsewhere', 'lock'))).toBe(false);
    writeFileSync(path('elsewhere', 'lock'), left);
    const [report] = jsonLines<Report>(await done(...crawlArgs(dir, served, 22, '--json', '--take-over')));
    expect(report).toMatchObject({ resumed: true, counts: { visited: 22 } });
    expect(readdirSync(dir).filter((name) => name.startsWith('lock'))).toEqual([]);
  },
);

wholeTest('a crawl whose lock another took ends at once, with one line, and writes nothing more', async () => {
  const slow = await small.serve({ latency: 100 });
  const dir = copyOf('taken');
  const run = start(crawlArgs(dir, slow, 300, '--concurrency', '1', '--log', path('taken.log'), '--log-level', 'debug'));
  await slow.reached(3);
  rewrite(path('taken', 'lock'), '"pid":', '"other":');
  // A flush that had begun may still write the pages that were answered until now.
  const answered = [...slow.pages];
  const before = readFileSync(path('taken', 'corpus', 'records.jsonl'), 'utf8');
  const manifest = readFileSync(path('taken', 'crawl.json'));
  const { code, stderr } = await run.ended;
  expect(code).toBe(3);
  expect(stderr).toContain(`forager: ${dir}: the lock of this process is gone: another process took it over`);
  expect(stderr).not.toContain('    at ');
  const after = readFileSync(path('taken', 'corpus', 'records.jsonl'), 'utf8');
  expect(after.startsWith(before)).toBe(true);
  const later = after
    .slice(before.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '');
  for (const line of later) expect(answered).toContain((JSON.parse(line) as { url: string }).url);
  expect(readFileSync(path('taken', 'crawl.json')).equals(manifest)).toBe(true);
  expect(slow.pages.length).toBeLessThan(10);
  expect(readFileSync(path('taken', 'lock'), 'utf8')).toContain('"other":');
});

test('Ctrl-C: pages in flight are finished, every URL is accounted for, the same command goes on', async () => {
  const slow = await small.serve({ latency: 30 });
  const dir = path('interrupted');
  const args = crawlArgs(dir, slow, 40, '--concurrency', '4');
  const run = start(args);
  await slow.reached(10);
  run.child.kill('SIGINT');
  const ended = await run.ended;
  expect(ended.code).toBe(130);
  expect(ended.stderr).toContain('Press Ctrl-C again to stop at once');
  expect(ended.stdout).toContain('interrupted:');
  expect(ended.stdout).toContain('resume:  the same command again');
  const states = await statesOf(dir);
  const { counts } = JSON.parse(await done('status', dir, '--json')) as Report;
  expect([...states.values()].reduce((a, b) => a + b, 0)).toBe(counts.discovered);
  expect(states.has('leased')).toBe(false);
  expect(counts.visited).toBe(slow.pages.length);
  const [report] = jsonLines<Report>(await done(...args, '--json'));
  expect(report).toMatchObject({ resumed: true, stopReason: 'max-pages', counts: { visited: 40 } });
  expect(new Set(slow.pages).size).toBe(40);
  expect(slow.pages.length).toBe(40);
});

wholeTest('Ctrl-C twice: it ends at once, and can still go on', async () => {
  const hanging = await small.serve({ latency: 60_000 });
  const dir = path('stopped');
  const run = start(crawlArgs(dir, hanging, 15));
  await hanging.asked(1);
  run.child.kill('SIGINT');
  await run.says('Press Ctrl-C again');
  run.child.kill('SIGINT');
  expect((await run.ended).code).toBe(130); // and not after the minute of the answer: the test would time out
  const [report] = jsonLines<Report>(await done(...crawlArgs(dir, served, 15, '--json')));
  expect(report).toMatchObject({ resumed: true, counts: { visited: 15 } });
});

wholeTest.each<[string, (dir: string) => void, string]>([
  ['cut short', (dir) => truncateSync(`${dir}/weights.bin`, 1000), 'weights.bin: has 1000 bytes'],
  ['missing', (dir) => rmSync(dir, { recursive: true }), 'model.json: cannot be read'],
  ['another model', (dir) => cpSync(path('other'), dir, { recursive: true }), 'not the one that the crawl was started with'],
])('the copy of the model is %s: crawl and why name it and the way out, and nothing changes', async (_, damage, part) => {
  await otherModel();
  const dir = copyOf('damaged-model');
  const { topic } = manifestOf(dir);
  damage(`${dir}/model`);
  const before = await done('ledger', dir);
  const manifest = readFileSync(`${dir}/crawl.json`, 'utf8');
  const [line] = jsonLines<{ url: string }>(await done('ledger', dir, '--state', 'kept'));
  const parts = [`${dir}/model`, part, `copy ${topic.name} (model ${topic.id}) to ${dir}/model again`];
  await refused(3, parts, 'crawl', dir, '--max-pages', '25');
  await refused(3, parts, 'why', dir, line?.url ?? '');
  expect(await done('ledger', dir)).toBe(before);
  expect(readFileSync(`${dir}/crawl.json`, 'utf8')).toBe(manifest);
  // Neither reads the model.
  await done('status', dir);
  await done('harvest', dir, '--out', path('still'));
  rmSync(path('still'), { recursive: true });
  rmSync(`${dir}/model`, { recursive: true, force: true });
  cpSync(model, `${dir}/model`, { recursive: true });
  const [report] = jsonLines<Report>(await done('crawl', dir, '--max-pages', '25', '--json'));
  expect(report).toMatchObject({ resumed: true, counts: { visited: 25 } });
  rmSync(dir, { recursive: true });
});

interface Manifest {
  readonly topic: { readonly name: string; readonly id: string };
  readonly runs: readonly object[];
  readonly crc32: string;
}

/** Changed by hand: without its checksum, as Forager asks for. */
function rewriteManifest(dir: string, change: (text: string) => string): void {
  const { crc32: _, ...manifest } = manifestOf(dir);
  writeFileSync(`${dir}/crawl.json`, change(JSON.stringify(manifest)));
}

function manifestOf(dir: string): Manifest {
  return JSON.parse(readFileSync(`${dir}/crawl.json`, 'utf8')) as Manifest;
}

test('corpus files shorter than was committed: exit 3, and it ends', async () => {
  const dir = copyOf('short');
  truncateSync(path('short', 'corpus', 'records.jsonl'), 100);
  await refusedByProcess(3, ['records.jsonl', '100 bytes', 'restore the file from a copy'], 'crawl', dir, '--max-pages', '25');
});

wholeTest('a crawl whose own contact reaches nobody is refused, with the way out, and goes on with another', async () => {
  const dir = path('old-contact');
  await done(...crawlArgs(dir, served, 5, '--contact', 'https://example.org/crawler'));
  rewriteManifest(dir, (text) => text.replaceAll('https://example.org/crawler', 'bob'));
  await refused(2, [dir, 'started with --contact bob', 'give a new --contact'], 'crawl', dir, '--max-pages', '8');
  const [report] = jsonLines<Report>(await done('crawl', dir, '--max-pages', '8', '--contact', 'bob@example.org', '--json'));
  expect(report).toMatchObject({ resumed: true, counts: { visited: 8 } });
  expect(manifestOf(dir)).toMatchObject({ contact: 'bob@example.org', userAgent: expect.stringContaining('(+bob@example.org)') });
});

wholeTest('a crawl whose own scope is of an older version is refused, with the way out, and goes on with another', async () => {
  const dir = path('old-scope');
  await done(...crawlArgs(dir, served, 5, '--scope', 'domain:example'));
  rewriteManifest(dir, (text) => text.replace('"domain:example"', '"regex:^http://(?!site-10)"'));
  const old = readFileSync(`${dir}/crawl.json`);
  await refused(
    2,
    [dir, 'started with an unusable scope', '(?!site-10)', 'look-ahead', 'give all its rules again with --scope'],
    'crawl',
    dir,
  );
  expect(readFileSync(`${dir}/crawl.json`)).toEqual(old);
  expect(await done('ledger', dir, '--state', 'kept')).not.toBe('');
  const [report] = jsonLines<Report>(await done('crawl', dir, '--max-pages', '8', '--scope', 'not:host:site-10.example', '--json'));
  expect(report).toMatchObject({ resumed: true, counts: { visited: 8 } });
});

wholeTest('a crawl that goes on remembers how it was begun; what is said again replaces it', async () => {
  const dir = path('remembers');
  const polite = [
    '--contact',
    'me@example.org',
    '--allow-private',
    '--patience',
    '2s',
    '--scope',
    'not:host:site-10.example',
    '--max-depth',
    '4',
  ];
  await done(...crawlArgs(dir, served, 5, ...polite, '--max-pages-per-host', '9', '--focus', 'hard'));
  const { runs: _, ...first } = manifestOf(dir);
  expect(first).toMatchObject({
    contact: 'me@example.org',
    userAgent: expect.stringContaining('(+me@example.org)'),
    proxy: served.proxy,
    allowPrivate: true,
    patience: 2000,
    delay: 0,
    scope: ['not:host:site-10.example'],
    maxPagesPerHost: 9,
    maxDepth: 4,
    tunnel: 0,
  });
  const asked = served.pages.length;
  const [report] = jsonLines<Report>(await done('crawl', dir, '--max-pages', '15', '--json'));
  expect(report).toMatchObject({ resumed: true, counts: { visited: 15 } });
  expect(served.pages.length - asked).toBe(10); // through the proxy it was begun with
  expect(served.pages.slice(asked).filter((url) => url.includes('//site-10.example'))).toEqual([]);
  const { runs, crc32: changed, ...second } = manifestOf(dir);
  expect({ ...second, crc32: first.crc32 }).toEqual(first);
  expect(changed).not.toBe(first.crc32);
  expect(runs.length).toBe(2);
  await done('crawl', dir, '--max-pages', '16', '--contact', 'you@example.org', '--patience', '0s', '--scope', 'not:host:site-9.example');
  const { runs: __, ...third } = manifestOf(dir);
  expect(third).toEqual({
    ...first,
    contact: 'you@example.org',
    userAgent: expect.stringContaining('(+you@example.org)'),
    patience: 0,
    scope: ['not:host:site-9.example'],
    crc32: expect.any(String),
  });
  await done('crawl', dir, '--max-pages', '16', '--patience', 'auto');
  expect(manifestOf(dir)).toMatchObject({ patience: null });
});

wholeTest('the proxy a crawl was begun with is gone: another one, or none', async () => {
  const dir = copyOf('proxied');
  rewriteManifest(dir, (text) => text.replace(served.proxy, 'http://127.0.0.1:1'));
  await refused(3, ['--proxy http://127.0.0.1:1', 'was started with it', '--proxy none'], 'crawl', dir, '--max-pages', '22');
  const [report] = jsonLines<Report>(await done('crawl', dir, '--max-pages', '22', '--proxy', served.proxy, '--json'));
  expect(report).toMatchObject({ resumed: true, counts: { visited: 22 } });
  await done('crawl', dir, '--max-pages', '22', '--proxy', 'none', '--contact', 'you@example.org');
  expect(manifestOf(dir)).toMatchObject({ proxy: null });
});

test('a private address is refused, and the end says how to let it be asked', async () => {
  const dir = path('private');
  const local = `${served.proxy}/`;
  const args = ['crawl', dir, '--topic', model, '--seeds', local, '--delay', '0ms'];
  const { code, stdout: text } = await forager(...args);
  expect(code).toBe(1);
  expect(text).toContain('no URL waits: 0 visited, 0 kept');
  expect(text).toContain(`no seed gave a page\nseeds without a page: 1\n  refused (private-address)  ${local}  a private address\n`);
  expect(text).toMatch(/private addresses refused: 1; .*another directory with --allow-private/);
  expect(jsonLines(await done('ledger', dir))).toMatchObject([{ url: local, state: 'refused', reason: 'private-address' }]);
  expect((await forager(...args, '--force', '--allow-private')).stdout).not.toContain('private addresses refused');
});

test('a page that links to a private address is no reason to be told of --allow-private', async () => {
  const start = 'http://linking.example/';
  const extra = new Map([[start, `<title>Links</title><a href="http://127.0.0.1:1/">mine</a>`]]);
  const { proxy } = await small.serve({ extra });
  const args = ['--topic', model, '--seeds', start, '--delay', '0', '--proxy', proxy];
  const text = await done('crawl', path('linking'), ...args);
  expect(text).toContain('private addresses refused: 1\n');
  expect(text).not.toContain('--allow-private');
});

wholeTest('seeds that give no page are named at the end', async () => {
  const gone = 'http://site-1.example/a/999999.html';
  const [report] = jsonLines<{ lostSeeds: object[]; privateAddresses: number; failures: object }>(
    await done(...crawlArgs(path('lost'), served, 8, '--seeds', gone, '--json')),
  );
  expect(report).toMatchObject({
    lostSeeds: [{ url: gone, state: 'failed', reason: 'http-4xx' }],
    privateAddresses: 0,
    failures: { 'HTTP 404': 1 },
  });
  expect(await done(...crawlArgs(path('lost'), served, 8, '--seeds', gone))).toMatch(
    /^1 of 8 visits failed \(12\.5 %\): 1 HTTP 404; --max-pages counts failed visits too$/m,
  );
  const { code, stdout: text } = await forager(...crawlArgs(path('nowhere'), served, 8, '--scope', 'host:elsewhere.example'));
  expect(code).toBe(1);
  expect(text).toContain('no URL waits: 0 visited');
  expect(text).toContain('seeds without a page: 3');
  for (const seed of small.seeds) expect(text).toContain(`  refused (scope)  ${seed}`);
});
