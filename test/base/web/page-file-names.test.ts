/** Which names of pictures, sounds and films are requested, to find out whether their host has pages under them. */
import { expect, test } from 'vitest';
import { PageFileNames } from '../../../src/base/web/page-file-names.ts';
import { urlOf } from '../../support/frontier-values.ts';

const link = (url: string, over: object = {}) => ({
  url: urlOf(url),
  from: urlOf('http://a.test/'),
  onTopic: true,
  words: 'Mill',
  ...over,
});

test('one URL of a host and ending is tried, of two endings at most', () => {
  const names = new PageFileNames(() => 10_000);
  const tried = ['/1.jpg', '/2.jpg', '/x/3.JPG', '/1.png', '/1.webm', '/song.ogg'].filter((path) =>
    names.tries(link(`http://a.test${path}`)),
  );
  expect(tried).toEqual(['/1.jpg', '/1.png']);
  expect(names.tries(link('http://b.test/1.jpg', { from: urlOf('http://b.test/list') }))).toBe(true);
});

test.each([
  ['of an off-topic page', { onTopic: false }],
  ['of another host', { from: urlOf('http://b.test/') }],
  ['of a thumbnail', { words: ' ' }],
])('a link %s is not tried', (_, over) => expect(new PageFileNames(() => 0).tries(link('http://a.test/1.jpg', over))).toBe(false));

test.each(['/a.pdf', '/a.zip', '/app.js', '/a.doc', '/a.exe', '/a.woff2', '/page.html', '/page'])(
  '%s is no picture, sound or film',
  (path) => {
    expect(new PageFileNames(() => 0).tries(link(`http://a.test${path}`))).toBe(false);
  },
);

test.each([
  [0, 1],
  [50, 2],
  [100, 2],
  [101, 3],
  [1_000, 11],
])('after %d visits, %d are tried in all', (visits, most) => {
  const names = new PageFileNames(() => visits);
  const hosts = Array.from({ length: 40 }, (_, i) => `http://h${i}.test`);
  expect(hosts.filter((host) => names.tries(link(`${host}/1.jpg`, { from: urlOf(`${host}/`) })))).toHaveLength(most);
});

test('a page opens its host and ending, a file closes it, and a later page opens it after all', () => {
  const names = new PageFileNames(() => 0);
  const [first, other] = [urlOf('http://a.test/1.jpg'), urlOf('http://a.test/photo/2.jpg')];
  names.answered(first, false);
  expect([names.mayBePage(other), names.tries(link(other))]).toEqual([false, false]);
  names.answered(first, true);
  expect(names.mayBePage(other)).toBe(true);
  names.answered(other, false);
  expect(names.mayBePage(other)).toBe(true);
  expect(names.mayBePage(urlOf('http://b.test/1.jpg'))).toBe(false);
  expect(names.mayBePage(urlOf('http://a.test/1.png'))).toBe(false);
});
