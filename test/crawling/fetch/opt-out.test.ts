import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DataError, UsageError } from '../../../src/base/core/errors.ts';
import { OptOutList } from '../../../src/crawling/fetch/opt-out.ts';
import { expectWithin } from '../../support/cpu-time.ts';
import { urlOf } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const folder = mkdtempSync(join(tmpdir(), 'forager-opt-out-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SETTLES = 5000;
let files = 0;
/** Each version has a time of its own, however quickly it is written. */
function write(path: string, text: string): string {
  writeFileSync(path, text);
  utimesSync(path, ++files, files);
  return path;
}

function listOf(text: string) {
  const path = write(join(folder, `${files}.txt`), text);
  const clock = new VirtualClock();
  const warnings: string[] = [];
  const list = new OptOutList(path, clock, (message) => warnings.push(message));
  const has = (url: string) => list.has(urlOf(url));
  const later = (url: string, ms = SETTLES) => {
    clock.advance(ms);
    return has(url);
  };
  return { path, warnings, has, later };
}

test('a name stands for the host and all below it, host:port for that port, the beginning of a URL for both schemes', () => {
  const { has } = listOf(
    '\ufeff# who wrote to us\r\nexample.org\r\n\n  WWW.Bücher.example  # since May\n127.0.0.1:8080\nhttps://shop.example/private/\n',
  );
  expect(['http://example.org/', 'https://example.org:8443/a', 'http://a.b.example.org/x'].map(has)).toEqual([true, true, true]);
  expect(['http://notexample.org/', 'http://example.org.evil.test/', 'http://org/'].map(has)).toEqual([false, false, false]);
  expect(['http://www.xn--bcher-kva.example/', 'http://xn--bcher-kva.example/'].map(has)).toEqual([true, false]);
  expect(['http://127.0.0.1:8080/', 'http://127.0.0.1/'].map(has)).toEqual([true, false]);
  expect(['http://shop.example/private/a', 'https://shop.example/private/', 'https://shop.example/'].map(has)).toEqual([true, true, false]);
});

test('a list with nothing on it lets all be asked', () => {
  const { has } = listOf('# nobody yet\n\n');
  expect(has('http://example.org/')).toBe(false);
});

test('a line that is added counts at once; one that is gone counts until the file has been unchanged for five seconds', () => {
  const { path, has, later } = listOf('a.test\n');
  write(path, 'b.test\n');
  expect(['http://b.test/', 'http://a.test/'].map(has)).toEqual([true, true]);
  expect([later('http://a.test/', SETTLES - 1), later('http://a.test/', 1), has('http://b.test/')]).toEqual([true, false, true]);
});

test('an editor that empties the file before it writes it frees nobody', () => {
  const { path, has, later } = listOf('a.test\nb.test\n');
  const seen = ['', 'a.test\n', 'a.test\nb.test\nc.test\n'].map((text) => {
    write(path, text);
    return [has('http://a.test/'), later('http://b.test/', 10)];
  });
  expect(seen).toEqual([true, true, true].map((on) => [on, on]));
  write(path, '');
  expect([has('http://b.test/'), later('http://b.test/', SETTLES), has('http://c.test/')]).toEqual([true, false, false]);
});

test('a file that cannot be used any more leaves the last list in force, and is warned of once until it can', () => {
  const { path, has, later, warnings } = listOf('a.test\n');
  rmSync(path);
  expect([has('http://a.test/'), later('http://a.test/'), warnings.length]).toEqual([true, true, 1]);
  expect(warnings[0]).toMatch(/^--opt-out .*cannot be read.*the list is used in its last version/);
  write(path, 'b.test\n');
  expect([has('http://b.test/'), later('http://a.test/')]).toEqual([true, false]);
  write(path, 'b.test\nwhat is this\n');
  expect([has('http://b.test/'), later('http://b.test/'), warnings.length]).toEqual([true, true, 2]);
  expect(warnings[1]).toContain('line 2: "what is this" is not understood');
});

test('a question costs some microseconds', () => {
  const { has } = listOf('a.test\nb.test\n');
  expectWithin(1000, () => {
    for (let question = 0; question < 50_000; question += 1) has('http://c.test/');
  });
});

test('a file that cannot be used to begin with is an error that names the line', () => {
  const open = (path: string) => () => new OptOutList(path, new VirtualClock(), () => undefined);
  expect(open(join(folder, 'none'))).toThrow(UsageError);
  expect(open(folder)).toThrow(UsageError);
  const bad = write(join(folder, 'bad.txt'), 'a.test\n\nftp://b.test/\n');
  expect(open(bad)).toThrow(DataError);
  expect(open(bad)).toThrow('line 3: "ftp://b.test/"');
});
