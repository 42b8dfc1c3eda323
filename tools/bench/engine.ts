/**
 * The database of a shared crawl, a PostgreSQL of its own with durable commits (fsync, synchronous_commit) on this machine.
 *
 * First, how many settlements a second it stores: workers send commits of 100 settlements, each of a kept page with its text, its claimed payload and 40
 * links, a quarter of them to any host. The commits are made in advance, by the frontiers of a crawl. Server and workers share the processors, so the
 * CPU time of each is shown. Then, what a takeover costs: as many new workers take up that log from empty disks, all at once. One of them is killed, and
 * the others take its partitions.
 *
 *   npm run bench -- engine [--urls 1e6] [--workers 4] [--partitions 64] [--hosts 1e4] [--abroad 0.25] [--made FOLDER]
 *
 * `--made` keeps the commits that were made, and uses them again. Linux only. 10^6 URLs take some minutes and 5 GB of disk, 10^7 ten times as much.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { beginEngineCrawl } from '../../src/crawling/cluster/crawl-list.ts';
import { migrate } from '../../src/crawling/cluster/database-tables.ts';
import { readEngineAddress } from '../../src/crawling/cluster/engine-address.ts';
import { SqlClient } from '../../src/crawling/cluster/sql-client.ts';
import { PostgresServer } from '../../test/support/postgres-server.ts';
import { cpuOf, memoryOf } from '../../test/support/process-facts.ts';
import { type BatchOptions, GROUP, LINKS, type MadeBatches, makeBatches, shareOf } from './engine-batches.ts';
import { type Answer, type Order, obey, type Written } from './engine-process.ts';

const { values } = parseArgs({
  options: {
    urls: { type: 'string', default: '1e6' },
    workers: { type: 'string', default: '4' },
    partitions: { type: 'string', default: '64' },
    hosts: { type: 'string', default: '1e4' },
    abroad: { type: 'string', default: '0.25' },
    made: { type: 'string' },
    process: { type: 'boolean', default: false },
  },
});
const WORKERS = Number(values.workers);
const PARTITIONS = Number(values.partitions);
/** Tables of a crawl, each of its own. */
const TABLES = ['log', 'log_text', 'inbox', 'payload', 'lesson', 'corpus_size'] as const;
/** More than a lease and a takeover. */
const MOVED_WITHIN = 600_000;

/** A process of the bench, and what it answers. */
class Child {
  static readonly #all = new Set<Child>();
  readonly process: ChildProcess;
  /** Its partitions, as it last said, and when. */
  share = { held: 0, at: 0 };
  /** MB, at most. */
  most = { resident: 0, own: 0 };
  readonly #watch: NodeJS.Timeout;
  #answered: (answer: Answer) => void = () => undefined;
  #failed: (why: Error) => void = () => undefined;

