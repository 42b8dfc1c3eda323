/** Several workers of one crawl as processes, with their database and their web. */
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { train } from 'forager';
import type { Ms } from '../../src/core/types.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { S3Server } from '../support/s3-server.ts';
import { type MachineWeb, type MachineWebOptions, startMachineWeb } from './machine-web.ts';
import { startTcpGate, type TcpGate } from './tcp-gate.ts';

/** The store of the tests takes any. */
export const KEYS = { accessKeyId: 'AKIAOFTHISTEST', secretAccessKey: 'of-this-test' };
const FORAGER = fileURLToPath(new URL('../../src/cli/forager.mjs', import.meta.url));

export interface ClusterOptions extends MachineWebOptions {
  readonly delay: Ms;
  readonly concurrency: number;
  /** Settings of the database. Default: commits are durable. */
  readonly settings?: readonly string[];
  readonly maxPages?: number;
  /** Pages are in a bucket too. Default false. */
  readonly bucket?: boolean;
}

export interface ClusterWorker {
  readonly name: string;
  readonly dir: string;
  /** Its way to the database. */
  readonly gate: TcpGate;
  process: ChildProcess | null;
  /** Exit code of the last process; null while it runs or after a kill. */
  code: number | null;
  /** Resolves when its process has ended. */
  ended: Promise<void>;
}

export class Cluster {
  readonly folder: string;
  readonly web: MachineWeb;
  readonly database: PostgresServer;
  /** null: pages are on the disks of the workers alone. */
  readonly store: S3Server | null;
  readonly workers: ClusterWorker[] = [];
  readonly #options: ClusterOptions;
  readonly #topic: string;

  private constructor(
    folder: string,
    web: MachineWeb,
    database: PostgresServer,
    store: S3Server | null,
    topic: string,
    options: ClusterOptions,
  ) {
    [this.folder, this.web, this.database, this.store, this.#topic, this.#options] = [folder, web, database, store, topic, options];
  }

  static async start(options: ClusterOptions): Promise<Cluster> {
    const folder = mkdtempSync(join(tmpdir(), 'forager-machines-'));
    const web = await startMachineWeb(options);
    const examples = join(folder, 'examples');
    mkdirSync(examples);
    for (const [i, html] of web.examples.entries()) writeFileSync(join(examples, `${i}.html`), html);
    const topic = join(folder, 'topic');
    await train({ examples: [examples], out: topic });
    const store = options.bucket ? await S3Server.start() : null;
    return new Cluster(folder, web, await PostgresServer.start(options.settings ?? []), store, topic, options);
  }

  get address(): string {
    return this.database.address('machines');
  }

  /** A new worker, with a directory of its own. */
  async join(): Promise<ClusterWorker> {
    const name = `worker${this.workers.length + 1}`;
    const gate = await startTcpGate(this.database.port);
    const worker: ClusterWorker = { name, dir: join(this.folder, name), gate, process: null, code: null, ended: Promise.resolve() };
    this.workers.push(worker);
    this.run(worker);
    return worker;
  }

  /** Starts the process of a worker, in its directory. */
  run(worker: ClusterWorker): void {
    const { delay, concurrency, maxPages } = this.#options;
    const args = [
      ...[FORAGER, 'crawl', worker.dir, '--at', this.database.address('machines', worker.gate.port)],
      ...['--topic', this.#topic, '--seeds', ...this.web.seeds, '--scope', 'regex:^http://127', '--allow-private', '--delay', `${delay}ms`],
      ...['--user-agent', worker.name, '--contact', 'test@example.org', '--workers', '1', '--concurrency', String(concurrency)],
      ...(maxPages === undefined ? [] : ['--max-pages', String(maxPages)]),
      ...(this.store === null ? [] : ['--corpus-bucket', 's3://corpora/machines', '--s3-endpoint', this.store.endpoint]),
    ];
    const env = { ...process.env, AWS_ACCESS_KEY_ID: KEYS.accessKeyId, AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey };
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (bytes: Buffer) => appendFileSync(join(this.folder, `${worker.name}.log`), bytes));
    worker.process = child;
    worker.code = null;
    worker.ended = new Promise((resolve) =>
      child.once('exit', (code) => {
        worker.code = code;
        worker.process = null;
        resolve();
      }),
    );
  }

  /** The last lines of a worker's output. */
  output({ name }: ClusterWorker): string {
    return readFileSync(join(this.folder, `${name}.log`), 'utf8')
      .trim()
      .split('\n')
      .slice(-5)
      .join('\n');
  }

  async close(): Promise<void> {
    for (const { process: child } of this.workers) child?.kill('SIGKILL');
    await Promise.all(this.workers.map(({ ended }) => ended));
    await Promise.all(this.workers.map(({ gate }) => gate.close()));
    await Promise.all([this.web.close(), this.database.close(), this.store?.close()]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
