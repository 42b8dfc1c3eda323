/** The elements of a page, as the parser notes them. */
import { expect, test } from 'vitest';
import type { PageElements } from '../../../src/reading/extract/page-elements.ts';
import { CoreParser } from '../../../src/reading/wasm-reader/core-parser.ts';
import { WasmCore } from '../../../src/reading/wasm-reader/wasm-core.ts';

const parser = new CoreParser(new WasmCore());

function elementsOf(html: string): PageElements {
  parser.parse(html);
  return parser.elements(html);
}

const outline = (elements: PageElements) =>
  Array.from({ length: elements.count }, (_, i) => [elements.tag(i).name, elements.parent(i), elements.after(i)]);

test('elements are a tree, whose open ends are implied', () => {
  const html = '<div><p>One<p>Two<br>more<ul><li>a<li>b</ul></div><hr><b>end';
  expect(outline(elementsOf(html))).toEqual([
    ['div', -1, 7],
    ['p', 0, 2],
    ['p', 0, 4],
    ['br', 2, 4],
    ['ul', 0, 7],
    ['li', 4, 6],
    ['li', 4, 7],
    ['hr', -1, 8],
    ['b', -1, 9],
  ]);
});

test('an element knows its places and its blocks', () => {
  const html = '<section title="a > b"><p>One</p> <p>Two</p></section><p></p>';
  const elements = elementsOf(html);
  const contents = Array.from({ length: elements.count }, (_, i) => html.slice(elements.from(i), elements.to(i)));
  expect(contents).toEqual(['<p>One</p> <p>Two</p>', 'One', 'Two', '']);
  expect([0, 1, 2].map((i) => [elements.first(i), elements.last(i)])).toEqual([
    [0, 1],
    [0, 0],
    [1, 1],
  ]);
  expect(elements.last(3)).toBeLessThan(elements.first(3));
  expect(html.slice(elements.start(2))).toMatch(/^<p>Two/);
  expect(elements.blockStarts()).toEqual([html.indexOf('One'), html.indexOf('Two')]);
});

test('attributes are read in any case, with their references, the first of two', () => {
  const elements = elementsOf('<a HREF="/x?a=1&amp;b" href=/y class="Big  one" rel=author data-other=1>x</a><i class=z>y</i>');
  expect(elements.attribute(0, 'href')).toBe('/x?a=1&b');
  expect(elements.attribute(0, 'rel')).toBe('author');
  expect(elements.attribute(0, 'title')).toBeUndefined();
  expect(elements.attribute(0, 'data-other')).toBeUndefined();
  expect([elements.has(0, 'rel'), elements.has(0, 'title'), elements.has(1, 'rel')]).toEqual([true, false, false]);
  expect([elements.className(0), elements.className(1)]).toEqual(['Big  one', 'z']);
  expect([elements.hasMore(0), elements.hasMore(1)]).toEqual([true, false]);
});

test('unknown names are elements too, and a tag that the page cuts is none', () => {
  const elements = elementsOf('<x-post id=a>text</x-post><xİ id=b>c<div cla');
  expect([0, 1].map((i) => elements.attribute(i, 'id'))).toEqual(['a', 'b']);
  expect(outline(elements)).toEqual([
    ['x-post', -1, 1],
    ['xİ'.toLowerCase(), -1, 2],
  ]);
});
