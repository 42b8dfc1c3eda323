/** The canary page: without our switches a browser reaches the canaries though each request that it shows is refused; by the room it reaches none. */
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/core/clock.ts';
import type { CanonicalUrl, FetchedPage } from '../../../src/base/core/types.ts';
import { type CdpEvent, type CdpObject, CdpPipe, cdpText, isObject } from '../../../src/crawling/render/cdp-pipe.ts';
import { PageRenderer } from '../../../src/crawling/render/page-renderer.ts';
import { type Canaries, startCanaries } from '../../support/canaries.ts';
import { type CanaryPage, canaryPage } from '../../support/canary-page.ts';
import { CHROMIUM, HAS_CHROMIUM, RENDERERS } from '../../support/chromium.ts';
import { IS_WHOLE } from '../../support/extent.ts';

const HAS_STRACE = hasStrace();
if (HAS_CHROMIUM && IS_WHOLE && !HAS_STRACE) console.log('System calls of the browser are not watched: no strace that may trace');

function hasStrace(): boolean {
  try {
    execFileSync('strace', ['-qq', '-o', '/dev/null', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

let canaries: Canaries;
let folder = '';
beforeEach(async () => {
  canaries = await startCanaries();
  folder = mkdtempSync(join(tmpdir(), 'forager-canary-'));
});
afterEach(async () => {
  await canaries.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** Plain, secure, and of this machine: what scripts may do depends on it. */
const originsOf = (port: number) => ['http://page.example', 'https://page.example', `http://127.0.0.1:${port + 1}`];

function response(origin: string, path: string, body: string, fields: Readonly<Record<string, string>>): FetchedPage {
  const [bytes, headers] = [
    Buffer.from(body),
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value])),
  ];
  return {
    ...{ url: `${origin}${path}` as CanonicalUrl, status: 200, statusText: 'OK', rawHeaders: Object.entries(fields), headers },
    ...{ requestHeaders: [], body: bytes, wireBody: bytes, truncated: false, startedAt: 1e12, endedAt: 1e12, ip: null },
  };
}

/** A room whose fetcher has the files of the page, and sends nothing. */
function rendererOf(path: string, page: () => CanaryPage, asked: string[]): PageRenderer {
  return new PageRenderer(
    { path, noSandbox: true, concurrency: 1 },
    {
      clock: systemClock,
      hostPolicy: null,
      robots: { verdict: () => 'allow', load: async () => ({ crawlDelay: null, sitemaps: [] }), unreachable: () => null },
      fetcher: {
        fetchResource: async (url) => {
          asked.push(url);
          const { origin, pathname } = new URL(url);
          const [body, type] = (origin === page().origin && page().files[pathname]) || [];
          if (body !== undefined && type !== undefined)
            return { kind: 'page', page: response(origin, pathname, body, { 'Content-Type': type }) };
          return { kind: 'page', page: { ...response(origin, pathname, 'not here', { 'Content-Type': 'text/plain' }), status: 404 } };
        },
      },
    },
  );
}

describe.skipIf(RENDERERS.length === 0).each(RENDERERS.length === 0 ? [''] : RENDERERS)(
  'the canary page in %s',
  { timeout: 120_000 },
  (browser) => {
    test('a rendered page reaches no canary, and its text is there', async () => {
      const asked: string[] = [];
      let page = canaryPage(canaries.port, '');
      const renderer = rendererOf(browser, () => page, asked);
      try {
        for (const origin of IS_WHOLE ? originsOf(canaries.port) : originsOf(canaries.port).slice(0, 1)) {
          page = canaryPage(canaries.port, origin);
          const rendered = await renderer.render(response(origin, '/', page.html, page.fields));
          expect(rendered.trouble, origin).toBe('render-left');
          expect(Buffer.from(rendered.page?.body ?? []).toString()).toContain('This text stays.');
        }
      } finally {
        await renderer.close();
      }
      expect(canaries.hits).toEqual([]);
      // Only these types are ever asked for, and only by GET; our fetcher then refuses private addresses.
      const ways = new Set(asked.map((url) => new URL(url).pathname.slice(1)));
      expect([...ways].filter((way) => !ALLOWED_WAYS.has(way))).toEqual([]);
      expect(ways.size).toBeGreaterThan(3);
    });

    test.skipIf(!IS_WHOLE || !HAS_STRACE)(
      'no process of the browser connects a socket, but to others of this machine by a path',
      async () => {
        // `folder` is new for each test.
        const traced = join(folder, 'traced');
        writeFileSync(
          traced,
          `#!/bin/sh\nexec strace -f -ff -qq -e trace=connect,sendto,sendmsg,sendmmsg,listen -e signal=none -o '${folder}/calls' '${browser}' "$@"\n`,
        );
        chmodSync(traced, 0o755);
        let page = canaryPage(canaries.port, '');
        const renderer = rendererOf(traced, () => page, []);
        for (const origin of originsOf(canaries.port)) {
          page = canaryPage(canaries.port, origin);
          await renderer.render(response(origin, '/', page.html, page.fields));
        }
        await renderer.close();
        const calls = callsIn(folder);
        expect(calls.filter((call) => call.includes('AF_UNIX')).length).toBeGreaterThan(0);
        expect(calls.filter((call) => /sa_family=AF_(?!UNIX|NETLINK)/.test(call))).toEqual([]);
        expect(calls.filter((call) => call.startsWith('connect') && !call.includes('AF_UNIX'))).toEqual([]);
        expect(canaries.hits).toEqual([]);
      },
    );
  },
);

describe.skipIf(!HAS_CHROMIUM)('the canary page without a browser of ours', { timeout: 120_000 }, () => {
  test.skipIf(!IS_WHOLE)(
    'without our switches the canaries are reached, though each request that the browser shows is refused',
    async () => {
      for (const origin of originsOf(canaries.port)) await showBare(canaryPage(canaries.port, origin));
      expect(canaries.hits.filter((hit) => hit.startsWith('tcp')).length).toBeGreaterThan(10);
      expect(canaries.hits.filter((hit) => hit.startsWith('udp')).length).toBeGreaterThan(2);
      for (const way of ['rules-prefetch', 'payment']) expect(canaries.hits.join('\n'), way).toContain(way);
    },
  );
});

/** Paths of the ways that are requests of scripts and for style sheets: these the fetcher may be asked for. */
const ALLOWED_WAYS = new Set([
  'fetch',
  'redirect',
  'xhr',
  'xhr-sync',
  'style',
  'import',
  'import-module',
  'preload',
  'modulepreload',
  'linked',
  'srcdoc',
  'later',
  'worklet',
]);

/** Calls of all traced processes, without their numbers. */
function callsIn(folder: string): readonly string[] {
  const files = readdirSync(folder).filter((name) => name.startsWith('calls'));
  return files.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n')).filter((line) => line !== '');
}

/** The page in a browser as it is, which asks us about each request: the page itself is answered, all others are refused. */
async function showBare(page: CanaryPage): Promise<void> {
  const child = spawn(
    CHROMIUM,
    ['--headless', '--no-sandbox', '--remote-debugging-pipe', `--user-data-dir=${join(folder, 'profile')}`, 'about:blank'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      detached: true,
    },
  );
  const [, , , output, input] = child.stdio;
  if (!(output instanceof Writable) || !(input instanceof Readable)) throw new Error('the browser has no pipes');
  const pipe = new CdpPipe(output, input, () => undefined);
  try {
    await openBare(pipe, page);
    await new Promise((resolve) => setTimeout(resolve, 6000));
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await new Promise((resolve) => child.once('close', resolve));
  }
}

async function openBare(pipe: CdpPipe, page: CanaryPage): Promise<void> {
  const send = (method: string, params: CdpObject = {}, session = '') =>
    pipe.send(method, params, session, 30_000).catch((): CdpObject => ({}));
  const watch = (session: string) => {
    pipe.listen(session, (event) => heard(event));
    void send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }, session);
    void send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }, session);
    void send('Runtime.runIfWaitingForDebugger', {}, session);
  };
  const heard = ({ method, params, session }: CdpEvent) => {
    if (method === 'Target.attachedToTarget') watch(cdpText(params, 'sessionId'));
    if (method === 'Fetch.requestPaused') void send(...answerTo(page, params), session);
  };
  pipe.listen('', heard);
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
  watch(String(sessionId));
  await send('Page.navigate', { url: `${page.origin}/` }, String(sessionId));
}

function answerTo(page: CanaryPage, { requestId, request }: CdpObject): [method: string, params: CdpObject] {
  const { origin, pathname } = new URL(cdpText(isObject(request) ? request : {}, 'url'));
  const [body, type] = (origin === page.origin && (pathname === '/' ? [page.html, 'text/html'] : page.files[pathname])) || [];
  if (body === undefined) return ['Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }];
  const responseHeaders = Object.entries({ ...page.fields, 'Content-Type': type }).map(([name, value]) => ({ name, value }));
  return ['Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders, body: Buffer.from(body).toString('base64') }];
}
