/**
 * Which partitions of hosts change their worker, and how long it takes: three workers, of which one is killed, then a fourth that joins, and then a
 * database that is gone for longer than a lease. By the table of partitions, looked at ten times a second, and by the log of the web.
 *
 *   npm run check -- machine-moves [--hosts 128] [--delay 2500]
 *
 * Exit code 1 unless: only the partitions of the dead worker move, each is with another worker within a lease of its death and its hosts are asked again
 * within the longest request after that; those that move later move to the newcomer alone; and none move because the database was gone. Some seconds are
 * allowed for looks and waiting URLs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { HostKey, Ms } from '../../src/base/core/types.ts';
import { readEngineAddress } from '../../src/crawling/cluster/engine-address.ts';
import { PARTITIONS, partitionsOf } from '../../src/crawling/cluster/partition-of.ts';
import { SqlClient } from '../../src/crawling/cluster/sql-client.ts';
import { LEASE, LONGEST_REQUEST } from '../../src/crawling/cluster/worker.ts';
import { Cluster, type ClusterWorker } from './cluster.ts';

const { values } = parseArgs({
  options: {
    hosts: { type: 'string', default: '128' },
    /** Between two requests to a host, in milliseconds. */
    delay: { type: 'string', default: '2500' },
  },
});
const LOOK_EVERY: Ms = 100;
/** A look of a worker, and reading the log of what it takes over. */
const TAKEN_WITHIN: Ms = LEASE + 2_000;
/** The hosts of a partition then wait for their turn: a delay, and the better URLs of others. */
const ASKED_WITHIN: Ms = LEASE + LONGEST_REQUEST + 2_000 + 3 * Number(values.delay);
/** From the moment a worker has joined to the last of its partitions: others give one back when it has no request on its way. */
const JOINED_WITHIN: Ms = 15_000;
/** Most hosts are known by then. */
const WARM_PAGES = 400;
const WARM_WITHIN: Ms = 180_000;

const say = (line: string) => process.stdout.write(`${line}\n`);
const wrong: string[] = [];
const must = (isSo: boolean, message: string) => {
  if (!isSo) wrong.push(message);
};
const partitionOf = partitionsOf(PARTITIONS);
const cluster = await Cluster.start({
  pages: 100_000,
  hosts: Number(values.hosts),
  latency: 60,
  delay: Number(values.delay),
  concurrency: 64,
});
const client = await SqlClient.connect(readEngineAddress(cluster.address));
try {
  process.exitCode = (await run()) ? 0 : 1;
} finally {
  await client.close();
  await cluster.close();
}

/** By partition: the folder of its worker, and how often it changed its worker. */
type Owners = ReadonlyMap<number, { readonly path: string | null; readonly epoch: number }>;

async function owners(): Promise<Owners> {
  const rows = await client.query<{ no: number; path: string | null; epoch: string }>(
    `select p.no, c.path, p.epoch from forager.partition p left join forager.worker w on w.id = p.worker
     left join forager.corpus c on c.crawl = w.crawl and c.id = w.corpus order by p.no`,
  );
  return new Map(rows.map(({ no, path, epoch }) => [no, { path, epoch: Number(epoch) }]));
}

function isOf(path: string | null, { dir }: ClusterWorker): boolean {
  return path?.startsWith(`${dir}/`) ?? false;
}

function heldBy(now: Owners, worker: ClusterWorker): number[] {
  return [...now].flatMap(([no, { path }]) => (isOf(path, worker) ? [no] : []));
}

