import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { canonicalizeWithRoute } from '../../../src/base/web/url.ts';
import { type KnownPages, keepKnown, knownOf } from '../../../src/crawling/crawl-dir/known-pages.ts';

test('known pages come back as they were given, routes too; null removes them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'forager-known-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const paths = { known: join(folder, 'known.json') };
  const urls = ['http://app.test/#/fen', 'http://app.test/'].flatMap((url) => canonicalizeWithRoute(url) ?? []);
  const known: KnownPages = { origin: 'listed', from: 'refs.bib', urls };
  keepKnown(paths, known);
  expect(knownOf(paths)).toEqual(known);
  keepKnown(paths, null);
  expect(knownOf(paths)).toBeNull();
});
