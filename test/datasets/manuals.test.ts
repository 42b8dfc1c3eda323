import { expect, test } from 'vitest';
import { hostTable } from '../../datasets/debian-web/hosts.ts';
import { isIndexPage, manualSubjects, pagesOfSubject, type Structure } from '../../datasets/debian-web/manuals.ts';
import { grouped } from '../../src/base/core/grouped.ts';
import { focusTopics, kindOf } from '../../tools/bench/focus/topics.ts';
import { foldersOf, webName } from '../../tools/bench/focus/webs.ts';

const MANUAL = 'manual.example/doc/';

function pagesOf(structure: Structure, value: string, pages: Readonly<Record<string, string>>): string[] {
  const of = new Map(Object.entries(pages).map(([path, html]) => [`${MANUAL}${path}`, html]));
  return [...pagesOfSubject({ manual: MANUAL, structure, value }, [...of.keys()], (page) => of.get(page) ?? '')].map((page) =>
    page.slice(MANUAL.length),
  );
}

const up = (href: string) => `<link rel="next" href="index.html"><a accesskey="u" href="${href}">Up</a>`;

test('a chapter has the pages whose ways up lead to it, in any folder, and no others', () => {
  const pages = {
    'index.html': '',
    'moss.html': up('index.html'),
    'fern.html': up('index.html'),
    'a/leaf.html': '<link href="../moss.html#x" rel="up" title="moss">',
    'a/vein.html': up('leaf.html'),
    'a/frond.html': up('../fern.html'),
    'loop.html': up('pool.html'),
    'pool.html': up('loop.html'),
    'else.html': up('http://other.example/moss.html'),
  };
  expect(pagesOf('chapter', 'moss.html', pages)).toEqual(['moss.html', 'a/leaf.html', 'a/vein.html']);
  expect(pagesOf('chapter', 'none.html', pages)).toEqual([]);
});

test('a keyword is a whole one of the list', () => {
  const page = (words: string) => `<head><meta name="keywords" content="${words}"></head>`;
  const pages = { 'a.html': page('raster, moss'), 'b.html': page('mosses'), 'c.html': page('moss'), 'd.html': 'moss' };
  expect(pagesOf('keyword', 'moss', pages)).toEqual(['a.html', 'c.html']);
});

test('an index leads to pages by the words of its entries; its own pages are none of them', () => {
  const pages = {
    'genindex-M.html':
      '<a href="a.html#m"><code>moss_grow</code></a> <a href="b/c.html">Growth of <b>Moss</b></a> <a href="d.html">mossy</a>',
    'doc-index.html': '<a href="genindex-M.html">moss</a> <a href="http://manual.example/d.html">moss</a> <a href="gone.html">moss</a>',
    'a.html': '',
    'b/c.html': '',
    'd.html': '<a href="d.html">moss</a>',
  };
  expect(pagesOf('index', 'moss', pages)).toEqual(['a.html', 'b/c.html']);
  expect(Object.keys(pages).filter(isIndexPage)).toEqual(['genindex-M.html', 'doc-index.html']);
});

test('a group has its page, and the pages that name it at their head', () => {
  const pages = {
    'group__moss.html': '',
    'class_a.html':
      '<div class="ingroups"><a class="el" href="group__green.html">G</a> &raquo; <a class="el" href="group__moss.html">M</a></div>',
    'class_b.html': '<ul><li class="navelem"><a class="el" href="group__moss.html">Moss</a></li></ul>',
    'class_c.html': '<div class="contents"><a href="group__moss.html">Moss</a></div>',
  };
  expect(pagesOf('group', 'group__moss.html', pages)).toEqual(['group__moss.html', 'class_a.html', 'class_b.html']);
});

const ROWS = manualSubjects();

test.each(['dev', 'report'] as const)(
  'the split %s has ten manuals of three subjects or more, each on a host of the Debian web',
  (split) => {
    const manuals = grouped(
      ROWS.filter((row) => row.split === split),
      ({ manual }) => manual,
    );
    expect(manuals.size).toBeGreaterThanOrEqual(10);
    const hosts = new Set(hostTable().map(({ host }) => host));
    for (const [manual, subjects] of manuals) {
      expect([manual, new Set(subjects.map(({ value }) => value)).size >= 3]).toEqual([manual, true]);
      expect([manual, hosts.has(manual.split('/', 1)[0] ?? '')]).toEqual([manual, true]);
    }
  },
);

test('no host of a single-host web is in both splits', () => {
  const splits = new Map<string, Set<string>>();
  for (const { web, split } of focusTopics([], foldersOf(''))) {
    if (web.kind !== 'host' && web.kind !== 'manual') continue;
    const host = web.kind === 'host' ? web.host : (web.manual.split('/', 1)[0] ?? '');
    splits.set(host, (splits.get(host) ?? new Set()).add(split));
  }
  expect([...splits].filter(([, own]) => own.size > 1)).toEqual([]);
});

test('topics of the bench have names of their own, and webs of manuals files of their own', () => {
  const topics = focusTopics([], foldersOf(''));
  expect(new Set(topics.map(({ name }) => name)).size).toBe(topics.length);
  const manuals = topics.filter(({ web }) => web.kind === 'manual');
  expect(new Set(manuals.map(({ web }) => webName(web))).size).toBe(new Set(ROWS.map(({ manual }) => manual)).size);
  expect(new Set(manuals.map(kindOf))).toEqual(new Set(['chapter', 'keyword', 'index', 'group'].map((one) => `manuals by ${one}`)));
});

test.each(['dev\ta.example/\tchapter', 'test\ta.example/\tchapter\tx', 'dev\ta.example\tchapter\tx', 'dev\ta.example/\tfolder\tx'])(
  'the row %j is refused',
  (row) => {
    expect(() => manualSubjects(`split\tmanual\tstructure\tvalue\n${row}\n`)).toThrow('manuals.tsv:2: not a split');
  },
);
