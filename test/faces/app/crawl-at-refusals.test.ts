/** Crawls in a database that must not continue, or must not tell: another or an older database, a later version, a dropped crawl, a full disk, a password. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crawl, gather, records, verify, workers } from 'forager';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { dropEngineCrawl, findEngineCrawl } from '../../../src/crawling/cluster/crawl-list.ts';
import { readEngineAddress } from '../../../src/crawling/cluster/engine-address.ts';
import { SqlClient } from '../../../src/crawling/cluster/sql-client.ts';
import { HAS_POSTGRES, PostgresServer } from '../../support/postgres-server.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { forager, startWithLimit } from '../cli/forager.ts';
import { type SmallWeb, smallWeb, trainedOn } from '../cli/small-web.ts';

const PASSWORD = 'Tr0ub4dor&3';
/** Kilobytes: less than a model's 1,280. */
const BELOW_MODEL = 1000;

describe.skipIf(!HAS_POSTGRES)('a crawl in PostgreSQL', () => {
  const small: SmallWeb = smallWeb(120);
  let topic: string;
  let server: PostgresServer;
  /** Connected to a database of its own, so that the one with the crawls can be copied. */
  let admin: SqlClient;
  beforeAll(async () => {
    [topic, server] = await Promise.all([trainedOn(small), PostgresServer.start()]);
    admin = await SqlClient.connect(readEngineAddress(inDatabase('template1', 'none')));
  });
  afterAll(async () => {
    await admin?.close();
    await Promise.all([small.close(), server?.close()]);
  });

  const inDatabase = (database: string, name: string) => server.address(name).replace('/postgres?', `/${database}?`);
  const withClient = async <T>(use: (client: SqlClient) => Promise<T>): Promise<T> => {
    const client = await SqlClient.connect(readEngineAddress(server.address()));
    try {
      return await use(client);
    } finally {
      await client.close();
    }
  };
  const begun = async (name: string, maxPages: number, latency = 0) => {
    const served = await small.serve({ latency });
    const [dir, at] = [small.path(name), server.address(name)];
    const running = crawl({ topic, seeds: small.seeds, proxy: served.proxy, delay: 0, workers: 1, dir, at, maxPages });
    return { served, dir, at, running };
  };

  test('code of the user, rounds and archives are for one machine', async () => {
    const file = (name: string, code: string) => {
      writeFileSync(small.path(name), code);
      return small.path(name);
    };
    const hooks = file('hooks.mjs', 'export const onKept = () => undefined;');
    const judgeBy = file('judge.mjs', 'export const judge = () => [];');
    const sink = file('sink.mjs', 'export const onRecord = () => undefined;');
    const archive = [file('web.warc.gz', '')];
    for (const more of [{ hooks }, { judgeBy }, { sink }, { rounds: 2 }, { archive }, { since: small.path() }]) {
      const dir = small.path(`refused-${Object.keys(more)}`);
      await expect(
        crawl({ topic, seeds: small.seeds, contact: 'me@example.org', dir, at: server.address('refused'), ...more }),
      ).rejects.toThrow(/omit --at$|or --at$/);
      expect(readdirSync(small.path())).not.toContain(`refused-${Object.keys(more)}`);
    }
  });

  wholeTest('whose database is an older copy requests nothing, and continues from it in a new directory', async () => {
    const { served, dir, running } = await begun('older', 20);
    await running;
    await admin.query('create database older template postgres');
    const later = { proxy: served.proxy, workers: 1 };
    await crawl({ ...later, dir, maxPages: 40 });
    const [at, asked] = [inDatabase('older', 'older'), served.pages.length];
    await expect(crawl({ ...later, dir, at, maxPages: 60 })).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringMatching(
        /it is an older copy of the database, or continued from one; restore a later one, or continue from it in new directories/,
      ),
    });
    expect(served.pages.length).toBe(asked);
    const whole = small.path('older-whole');
    await gather({ dir: whole, at: server.address('older') });
    await expect(gather({ dir: whole, at })).rejects.toThrow('it is an older copy of the database, or continued from one');

    await crawl({ ...later, dir: small.path('older-new'), at, maxPages: 60 });
    const late = small.path('older-late');
    const { counts, corpora } = await gather({ dir: late, at });
    expect([counts.visited, corpora.map(({ reached }) => reached)]).toEqual([60, ['folder', 'folder']]);
    expect(served.pages.length).toBe(asked + 40);
    const ids = new Set<string>();
    for await (const { id } of records(late)) ids.add(id);
    expect(ids.size).toBe(counts.kept);
    expect(await verify({ dir: late })).toMatchObject({ faults: 0 });
  });

  wholeTest('in another server is refused, also with all commits', async () => {
    const { served, dir, running } = await begun('moved', 10);
    await running;
    const [id, asked] = [join(dir, 'frontier', 'server-id'), served.pages.length];
    const own = readFileSync(id, 'utf8').trim();
    expect(own).toMatch(/^\d{10,}$/);
    writeFileSync(id, '7012345678901234567\n');
    await expect(crawl({ dir, proxy: served.proxy, workers: 1, maxPages: 20 })).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringContaining(`another database server (system identifier 7012345678901234567, this is ${own}); correct --at`),
    });
    expect(served.pages.length).toBe(asked);
    writeFileSync(id, `${own}\n`);
    await crawl({ dir, proxy: served.proxy, workers: 1, maxPages: 20 });
    expect(served.pages.length).toBe(20);
  });

  test('of a later version is refused by worker, gather and workers', async () => {
    const { served, dir, at, running } = await begun('later', 10);
    await running;
    const later = 'made by a later version (schema 99';
    await withClient((client) => client.query('insert into forager.migration (no) values (99)'));
    try {
      await expect(crawl({ dir, proxy: served.proxy, workers: 1, maxPages: 20 })).rejects.toThrow(later);
      await expect(gather({ dir: small.path('later-whole'), at })).rejects.toThrow(later);
      await expect(workers({ at })).rejects.toThrow(later);
    } finally {
      await withClient((client) => client.query('delete from forager.migration where no = 99'));
    }
    expect(served.pages.length).toBe(10);
  });

  wholeTest('that is dropped while it runs ends with an error that says so', async () => {
    const { served, at, dir, running } = await begun('dropped', 100, 20);
    const ended = running.catch((error: unknown) => error);
    await served.reached(10);
    await withClient(async (client) => {
      const found = await findEngineCrawl(client, 'dropped');
      if (found) await dropEngineCrawl(client, found);
    });
    expect(await ended).toMatchObject({ code: 'STORE_IO', exitCode: 3, message: expect.stringContaining('the crawl was dropped') });
    const asked = served.pages.length;
    expect(asked).toBeLessThan(100);
    // It is not started again without being asked for.
    await expect(crawl({ dir, proxy: served.proxy, workers: 1 })).rejects.toThrow('has a crawl that is not in');
    await expect(workers({ at })).rejects.toThrow('there is no crawl of this name');
    expect(served.pages.length).toBe(asked);
  });

  test.each(['hub', 'pagerank'] as const)('by %s is refused: each worker sees a part of the graph', async (strategy) => {
    const served = await small.serve();
    const [dir, at] = [small.path(strategy), server.address(strategy)];
    await expect(crawl({ topic, seeds: small.seeds, proxy: served.proxy, workers: 1, dir, at, strategy })).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining(`--strategy ${strategy}: reads the graph of all links`),
    });
    expect(served.pages).toEqual([]);
  });

  wholeTest('is joined on a full disk by nobody, and by the same command when there is room', async () => {
    const { served, at, running } = await begun('no-space', 10);
    await running;
    const dir = small.path('no-space-late');
    const args = ['crawl', dir, '--at', at, '--proxy', served.proxy, '--workers', '1', '--max-pages', '20'];
    const { code, stderr } = await startWithLimit(BELOW_MODEL, args).ended;
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(/no space left while writing a file of the crawl; free some and run the same command again\n$/),
    ]);
    expect(await forager(...args)).toMatchObject({ code: 0 });
    expect(new Set(served.pages).size).toBe(20);
  });

  wholeTest(
    'tells its password to nobody: not in messages, not in files, not in the database; and does without TLS only if it may',
    async () => {
      const served = await small.serve();
      const dir = small.path('secret');
      await admin.query(`create role guest login password '${PASSWORD}'`);
      await admin.query('create database guest owner guest');
      const [hba] = await admin.query<{ hba_file: string }>('show hba_file');
      const file = hba?.hba_file ?? '';
      writeFileSync(file, `host all guest 127.0.0.1/32 scram-sha-256\n${readFileSync(file, 'utf8')}`);
      await admin.query('select pg_reload_conf()');
      const at = inDatabase('guest', 'secret').replace('forager@', 'guest@');
      const args = ['crawl', dir, '--topic', topic, '--seeds', ...small.seeds, '--proxy', served.proxy, '--workers', '1', '--delay', '0ms'];
      const run = (address: string) => forager(...args, '--max-pages', '10', '--log', small.path('secret.log'), '--at', address);
      const said: string[] = [];
      const tried = async (password: string, address: string, code: number) => {
        vi.stubEnv('PGPASSWORD', password);
        const ended = await run(address).finally(() => vi.unstubAllEnvs());
        expect(ended).toMatchObject({ code });
        said.push(ended.stdout, ended.stderr);
        return ended.stderr;
      };
      expect(await tried(`${PASSWORD}-not`, at, 3)).toContain('give the password in PGPASSWORD');
      expect(await tried(PASSWORD, `${at}&sslmode=require`, 3)).toContain('does not support SSL');
      expect(await tried(PASSWORD, at.replace('guest@', `guest:${PASSWORD}@`), 2)).toContain('has a password in it');
      expect(served.pages).toEqual([]);
      await tried(PASSWORD, at, 0);
      expect(served.pages.length).toBe(10);

      const stored = readdirSync(dir, { recursive: true, encoding: 'utf8' })
        .map((name) => join(dir, name))
        .filter((path) => statSync(path).isFile());
      expect(stored.length).toBeGreaterThan(5);
      for (const path of [...stored, small.path('secret.log')]) said.push(readFileSync(path, 'latin1'));
      const inside = await SqlClient.connect(readEngineAddress(inDatabase('guest', 'secret')));
      said.push(JSON.stringify(await inside.query('select manifest from forager.crawl')));
      await inside.close();
      expect(said.filter((text) => text.includes(PASSWORD))).toEqual([]);
    },
  );
});
