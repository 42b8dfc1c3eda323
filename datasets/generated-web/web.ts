import { InvariantError, UsageError } from '../../src/base/core/errors.ts';
import type { Bytes } from '../../src/base/core/types.ts';
import { PageCache } from '../page-cache.ts';
import { htmlAnswer, notFound, type PageAnswer, type PageSource } from '../page-source.ts';
import { chanceOf, PURPOSE, pick } from './chance.ts';
import { labelOf, type NodeKind, PageGraph, type PageNode } from './graph.ts';
import type { GeneratedLink } from './markup.ts';
import { type GeneratedWebOptions, type Knobs, knobsOf } from './options.ts';
import { Renderer } from './render.ts';
import { type HostNames, type Place, Sites } from './sites.ts';
import { type Trap, trapsOf } from './traps.ts';
import { type Vocabulary, vocabularies } from './words.ts';

/** A page with its labels. */
export interface GeneratedPage {
  readonly url: string;
  readonly html: string;
  /** null: off every topic (hubs, homes, about pages, traps). */
  readonly topic: string | null;
  readonly kind: NodeKind | 'home' | 'about' | Trap;
  /** URL of the page a near-duplicate repeats, else null. */
  readonly duplicateOf: string | null;
}

/** Training pages have numbers from here on, which no page of a web reaches. */
const FIRST_EXAMPLE = 1_000_000_000;
const EXAMPLES_PER_TOPIC = 1_000_000;
/** Rendered pages kept for serving: 20,000 pages of 20 KB (`npm run bench -- crawl`) with room to spare, some 80,000 of the default size. */
const CACHE_BYTES: Bytes = 512 * 1024 * 1024;

/** A web from its knobs. Same options, same bytes. Building costs O(pages), a page is rendered when asked for. @throws UsageError */
export function generateWeb(options: GeneratedWebOptions): GeneratedWeb {
  const knobs = knobsOf(options);
  return new GeneratedWeb(knobs, new PageGraph(knobs), vocabularies(knobs.seed, knobs.topics), { kind: 'names' });
}

/** A seeded web whose every page has a known topic. */
export class GeneratedWeb {
  readonly knobs: Knobs;
  /** `topic-1` and on. */
  readonly topics: readonly string[];
  /** Hosts as they stand in URLs. */
  readonly hosts: readonly string[];
  /** Answers for a server; rendered pages are kept. */
  readonly source: PageSource;
  readonly #graph: PageGraph;
  readonly #words: readonly Vocabulary[];
  readonly #sites: Sites;
  readonly #renderer: Renderer;
  readonly #cache = new PageCache(CACHE_BYTES);

