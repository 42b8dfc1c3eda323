import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UsageError } from '../../../src/base/core/errors.ts';
import { findBrowser, refuseRootSandbox } from '../../../src/crawling/render/find-browser.ts';

const before = process.env['PATH'];
let folder = '';

/** The folder is the whole search path. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forager-browser-'));
  process.env['PATH'] = folder;
});

afterEach(() => {
  process.env['PATH'] = before;
  rmSync(folder, { recursive: true });
});

function program(name: string, mode = 0o755): string {
  const path = join(folder, name);
  writeFileSync(path, '#!/bin/sh\n', { mode });
  return path;
}

test('the browser is the first of the usual programs on the search path', () => {
  const chrome = program('google-chrome');
  expect(findBrowser({})).toBe(chrome);
  const chromium = program('chromium');
  expect(findBrowser({})).toBe(chromium);
  const shell = program('chromium-headless-shell');
  expect(findBrowser({})).toBe(shell);
});

// A Mac may have one elsewhere.
test.skipIf(process.platform === 'darwin')('a machine without one is refused, with the option and the package', () => {
  program('chromium', 0o644);
  mkdirSync(join(folder, 'google-chrome'));
  expect(() => findBrowser({})).toThrow(UsageError);
  expect(() => findBrowser({})).toThrow(/no browser; install Chromium \(Debian: apt install chromium-headless-shell\).*--browser/);
});

test('a browser is named by its path, or by a name on the search path', () => {
  const mine = program('my browser');
  expect(findBrowser({ browser: mine })).toBe(mine);
  expect(findBrowser({ browser: relative(process.cwd(), mine) })).toBe(mine);
  expect(findBrowser({ browser: 'my browser' })).toBe(mine);
});

test('a browser that is no program is refused by its name', () => {
  for (const browser of ['echo', 'none-such', join(folder, 'none'), folder, program('text', 0o644)])
    expect(() => findBrowser({ browser })).toThrow(`--browser ${browser}: is not a program`);
});

test('root needs a word of the user to go without the sandbox', () => {
  expect(() => refuseRootSandbox(false, 0)).toThrow(/root; run Forager as another user, or add --no-sandbox/);
  for (const [noSandbox, user] of [
    [true, 0],
    [false, 1000],
    [false, null],
  ] as const)
    expect(() => refuseRootSandbox(noSandbox, user)).not.toThrow();
});
