/** Processes of the browser: a crash is one page's, none is left over, and our own process does not grow. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type ShellWeb, shellWeb } from '../../../datasets/shell-web/shell-web.ts';
import { type RunningWeb, startWebProxy } from '../../../datasets/web-proxy.ts';
import { systemClock } from '../../../src/base/core/clock.ts';
import type { CanonicalUrl, FetchedPage } from '../../../src/base/core/types.ts';
import { PageRenderer } from '../../../src/crawling/render/page-renderer.ts';
import { RENDERERS } from '../../support/chromium.ts';
import { IS_WHOLE, sample, size } from '../../support/extent.ts';
import { collectedHeap } from '../../support/heap.ts';
import { memoryOf } from '../../support/process-facts.ts';
import { allProcesses, type ProcessFacts, treeOf } from '../../support/process-tree.ts';
import { trainedOnce } from '../../support/trained-once.ts';

const PROGRAM = fileURLToPath(new URL('../../../src/faces/cli/forager.mjs', import.meta.url));
const IS_LINUX = process.platform === 'linux';
const [BROWSER = ''] = RENDERERS;

function response(path: string, body: string): FetchedPage {
  const bytes = Buffer.from(`<!doctype html><title>T</title><body>${body}`);
  return {
    ...{ url: `http://a.example${path}` as CanonicalUrl, status: 200, statusText: 'OK', rawHeaders: [['Content-Type', 'text/html']] },
    ...{ headers: { 'content-type': 'text/html' }, requestHeaders: [], body: bytes, wireBody: bytes, truncated: false },
    ...{ startedAt: 1.7e12, endedAt: 1.7e12, ip: null },
  };
}

function opened(path: string, concurrency = 1): PageRenderer {
  const notThere = { kind: 'failed', code: 'http-4xx', status: 404, detail: '', retryAfter: null, ms: 1 } as const;
  return new PageRenderer(
    { path, noSandbox: true, concurrency },
    {
      clock: systemClock,
      hostPolicy: null,
      robots: { verdict: () => 'allow', load: async () => ({ crawlDelay: null, sitemaps: [] }), unreachable: () => null },
      fetcher: { fetchResource: async () => notThere },
    },
  );
}

const textOf = ({ page }: { readonly page: FetchedPage | null }) => Buffer.from(page?.body ?? []).toString();
const FINE = "<script>document.body.append('Written by ' + 'a script.')</script>";

/** Processes below this one that were not there before. */
function startedSince(before: readonly ProcessFacts[]): readonly ProcessFacts[] {
  const known = new Set(before.map(({ pid, startedAt }) => `${pid} ${startedAt}`));
  return treeOf(process.pid).filter(({ pid, startedAt }) => !known.has(`${pid} ${startedAt}`));
}

/** Those that still run, after up to five seconds. */
async function stillRunning(processes: readonly ProcessFacts[]): Promise<readonly ProcessFacts[]> {
  const wanted = new Set(processes.map(({ pid, startedAt }) => `${pid} ${startedAt}`));
  const left = () => allProcesses().filter(({ pid, startedAt, state }) => state !== 'Z' && wanted.has(`${pid} ${startedAt}`));
  for (let waited = 0; left().length > 0 && waited < 5000; waited += 100) await new Promise((resolve) => setTimeout(resolve, 100));
  return left();
}

function commandOf({ pid }: ProcessFacts): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

