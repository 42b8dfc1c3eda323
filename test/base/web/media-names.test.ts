import { expect, test } from 'vitest';
import { leadsToMedia } from '../../../src/base/web/media-names.ts';

test.each([
  '/b.JPG',
  '/x/y.tar.gz',
  '/paper.pdf',
  '/gallery/2019/mill-01.jpg',
  '/gallery/2019/mill-02.jpg?size=xl',
  '/s.css?v=3',
  '/assets/app.js',
  '/wp-content/themes/mill/style.css',
  '/jquery-3.7.1.js',
  '/main-4f9c21aa.css',
  '/app.min.js',
  '/w/images/a/ab/Mill.jpg',
  '/wiki/download/attachments/77/plan.pdf',
  '/wiki/Special:FilePath/Mill.jpg',
  '/forge/mill/raw/main/logo.png',
  '/index.php/files/mill.zip',
])('%s is no page', (path) => {
  expect(leadsToMedia(`http://a.test${path}`)).toBe(true);
});

test.each([
  '/',
  '/b.html',
  '/v1.5/',
  '/q?f=a.png',
  '/.so/x',
  '/wiki/Node.js',
  '/wiki/ISO_9660.iso',
  '/wiki/Datei:Wassermühle.JPG',
  '/wiki/%E6%96%87%E4%BB%B6:Mill.png',
  '/w/Image%3AMill.svg',
  '/File:Plan.pdf',
  '/three.js',
  '/topics/d3.js',
  '/questions/tagged/node.js',
  '/package/left.zip',
  '/mill/tools/blob/main/src/gate.js',
  '/mill/tools/blob/main/docs/plan.pdf',
  '/wiki/index.php/Mill.gif',
  '/doku.php/tide:mill.zip',
  '/company/character.ai',
  '/man/dlopen.so',
])('%s may be a page', (path) => {
  expect(leadsToMedia(`http://a.test${path}`)).toBe(false);
});

test('the ending of a host is none', () => {
  expect(['http://a.gif/', 'http://a.gif/x', 'http://three.js'].map(leadsToMedia)).toEqual([false, false, false]);
});
