/** Several workers of one crawl as processes, with their database and their web. */
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { train } from 'forager';
import type { Bytes, Ms } from '../../src/base/core/types.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { S3Server } from '../support/s3-server.ts';
import { Disk } from './disk.ts';
import { FakeClock } from './fake-clock.ts';
import { type MachineWeb, type MachineWebOptions, startMachineWeb } from './machine-web.ts';
import { startTcpGate, type TcpGate } from './tcp-gate.ts';

/** The store of the tests takes any. */
export const KEYS = { accessKeyId: 'AKIAOFTHISTEST', secretAccessKey: 'of-this-test' };
const FORAGER = fileURLToPath(new URL('../../src/faces/cli/forager.mjs', import.meta.url));

export interface ClusterOptions extends MachineWebOptions {
  readonly delay: Ms;
  readonly concurrency: number;
  /** Settings of the database. Default: commits are durable. */
  readonly settings?: readonly string[];
  readonly maxPages?: number;
  /** Pages are in a bucket too. Default false. */
  readonly bucket?: boolean;
  /** Each worker and the database have a disk of their own that can be full, where that is possible. Default: false. */
  readonly ownDisks?: boolean;
  /** Each worker has a clock of its own that can be set, where that is possible. Default: false. */
  readonly ownClocks?: boolean;
}

/** Of a disk of its own. It is in memory, and takes as much as is written. */
const DISK_SIZE: Bytes = 2 * 2 ** 30;

export interface ClusterWorker {
  readonly name: string;
  readonly dir: string;
  /** Its way to the database. */
  readonly gate: TcpGate;
  /** null: it has no disk of its own. */
  readonly disk: Disk | null;
  /** null: it has the clock of this machine. */
  readonly clock: FakeClock | null;
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
  /** Of the database; null: it has none of its own. */
  readonly disk: Disk | null;
  readonly workers: ClusterWorker[] = [];
  readonly #options: ClusterOptions;
  readonly #topic: string;

  private constructor(
    folder: string,
    web: MachineWeb,
    database: PostgresServer,
    store: S3Server | null,
    disk: Disk | null,
    topic: string,
    options: ClusterOptions,
  ) {
    [this.folder, this.web, this.database, this.store, this.disk] = [folder, web, database, store, disk];
    [this.#topic, this.#options] = [topic, options];
  }

  static async start(options: ClusterOptions): Promise<Cluster> {
    const folder = mkdtempSync(join(tmpdir(), 'forager-machines-'));
    // The user of the database has a folder in it.
    chmodSync(folder, 0o711);
    const web = await startMachineWeb(options);
    const examples = join(folder, 'examples');
    mkdirSync(examples);
    for (const [i, html] of web.examples.entries()) writeFileSync(join(examples, `${i}.html`), html);
    const topic = join(folder, 'topic');
    await train({ examples: [examples], out: topic });
    const store = options.bucket ? await S3Server.start() : null;
    const home = join(folder, 'database');
    mkdirSync(home);
    const disk = options.ownDisks ? Disk.mount(home, DISK_SIZE) : null;
    const database = await PostgresServer.start(options.settings ?? [], home);
    return new Cluster(folder, web, database, store, disk, topic, options);
  }

  get address(): string {
    return this.database.address('machines');
  }

  /** A new worker, with a directory of its own. */
  async join(): Promise<ClusterWorker> {
    const name = `worker${this.workers.length + 1}`;
    const gate = await startTcpGate(this.database.port);
    const { ownDisks, ownClocks } = this.#options;
    const home = join(this.folder, name);
    mkdirSync(home);
    const worker: ClusterWorker = {
      ...{ name, dir: join(home, 'crawl'), gate },
      disk: ownDisks ? Disk.mount(home, DISK_SIZE) : null,
      clock: ownClocks ? FakeClock.at(join(this.folder, `${name}.clock`)) : null,
      ...{ process: null, code: null, ended: Promise.resolve() },
    };
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
    const keys = { AWS_ACCESS_KEY_ID: KEYS.accessKeyId, AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey };
    const env = { ...process.env, ...keys, ...worker.clock?.environment };
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
    for (const { disk } of [this, ...this.workers]) disk?.unmount();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