describe.skipIf(BROWSER === '' || !IS_LINUX)('the processes of a browser', { timeout: 600_000 }, () => {
  // Without its zygote, a browser cannot start the process of another page; the loop of this one still runs.
  const CRASHES = [
    ['--type=renderer', 'render-crash'],
    ['--type=zygote', 'render-hung'],
    ['--user-data-dir', 'render-crash'],
  ] as const;
  test.each(sample(CRASHES, [0]))('a crash of %s is the end of one rendering', async (kind, trouble) => {
    const before = treeOf(process.pid);
    const renderer = opened(BROWSER);
    expect(textOf(await renderer.render(response('/first', FINE)))).toContain('Written by a script.');
    const hanging = renderer.render(response('/hangs', '<script>while (true);</script>'));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const victims = startedSince(before).filter((one) => commandOf(one).includes(kind));
    expect(victims.length).toBeGreaterThan(0);
    for (const { pid } of victims) process.kill(pid, 'SIGKILL');
    expect(await hanging).toMatchObject({ page: null, trouble });
    expect(textOf(await renderer.render(response('/next', FINE)))).toContain('Written by a script.');
    const started = startedSince(before);
    await renderer.close();
    expect(await stillRunning(started)).toEqual([]);
  });

  test('a browser that cannot be replaced costs pages their rendering, and never the crawl; one that never started is an error', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'forager-started-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const program = join(folder, 'browser');
    writeFileSync(program, `#!/bin/sh\nexec '${BROWSER}' "$@"\n`, { mode: 0o755 });
    const before = treeOf(process.pid);
    const renderer = opened(program);
    expect(textOf(await renderer.render(response('/first', FINE)))).toContain('Written by a script.');
    writeFileSync(program, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    for (const { pid } of startedSince(before).filter((one) => commandOf(one).includes('--user-data-dir'))) process.kill(pid, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (const path of ['/next', '/last'])
      expect(await renderer.render(response(path, FINE))).toMatchObject({ page: null, trouble: 'render-crash' });
    await renderer.close();
    await expect(opened(program).render(response('/never', FINE))).rejects.toThrow('the browser did not start');
  });

  test.skipIf(!IS_WHOLE)('a browser that is replaced stays until its other page is done', async () => {
    const before = treeOf(process.pid);
    const renderer = opened(BROWSER, 2);
    const hanging = renderer.render(response('/hangs', '<script>setTimeout(() => { while (true); }, 200)</script>'));
    expect(textOf(await renderer.render(response('/beside', FINE)))).toContain('Written by a script.');
    expect((await hanging).trouble).toBe('render-hung');
    const after = await Promise.all(['/one', '/two'].map((path) => renderer.render(response(path, FINE))));
    for (const page of after) expect(textOf(page)).toContain('Written by a script.');
    const started = startedSince(before);
    expect(new Set(started.map(({ group }) => group)).size).toBe(1);
    await renderer.close();
    expect(await stillRunning(started)).toEqual([]);
  });

  test(`${size(1000, 6)} pages leave no process and no memory behind`, async () => {
    const before = treeOf(process.pid);
    const renderer = opened(BROWSER);
    const page = (n: number) =>
      response(`/${n}`, `<p>${'static '.repeat(2000)}</p><script>for (let i = 0; i < 500; i++) document.body.append('item ' + i)</script>`);
    const warm = size(100, 2);
    for (let n = 0; n < warm; n++) await renderer.render(page(n));
    const [processes, heap, { own }] = [startedSince(before).length, collectedHeap(), memoryOf(process.pid)];
    for (let n = warm; n < size(1000, 6); n++) expect((await renderer.render(page(n))).trouble, String(n)).toBeNull();
    const grown = { heap: (collectedHeap() - heap) / 2 ** 20, own: memoryOf(process.pid).own - own };
    if (IS_WHOLE)
      console.log(
        `heap ${grown.heap.toFixed(1)} MB, memory ${grown.own.toFixed(1)} MB more; ${startedSince(before).length} processes, ${processes} before`,
      );
    expect(grown.heap).toBeLessThan(20);
    expect(grown.own).toBeLessThan(50);
    expect(startedSince(before).length).toBeLessThanOrEqual(processes + 1);
    const started = startedSince(before);
    await renderer.close();
    expect(await stillRunning(started)).toEqual([]);
  });
});

describe.skipIf(BROWSER === '' || !IS_LINUX)('a crawl that is killed', { timeout: 120_000 }, () => {
  let web: ShellWeb;
  let server: RunningWeb;
  let folder = '';
  beforeAll(async () => {
    web = shellWeb({ seed: 3, pages: 200 });
    server = await startWebProxy(web.source, { latency: 20 });
    folder = mkdtempSync(join(tmpdir(), 'forager-killed-'));
    mkdirSync(join(folder, 'examples'));
    for (const [i, html] of web.examples('topic-1', 20).entries()) writeFileSync(join(folder, 'examples', `${i}.html`), html);
    await trainedOnce({ examples: [join(folder, 'examples')], out: join(folder, 'topic') });
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function crawling(name: string): ChildProcess {
    const how = ['--render', 'always', '--browser', BROWSER, '--delay', '0', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
    const where = ['--topic', join(folder, 'topic'), '--seeds', ...web.seeds(), '--proxy', server.proxy, '--contact', 'a@b.example'];
    return spawn(process.execPath, [PROGRAM, 'crawl', join(folder, name), ...where, ...how], { stdio: 'ignore' });
  }

  test.each(sample(['SIGKILL', 'SIGTERM', 'SIGINT'] as const, [0]))('by %s leaves no process', async (signal) => {
    const child = crawling(signal);
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    const root = child.pid ?? 0;
    const isRendering = () => treeOf(root).some((one) => commandOf(one).includes('--type=renderer'));
    for (let waited = 0; !isRendering() && waited < 30_000; waited += 50) await new Promise((resolve) => setTimeout(resolve, 50));
    const processes = treeOf(root);
    const profiles = new Set(processes.flatMap((one) => /--user-data-dir=([^\0 ]+)/.exec(commandOf(one))?.[1] ?? []));
    expect(profiles.size).toBe(1);
    expect(processes.length).toBeGreaterThan(3);
    const ended = once(child, 'close');
    child.kill(signal);
    await ended;
    expect(await stillRunning(processes)).toEqual([]);
    expect([...profiles].filter((profile) => existsSync(profile))).toEqual([]);
  });
});
