/** A power cut, played on the files of a crawl that was killed: what was not flushed is missing, or is something else. */
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { CommitMark, CorpusOffsets } from '../../src/base/core/parts/queueing.ts';
import { type Rng, seededRng } from '../../src/base/core/rng.ts';
import type { Bytes } from '../../src/base/core/types.ts';
import { openCrawl } from '../../src/crawling/crawl-dir/open-crawl.ts';
import { differencesFrom } from './compare-crawls.ts';
import { type CheckReport, type CrashBench, ended, startCli, succeeded } from './crash-bench.ts';
import type { Passing } from './crash-plan.ts';
import { type Passings, runTrapped } from './named-kills.ts';

/** What the disk lost besides the ends of the corpus files. */
export type Loss =
  /** All commits but the first few: the database is as one of them left it. */
  | 'older database'
  /** Of the last commit, what makes it count: its pages are there, the page that names them is not. */
  | 'meta page';

/** LMDB's two meta pages come first, in pages of the system. */
const META_BYTES: Bytes = 2 * 4096;
/** More than the crawl will write over. */
const GARBAGE: Bytes = 2_000_000;

/** Crawl, lose power twice, and crawl on to the end; and compare with the crawl left alone. */
export async function powerLost(bench: CrashBench, dir: string, loss: Loss, passings: Passings, seed: number): Promise<CheckReport> {
  const server = await bench.serve();
  const rng = seededRng(seed);
  const commits = passings.committed ?? 0;
  const said: string[] = [];
  try {
    for (const nth of [Math.ceil(commits / 4), Math.ceil(commits / 3)]) {
      const older = `${dir}.data.mdb`;
      const kill: Passing = loss === 'older database' ? { point: 'flushed', nth: nth + 1 } : { point: 'committed', nth: nth + 1 };
      const copy = { point: 'committed', nth, from: database(dir), to: older } as const;
      const { signal, stderr } = await runTrapped({ kill, copy }, bench.crawlArgs(dir, server));
      if (signal !== 'SIGKILL') throw new Error(`the crawl ended before its power was cut: ${stderr}`);
      if (loss === 'older database') copyFileSync(older, database(dir));
      else putMetaBack(older, database(dir));
      said.push(`${loseEnds(dir, rng)} bytes of the corpus lost, and garbage there`);
    }
    await succeeded(startCli(bench.crawlArgs(dir, server)));
    return { differences: await differencesFrom(bench.alone, dir), said: said.join(', ') };
  } finally {
    await server.close();
  }
}

function database(dir: string): string {
  return join(dir, 'frontier', 'data.mdb');
}

function putMetaBack(from: string, to: string): void {
  const file = openSync(to, 'r+');
  writeSync(file, readFileSync(from).subarray(0, META_BYTES), 0, META_BYTES, 0);
  closeSync(file);
}

/** Of each corpus file keep what is committed, and by chance some of the rest; garbage follows. The lock is of another boot, and of a disk of this machine. @returns bytes that are lost */
function loseEnds(dir: string, rng: Rng): Bytes {
  const { offsets: committed, number } = commitOf(dir);
  let lost = 0;
  for (const name of readdirSync(join(dir, 'corpus'))) {
    // On disk before the frontier's commit; the other mark may be half written.
    if (name === `commit-${number % 2}.json` || name.startsWith('cut-')) continue;
    const path = join(dir, 'corpus', name);
    const size = statSync(path).size;
    const left = (committed[name] ?? 0) + Math.floor(rng() * (size - (committed[name] ?? 0)));
    const garbage = garbageOf(rng);
    truncateSync(path, left);
    appendFileSync(path, garbage);
    lost += size - left;
  }
  writeFileSync(join(dir, 'crawl.json.tmp'), garbageOf(rng));
  writeFileSync(join(dir, 'lock'), JSON.stringify({ pid: process.pid, boot: 'the one before', started: '1', held: 'one machine' }));
  return lost;
}

/** Blocks that were given to a file and not written hold zeros, or what was there before. */
function garbageOf(rng: Rng): Buffer {
  return Buffer.alloc(GARBAGE, rng() < 0.5 ? '' : String(rng()));
}

function commitOf(dir: string): CommitMark {
  const crawl = openCrawl(dir);
  const commit = crawl.frontier.lastCommit();
  void crawl.close();
  if (commit === null) throw new Error(`${dir}: nothing was committed`);
  return commit;
}

function offsetsOf(dir: string): CorpusOffsets {
  return commitOf(dir).offsets;
}

/** A disk that lost what it said it had: the crawl must not go on over the hole, and go on once the file is back. */
export async function committedBytesLost(bench: CrashBench, dir: string, passings: Passings): Promise<CheckReport> {
  const server = await bench.serve();
  const kill: Passing = { point: 'committed', nth: Math.ceil((passings.committed ?? 0) / 2) };
  const differences: string[] = [];
  try {
    await runTrapped({ kill }, bench.crawlArgs(dir, server));
    for (const name of Object.keys(offsetsOf(dir))) {
      const path = join(dir, 'corpus', name);
      const whole = readFileSync(path);
      truncateSync(path, (offsetsOf(dir)[name] ?? 0) - 1);
      const { code, stderr } = await ended(startCli(bench.crawlArgs(dir, server)));
      const asItShould =
        code === 3 && stderr.includes(`${path}: `) && stderr.includes('were committed') && stderr.trimEnd().split('\n').length === 1;
      if (!asItShould) differences.push(`${name} one byte short: exit code ${code}, ${stderr}`);
      writeFileSync(path, whole);
    }
    await succeeded(startCli(bench.crawlArgs(dir, server)));
    return {
      differences: [...differences, ...(await differencesFrom(bench.alone, dir))],
      said: 'refused while a file was short, by its name',
    };
  } finally {
    await server.close();
  }
}
