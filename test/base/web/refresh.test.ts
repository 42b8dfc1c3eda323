import { expect, test } from 'vitest';
import { refreshTarget } from '../../../src/base/web/refresh.ts';
import { expectWithin } from '../../support/cpu-time.ts';

test.each([
  ['0; url=a.html', 'a.html'],
  ["0;URL='a b.html' ", 'a b.html'],
  ['5; url = x?y=1;z=2', 'x?y=1;z=2'],
  ['3;/moved/', '/moved/'],
  ['3 moved.html', 'moved.html'],
  ['3,moved.html', 'moved.html'],
  ['0; de/index.html', 'de/index.html'],
  ['\t 7.5 \n;\f  "q/?a=\'b\'" rest', "q/?a='b'"],
  ['.5; Url\t=\n//other.example/', '//other.example/'],
  ['0; urls.html', 'urls.html'],
  ['0; url', 'url'],
  ['0; url x', 'url x'],
  ['0; url="open', 'open'],
  ['0;;x', ';x'],
])('%j leads to %j', (value, target) => {
  expect(refreshTarget(value)).toBe(target);
});

test.each(['', '5', ' 5 ', '5;', '0;url=', "0; url=''", 'url=x', '; url=x', '-1; url=x', '5x; url=y', 'soon; url=x'])(
  '%j leads nowhere',
  (value) => {
    expect(refreshTarget(value)).toBeNull();
  },
);

test('long values take no longer than their length', () => {
  expectWithin(1_000, () => ['1', ' ', '.', '; ', '1 '].map((part) => refreshTarget(`0${part.repeat(200_000)}x`)));
});
