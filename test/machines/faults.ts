/**
 * A crawl on three machines under random faults, and a checker of its own over the log, the WARC files and the log of the web: workers killed and started
 * again, stopped past their leases and woken, cut off from the database, with a full disk, and with a clock that is set on or back; the database killed and
 * started again, and with a full disk.
 *
 *   npm run check -- machines [--faults 50] [--workers 3] [--pages 20000] [--hosts 120] [--every 6] [--seed 1] [--bucket] [--only "disk full"]
 *
 * With --bucket, pages are in a bucket too, its store is another thing that fails, and all workers lose their disks at the end.
 *
 * Exit code 1 if a page is lost or kept twice, a host is asked by two at once or before its delay, a URL is asked more often than its faults explain, or a
 * worker ends without saying why. Full disks need the right to mount a tmpfs, and clocks need libfaketime (Debian's package `faketime`): without them
 * these faults are omitted, and the check says so.
 */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gather, ledger, records, verify } from 'forager';
import { grouped } from '../../src/base/core/grouped.ts';
import { type Rng, seededRng } from '../../src/base/core/rng.ts';
import type { Bytes, Ms } from '../../src/base/core/types.ts';
import { politenessOf, summed } from '../support/politeness.ts';
import { Cluster, type ClusterWorker, KEYS } from './cluster.ts';

const { values } = parseArgs({
  options: {
    faults: { type: 'string', default: '50' },
    workers: { type: 'string', default: '3' },
    pages: { type: 'string', default: '20000' },
    hosts: { type: 'string', default: '120' },
    /** Seconds between faults. */
    every: { type: 'string', default: '6' },
    seed: { type: 'string', default: '1' },
    bucket: { type: 'boolean', default: false },
    /** Faults with these words in their name. */
    only: { type: 'string', default: '' },
  },
});
const [faults, workers, pages, hosts] = [values.faults, values.workers, values.pages, values.hosts].map(Number) as [
  number,
  number,
  number,
  number,
];
const every: Ms = 1000 * Number(values.every);
const DELAY: Ms = 250;
/** The longest that the rest of a crawl may take after its last fault. */
const LONGEST: Ms = 20 * 60_000;

const begun = performance.now();
const ENDED = new Set(['fetched', 'kept', 'off-topic', 'duplicate', 'refused', 'failed']);
/** A visit is committed within this time, if nothing hinders it. */
const COMMITTED_WITHIN: Ms = 5_000;

/** A fault that has happened: which workers it concerned, and from when to when. */
interface Happened {
  readonly kind: string;
  readonly workers: readonly string[];
  readonly start: Ms;
  end: Ms;
}

type Fault = (cluster: Cluster, worker: ClusterWorker, rng: Rng) => Promise<void>;

interface FaultKind {
  /** It concerns all workers. */
  readonly ofAll: boolean;
  readonly run: Fault;
  /** Why it cannot happen here; null if it can. Default: it can. */
  readonly omitted?: (cluster: Cluster) => string | null;
}

/** On a full disk some writes fail, and some still have room. */
const FULL: Bytes = 100_000;
/** Less than a crawl keeps free by default, a twentieth of such a disk, and room for what is on its way. */
const NEARLY_FULL: Bytes = 40_000_000;
/** A worker that starts on a full disk ends within this time. */
const STARTED_WITHIN: Ms = 10_000;
const NO_MOUNT = 'a tmpfs cannot be mounted by this user';

/** What workers did that they must not do. */
const wrongEnds: string[] = [];

/** A time past the lease, or under it. */
const pause = (rng: Rng): Ms => (rng() < 0.5 ? 2_000 + rng() * 8_000 : 16_000 + rng() * 12_000);

