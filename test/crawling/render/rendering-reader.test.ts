import { expect, test } from 'vitest';
import { NO_METADATA } from '../../../src/base/core/no-metadata.ts';
import type { ReadOutcome } from '../../../src/base/core/parts/reading.ts';
import type { RenderTrouble } from '../../../src/base/core/rendering.ts';
import type { CanonicalUrl, FetchedPage, PageWall } from '../../../src/base/core/types.ts';
import type { PageRenderer } from '../../../src/crawling/render/page-renderer.ts';
import { RenderHabits } from '../../../src/crawling/render/render-habits.ts';
import { RenderingReader } from '../../../src/crawling/render/rendering-reader.ts';

type Read = Extract<ReadOutcome, { kind: 'read' }>;
interface Told {
  readonly noindex?: boolean;
  readonly nofollow?: boolean;
  readonly text?: string;
  readonly links?: number;
  readonly shell?: true;
  readonly wall?: PageWall;
}

const link = { anchorText: '', context: '', imageAlt: '', zone: 'content', tagPath: 'a', anchorScore: null, contextScore: null } as const;

function readAs({ text = '', links = 0, shell, wall, noindex = false, nofollow = false }: Told): Read {
  return {
    kind: 'read',
    extraction: {
      ...{ title: '', text, otherText: '', lang: null, noindex, nofollow, fields: {}, charset: 'utf-8', warnings: [] },
      metadata: NO_METADATA,
      ...(shell && { shell }),
      ...(wall && { wall }),
    },
    links: Array.from({ length: links }, (_, n) => ({ url: `http://a.example/${n}` as CanonicalUrl, text: link })),
    relevance: text.length / 1000,
  };
}

function pageOf(body: string, type = 'text/html'): FetchedPage {
  const bytes = Buffer.from(body);
  return {
    ...{ url: 'http://a.example/app/1' as CanonicalUrl, status: 200, statusText: 'OK', rawHeaders: [], headers: { 'content-type': type } },
    ...{ requestHeaders: [], body: bytes, wireBody: bytes, truncated: false, startedAt: 0, endedAt: 0, ip: null },
  };
}

/** A reader whose pages are JSON about their outcome, and a renderer that gives `rendered`; null for a trouble. */
function opened(choice: 'auto' | 'always', rendered: Told | null, trouble: RenderTrouble | null = null) {
  const renderings: string[] = [];
  let closes = 0;
  const renderer: Pick<PageRenderer, 'render' | 'close'> = {
    render: async (page) => {
      renderings.push(page.url);
      const shown = rendered && pageOf(JSON.stringify(rendered));
      return { page: shown, trouble, cost: { ms: 5, requests: 2, bytes: 9 }, resources: [pageOf('x')], robots: [] };
    },
    close: async () => {
      closes += 1;
    },
  };
  const read = async ({ body }: FetchedPage): Promise<ReadOutcome> => readAs(JSON.parse(Buffer.from(body).toString()));
  const reader = new RenderingReader({ read, close: async () => void (await renderer.close()) }, renderer, choice, new RenderHabits());
  const visit = async (plain: Told, type?: string) => {
    const outcome = await reader.read(pageOf(JSON.stringify({ script: '<script>', ...plain }), type));
    if (outcome.kind !== 'read') throw new Error(outcome.kind);
    return outcome;
  };
  return { visit, renderings, reader, closes: () => closes };
}

test('auto renders a shell, and takes its document with the texts and links of it', async () => {
  const { visit } = opened('auto', { text: 'x'.repeat(900), links: 4 });
  const { extraction, links, relevance, rendering } = await visit({ text: 'Loading', links: 1, shell: true });
  expect([extraction.text.length, links.length, relevance]).toEqual([900, 4, 0.9]);
  expect(rendering?.visit).toEqual({ ms: 5, requests: 2, bytes: 9, because: 'shell', text: [7, 900], links: [1, 4], used: true });
  expect(rendering?.document?.resources.length).toBe(1);
});

