/** Searches with a journal: a command and an instance of SearXNG, their failures, and the repetition of a search. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repeatSearches, searchSeeds, suggestedQueries, train } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandEngine } from '../../../src/faces/app/search-command.ts';
import { type JournalLine, readJournal } from '../../../src/faces/app/search-journal.ts';
import { done, forager, refused } from '../cli/forager.ts';

const dir = mkdtempSync(join(tmpdir(), 'forager-search-'));
const path = (...parts: string[]) => join(dir, ...parts);
const topic = path('model');
const closers: (() => unknown)[] = [];
beforeAll(async () => {
  await train({ examples: [], keywords: 'peat, moss, fen', subject: 'wetlands', out: topic });
});
afterAll(async () => {
  for (const close of closers) await close();
  rmSync(dir, { recursive: true });
});

/** A program of Node as a command. */
function program(name: string, source: string): string {
  writeFileSync(path(`${name}.mjs`), source);
  return `"${process.execPath}" "${path(`${name}.mjs`)}"`;
}

const READ = `let query = ''; for await (const chunk of process.stdin) query += chunk; query = query.trim();`;
const ANSWERS = `const all = { peat: [
  { url: 'http://fen.example/a', title: 'Peat and moss', snippet: 'of the fen' },
  { url: 'http://trams.example/', title: 'Trams' },
  { url: 'ftp://fen.example/', title: 'Peat' },
], moss: [{ url: 'http://fen.example/a', title: 'Peat' }, { url: 'http://one.example/moss', title: 'Moss' }] };`;
const engine = () =>
  program('engine', `${READ} ${ANSWERS} for (const one of all[query] ?? []) console.log(JSON.stringify(one)); console.log('noise');`);
const fresh = () => path(`journal-${Math.random()}.jsonl`);
const results = (journal: string) =>
  readJournal(journal).filter((line): line is JournalLine & { type: 'result' } => line.type === 'result');

test('results are judged, and the journal has query, engine, date, rank and outcome of each', async () => {
  const journal = fresh();
  const search = engine();
  const found = await searchSeeds({ search, journal, topic, query: ['peat', 'moss', 'peat'] });
  expect(found.outcomes).toEqual({ seed: 2, refused: 2, duplicate: 1, visited: 0 });
  expect(found.seeds.map(({ url }) => url).toSorted()).toEqual(['http://fen.example/a', 'http://one.example/moss']);
  expect(results(journal).map(({ query, rank, url, outcome }) => [query, rank, url, outcome])).toEqual([
    ['peat', 1, 'http://fen.example/a', 'seed'],
    ['peat', 2, 'http://trams.example/', 'refused'],
    ['peat', 3, 'ftp://fen.example/', 'refused'],
    ['moss', 1, 'http://fen.example/a', 'duplicate'],
    ['moss', 2, 'http://one.example/moss', 'seed'],
  ]);
  const [first] = results(journal);
  expect(first).toMatchObject({ engine: search, title: 'Peat and moss', snippet: 'of the fen', reason: '' });
  expect(Date.parse(first?.at ?? '')).toBeGreaterThan(0);
  expect(readJournal(journal)[0]).toMatchObject({ type: 'run', topic: { name: 'model' } });
  expect(readJournal(journal)[1]).toMatchObject({ type: 'search', query: 'peat', results: 3, ignored: 1, failure: null });
});

