/** Commands of several machines that are refused: each leaves all files and all rows as they were. What is whole can always be gathered. */
import { appendFileSync, cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { crawl, gather, records, repair, status, verify, type WorkersReport, workers } from 'forager';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEngineAddress } from '../../../src/crawling/cluster/engine-address.ts';
import { SqlClient } from '../../../src/crawling/cluster/sql-client.ts';
import { IS_WHOLE } from '../../support/extent.ts';
import { HAS_POSTGRES, PostgresServer } from '../../support/postgres-server.ts';
import { sumsBelow, sumsOfTables } from '../../support/sums-below.ts';
import { forager } from '../cli/forager.ts';
import { type Served, type SmallWeb, smallWeb, trainedOn } from '../cli/small-web.ts';

describe.skipIf(!HAS_POSTGRES || !IS_WHOLE)('of several machines', () => {
  const small: SmallWeb = smallWeb(200);
  const dir = (name: string) => small.path('crawls', name);
  let topic: string;
  let server: PostgresServer;
  let served: Served;
  let admin: SqlClient;
  const inDatabase = (database: string, name = 'moss') => server.address(name).replace('/postgres?', `/${database}?`);
  const at = () => server.address('moss');
  const copied = (from: string, to: string) => cpSync(dir(from), dir(to), { recursive: true });
  const further = (name: string, maxPages: number) => crawl({ dir: dir(name), at: at(), proxy: served.proxy, workers: 1, maxPages });
  const copyDatabase = async (to: string) => admin.query(`create database ${to} template postgres`);
  const inIt = async <T>(address: string, use: (client: SqlClient) => Promise<T>): Promise<T> => {
    const client = await SqlClient.connect(readEngineAddress(address));
    return use(client).finally(() => client.close());
  };
  const idsIn = async (name: string) => {
    const ids = new Set<string>();
    for await (const { id } of records(dir(name))) ids.add(id);
    return ids;
  };

  // Two workers of one crawl, the directory that it began in, and a gathered one.
  beforeAll(async () => {
    [topic, server, served] = await Promise.all([trainedOn(small), PostgresServer.start(), small.serve()]);
    admin = await SqlClient.connect(readEngineAddress(inDatabase('template1')));
    await crawl({ topic, seeds: small.seeds, proxy: served.proxy, delay: 0, workers: 1, dir: dir('one'), maxPages: 40 });
    copied('one', 'copy');
    await further('one', 70);
    copied('one', 'older');
    await copyDatabase('restored');
    await further('two', 100);
    await gather({ dir: dir('all'), at: at() });
  });
  afterAll(async () => {
    await admin?.close();
    await Promise.all([small.close(), server?.close()]);
  });

  interface Refusal {
    readonly what: string;
    /** Makes what is refused. */
    readonly damage?: () => unknown;
    readonly args: () => readonly string[];
    readonly code: 2 | 3;
    readonly says: string;
  }

  /** A directory that was gathered, with a damage. */
  const gathered = (what: string, damage: (path: string) => unknown, says: string): Refusal => ({
    what: `gather into a directory ${what}`,
    damage: () => {
      rmSync(dir('all-damaged'), { recursive: true, force: true });
      copied('all', 'all-damaged');
      return damage(dir('all-damaged'));
    },
    args: () => ['gather', dir('all-damaged'), '--at', at()],
    ...{ code: 3, says },
  });
  /** A worker whose directory has a damage. */
  const worker = (what: string, damage: (path: string) => unknown, says: string): Refusal => ({
    what: `a worker ${what}`,
    damage: () => {
      rmSync(dir('one-damaged'), { recursive: true, force: true });
      copied('one', 'one-damaged');
      return damage(dir('one-damaged'));
    },
    args: () => ['crawl', dir('one-damaged'), '--proxy', served.proxy, '--max-pages', '300'],
    ...{ code: 3, says },
  });
  const database = (path: string) => join(path, 'frontier', 'data.mdb');
  const corpusFile = (path: string) => join(path, 'corpus', 'records.jsonl');
  const emptied = async (path: string) => {
    rmSync(database(path));
    const { open } = await import('lmdb');
    const empty = open({ path: join(path, 'frontier'), maxDbs: 1 });
    await empty.put('x', 1);
    await empty.close();
  };

  const REFUSALS: readonly Refusal[] = [
    {
      what: 'a copy of the crawl from before it moved',
      args: () => ['crawl', dir('copy'), '--at', at(), '--proxy', served.proxy, '--max-pages', '300'],
      ...{ code: 2, says: 'was moved to' },
    },
    {
      what: 'a copy of the moved directory, beside it',
      damage: () => {
        copied('copy', 'copy-of-moved');
        cpSync(join(dir('one'), 'corpus-id'), join(dir('copy-of-moved'), 'corpus-id'));
      },
      args: () => ['crawl', dir('copy-of-moved'), '--at', at(), '--proxy', served.proxy, '--max-pages', '300'],
      ...{ code: 2, says: 'and this is a copy of it' },
    },
    {
      what: 'a worker in a database with fewer commits',
      args: () => ['crawl', dir('two'), '--at', inDatabase('restored'), '--proxy', served.proxy, '--max-pages', '300'],
      ...{ code: 3, says: 'it is an older copy' },
    },
    {
      what: 'a gather from a database with fewer commits',
      args: () => ['gather', dir('all'), '--at', inDatabase('restored')],
      ...{ code: 3, says: 'it is an older copy' },
    },
    {
      what: 'reading a gathered crawl from a database with fewer commits',
      args: () => ['status', dir('all'), '--at', inDatabase('restored')],
      ...{ code: 3, says: 'it is an older copy' },
    },
    {
      what: 'a gather into the directory of a worker',
      args: () => ['gather', dir('two'), '--at', at()],
      ...{ code: 2, says: 'is the directory of a worker' },
    },
    {
      what: 'a gather into another crawl',
      damage: async () => {
        await crawl({ topic, seeds: small.seeds, proxy: served.proxy, delay: 0, workers: 1, dir: dir('other'), maxPages: 5 });
      },
      args: () => ['gather', dir('other'), '--at', at()],
      ...{ code: 2, says: 'has another crawl' },
    },
    {
      what: 'a harvest of a worker as a gathered crawl',
      args: () => ['harvest', dir('two'), '--at', at(), '--out', small.path('harvest')],
      ...{ code: 2, says: 'is the directory of a worker' },
    },
    { what: 'another crawl as a worker', args: () => ['crawl', dir('other'), '--at', at()], code: 2, says: 'has another crawl' },
    {
      what: 'a gathered crawl as a worker',
      args: () => ['crawl', dir('all'), '--at', at()],
      code: 2,
      says: 'was gathered from this crawl',
    },
    {
      what: 'an option of one machine',
      args: () => ['crawl', dir('new'), '--at', at(), '--record'],
      ...{ code: 2, says: 'is an option of crawls on one machine' },
    },
    { what: 'labels of a worker', args: () => ['label', dir('two')], code: 2, says: 'is the directory of one of several machines' },
    {
      what: 'labels of a gathered crawl from a database with fewer commits',
      args: () => ['label', dir('all'), '--at', inDatabase('restored')],
      ...{ code: 3, says: 'it is an older copy' },
    },
    {
      what: 'answers from a file to a worker, by the address of its crawl',
      damage: () => writeFileSync(small.path('answers.csv'), `url,label\n${small.seeds[0]},y\n`),
      args: () => ['label', 'import', dir('two'), small.path('answers.csv'), '--at', at()],
      ...{ code: 2, says: 'is the directory of a worker' },
    },
    {
      what: 'answers from a file that has none, to a gathered crawl',
      damage: () => writeFileSync(small.path('answers.csv'), 'url,label\nhttp://a.example/,perhaps\n'),
      args: () => ['label', 'import', dir('all'), small.path('answers.csv'), '--at', at()],
      ...{ code: 2, says: 'answers.csv' },
    },
    {
      what: 'labels of a gathered crawl with options that exclude each other',
      args: () => ['label', dir('all'), '--at', at(), '--no-retrain', '--even-if-worse'],
      ...{ code: 2, says: '--even-if-worse' },
    },
    {
      what: 'labels of a gathered crawl into a file that exists',
      damage: () => writeFileSync(small.path('answers.csv'), 'url,label\n'),
      args: () => ['label', 'export', dir('all'), small.path('answers.csv'), '--at', at()],
      ...{ code: 2, says: 'already exists' },
    },
    {
      what: 'labels of a crawl that is not in the database',
      args: () => ['label', dir('all'), '--at', server.address('peat')],
      ...{ code: 2, says: 'there is no crawl of this name' },
    },
    {
      what: 'an unknown word to the workers',
      args: () => ['workers', 'halt', '--at', at()],
      ...{ code: 2, says: 'halt' },
    },
    { what: 'repair --cut of all machines', args: () => ['repair', dir('all'), '--at', at(), '--cut'], code: 2, says: '--cut' },
    {
      what: 'a crawl that is not in the database',
      args: () => ['gather', dir('new'), '--at', server.address('peat')],
      ...{ code: 2, says: 'there is no crawl of this name' },
    },
    { what: 'dropping no crawl', args: () => ['workers', 'drop', '--at', server.address('peat')], code: 2, says: 'no crawl of this name' },
    gathered('without its frontier', (path) => rmSync(database(path)), 'is missing'),
    gathered('whose frontier is an empty file', (path) => truncateSync(database(path), 0), 'is empty'),
    gathered('whose frontier has no commit', emptied, 'no'),
    gathered('whose frontier is that of a worker', (path) => cpSync(database(dir('one')), database(path)), 'nothing was changed'),
    gathered('whose corpus lost bytes', (path) => truncateSync(corpusFile(path), statSync(corpusFile(path)).size - 7), 'were gathered'),
    gathered(
      'whose list of parts is of something else',
      (path) => writeFileSync(join(path, 'gathered.json'), '{"1":{"x":{"../y":1}}}'),
      'gathered.json',
    ),
    gathered(
      'whose list of parts names a way out',
      (path) =>
        writeFileSync(
          join(path, 'gathered.json'),
          readFileSync(join(path, 'gathered.json'), 'utf8').replaceAll('forager-00000', '../../outside'),
        ),
      'gathered.json',
    ),
    worker('that lost bytes', (path) => truncateSync(corpusFile(path), statSync(corpusFile(path)).size - 10), 'were committed'),
    worker(
      'with an older corpus',
      (path) => {
        rmSync(join(path, 'corpus'), { recursive: true });
        cpSync(join(dir('copy'), 'corpus'), join(path, 'corpus'), { recursive: true });
      },
      'were committed',
    ),
    worker('whose frontier is of another crawl', (path) => cpSync(database(dir('other')), database(path)), 'is the frontier of crawl'),
    worker(
      'of another server',
      (path) => writeFileSync(join(path, 'frontier', 'server-id'), '7012345678901234567\n'),
      'another database server',
    ),
  ];

  test('each refusal changes no file and no row', async () => {
    for (const { what, damage, args, code, says } of REFUSALS) {
      await damage?.();
      const before = [sumsBelow(small.path('crawls')), await inIt(at(), sumsOfTables)];
      const ended = await forager(...args());
      expect([what, ended.code, ended.stderr]).toEqual([what, code, expect.stringContaining(says)]);
      expect([sumsBelow(small.path('crawls')), await inIt(at(), sumsOfTables)], what).toEqual(before);
    }
    // And what was refused is as good as before.
    await further('two', 110);
    expect((await gather({ dir: dir('all'), at: at() })).counts.visited).toBe(110);
    expect(await verify({ dir: dir('all') })).toMatchObject({ faults: 0 });
  });

  test('a database that continued from an older copy is refused by its commits, however many it has', async () => {
    const known = (
      await inIt(at(), (client) => client.query<{ commits: string }>("select commits from forager.crawl where name = 'moss'"))
    )[0];
    const restored = inDatabase('restored');
    await inIt(restored, async (client) => {
      for (let i = 0; i < 200; i++) {
        const [{ commits = '0' } = {}] = await client.query<{ commits: string }>('select commits from forager.crawl');
        if (Number(commits) >= Number(known?.commits)) return;
        await client.query(
          "select forager.repair_corpus(id, '1 s', gen_random_uuid(), '{}', '{}', array[]::integer[], array[]::bytea[]) from forager.crawl",
        );
      }
    });
    for (const args of [
      ['crawl', dir('two'), '--at', restored, '--proxy', served.proxy, '--max-pages', '300'],
      ['gather', dir('all'), '--at', restored],
    ]) {
      const before = [sumsBelow(dir('two')), sumsBelow(dir('all')), await inIt(restored, sumsOfTables)];
      expect(await forager(...args)).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/its commit \d+ is another than the one that was made/),
      });
      expect([sumsBelow(dir('two')), sumsBelow(dir('all')), await inIt(restored, sumsOfTables)]).toEqual(before);
    }
  });

  test('a damaged worker keeps none of the others from being gathered; repaired, it goes on, and its lost page waits again', async () => {
    const whole = await gather({ dir: dir('before'), at: at() });
    const path = corpusFile(dir('one'));
    const lines = readFileSync(path, 'utf8').split('\n');
    const url: string = JSON.parse(lines[3] ?? '').url;
    // One page, in both of its files.
    lines[3] = `${lines[3]?.slice(0, 90)}#${lines[3]?.slice(91)}`;
    writeFileSync(path, lines.join('\n'));
    damageWarcOf(dir('one'), url);
    const ended = await forager('gather', dir('short'), '--at', at());
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining(`damaged: ${dir('one')}`) });
    const others = await idsIn('two');
    for (const id of others) expect(await idsIn('short')).toContain(id);

    const asked = served.pages.length;
    await repair({ dir: dir('one') });
    await crawl({ dir: dir('one'), proxy: served.proxy, workers: 1, maxPages: whole.counts.visited + 4 });
    expect(served.pages.slice(asked)).toContain(url);
    const after = await gather({ dir: dir('after'), at: at() });
    expect(after.corpora.map(({ reached, fault }) => [reached, fault])).toEqual([
      ['folder', null],
      ['folder', null],
    ]);
    expect((await idsIn('after')).size).toBe(after.counts.kept);
    expect(await verify({ dir: dir('after') })).toMatchObject({ faults: 0 });
    // Its files are no continuation of those that were gathered before.
    const before = sumsBelow(dir('before'));
    expect(await forager('gather', dir('before'), '--at', at())).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('was repaired since'),
    });
    expect(sumsBelow(dir('before'))).toEqual(before);
  });

  test('names in the database that are no names of files are refused by who joins and who gathers, before a folder is made', async () => {
    const foreign: readonly (readonly [string, string])[] = [
      [
        "insert into forager.crawl_file select id, '../../outside', 'x' from forager.crawl where name = 'moss'",
        "delete from forager.crawl_file where path = '../../outside'",
      ],
      [
        "insert into forager.crawl_file select id, 'crawl.json', 'x' from forager.crawl where name = 'moss'",
        "delete from forager.crawl_file where path = 'crawl.json'",
      ],
      [
        `update forager.corpus_size set sizes = sizes || '{"../../outside": 5}'`,
        `update forager.corpus_size set sizes = sizes - '../../outside'`,
      ],
      [
        `update forager.crawl set manifest = replace(manifest, '"id":"', '"id":"../../')`,
        `update forager.crawl set manifest = replace(manifest, '"id":"../../', '"id":"')`,
      ],
      [
        `update forager.crawl set manifest = left(manifest, 90) || '#' || manifest`,
        `update forager.crawl set manifest = substr(manifest, 92)`,
      ],
    ];
    for (const [harm, mend] of foreign) {
      await inIt(at(), (client) => client.query(harm));
      const before = sumsBelow(small.dir);
      expect([harm, (await forager('gather', dir('foreign'), '--at', at())).code]).toEqual([harm, 3]);
      expect([harm, sumsBelow(small.dir)]).toEqual([harm, before]);
      await inIt(at(), (client) => client.query(mend));
    }
  });

  test('an emptied frontier beside a full corpus is damage for each reader', async () => {
    copied('all', 'emptied');
    await emptied(dir('emptied'));
    for (const args of [['status'], ['ledger'], ['harvest', '--out', small.path('none')], ['why', small.seeds[0] ?? ''], ['verify']]) {
      const [name = '', ...rest] = args;
      expect([name, (await forager(name, dir('emptied'), ...rest)).code]).toEqual([name, 3]);
    }
    await expect(status(dir('emptied'))).rejects.toThrow('has no commit');
    await repair({ dir: dir('emptied') });
    expect((await status(dir('emptied'))).counts.kept).toBe((await idsIn('all')).size);
  });

  test('while a worker crawls, workers names it, no drop and no second worker in its directory; it ends as if nobody had asked', async () => {
    const slow = await small.serve({ latency: 100 });
    const { visited } = await workers({ at: at() });
    const running = crawl({ dir: dir('two'), at: at(), proxy: slow.proxy, workers: 1, maxPages: visited + 30 });
    await slow.reached(3);
    const named = await forager('workers', '--at', at(), '--json');
    expect(named.code).toBe(0);
    expect((JSON.parse(named.stdout) as WorkersReport).workers).toHaveLength(1);
    for (const [args, code, says] of [
      [['workers', 'drop', '--at', at()], 2, 'stop them first'],
      [['crawl', dir('two'), '--at', at(), '--max-pages', '900'], 3, 'is working on it'],
      [['gather', dir('two'), '--at', at()], 2, 'is the directory of a worker'],
      [['label', dir('two'), '--at', at()], 2, 'is the directory of a worker'],
    ] as const) {
      const before = sumsBelow(dir('all'));
      expect([args[0], await forager(...args)]).toMatchObject([args[0], { code, stderr: expect.stringContaining(says) }]);
      expect(sumsBelow(dir('all'))).toEqual(before);
    }
    expect((await running).stopReason).toBe('max-pages');
    expect((await gather({ dir: dir('at-last'), at: at() })).counts.visited).toBe(visited + 30);
    expect(await verify({ dir: dir('at-last') })).toMatchObject({ faults: 0 });
  });

  test('a crawl without workers is dropped in the end', async () => {
    expect(await workers({ at: at(), action: 'drop' })).toMatchObject({ state: 'dropped' });
    appendFileSync(small.path('done'), '');
  });
});

/** Where the members of a gzip file begin. */
function membersOf(bytes: Buffer): number[] {
  const magic = Buffer.from([0x1f, 0x8b, 0x08]);
  const starts: number[] = [];
  for (let at = bytes.indexOf(magic); at >= 0; at = bytes.indexOf(magic, at + 1)) {
    const name = bytes.subarray(at, at + 4096);
    try {
      if (gunzipSync(name, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, 5).toString() === 'WARC/') starts.push(at);
    } catch {
      // Bytes within a member.
    }
  }
  return starts;
}

/** Damages the response of a page in its WARC file. */
function damageWarcOf(dir: string, url: string): void {
  const path = join(dir, 'corpus', 'forager-00000.warc.gz');
  const bytes = readFileSync(path);
  const starts = membersOf(bytes);
  for (const [i, start] of starts.entries()) {
    const text = gunzipSync(bytes.subarray(start, starts[i + 1])).toString('latin1');
    if (/^WARC-Type: response\r$/m.test(text) && text.includes(`WARC-Target-URI: ${url}\r\n`)) bytes.fill(0xff, start + 20, start + 60);
  }
  writeFileSync(path, bytes);
}
