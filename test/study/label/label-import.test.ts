import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DataError, UsageError } from '../../../src/base/core/errors.ts';
import { readLabels } from '../../../src/study/label/label-import.ts';

const dir = mkdtempSync(join(tmpdir(), 'forager-import-'));
const path = join(dir, 'labels');
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function read(content: string) {
  writeFileSync(path, content);
  return readLabels(path).map(({ url, answer }) => `${url} ${answer}`);
}

test('CSV, with and without a head, quotes, tabs and semicolons', () => {
  const plain = ['http://a.test/1 y', 'http://a.test/2 n'];
  expect(read('url,label\nhttp://a.test/1,y\r\nhttp://a.test/2,No\n\n')).toEqual(plain);
  expect(read('\uFEFF"url";"label"\n"http://a.test/1";"1"\n"http://a.test/2";0')).toEqual(plain);
  expect(read('http://a.test/1\tTRUE\nhttp://a.test/2\tirrelevant')).toEqual(plain);
  expect(read('"http://a.test/1,2?a=""b""",skip\n')).toEqual(['http://a.test/1,2?a=%22b%22 skip']);
  expect(read('url,title,label\nhttp://a.test/1,"Moss, in short",y')).toEqual(['http://a.test/1 y']);
  expect(read('http://a.test/#/moss,y\nhttp://a.test/#top,n')).toEqual(['http://a.test/#/moss y', 'http://a.test/ n']);
});

test('what separates URL and label may be in the URL where it is another separator', () => {
  expect(read('http://a.test/1;x=2,y\nhttp://a.test/2,3;n\nhttp://a.test/4;5,6\ty\n')).toEqual([
    'http://a.test/1;x=2 y',
    'http://a.test/2,3 n',
    'http://a.test/4;5,6 y',
  ]);
});

test('JSON lines, and the label file of another crawl with what was taken back in it', () => {
  expect(read('{"url":"http://A.test/1#x","label":"yes"}\n{"url":"http://a.test/2","label":false}\n')).toEqual([
    'http://a.test/1 y',
    'http://a.test/2 n',
  ]);
  const other =
    '{"format":"forager-labels","version":1,"seed":1}\n{"url":"http://a.test/1","answer":"y"}\n{"url":"http://a.test/2","answer":"n"}\n{"undo":1,"at":""}\n';
  expect(read(other)).toEqual(['http://a.test/1 y']);
  expect(read(other.replace('"undo":1', '"undo":[2]'))).toEqual(['http://a.test/2 n']);
  const line = '{"url":"http://a.test/1","label":"y","format":"text/html","undo":-1}\n';
  expect(read(line)).toEqual(['http://a.test/1 y']);
  expect(read(`\uFEFF${line}`)).toEqual(['http://a.test/1 y']);
});

test('names: of a column in any place, of JSON lines; the last label of each person to a page, and of all of them the last', () => {
  const named = (content: string) => {
    writeFileSync(path, content);
    return readLabels(path).map(({ url, answer, name }) => [url.slice('http://a.test/'.length), answer, name]);
  };
  const csv =
    'url;name;note;label\nhttp://a.test/1;Anna;"a;b";y\nhttp://a.test/1;Ben;;n\nhttp://a.test/2;;;y\nhttp://a.test/1;Anna;;skip\n';
  const expected = [
    ['1', 'n', 'Ben'],
    ['2', 'y', undefined],
    ['1', 'skip', 'Anna'],
  ];
  expect(named(csv)).toEqual(expected);
  const json =
    '{"url":"http://a.test/1","label":"n","name":"Ben"}\n{"url":"http://a.test/2","label":"y"}\n{"url":"http://a.test/1","label":"s","name":"Anna"}\n';
  expect(named(json)).toEqual(expected);
  expect(named('url,name,label\nhttp://a.test/1,y\n')).toEqual([['1', 'y', undefined]]);
  // Without a head line nothing says which column is a name.
  expect(named('http://a.test/1,Anna,y\n')).toEqual([['1', 'y', undefined]]);
  expect(() => named('url,name,label\nhttp://a.test/1,a/b,y\n')).toThrow(/labels:2: "a\/b" is not a name/);
});

test('a long line that is no label takes no longer than it is long', () => {
  expect(() => read(`${' '.repeat(100_000)}"moss`)).toThrow(':1: the URL or the label is missing');
  expect(() => read(`http://a.test/,${'"'.repeat(100_001)}`)).toThrow(':1: ');
});

test('an empty label is none', () => {
  expect(read('url,label\nhttp://a.test/1,\nhttp://a.test/2,y\n')).toEqual(['http://a.test/2 y']);
});

test('of two labels for a page the later counts', () => {
  expect(read('http://a.test/1,y\nhttp://a.test/2,y\nhttp://a.test/1,n\n')).toEqual(['http://a.test/2 y', 'http://a.test/1 n']);
});

test.each([
  ['http://a.test/1,y\nhttp://a.test/2,perhaps\n', ':2: "perhaps" is not a label; write y, n or skip'],
  ['http://a.test/1,constructor\n', ':1: "constructor" is not a label'],
  ['http://a.test/1,y\nmoss,y\n', ':2: "moss" is not an http(s) URL'],
  ['http://a.test/1\n', ':1: the URL or the label is missing'],
  ['{"url":"http://a.test/1"}\n', 'has no label'],
  ['{"url":"http://a.test/1","label":{"y":1}}\n', ':1: {"y":1} is not a label'],
  ['{"url":\n', ':1: '],
  ['url,label\n', 'has no label'],
])('%j is refused, and the line named', (content, why) => {
  expect(() => read(content)).toThrow(DataError);
  expect(() => read(content)).toThrow(`${path}${why.startsWith(':') ? '' : ': '}${why}`);
});

test('a file that is not there', () => expect(() => readLabels(join(dir, 'nothing'))).toThrow(UsageError));
