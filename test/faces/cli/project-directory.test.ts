/** In the folder of a project, its file names the crawl: commands need no directory, and printed commands read the file too. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wholeTest } from '../../support/whole-test.ts';
import { MAIN } from './forager.ts';
import { crawlToLabel } from './labelled-crawl.ts';
import { smallWeb } from './small-web.ts';

const small = smallWeb();
let folder: string;
let seed: string;

beforeAll(async () => {
  const { dir } = await crawlToLabel(small, 40);
  folder = join(dir, '..', 'my project');
  mkdirSync(join(folder, 'crawls'), { recursive: true });
  cpSync(dir, join(folder, 'crawls/peat moss'), { recursive: true });
  writeFileSync(join(folder, 'forager.yaml'), 'crawl:\n  dir: crawls/peat moss\nharvest:\n  out: corpora/moss\n  format: sqlite\n');
  writeFileSync(join(folder, 'other.yaml'), 'status:\n  dir: elsewhere\ncrawl:\n  dir: crawls/peat moss\n');
  [seed = ''] = small.seeds;
});
afterAll(() => small.close());

/** As npx runs it, in the folder of the project. */
function run(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    cwd: folder,
    env: { ...process.env, npm_command: 'exec', npm_config_user_agent: 'npm/10' },
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}

wholeTest('status, ledger, why, verify read the directory from forager.yaml, and what they print reads it too', () => {
  const { code, stdout } = run('status');
  expect(code).toBe(0);
  expect(stdout.split('\n')[0]).toContain('crawls/peat moss: topic');
  expect(stdout).toContain('npx forager label --config forager.yaml');
  expect(stdout).not.toMatch(/(?<!npx )forager (?:label|crawl|verify|ledger)/);
  expect(run('ledger', '--state', 'kept').stdout.trim().split('\n').length).toBeGreaterThan(5);
  expect(run('why', seed).stdout.split('\n')[0]).toBe(seed);
  expect(run('verify', '--json')).toMatchObject({ code: 0 });
});

wholeTest('harvest and search: the file names the corpus once', () => {
  expect(run('harvest')).toMatchObject({ code: 0 });
  expect(run('search', 'the').stdout).toMatch(/^\d+ pages?/);
});

test('a given directory has priority; it is quoted in what is printed', () => {
  const { code, stdout } = run('status', 'crawls/../crawls/peat moss');
  expect([code, stdout.includes("npx forager label 'crawls/../crawls/peat moss'")]).toEqual([0, true]);
});

wholeTest('a section of the command has priority over that of crawl', () => {
  expect(run('status', '--config', 'other.yaml')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('elsewhere: no crawl is here'),
  });
  expect(run('ledger', '--config', 'other.yaml', '--state', 'failed')).toMatchObject({ code: 0 });
});

test('the folder of the project is no crawl: the error names the one below', () => {
  expect(run('status', '.')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/no crawl is here .*; there is one in 'crawls\/peat moss'; give that folder\n$/),
  });
});
