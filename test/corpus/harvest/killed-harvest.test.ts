import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { verify } from '../../../src/study/repair/verify-crawl.ts';
import { size } from '../../support/extent.ts';
import { S3Server } from '../../support/s3-server.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { freshDir } from '../records/samples.ts';
import { madeRecord } from './made-corpus.ts';
import { type WrittenCrawl, writing, writtenCrawl } from './written-crawl.ts';

const FORMATS = ['jsonl', 'warc', 'text', 'parquet', 'sqlite', 'csv'] as const;
const PAGES = size(150, 40);
const OUT = 's3://corpora/moss';
const PART = 5 * 1024 * 1024;
const MOMENTS = size(20, 1);

let crawl: WrittenCrawl;
let tmp: string;

beforeEach(async () => {
  crawl = await writtenCrawl(
    freshDir(),
    Array.from({ length: PAGES }, (_, i) => ({
      ...madeRecord(i, 100),
      at: madeRecord(i).url,
      ...(i === 3 && { text: 'long '.repeat(PART / 4) }),
    })),
  );
  tmp = join(freshDir(), 'tmp');
  mkdirSync(tmp);
});

/** @param long does a page fill several parts of an upload? */
async function written(long: boolean): Promise<WrittenCrawl> {
  const text = { text: 'long '.repeat(PART / 4) };
  const pages = Array.from({ length: PAGES }, (_, i) => ({ ...madeRecord(i, 100), at: madeRecord(i).url, ...(long && i === 3 && text) }));
  return writtenCrawl(freshDir(), pages);
}

interface Step {
  readonly stage: string;
  readonly done: number;
}

/** Runs a harvest in a process of its own. @param kills is asked at each step; true kills the process at once. @returns its steps */
function run(outDir: string, over: object, kills: (step: Step, n: number, kill: () => void) => void = () => undefined): Promise<Step[]> {
  const options = {
    ...writing(outDir, { formats: outDir === OUT ? ['jsonl', 'warc', 'text', 'csv'] : FORMATS, ...over }),
    corpusDir: crawl.dir,
  };
  const child = fork(join(import.meta.dirname, 'harvest-child.mjs'), [JSON.stringify(options)], {
    env: { ...process.env, TMPDIR: tmp },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const steps: Step[] = [];
  child.on('message', (step) => {
    steps.push(step as Step);
    kills(step as Step, steps.length, () => child.kill('SIGKILL'));
  });
  return new Promise((resolve, reject) => {
    child.on('exit', (code, signal) => (code === 0 || signal === 'SIGKILL' ? resolve(steps) : reject(new Error(`exit code ${code}`))));
  });
}

function filesOf(dir: string): Record<string, string> {
  const names = (readdirSync(dir, { recursive: true }) as string[]).filter((name) => statSync(join(dir, name)).isFile()).sort();
  return Object.fromEntries(names.map((name) => [name, sha256(readFileSync(join(dir, name)))]));
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

wholeTest(
  `a folder is absent or complete after kill -9, and a second try writes the same bytes (${MOMENTS} moments)`,
  async () => {
    crawl = await written(false);
    const folder = join(freshDir(), 'whole');
    const steps = (await run(folder, {})).length;
    const whole = filesOf(folder);
    expect(Object.keys(whole).length).toBeGreaterThan(PAGES);
    let killed = 0;
    for (let moment = 0; moment < MOMENTS; moment++) {
      const out = join(freshDir(), 'moss');
      // The last moments are those between the last step and the end, when files move.
      const at = Math.min(steps - 1, Math.ceil(((moment + 0.5) * steps * 1.2) / MOMENTS));
      const later = Math.max(0, moment - MOMENTS * 0.8) * 5;
      const seen = await run(out, {}, (_, n, kill) => void (n === at && (later === 0 ? kill() : setTimeout(kill, later))));
      if (seen.at(-1)?.stage !== 'end') killed++;
      if (existsSync(out)) {
        expect(filesOf(out)).toEqual(whole);
        expect((await verify({ dir: out })).faults).toBe(0);
      } else await run(out, {});
      expect(filesOf(out), `moment ${moment}`).toEqual(whole);
      expect(readdirSync(join(out, '..'))).toEqual(['moss']);
    }
    expect(killed).toBeGreaterThan(MOMENTS / 2);
  },
  600_000,
);

let store: S3Server | null = null;
afterEach(async () => {
  await store?.close();
  store = null;
});

wholeTest(
  `a bucket has no card or the whole corpus after kill -9, and a second try ends the same (${MOMENTS} moments)`,
  async () => {
    const started = async () => {
      await store?.close();
      store = await S3Server.start();
      return store;
    };
    const over = (server: S3Server) => ({
      s3Endpoint: server.endpoint,
      s3PartBytes: PART,
      s3Credentials: { accessKeyId: 'AKIA', secretAccessKey: 'secret' },
    });
    const objects = (server: S3Server) => Object.fromEntries([...server.objects].map(([key, { bytes }]) => [key, sha256(bytes)]).sort());
    crawl = await written(true);
    const first = await started();
    await run(OUT, over(first));
    const whole = objects(first);
    const requests = first.requests.length;
    expect(Object.keys(whole).length).toBeGreaterThan(PAGES);
    expect(first.requests.some(({ query }) => query.get('partNumber') === '2')).toBe(true);
    for (let moment = 0; moment < MOMENTS; moment++) {
      const server = await started();
      const at = Math.floor(((moment + 0.5) * requests) / MOMENTS);
      let kill: () => void = () => undefined;
      // Before the store has done it, or after.
      server.fault = () => {
        if (server.requests.length < at) return null;
        kill();
        return moment % 2 === 0 ? 'cut' : 'after';
      };
      await run(OUT, over(server), (_, n, killing) => {
        if (n === 1) kill = killing;
      });
      server.fault = () => null;
      const isComplete = server.objects.has('moss/corpus-card.json');
      if (isComplete) {
        const { 'moss/harvest-in-progress.json': _, ...rest } = objects(server);
        expect(rest).toEqual(whole);
        continue;
      }
      const sent = server.sentBytes;
      server.requests.length = 0;
      await run(OUT, over(server));
      expect(objects(server), `moment ${moment}`).toEqual(whole);
      expect(server.uploads.size).toBe(0);
      // Not everything is sent twice, once there was more than the journal and two files.
      if (sent > 2 * PART) expect(server.sentBytes).toBeLessThan(first.sentBytes - PART);
    }
    expect(readdirSync(tmp).filter((name) => name.startsWith('forager-')).length).toBeLessThanOrEqual(1);
  },
  600_000,
);
