/** Reading a crawl where nothing can be written: on a read-only file system, and on a full disk. Mounts are of a namespace of the process, and end with it. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { crawl } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IS_WHOLE } from '../../support/extent.ts';
import { done, MAIN } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb();
const { path } = small;
const dir = path('crawl');
/** Flags of unshare(1) by which mounting is permitted here; null where it is not. */
const unshare = [['-m'], ['-rm']].find((flags) => spawnSync('unshare', [...flags, 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0);
if (unshare === undefined) console.warn('read-only.test: mounting is not permitted here, so read-only and full file systems are left out');
let kept = '';

beforeAll(async () => {
  const { proxy } = await small.serve();
  await crawl({ dir, topic: await trainedOn(small), seeds: small.seeds, proxy, delay: 0, maxPages: 30 });
  kept = (JSON.parse((await done('ledger', dir, '--state', 'kept')).split('\n')[0] ?? '') as { url: string }).url;
});
afterAll(() => small.close());

/** Commands that read a crawl at `at`. */
const readers = (at: string, out: string) => [
  ['status', at, '--json'],
  ['ledger', at],
  ['why', at, kept],
  ['seeds', at],
  ['link-model', at, '--out', `${out}/link.model`],
  ['harvest', at, '--out', `${out}/corpus`, '--format', 'jsonl,warc'],
];

/** Run a command line behind some lines of shell that mount. `$1` is the crawl. */
async function mounted(script: string, ...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const command = ['sh', '-ec', `${script}\nshift; exec "$@"`, 'sh', dir, process.execPath, MAIN, ...args];
  const child = spawn('unshare', [...(unshare ?? []), ...command], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

test('nothing in the crawl directory is made, changed or removed by reading it', async () => {
  const state = () =>
    (readdirSync(dir, { recursive: true }) as string[])
      // LMDB's lock table is where readers say which pages they need.
      .filter((name) => !name.endsWith('lock.mdb'))
      .map((name) => [name, statSync(`${dir}/${name}`).mtimeMs]);
  const before = [state(), statSync(`${dir}/frontier`).ctimeMs, statSync(dir).ctimeMs];
  for (const args of readers(dir, path('beside'))) await done(...args);
  expect([state(), statSync(`${dir}/frontier`).ctimeMs, statSync(dir).ctimeMs]).toEqual(before);
});

test.skipIf(!IS_WHOLE || unshare === undefined)(
  'a read-only file system: all that reads a crawl says the same as elsewhere',
  async () => {
    const readOnly = 'mount --bind "$1" "$1"; mount -o remount,ro,bind "$1"';
    const refused = await mounted(readOnly, 'crawl', dir);
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('EROFS')]);
    for (const [i, args] of readers(dir, path('elsewhere')).entries()) {
      const here = await mounted(readOnly, ...args);
      expect([args, here.code, here.stderr]).toEqual([args, 0, '']);
      if (i < 4) expect(here.stdout).toBe(await done(...args));
    }
    expect(readFileSync(path('elsewhere', 'corpus', 'corpus.jsonl'), 'utf8')).toBe(
      readFileSync(path('beside', 'corpus', 'corpus.jsonl'), 'utf8'),
    );
  },
  120_000,
);

test.skipIf(!IS_WHOLE || unshare === undefined)(
  'a full disk: the same',
  async () => {
    const full = [
      'mount -t tmpfs -o size=64m none /mnt',
      'cp -a "$1"/. /mnt/',
      'dd if=/dev/zero of=/mnt/filler bs=64k 2>/dev/null || true',
      'dd if=/dev/zero of=/mnt/filler-2 bs=512 2>/dev/null || true',
      '! sh -c "echo x > /mnt/one-more" 2>/dev/null',
    ].join('\n');
    for (const [i, args] of readers('/mnt', path('from-full')).entries()) {
      const here = await mounted(full, ...args);
      expect([args, here.code, here.stderr]).toEqual([args, 0, '']);
      if (i === 1) expect(here.stdout).toBe(await done('ledger', dir));
    }
  },
  120_000,
);
