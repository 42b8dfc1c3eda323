/** compose.yaml, without Docker: its commands run as they are in it, with a PostgreSQL of this machine and a web of generated pages. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { type SmallWeb, smallWeb, trainedOn } from './faces/cli/small-web.ts';
import { HANGS } from './support/cpu-time.ts';
import { HAS_POSTGRES, PostgresServer } from './support/postgres-server.ts';
import { wholeTest } from './support/whole-test.ts';

interface Service {
  readonly image: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  readonly command?: readonly string[];
  readonly volumes: readonly string[];
}

const FORAGER = fileURLToPath(new URL('../src/faces/cli/forager.mjs', import.meta.url));
const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const { services } = parse(read('compose.yaml')) as { readonly services: Readonly<Record<'database' | 'worker' | 'read', Service>> };
const { devDependencies } = JSON.parse(read('package.json')) as { readonly devDependencies: Readonly<Record<string, string>> };

test('the image has the version of pg that the tests use', () => {
  expect(read('Dockerfile')).toContain(` pg@${devDependencies['pg']} `);
});

describe.skipIf(!HAS_POSTGRES)('the services', () => {
  const small: SmallWeb = smallWeb();
  let server: PostgresServer;
  let proxy: string;
  let pages: readonly string[];
  beforeAll(async () => {
    const [topic, database, served] = await Promise.all([trainedOn(small), PostgresServer.start(), small.serve({ latency: 20 })]);
    server = database;
    ({ proxy, pages } = served);
    // The folder that is mounted, and the command of the image.
    for (const name of ['data', 'bin']) mkdirSync(small.path(name));
    cpSync(topic, small.path('data', 'moss'), { recursive: true });
    writeFileSync(small.path('data', 'seeds.txt'), small.seeds.join('\n'));
    writeFileSync(small.path('bin', 'forager'), `#!/bin/sh\nexec "${process.execPath}" "${FORAGER}" "$@"\n`);
    chmodSync(small.path('bin', 'forager'), 0o755);
  });
  afterAll(async () => {
    await server?.close();
    await small.close();
  });

  /** Its words and environment, with the values of a user for its variables, and the addresses of this machine. */
  const started = (service: Service, host: string, more: readonly string[] = []) => {
    const given: Readonly<Record<string, string>> = { PGPASSWORD: 'none', CONTACT: 'you@example.org' };
    const filled = (text: string) =>
      text
        .replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind = '', word = '') => given[name] ?? (kind === '-' ? word : ''))
        .replaceAll('$$', '$');
    const environment = Object.entries(service.environment).map(([name, text]) => [name, filled(text)] as const);
    const env = { ...process.env, ...Object.fromEntries(environment), HOSTNAME: host, PATH: `${small.path('bin')}:${process.env['PATH']}` };
    const { AT = '' } = env as Readonly<Record<string, string>>;
    const [file = '', ...words] = [...service.entrypoint, ...(service.command ?? [])].map(filled);
    const crawl = /crawl=(\w+)$/.exec(AT)?.[1] ?? '';
    return { file, words: [...words, ...more], options: { cwd: small.path('data'), env: { ...env, AT: server.address(crawl) } } };
  };
  const worker = (host: string): ChildProcess => {
    const { file, words, options } = started(services.worker, host);
    const [flag = '', script = ''] = words;
    // The web is reached through a proxy here.
    const log = openSync(small.path(`${host}.log`), 'a');
    return spawn(file, [flag, `${script} --proxy ${proxy} --delay 100ms --workers 1`], { ...options, stdio: ['ignore', log, log] });
  };
  const reading = (...words: readonly string[]) => {
    const { file, words: all, options } = started(services.read, 'reader', words);
    return spawnSync(file, all, { ...options, encoding: 'utf8' });
  };

  wholeTest('two workers crawl, one is killed, the crawl is watched and harvested', async () => {
    const [first, second] = [worker('one'), worker('two')];
    const ended = new Promise<number | null>((resolve) => second.once('exit', resolve));
    await vi.waitUntil(() => pages.length > 60 || second.exitCode !== null, { timeout: HANGS });
    expect(second.exitCode, readFileSync(small.path('two.log'), 'utf8')).toBeNull();
    first.kill('SIGKILL');
    const status = reading('status');
    expect(status.stdout).toMatch(/^gathered: /);
    expect(status.status).toBe(0);
    second.kill('SIGTERM');
    expect(await ended).toBe(130);
    expect(readdirSync(small.path('data', 'workers')).sort()).toEqual(['one', 'two']);
    const harvest = reading('harvest', '--out', 'corpus');
    expect(harvest.stderr).not.toContain('not reached');
    expect(harvest.status).toBe(0);
    const lines = readFileSync(join(small.path('data', 'corpus'), 'corpus.jsonl'), 'utf8')
      .trim()
      .split('\n');
    expect(lines.length).toBeGreaterThan(10);
  });
});
