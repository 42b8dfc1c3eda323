import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { UrlNumbers } from '../../../src/base/core/url-numbers.ts';
import { LinkGraph, MAX_LINKS } from '../../../src/reading/links/link-graph.ts';
import { urlOf } from '../../support/frontier-values.ts';

const url = (name: string | number) => urlOf(`http://a.test/${name}`);

/** The links of a page as the graph has them, by a URL of each node. */
function linksOf(graph: LinkGraph, page: number, names: readonly CanonicalUrl[]): CanonicalUrl[] {
  const byNode = new Map(names.map((name) => [graph.find(name), name]));
  return Array.from(graph.targetsOf(page), (node) => byNode.get(node) ?? url('unknown'));
}

test('every URL has a number of its own, which it keeps', () => {
  const numbers = new UrlNumbers();
  const urls = Array.from({ length: 30_000 }, (_, i) => url(i));
  expect(urls.map((one) => numbers.of(one))).toEqual(urls.map((_, i) => i));
  expect(urls.map((one) => numbers.of(one))).toEqual(urls.map((one) => numbers.find(one)));
  expect([numbers.size, numbers.find(url('other'))]).toEqual([30_000, -1]);
});

test('links of a page to itself and again to the same URL are left out', () => {
  const graph = new LinkGraph();
  const [a, b, c] = [url('a'), url('b'), url('c')];
  expect(graph.add(a, 0.5, [b, a, b, c, b])).toBe(0);
  expect(graph.add(b, 0.25, [c, a])).toBe(1);
  expect(linksOf(graph, 0, [a, b, c])).toEqual([b, c]);
  expect(linksOf(graph, 1, [a, b, c])).toEqual([c, a]);
  expect([graph.nodes, graph.pages, graph.relevanceOf(1), graph.urlOf(1)]).toEqual([3, 2, 0.25, b]);
  expect(Array.from(graph.pagesLinkingTo(graph.find(c)))).toEqual([0, 1]);
  expect([graph.pageOf(graph.find(b)), graph.pageOf(graph.find(c)), graph.find(url('d'))]).toEqual([1, -1, -1]);
});

test('a page read again keeps the links it had', () => {
  const graph = new LinkGraph();
  graph.add(url('a'), 0.5, [url('b')]);
  expect(graph.add(url('a'), 0.9, [url('c'), url('d')])).toBeNull();
  expect([graph.pages, graph.nodes, graph.relevanceOf(0)]).toEqual([1, 2, 0.5]);
});

test('of a page with a hundred thousand links the first are kept, and what stands behind them is not known', () => {
  const graph = new LinkGraph();
  const links = Array.from({ length: 100_000 }, (_, i) => url(i));
  graph.add(url('list'), 1, [...links.slice(0, 10), ...links]);
  expect([graph.targetsOf(0).length, graph.nodes]).toEqual([MAX_LINKS, MAX_LINKS + 1]);
  expect(graph.find(url(MAX_LINKS - 1))).toBeGreaterThan(0);
  expect(graph.find(url(MAX_LINKS))).toBe(-1);
});

test('a redirect makes one of two, before and after; a ring of redirects ends', () => {
  const graph = new LinkGraph();
  const [a, b, c, d] = [url('a'), url('b'), url('c'), url('d')];
  graph.add(a, 0.5, [b, d]);
  const [nodeB, nodeC] = [graph.find(b), graph.find(c)];
  expect(nodeC).toBe(-1);
  expect(graph.redirect(b, c)).toEqual({ from: nodeB, to: graph.find(c) });
  expect(graph.targetsOf(0)[0]).toBe(graph.find(c));
  expect(graph.redirect(c, d)).not.toBeNull();
  expect(graph.redirect(d, b)).toBeNull();
  expect(new Set([b, c, d].map((name) => graph.find(name)))).toEqual(new Set([graph.find(d)]));
  expect(graph.add(d, 0.75, [b, a])).toBe(1);
  expect(linksOf(graph, 1, [a, d])).toEqual([a]);
  expect(graph.pageOf(graph.find(b))).toBe(1);
});

test('any pages and redirects: the same graph as sets of names make', () => {
  const name = fc.nat(30);
  const step = fc.oneof(
    fc.record({ page: name, links: fc.array(name, { maxLength: 12 }) }),
    fc.record({ from: name, to: name }),
    fc.constant('flatten' as const),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const graph = new LinkGraph();
      const model = new NamedGraph();
      for (const one of steps)
        if (one === 'flatten') graph.flatten();
        else if ('page' in one) expect(graph.add(url(one.page), 0.5, one.links.map(url)) !== null).toBe(model.add(one.page, one.links));
        else expect(graph.redirect(url(one.from), url(one.to)) !== null).toBe(model.redirect(one.from, one.to));
      for (const [page, { links }] of model.pages.entries()) {
        expect(Array.from(graph.targetsOf(page))).toEqual(links.map((link) => graph.find(url(model.rootOf(link)))));
      }
    }),
  );
});

/** Names, and which of them are the same. */
class NamedGraph {
  readonly pages: { readonly name: number; readonly links: readonly number[] }[] = [];
  readonly #same = new Map<number, number>();

  rootOf(name: number): number {
    const next = this.#same.get(name);
    return next === undefined ? name : this.rootOf(next);
  }

  add(name: number, links: readonly number[]): boolean {
    const root = this.rootOf(name);
    if (this.pages.some((page) => this.rootOf(page.name) === root)) return false;
    this.pages.push({ name, links: [...new Set(links.map((link) => this.rootOf(link)))].filter((link) => link !== root) });
    return true;
  }

  redirect(from: number, to: number): boolean {
    const [source, target] = [this.rootOf(from), this.rootOf(to)];
    if (source !== target) this.#same.set(source, target);
    return source !== target;
  }
}