test('another person repeats the search: two runs are equal, and a changed engine is reported', async () => {
  const journal = fresh();
  await searchSeeds({ search: engine(), journal, topic, query: ['peat', 'moss'] });
  const before = readFileSync(journal, 'utf8');
  expect(await repeatSearches({ journal, search: engine() })).toMatchObject({
    equal: true,
    searches: [{ same: 3, gained: [], lost: [] }, { same: 2 }],
  });
  const changed = program(
    'changed',
    `${READ} ${ANSWERS} const [a, b, c] = all[query]; for (const one of [c ?? b, a, { url: 'http://new.example/' }]) console.log(JSON.stringify(one));`,
  );
  const { equal, searches } = await repeatSearches({ journal, search: changed });
  expect(equal).toBe(false);
  expect(searches[0]).toMatchObject({
    query: 'peat',
    before: 3,
    now: 3,
    same: 0,
    moved: 2,
    gained: ['http://new.example/'],
    lost: ['http://trams.example/'],
  });
  expect(await done('seeds', '--repeat', journal, '--search', changed)).toMatch(
    /new {3}http:\/\/new\.example\/[\s\S]*differ from those of the journal/,
  );
  expect(await done('seeds', '--repeat', journal, '--search', engine())).toContain(
    'the results are those of the journal, in the same order',
  );
  expect(readFileSync(journal, 'utf8')).toBe(before);
});

test('a run continues behind a line that a crash cut off', async () => {
  const journal = fresh();
  await searchSeeds({ search: engine(), journal, topic, query: ['peat'] });
  const whole = readFileSync(journal, 'utf8');
  writeFileSync(journal, whole.slice(0, -20));
  await searchSeeds({ search: engine(), journal, topic, query: ['moss'] });
  expect(readJournal(journal).filter(({ type }) => type === 'search')).toHaveLength(2);
  expect(results(journal)).toHaveLength(2 + 2);
});

test('a command in a journal is not run by itself', async () => {
  const journal = fresh();
  const marks = program(
    'marks',
    `import { writeFileSync } from 'node:fs'; ${READ} writeFileSync(${JSON.stringify(path('ran'))}, query); console.log('http://a.example/');`,
  );
  await searchSeeds({ search: marks, journal, topic, query: ['peat'], minScore: 0 });
  rmSync(path('ran'));
  await refused(2, ['its engine is the command', 'give it with --search to run it'], 'seeds', '--repeat', journal);
  expect(() => readFileSync(path('ran'))).toThrow(/ENOENT/);
});

test('queries are those of the model without others; --format urls prints the seeds alone', async () => {
  const queries = (await suggestedQueries(topic, 10)).map(({ query }) => query);
  expect(queries[0]).toBe('wetlands');
  expect((await done('seeds', '--queries', '--topic', topic)).trim().split('\n')).toEqual(queries);
  const echo = program(
    'echo',
    `${READ} console.log('http://a.example/' + query.replaceAll(' ', '-') + '\\tPeat'); console.log('http://b.example/');`,
  );
  const printed = await done('seeds', '--search', echo, '--topic', topic, '--journal', fresh(), '--format', 'urls');
  expect(printed.split('\n').filter((line) => line.startsWith('http'))).toEqual(
    expect.arrayContaining(queries.map((query) => `http://a.example/${query.replaceAll(' ', '-')}`)),
  );
  expect(printed).not.toContain('http://b.example/');
});