/** Looks until it is so. @returns the last look, and when each partition that moved had its new worker. @throws Error if it takes longer than `longest` */
async function until(isSo: (now: Owners) => boolean, longest: Ms, before: Owners): Promise<{ now: Owners; at: ReadonlyMap<number, Ms> }> {
  const at = new Map<number, Ms>();
  for (const end = performance.now() + longest; ; await sleep(LOOK_EVERY)) {
    const now = await owners();
    for (const [no, { path, epoch }] of now)
      if (path !== null && epoch !== before.get(no)?.epoch && !at.has(no)) at.set(no, performance.now());
    if (isSo(now)) return { now, at };
    if (performance.now() > end) throw new Error(`not so after ${longest / 1000} s: ${JSON.stringify([...now])}`);
  }
}

async function hasJoined({ dir }: ClusterWorker): Promise<boolean> {
  const text = "select from forager.worker w join forager.corpus c on c.id = w.corpus where not w.gone and c.path like $1 || '/%'";
  return (await client.query(text, [dir])).length > 0;
}

/** By partition: the first request to one of its hosts by one of these workers after a moment. */
function askedAfter(start: Ms, workers: readonly string[]): ReadonlyMap<number, Ms> {
  const first = new Map<number, Ms>();
  for (const { host, worker, start: at } of cluster.web.log) {
    const partition = partitionOf(`http://${host}` as HostKey);
    if (at > start && workers.includes(worker) && !first.has(partition)) first.set(partition, at);
  }
  return first;
}

/** "14.2 to 15.1 s (median 14.8)" */
function spread(times: readonly Ms[], from: Ms): string {
  const seconds = times.map((at) => (at - from) / 1000).sort((a, b) => a - b);
  const of = (place: number) => seconds[Math.round(place * (seconds.length - 1))]?.toFixed(1);
  return `${of(0)} to ${of(1)} s (median ${of(0.5)})`;
}

/** All partitions have one of the workers, and each worker its share. */
function isShared(now: Owners): boolean {
  const least = Math.floor(PARTITIONS / cluster.workers.length);
  return [...now.values()].every(({ path }) => path !== null) && cluster.workers.every((worker) => heldBy(now, worker).length >= least);
}

function sharesIn(now: Owners): string {
  return cluster.workers.map((worker) => `${worker.name} ${heldBy(now, worker).length}`).join(', ');
}

/** Looks at the log of the web until all of these partitions were asked by these workers. @returns by partition, the first request */
async function asked(
  partitions: readonly number[],
  workers: readonly ClusterWorker[],
  from: Ms,
  longest: Ms,
): Promise<ReadonlyMap<number, Ms>> {
  const names = workers.map(({ name }) => name);
  for (const end = from + longest; performance.now() < end; await sleep(LOOK_EVERY)) {
    const first = askedAfter(from, names);
    if (partitions.every((no) => first.has(no))) break;
  }
  return new Map([...askedAfter(from, names)].filter(([no]) => partitions.includes(no)));
}

/** @returns the partitions of the dead worker whose hosts it had asked */
async function afterDeath(dead: ClusterWorker, others: readonly ClusterWorker[]): Promise<readonly number[]> {
  const before = await owners();
  const left = heldBy(before, dead);
  const known = left.filter((no) => askedAfter(0, [dead.name]).has(no));
  say(`partitions: ${sharesIn(before)}; ${dead.name} is killed`);
  const died = performance.now();
  dead.process?.kill('SIGKILL');
  const isTaken = (now: Owners) => left.every((no) => others.some((worker) => isOf(now.get(no)?.path ?? null, worker)));
  const { at } = await until(isTaken, 2 * TAKEN_WITHIN, before);
  const alive = [...at.keys()].filter((no) => !left.includes(no));
  must(alive.length === 0, `partitions of the living moved: ${alive}`);
  const late = left.filter((no) => (at.get(no) ?? Number.POSITIVE_INFINITY) - died > TAKEN_WITHIN);
  must(late.length === 0, `${late.length} partitions had no worker for more than ${TAKEN_WITHIN / 1000} s`);
  say(`its ${left.length} partitions are with the others after ${spread([...at.values()], died)}`);
  const again = await asked(known, others, died, 2 * ASKED_WITHIN);
  const silent = known.filter((no) => (again.get(no) ?? Number.POSITIVE_INFINITY) - died > ASKED_WITHIN);
  must(silent.length === 0, `the hosts of ${silent.length} partitions were not asked within ${ASKED_WITHIN / 1000} s: ${silent}`);
  const early = known.filter((no) => (again.get(no) ?? Number.POSITIVE_INFINITY) - died < LONGEST_REQUEST);
  must(early.length === 0, `the hosts of ${early.length} partitions were asked within the longest request: ${early}`);
  say(`the hosts of the ${known.length} of them that it had asked are asked again after ${spread([...again.values()], died)}`);
  return known;
}