  constructor(knobs: Knobs, graph: PageGraph, words: readonly Vocabulary[], names: HostNames) {
    this.knobs = knobs;
    this.topics = Array.from({ length: knobs.topics }, (_, at) => `topic-${at + 1}`);
    this.#graph = graph;
    this.#words = words;
    this.#sites = new Sites(knobs.hosts, trapsOf(knobs), names);
    this.hosts = this.#sites.hosts;
    this.#renderer = new Renderer(knobs, graph, this.#sites, words);
    this.source = { get: (host, path) => this.#answer(host, path) };
  }

  /** The same web with its hosts at 127.0.a.b:port instead of site-n.example. */
  onLoopback(port: number): GeneratedWeb {
    return new GeneratedWeb(this.knobs, this.#graph, this.#words, { kind: 'loopback', port });
  }

  /** The page at a URL, rendered now; null when there is none. */
  page(url: string): GeneratedPage | null {
    const place = this.#existing(url);
    if (place === null) return null;
    const node = this.#nodeAt(place);
    const label = node === null ? null : labelOf(node);
    return {
      url: this.#sites.urlOf(place),
      html: this.#html(place),
      topic: label === null ? null : this.#topicName(label),
      kind: kindOf(place, node),
      duplicateOf: node === null || node.copyOf === null ? null : this.#urlOf(node.copyOf),
    };
  }

  /** Topic of the page at a URL; null when it is off every topic or there is no such page. */
  topicOf(url: string): string | null {
    const place = this.#existing(url);
    const node = place === null ? null : this.#nodeAt(place);
    const label = node === null ? null : labelOf(node);
    return label === null ? null : this.#topicName(label);
  }

  /** The trap that a URL leads into: every URL on the host of one, its home and what is missing there too; null elsewhere. */
  trapOf(url: string): Trap | null {
    return this.#sites.trapOf(url);
  }

  isOnTopic(url: string, topic: string): boolean {
    return this.topicOf(url) === topic;
  }

  /** URL of every article, hub, near-duplicate and tunnel page. */
  urls(): readonly string[] {
    return this.#graph.nodes.map((node) => this.#urlOf(node));
  }

  /** Every URL of a topic, tunnels and near-duplicates with them. @throws UsageError for an unknown topic. */
  urlsOf(topic: string): readonly string[] {
    const index = this.#topicIndex(topic);
    return this.#graph.nodes.filter((node) => labelOf(node) === index).map((node) => this.#urlOf(node));
  }

  /** All links of the page at a URL, in page order; none when there is no page. */
  links(url: string): readonly GeneratedLink[] {
    const place = this.#existing(url);
    if (place === null) return [];
    const node = this.#nodeAt(place);
    if (node !== null) return this.#renderer.linksOf(node);
    return place.kind === 'page' ? [] : this.#renderer.siteLinks(place);
  }

  /** `count` different articles of a topic, drawn by the web's seed; fewer when it has fewer. @throws UsageError */
  seeds(topic: string, count: number): readonly string[] {
    const index = this.#topicIndex(topic);
    const articles = this.#graph.openOf(index).filter((node) => node.kind === 'article');
    const rng = chanceOf(this.knobs.seed, PURPOSE.seeds, index);
    const drawn = new Set<PageNode>();
    while (drawn.size < Math.min(count, articles.length)) drawn.add(pick(articles, rng));
    return [...drawn].map((node) => this.#urlOf(node));
  }

  /** HTML of `count` training pages of a topic: written like its articles, but no pages of the web. @throws UsageError */
  examples(topic: string, count: number): readonly string[] {
    const index = this.#topicIndex(topic);
    return Array.from({ length: count }, (_, at) => {
      const id = FIRST_EXAMPLE + index * EXAMPLES_PER_TOPIC + at;
      const host = Math.floor(chanceOf(this.knobs.seed, PURPOSE.seeds, id)() * this.knobs.hosts);
      return this.#renderer.pageHtml({ id, kind: 'article', topic: index, host, copyOf: null });
    });
  }

  /** Every URL a crawl without limits would reach, the endless traps left out. `follow` may keep it from going on from a page. */
  reachable(seeds: readonly string[], follow: (url: string) => boolean = () => true): ReadonlySet<string> {
    const reached = new Set(seeds.filter((url) => this.#existing(url) !== null));
    // A Set gives what is added while it is walked: it is its own queue.
    for (const url of reached) {
      if (!follow(url)) continue;
      for (const link of this.links(url)) if (this.trapOf(link.url) === null) reached.add(link.url);
    }
    return reached;
  }

  /** P(content link of a page of the topic leads to a page of the topic), counted over the whole web. */
  measuredLocality(topic: string): number {
    const targets = this.urlsOf(topic).flatMap((url) => this.links(url).filter((link) => link.zone === 'content'));
    return targets.filter((link) => this.isOnTopic(link.url, topic)).length / targets.length;
  }

  /** Render every page into the cache of `source`, so that a bench serves from memory. */
  prerender(): void {
    for (const url of this.urls()) this.source.get(new URL(url).host, new URL(url).pathname);
  }

  #answer(host: string, path: string): PageAnswer | null {
    const index = this.#sites.hostIndex(host);
    if (index === null) return null;
    const key = host + path;
    const known = this.#cache.get(key);
    if (known !== undefined) return known;
    const place = this.#sites.placeAt(index, path);
    if (place === null || !this.#exists(place)) return notFound();
    const answer = htmlAnswer(this.#html(place));
    this.#cache.set(key, answer);
    return answer;
  }

  #html(place: Place): string {
    if (place.kind !== 'page') return this.#renderer.siteHtml(place);
    const node = this.#nodeAt(place);
    if (node === null) throw new InvariantError(`generated web: page ${place.id} has no node`);
    return this.#renderer.pageHtml(node);
  }

  #existing(url: string): Place | null {
    const place = this.#sites.placeOf(url);
    return place !== null && this.#exists(place) ? place : null;
  }

  #exists(place: Place): boolean {
    return place.kind !== 'page' || this.#nodeAt(place) !== null;
  }

  #nodeAt(place: Place): PageNode | null {
    if (place.kind !== 'page') return null;
    const node = this.#graph.nodes[place.id];
    return node !== undefined && node.host === place.host ? node : null;
  }

  #urlOf(node: PageNode): string {
    return this.#sites.urlOf({ kind: 'page', id: node.id, host: node.host });
  }

  #topicName(index: number): string {
    return this.topics[index] ?? '';
  }

  #topicIndex(topic: string): number {
    const index = this.topics.indexOf(topic);
    if (index < 0) throw new UsageError(`generated web: no topic ${topic}; it has ${this.topics.join(', ')}`);
    return index;
  }
}

function kindOf(place: Place, node: PageNode | null): GeneratedPage['kind'] {
  if (place.kind !== 'page') return place.kind;
  if (node === null) throw new InvariantError(`generated web: page ${place.id} has no node`);
  return node.kind;
}