test('a command that fails, hangs or floods: its results count, its failure is in the journal, and the others are asked', async () => {
  const journal = fresh();
  const fails = program(
    'fails',
    `${READ} console.log('http://a.example/peat'); console.error('quota'); process.exit(query === 'peat' ? 3 : 0);`,
  );
  const { searches } = await searchSeeds({ search: fails, journal, topic, query: ['peat', 'moss'] });
  expect(searches).toEqual([
    { query: 'peat', results: 1, failure: 'exit code 3: quota' },
    { query: 'moss', results: 1, failure: null },
  ]);
  const signal = new AbortController().signal;
  const hangs = commandEngine(program('hangs', `console.log('http://a.example/'); setInterval(() => {}, 1000);`), 2000);
  expect(await hangs.search('peat', signal)).toMatchObject({
    results: [{ url: 'http://a.example/', rank: 1 }],
    failure: 'it took longer than 2 s',
  });
  const floods = commandEngine(
    program(
      'floods',
      `const line = 'x'.repeat(1000) + '\\n'; for (;;) if (!process.stdout.write(line)) await new Promise((go) => process.stdout.once('drain', go));`,
    ),
  );
  expect(await floods.search('peat', signal)).toMatchObject({ results: [], failure: 'it wrote more than 1048576 bytes' });
  const none = await forager('seeds', '--search', path('nothing-here'), '--query', 'peat', '--topic', topic, '--journal', fresh());
  expect(none).toMatchObject({ code: 3 });
  expect(none.stderr).toMatch(/no query was answered \(exit code 127/);
});

interface Instance {
  readonly name: string;
  readonly asked: string[];
}

async function instance(answer: (query: string) => { status?: number; body: string }): Promise<Instance> {
  const asked: string[] = [];
  const server: Server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const { status = 200, body } = answer(new URL(url, 'http://a/').searchParams.get('q') ?? '');
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return { name: `searxng:http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

test('SearXNG: queries through the guarded fetcher, results, and engines behind it that were silent', async () => {
  const searxng = await instance((query) => ({
    body: JSON.stringify({
      results: [
        { url: `http://fen.example/${query.replaceAll(' ', '-')}`, title: 'Peat', content: 'moss of the fen' },
        { title: 'no URL' },
      ],
      unresponsive_engines: query === 'moss' ? [['slow', 'timeout']] : [],
    }),
  }));
  const journal = fresh();
  const fetch = { allowPrivate: true, delay: 0 };
  const found = await searchSeeds({ search: searxng.name, journal, topic, query: ['peat bog', 'moss'], fetch });
  expect(searxng.asked).toEqual(['/search?q=peat%20bog&format=json', '/search?q=moss&format=json']);
  expect(found.seeds).toHaveLength(2);
  expect(found.searches.map(({ failure }) => failure)).toEqual([null, 'no answer of slow: timeout']);
  expect(readJournal(journal)[1]).toMatchObject({ ignored: 1 });
  // Its URL is in the journal, and nothing of it is run.
  expect(await repeatSearches({ journal, fetch })).toMatchObject({ equal: true });
});

test.each<[string, () => Promise<[string, string[]]>, string]>([
  ['a private address without leave', async () => [(await instance(() => ({ body: '{}' }))).name, []], '--allow-private lets loopback'],
  [
    'an instance without JSON',
    async () => [(await instance(() => ({ status: 403, body: '' }))).name, ['--allow-private']],
    'settings.yml needs json under search: formats',
  ],
  [
    'another answer',
    async () => [(await instance(() => ({ body: '<html>' }))).name, ['--allow-private']],
    'the answer is not the JSON of SearXNG',
  ],
])('SearXNG: %s is reported', async (_, given, why) => {
  const [name, more] = await given();
  await refused(3, [why], 'seeds', '--search', name, '--query', 'peat', '--topic', topic, '--journal', fresh(), '--delay', '0', ...more);
});

test.each<[string, () => string[], string]>([
  ['no journal', () => ['--search', 'x', '--topic', topic], '--search: needs --journal FILE'],
  ['a journal that is something else', () => ['--search', 'x', '--topic', topic, '--journal', notes()], 'is not a line of a journal'],
  ['an empty journal', () => ['--repeat', empty()], 'has no search; give a journal'],
  ['two tasks', () => ['--queries', '--from', 'x', '--topic', topic], '--from, --queries: exclude each other'],
  [
    'an instance without a URL',
    () => ['--search', 'searxng:here', '--query', 'x', '--topic', topic, '--journal', fresh()],
    'not a usable http(s) URL',
  ],
])('%s is refused, and nothing is written', async (_, args, why) => {
  const before = notes();
  await refused(2, [why], 'seeds', ...args());
  expect(readFileSync(before, 'utf8')).toBe('mine\nmine\n');
});

function notes(): string {
  writeFileSync(path('notes.txt'), 'mine\nmine\n');
  return path('notes.txt');
}

function empty(): string {
  writeFileSync(path('empty.jsonl'), '');
  return path('empty.jsonl');
}