const KINDS: Readonly<Record<string, FaultKind>> = {
  'worker killed': {
    ofAll: false,
    run: async (cluster, worker, rng) => {
      worker.process?.kill('SIGKILL');
      await worker.ended;
      await sleep(pause(rng));
      cluster.run(worker);
    },
  },
  'worker stopped and woken': {
    ofAll: false,
    run: async (_, worker, rng) => {
      worker.process?.kill('SIGSTOP');
      await sleep(pause(rng));
      worker.process?.kill('SIGCONT');
    },
  },
  'worker cut off': {
    ofAll: false,
    run: async (_, { gate }, rng) => {
      gate.shut();
      await sleep(pause(rng));
      gate.open();
    },
  },
  'database killed': {
    ofAll: true,
    run: async (cluster, _, rng) => {
      await cluster.database.kill(rng() < 0.5 ? 'SIGKILL' : 'SIGQUIT');
      await sleep(rng() * 6_000);
      await cluster.database.resume();
    },
  },
  ...(values.bucket && {
    'store away': {
      ofAll: true,
      run: async ({ store }: Cluster, _: ClusterWorker, rng: Rng) => {
        if (store === null) return;
        const fault = rng() < 0.5 ? 'cut' : 'after';
        store.fault = () => fault;
        await sleep(pause(rng));
        store.fault = () => null;
      },
    },
  }),
  'worker with a full disk': {
    ofAll: false,
    omitted: ({ workers: [one] }) => (one?.disk ? null : NO_MOUNT),
    run: async (cluster, worker, rng) => {
      worker.disk?.fill(rng() < 0.5 ? rng() * FULL : NEARLY_FULL);
      await sleep(pause(rng));
      if (worker.process === null) {
        toldNoSpace(cluster, worker);
        cluster.run(worker);
        await Promise.race([worker.ended, sleep(STARTED_WITHIN)]);
        if (worker.process === null) toldNoSpace(cluster, worker);
      }
      worker.disk?.empty();
      if (worker.process === null) cluster.run(worker);
    },
  },
  'worker with a clock that was set': {
    ofAll: false,
    omitted: ({ workers: [one] }) => (one?.clock ? null : 'libfaketime is not found'),
    run: async (_, { clock }, rng) => {
      clock?.set((rng() < 0.5 ? -1 : 1) * (2 + 8 * rng()) * 60_000);
      await sleep(pause(rng));
      clock?.set(0);
    },
  },
  'database with a full disk': {
    ofAll: true,
    omitted: ({ disk }) => (disk ? null : NO_MOUNT),
    run: async ({ database, disk }, _, rng) => {
      disk?.fill(rng() * FULL);
      await sleep(pause(rng));
      disk?.empty();
      // PostgreSQL ends when it has no room for its write-ahead log (its manual, Disk Full Failure): whoever makes room then starts it.
      await database.resume();
    },
  },
};

/** A worker that ended on a full disk must have said so. */
function toldNoSpace(on: Cluster, worker: ClusterWorker): void {
  const output = on.output(worker);
  if (worker.code !== 3 || !/no space left while/.test(output))
    wrongEnds.push(`${worker.name} ended with code ${worker.code} on a full disk:\n${output}`);
}

const say = (line: string) => process.stdout.write(`${line}\n`);
const cluster = await Cluster.start({
  pages,
  hosts,
  latency: 60,
  delay: DELAY,
  concurrency: 16,
  bucket: values.bucket,
  ownDisks: true,
  ownClocks: true,
});
try {
  if (!(await run())) process.exitCode = 1;
} finally {
  await cluster.close();
}

async function run(): Promise<boolean> {
  const rng = seededRng(Number(values.seed));
  const happened: Happened[] = [];
  const running: Promise<void>[] = [];
  const busy = new Set<string>();
  let isDatabaseDown = false;
  for (let i = 0; i < workers; i++) await cluster.join();
  const kinds = kindsHere();
  await reached(20);
  while (happened.length < faults) {
    await sleep(every * (0.5 + rng()));
    const free = cluster.workers.filter(({ name, process: child }) => !busy.has(name) && child !== null);
    const names = kinds.filter((kind) => KINDS[kind]?.ofAll !== true || !isDatabaseDown);
    const kind = names[Math.floor(rng() * names.length)] ?? '';
    const worker = free[Math.floor(rng() * free.length)];
    const { ofAll = false, run: fault } = KINDS[kind] ?? {};
    if (busy.size === 0 && free.length === 0) {
      say(`the crawl ended after ${happened.length} faults: give it more pages (--pages)`);
      process.exitCode = 1;
      break;
    }
    if (worker === undefined || fault === undefined) continue;
    const concerned = ofAll ? cluster.workers.map(({ name }) => name) : [worker.name];
    const one: Happened = { kind, workers: concerned, start: performance.now(), end: Number.POSITIVE_INFINITY };
    happened.push(one);
    if (ofAll) isDatabaseDown = true;
    else busy.add(worker.name);
    say(
      `${((performance.now() - begun) / 1000).toFixed(0).padStart(5)} s  ${cluster.web.answered} pages  ${kind}${ofAll ? '' : `: ${worker.name}`}`,
    );
    running.push(
      fault(cluster, worker, rng).finally(() => {
        one.end = performance.now();
        if (ofAll) isDatabaseDown = false;
        else busy.delete(worker.name);
      }),
    );
  }
  await Promise.all(running);
  const ended = Promise.all(cluster.workers.map(({ ended: end }) => end)).then(() => true);
  const inTime = await Promise.race([ended, sleep(LONGEST, false, { ref: false })]);
  return check(happened, inTime);
}

/** The names of the faults that can happen here. */
function kindsHere(): string[] {
  return Object.entries(KINDS).flatMap(([name, { omitted }]) => {
    const why = omitted?.(cluster) ?? null;
    if (why !== null) say(`omitted: ${name} (${why})`);
    return why === null && name.includes(values.only) ? [name] : [];
  });
}

