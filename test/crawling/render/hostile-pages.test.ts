/** Pages that do harm: each ends in time and under its name, and the page after it is fine. */
import { afterAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/core/clock.ts';
import type { CanonicalUrl, FetchedPage, FetchOutcome, Ms } from '../../../src/base/core/types.ts';
import { PageRenderer } from '../../../src/crawling/render/page-renderer.ts';
import { RENDERERS } from '../../support/chromium.ts';
import { IS_WHOLE } from '../../support/extent.ts';
import { HOSTILE_PAGES } from '../../support/hostile-pages.ts';

/** The promise of the room; a busy machine gets more. */
const LONGEST: Ms = 15_000;

function response(path: string, body: string, type = 'text/html; charset=utf-8'): FetchedPage {
  const bytes = Buffer.from(body);
  return {
    ...{ url: `http://a.example${path}` as CanonicalUrl, status: 200, statusText: 'OK', rawHeaders: [['Content-Type', type]] },
    ...{ headers: { 'content-type': type }, requestHeaders: [], body: bytes, wireBody: bytes, truncated: false },
    ...{ startedAt: 1.7e12, endedAt: 1.7e12, ip: null },
  };
}

/** `/silent` has no answer before the rendering gives up. */
async function answered(url: CanonicalUrl, signal: AbortSignal): Promise<FetchOutcome> {
  const { pathname } = new URL(url);
  if (pathname === '/silent') await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  signal.throwIfAborted();
  return { kind: 'page', page: response(pathname, '{}', 'application/json') };
}

function opened(path: string): PageRenderer {
  return new PageRenderer(
    { path, noSandbox: true, concurrency: 1 },
    {
      clock: systemClock,
      hostPolicy: null,
      robots: { verdict: () => 'allow', load: async () => ({ crawlDelay: null, sitemaps: [] }), unreachable: () => null },
      fetcher: { fetchResource: (url, _wish, signal) => answered(url, signal) },
    },
  );
}

async function rendered(renderer: PageRenderer, path: string, body: string) {
  const startedAt = performance.now();
  const { page, trouble } = await renderer.render(response(path, `<!doctype html><title>T</title><body>${body}`));
  return { text: Buffer.from(page?.body ?? []).toString(), hasDocument: page !== null, trouble, ms: performance.now() - startedAt };
}

const BROWSERS = IS_WHOLE ? RENDERERS : RENDERERS.slice(0, 1);
/** In `npm test` those that end at once. */
const SAMPLE = ['endless recursion', 'questions', 'windows', 'leads elsewhere', 'sends a form', 'a download', 'false functions'];
const NAMES = Object.keys(HOSTILE_PAGES).filter((name) => IS_WHOLE || SAMPLE.includes(name));

describe.skipIf(BROWSERS.length === 0).each(BROWSERS.length === 0 ? [''] : BROWSERS)('harm in %s', (browser) => {
  const renderer = opened(browser);
  let longest = 0;
  afterAll(async () => {
    await renderer.close();
    if (IS_WHOLE) console.log(`${NAMES.length} pages; the longest took ${Math.round(longest)} ms`);
  });

  test.each(NAMES)('%s', { timeout: 60_000 }, async (name) => {
    const { body, ends } = HOSTILE_PAGES[name] ?? { body: '', ends: [] };
    const { trouble, ms, hasDocument } = await rendered(renderer, '/page', body);
    longest = Math.max(longest, ms);
    expect(ends, `${name} after ${Math.round(ms)} ms`).toContain(trouble);
    expect(ms).toBeLessThan(LONGEST);
    expect(hasDocument).toBe(trouble === null || trouble === 'render-left' || trouble === 'render-unsettled');
    const next = await rendered(renderer, '/next', `<script>document.body.append('Written by ' + 'a script.')</script>`);
    expect(next).toMatchObject({ trouble: null });
    expect(next.text).toContain('Written by a script.');
  });
});
