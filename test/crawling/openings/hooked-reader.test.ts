import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ReadLink, ReadOutcome } from '../../../src/base/core/parts/reading.ts';
import type { Rendering } from '../../../src/base/core/rendering.ts';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { canonicalizeWithRoute } from '../../../src/base/web/url.ts';
import { HookedReader } from '../../../src/crawling/openings/hooked-reader.ts';
import { Hooks } from '../../../src/crawling/openings/hooks.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { pageOf } from '../../corpus/records/samples.ts';
import { NO_TEXT } from '../../support/frontier-values.ts';

const LIMITS = { time: 20_000, start: 20_000, heap: 32 * 2 ** 20 };
const SHELL = '<p>Laden Sie für Größe</p>';
const RENDERED = '<p>Größe nach den Skripten</p>';

/** The markup that `afterRead` gets of a page in Latin-1, as a tag. */
async function markupOf(rendering: Rendering | null): Promise<readonly string[] | undefined> {
  const outcome = await hooked('export const afterRead = ({ markup }) => ({ tags: [markup] });', rendering);
  return outcome.tags;
}

/** A page in Latin-1 as it is read with the hooks of `code`. */
async function hooked(code: string, rendering: Rendering | null, links: readonly ReadLink[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'forager-hooked-'));
  const file = join(folder, 'hooks.mjs');
  writeFileSync(file, code);
  const hooks = await Hooks.open({ file, strict: false, warn: () => undefined, limits: LIMITS });
  onTestFinished(async () => {
    await hooks.close();
    rmSync(folder, { recursive: true });
  });
  const body = rendering?.document?.html ?? Buffer.from(SHELL, 'latin1');
  const type = `text/html; charset=${rendering === null ? 'iso-8859-1' : 'utf-8'}`;
  const page = pageOf('http://hooks.example/a' as CanonicalUrl, SHELL);
  const { outlinks: _, ...extraction } = pageExtractor({ productToken: 'forager' }).extract({
    url: page.url,
    headers: { 'content-type': type },
    body,
  });
  const read: ReadOutcome = { kind: 'read', extraction, links, relevance: 0, ...(rendering && { rendering }) };
  const reader = new HookedReader({ read: async () => read, close: async () => undefined }, hooks, new WeakMap());
  const outcome = await reader.read({ ...page, body: Buffer.from(SHELL, 'latin1') });
  if (outcome.kind !== 'read') throw new Error(`it is ${outcome.kind}`);
  return outcome;
}

test('afterRead gets the page as it was read: as the server sent it, or as the browser rendered it', async () => {
  expect(await markupOf(null)).toEqual([SHELL]);
  const visit = { ms: 1, requests: 0, bytes: 0, because: 'always', text: [1, 2], links: [0, 0], used: true } as const;
  expect(await markupOf({ visit, document: { html: Buffer.from(RENDERED), resources: [] }, answers: [] })).toEqual([RENDERED]);
});

test('onLinks that returns its links leaves them as they are: routes keep their words', async () => {
  const urls = ['http://hooks.example/', 'http://hooks.example/#/page/7'].flatMap((url) => canonicalizeWithRoute(url) ?? []);
  const links = urls.map((url, i) => ({ url, text: { ...NO_TEXT, anchorText: `link ${i}` } }));
  expect((await hooked('export const onLinks = ({ links }) => links;', null, links)).links).toEqual(links);
});