async function reached(count: number): Promise<void> {
  while (cluster.web.answered < count) {
    for (const worker of cluster.workers)
      if (worker.code !== null) throw new Error(`${worker.name} ended with code ${worker.code}:\n${cluster.output(worker)}`);
    await sleep(100);
  }
}

/** @returns whether everything is as it must be */
async function check(happened: readonly Happened[], inTime: boolean): Promise<boolean> {
  const faultsFound: string[] = [];
  const must = (isSo: boolean, message: string) => {
    if (!isSo) faultsFound.push(message);
  };
  for (const wrong of wrongEnds) must(false, wrong);
  must(inTime, `the workers had not ended ${LONGEST / 60_000} minutes after the last fault`);
  for (const worker of cluster.workers)
    must(worker.code === 0, `${worker.name} ended with code ${worker.code}:\n${cluster.output(worker)}`);
  const dir = join(cluster.folder, 'whole');
  if (values.bucket) for (const worker of cluster.workers) rmSync(worker.dir, { recursive: true });
  const gathered = await gather({ dir, at: cluster.address, s3Credentials: KEYS });
  must(
    gathered.corpora.every(({ reached }) => reached === (values.bucket ? 'bucket' : 'folder')),
    'a corpus could not be reached',
  );

  // Nothing lost: each page of the web is in the ledger, with a fate.
  const states = new Map<string, string>();
  for await (const { url, state } of ledger(dir)) states.set(url, state);
  const missing = Array.from({ length: pages }, (_, i) => cluster.web.urlOf(i)).filter((url) => !ENDED.has(states.get(url) ?? ''));
  must(
    missing.length === 0,
    `${missing.length} of ${pages} pages have no fate: ${missing.slice(0, 3).map((url) => `${url} ${states.get(url)}`)}`,
  );
  const failed = [...states].filter(([, state]) => state === 'failed').map(([url]) => url);
  must(failed.length === 0, `${failed.length} pages failed, and the web answered each of them: ${failed.slice(0, 3)}`);
  const kept = [...states.values()].filter((state) => state === 'kept').length;
  const ids = new Set<string>();
  let doubles = 0;
  const recordUrls = new Set<string>();
  for await (const { id, url } of records(dir)) {
    if (recordUrls.has(url)) doubles += 1;
    recordUrls.add(url);
    ids.add(id);
  }
  must(ids.size === kept && doubles === 0, `${kept} pages are kept, and the corpus has ${ids.size} records of them, ${doubles} twice`);
  const { faults: broken, checks } = await verify({ dir });
  must(
    broken === 0,
    `verify found ${broken} faults: ${JSON.stringify(checks.filter(({ faults: found }) => found.length > 0)).slice(0, 500)}`,
  );

  // The log of the web: politeness, and no request without a reason.
  const { log } = cluster.web;
  const { requests, overlaps, short, leastGap } = summed(politenessOf([...log], () => DELAY));
  must(overlaps === 0, `${overlaps} requests overlapped another one to their host`);
  must(short === 0, `${short} gaps were under the delay of ${DELAY} ms; the least was ${leastGap.toFixed(1)} ms`);
  const again = log.filter(({ path }) => path.startsWith('/p/'));
  const byUrl = new Map<string, typeof again>();
  for (const one of again) byUrl.set(one.host + one.path, [...(byUrl.get(one.host + one.path) ?? []), one]);
  let [repeated, unexplained] = [0, 0];
  for (const asked of byUrl.values()) {
    repeated += asked.length - 1;
    for (const [i, first] of asked.slice(0, -1).entries()) {
      const next = asked[i + 1]?.start ?? Number.POSITIVE_INFINITY;
      const hit = happened.some(
        ({ workers: names, start, end }) => names.includes(first.worker) && start < next && end > first.start - COMMITTED_WITHIN,
      );
      if (!hit) unexplained += 1;
    }
  }
  must(unexplained === 0, `${unexplained} of ${repeated} repeated requests have no fault that explains them`);
  const counts = [...grouped(happened, ({ kind }) => kind)].map(([kind, some]) => `${some.length} ${kind}`);
  say(
    `${happened.length} faults (${counts.join(', ')}); ${pages} pages, ${kept} kept, ${requests} requests, ${repeated} repeated; least gap ${leastGap.toFixed(1)} ms; ${((performance.now() - begun) / 1000).toFixed(0)} s`,
  );
  for (const fault of faultsFound) say(`FAULT ${fault}`);
  if (faultsFound.length === 0) say('nothing lost, nothing twice, no host asked by two or too early');
  return faultsFound.length === 0;
}