  constructor() {
    this.process = fork(process.argv[1] ?? '', ['--process'], { execArgv: process.execArgv });
    this.process.on('message', (answer: Answer) => {
      if (answer.kind === 'share') this.share = answer;
      else this.#answered(answer);
    });
    this.process.once('exit', () => this.#failed(new Error('a process of the bench ended; see above')));
    this.#watch = setInterval(() => {
      const { resident, own } = memoryOf(this.pid);
      this.most = { resident: Math.max(resident, this.most.resident), own: Math.max(own, this.most.own) };
    }, 50);
    Child.#all.add(this);
  }

  static async endAll(): Promise<void> {
    await Promise.all([...Child.#all].map((child) => child.end()));
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** @throws Error if the process ends */
  do<K extends Order['kind']>(order: Order & { kind: K }): Promise<Answer & { kind: K }> {
    return new Promise((resolve, reject) => {
      this.#answered = (answer) => resolve(answer as Answer & { kind: K });
      this.#failed = reject;
      this.process.send(order);
    });
  }

  async end(): Promise<void> {
    clearInterval(this.#watch);
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
  }
}

async function joined(address: string, firstCorpus: number): Promise<Child[]> {
  // All start at the same time, and join in their order, as the shares are.
  const started = Array.from({ length: WORKERS }, () => new Child());
  for (const [i, child] of started.entries())
    await child.do({ kind: 'join', at: address, corpus: `00000000-0000-4000-8000-${String(firstCorpus + i).padStart(12, '0')}` });
  return started;
}

async function madeIn(folder: string): Promise<MadeBatches> {
  const facts = join(folder, 'made.json');
  if (existsSync(facts)) return JSON.parse(readFileSync(facts, 'utf8')) as MadeBatches;
  mkdirSync(folder, { recursive: true });
  const options: BatchOptions = {
    folder,
    workers: WORKERS,
    partitions: PARTITIONS,
    hosts: Number(values.hosts),
    urls: Number(values.urls),
    abroad: Number(values.abroad),
  };
  const made = await makeBatches(options);
  writeFileSync(facts, JSON.stringify(made));
  return made;
}

async function sizesOf(client: SqlClient): Promise<Map<string, number>> {
  const rows = await client.query<{ name: string; bytes: string }>(
    `select p.relname as name, sum(pg_total_relation_size(i.inhrelid)) as bytes from pg_inherits i
     join pg_class p on p.oid = i.inhparent where p.relnamespace = 'forager'::regnamespace and p.relkind = 'p' group by 1`,
  );
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.map((cell) => (typeof cell === 'number' ? figure(cell) : cell)).join(' | ')} |`;
}

/** Three digits, or all of an integer. */
function figure(number: number): string {
  return number >= 100 ? Math.round(number).toLocaleString('en-US') : number.toPrecision(3);
}

function head(columns: readonly string[]): void {
  console.log(`\n${row(columns)}\n|${' ---: |'.repeat(columns.length)}`);
}

async function write(server: PostgresServer, client: SqlClient, { files, urls }: MadeBatches): Promise<void> {
  const writers = await joined(server.address('bench'), 1);
  for (const [i, writer] of writers.entries())
    await writer.do({ kind: 'hold', expected: shareOf(i, { workers: WORKERS, partitions: PARTITIONS }) });
  const facts = async () => {
    const [found] = await client.query<{ wal: string; bytes: string }>(
      `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as wal, pg_database_size(current_database()) as bytes`,
    );
    const clients = writers.reduce((sum, { pid }) => sum + cpuOf(pid), 0);
    return { at: performance.now(), server: cpuOf(server.pid), clients, wal: Number(found?.wal), bytes: Number(found?.bytes) };
  };
  const before = await facts();
  const written: Written[] = await Promise.all(writers.map((writer, i) => writer.do({ kind: 'write', file: files[i] ?? '' })));
  const after = await facts();
  await Child.endAll();
  const sum = (what: 'commits' | 'settlements' | 'letters' | 'lessons') => written.reduce((all, one) => all + one[what], 0);
  const done = sum('settlements');
  const seconds = (after.at - before.at) / 1_000;
  const ms = (of: 'server' | 'clients') => (1_000 * (after[of] - before[of])) / done;
  head([
    'settlements a second',
    'commits a second',
    'server CPU ms a settlement',
    'workers CPU ms a settlement',
    'processors busy',
    'WAL bytes a settlement',
    'letters a settlement',
    'load',
  ]);
  console.log(
    row([
      done / seconds,
      sum('commits') / seconds,
      ms('server'),
      ms('clients'),
      (after.server + after.clients - before.server - before.clients) / seconds,
      (after.wal - before.wal) / done,
      sum('letters') / done,
      loadavg()[0] ?? 0,
    ]),
  );
  head(['table', 'MB', 'bytes a settlement', 'bytes a URL']);
  const sizes = await sizesOf(client);
  for (const table of [...TABLES, 'all'] as const) {
    const bytes = table === 'all' ? after.bytes : (sizes.get(table) ?? 0);
    console.log(row([table, bytes / 1e6, bytes / done, bytes / urls]));
  }
}

async function takeOver(server: PostgresServer, client: SqlClient, folder: string): Promise<void> {
  const takers = await joined(server.address('bench'), 1 + WORKERS);
  const viewOf = (i: number) => join(folder, `taken-${i}`);
  const taken = await Promise.all(
    takers.map(async (taker, i) => ({
      taker,
      view: viewOf(i),
      ...(await taker.do({ kind: 'take', view: viewOf(i) })),
      most: { ...taker.most },
    })),
  );
  head(['worker', 'URLs', 'seconds', 'CPU seconds', 'own MB at most', 'resident MB at most', 'own MB then', 'view MB', 'view bytes a URL']);
  for (const [i, { taker, view, urls, seconds, cpu, most }] of taken.entries()) {
    const bytes = statSync(join(view, 'data.mdb')).size;
    console.log(row([String(i + 1), urls, seconds, cpu, most.own, most.resident, memoryOf(taker.pid).own, bytes / 1e6, bytes / urls]));
  }
  const [dead, ...others] = takers as [Child, ...Child[]];
  const before = new Map(others.map((other) => [other, other.share.held]));
  const cpuBefore = others.map(({ pid }) => cpuOf(pid));
  await dead.end();
  const [lease] = await client.query<{ ends: Date; held: number }>(
    `select max(until) as ends, count(*)::integer as held from forager.partition where worker = (
       select id from forager.worker where corpus = '00000000-0000-4000-8000-${String(1 + WORKERS).padStart(12, '0')}')`,
  );
  if (lease === undefined) throw new Error('the killed worker had no partitions');
  const deadline = Date.now() + MOVED_WITHIN;
  while (others.reduce((sum, { share }) => sum + share.held, 0) < PARTITIONS) {
    if (Date.now() > deadline) throw new Error('the partitions of the killed worker were not taken');
    await sleep(100);
  }
  head(['worker', 'partitions more', "open, seconds after the lease's end", 'CPU seconds', 'own MB at most']);
  for (const [i, other] of others.entries())
    console.log(
      row([
        String(i + 2),
        other.share.held - (before.get(other) ?? 0),
        (other.share.at - lease.ends.getTime()) / 1_000,
        cpuOf(other.pid) - (cpuBefore[i] ?? 0),
        other.most.own,
      ]),
    );
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'forager-engine-bench-'));
  const started = process.cpuUsage();
  const made = await madeIn(values.made ?? folder);
  const { user } = process.cpuUsage(started);
  console.log(
    `${figure(made.settlements)} settlements of ${LINKS} links, ${figure(made.urls)} URLs, ${figure(made.passedOn / made.settlements)} links a settlement passed on; made with ${figure(user / 1e6)} s of CPU`,
  );
  console.log(
    `${WORKERS} workers, ${PARTITIONS} partitions, ${GROUP} settlements a commit; ${availableParallelism()} processors for all, load ${figure(loadavg()[0] ?? 0)}`,
  );
  const server = await PostgresServer.start([]);
  try {
    const client = await SqlClient.connect(readEngineAddress(server.address('bench')));
    await migrate(client);
    await beginEngineCrawl(client, 'bench', '{}', new Map(), PARTITIONS);
    await write(server, client, made);
    await takeOver(server, client, folder);
    await client.close();
  } finally {
    await Child.endAll();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

await (values.process ? obey() : main());