test('auto leaves a page that has its text', async () => {
  const { visit, renderings } = opened('auto', { text: 'x' });
  expect((await visit({ text: 'x'.repeat(900) })).rendering).toBeUndefined();
  expect(renderings).toEqual([]);
});

test('always renders each page, and the page stands if the document has no more text: the links of both are followed', async () => {
  const { visit } = opened('always', { text: 'x'.repeat(500), links: 9 });
  const { extraction, links, rendering } = await visit({ text: 'x'.repeat(900), links: 1 });
  expect([extraction.text.length, links.length]).toEqual([900, 9]);
  expect(rendering).toMatchObject({ visit: { because: 'always', used: false, links: [1, 9] }, document: null });
});

test.each([
  ['a longer text', { text: 'xx' }, { text: 'x' }, true],
  ['an equal text with more links', { text: 'xx', links: 2 }, { text: 'xx', links: 1 }, false],
  ['an equal text', { text: 'xx' }, { text: 'xx' }, false],
  ['a wall in place of a page', { text: 'xxxx', wall: 'login' }, { text: 'x' }, false],
  ['a page in place of a wall', { text: 'x' }, { text: 'xxxx', wall: 'needs-javascript' }, true],
] as const)('the better of both counts: %s', async (_, rendered, plain, used) => {
  const { rendering } = await opened('always', rendered).visit(plain);
  expect(rendering?.visit.used).toBe(used);
});

test('the page stands after a trouble, which is named', async () => {
  const { visit } = opened('auto', null, 'render-crash');
  const { extraction, rendering } = await visit({ text: 'Loading', links: 1, shell: true });
  expect(extraction.text).toBe('Loading');
  expect(rendering).toMatchObject({ visit: { text: [7, null], links: [1, null], used: false, trouble: 'render-crash' }, document: null });
});

test('auto renders no page without scripts, and checks none', async () => {
  const { reader, renderings } = opened('auto', { text: 'x'.repeat(900) });
  for (let n = 0; n < 100; n += 1) await reader.read(pageOf(JSON.stringify({ text: 'Loading', shell: true })));
  expect(renderings).toEqual([]);
});

test('only HTML is rendered', async () => {
  const { visit, renderings } = opened('always', { text: 'x' });
  await visit({ text: 'a' }, 'text/plain');
  expect(renderings).toEqual([]);
  await visit({ text: 'a' }, 'application/xhtml+xml');
  expect(renderings.length).toBe(1);
});

test('closing it closes browser and reader', async () => {
  const { reader, closes } = opened('auto', null);
  await reader.close();
  expect(closes()).toBe(2);
});

test('what the page says about being kept or followed counts, as the server sent it or as a script wrote it', async () => {
  const longer = 'x'.repeat(900);
  const said = async (rendered: Told, plain: Told) => {
    const { extraction } = await opened('always', rendered).visit(plain);
    return [extraction.noindex, extraction.nofollow];
  };
  expect(await said({ text: longer }, { text: 'x', noindex: true, nofollow: true })).toEqual([true, true]);
  expect(await said({ text: 'x', noindex: true }, { text: longer, nofollow: true })).toEqual([true, true]);
  expect(await said({ text: longer }, { text: 'x' })).toEqual([false, false]);
});

test('a check that gains little leaves the page as the server sent it', async () => {
  const { reader, visit } = opened('auto', { text: `${'x'.repeat(900)} 12 minutes ago` });
  let checked = 0;
  for (let n = 0; n < 60; n += 1) {
    const { rendering } = await visit({ text: 'x'.repeat(900) });
    if (rendering === undefined) continue;
    checked += 1;
    expect(rendering.visit).toMatchObject({ because: 'check', used: false });
  }
  expect(checked).toBeGreaterThan(0);
  await reader.close();
});