async function afterJoin(known: readonly number[]): Promise<void> {
  const before = await owners();
  const newcomer = await cluster.join();
  while (!(await hasJoined(newcomer))) await sleep(LOOK_EVERY);
  const began = performance.now();
  const share = Math.floor(PARTITIONS / 3);
  const { now, at } = await until((look) => heldBy(look, newcomer).length >= share, 3 * JOINED_WITHIN, before);
  const took = performance.now() - began;
  must(took <= JOINED_WITHIN, `${newcomer.name} had its share after ${(took / 1000).toFixed(1)} s`);
  const between = [...at.keys()].filter((no) => !isOf(now.get(no)?.path ?? null, newcomer));
  must(between.length === 0, `partitions moved between the others: ${between}`);
  say(`${newcomer.name} joins: ${at.size} partitions move, all to it, after ${spread([...at.values()], began)}`);
  say(`partitions: ${sharesIn(now)}`);
  const busy = heldBy(now, newcomer).filter((no) => known.includes(no));
  const first = await asked(busy, [newcomer], began, JOINED_WITHIN + ASKED_WITHIN);
  must(first.size === busy.length, `${newcomer.name} asked the hosts of ${first.size} of ${busy.length} partitions`);
  say(`it asks the hosts of ${busy.length} of them that were asked before after ${spread([...first.values()], began)}`);
}

/** @returns whether the epochs of all partitions are as they were */
function isSame(before: Owners, now: Owners): boolean {
  return [...now].every(([no, { epoch }]) => epoch === before.get(no)?.epoch);
}

/** The database is gone for longer than a lease. */
async function afterOutage(): Promise<void> {
  const before = await owners();
  await cluster.database.kill('SIGKILL');
  await sleep(LEASE + 5_000);
  const pages = cluster.web.answered;
  await cluster.database.resume();
  const back = performance.now();
  while (cluster.web.answered === pages && performance.now() - back < LEASE) await sleep(LOOK_EVERY);
  const waited = performance.now() - back;
  must(cluster.web.answered > pages, `nothing was requested for ${LEASE / 1000} s after the database was back`);
  await sleep(LEASE + 2_000);
  must(isSame(before, await owners()), 'partitions moved after the database was gone');
  say(
    `the database is gone for ${(LEASE + 5_000) / 1000} s: no partition moves, and pages are requested ${(waited / 1000).toFixed(1)} s after it is back`,
  );
}

async function run(): Promise<boolean> {
  for (let i = 0; i < 3; i++) await cluster.join();
  for (const end = performance.now() + WARM_WITHIN; cluster.web.answered < WARM_PAGES; await sleep(LOOK_EVERY))
    if (performance.now() > end) throw new Error(`${cluster.web.answered} pages after ${WARM_WITHIN / 1000} s`);
  await until(isShared, WARM_WITHIN, new Map());
  const [dead, ...others] = cluster.workers;
  if (dead === undefined) throw new Error('there is no worker');
  await afterJoin(await afterDeath(dead, others));
  await afterOutage();
  for (const one of wrong) say(`FAULT ${one}`);
  if (wrong.length === 0) say('only the partitions of the dead moved, then only to the new, and none since the database was gone');
  return wrong.length === 0;
}
