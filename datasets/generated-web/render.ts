/** From a node of the graph to the bytes of its page. Everything drawn here depends on the seed and the page alone. */
import type { Rng } from '../../src/core/rng.ts';
import { chanceOf, PURPOSE, pick } from './chance.ts';
import { labelOf, type PageGraph, type PageNode } from './graph.ts';
import type { Knobs } from './options.ts';
import { capitalised, EVERYDAY, sentence, titleWords, type WordMix } from './sentences.ts';
import { monthOn, type Place, type Sites } from './sites.ts';
import type { Vocabulary } from './words.ts';

/** Where a link stands on its page. */
export type Zone = 'content' | 'navigation' | 'sidebar' | 'footer';

export interface GeneratedLink {
  readonly url: string;
  readonly anchorText: string;
  readonly zone: Zone;
}

interface PageParts {
  readonly title: string;
  readonly host: number;
  /** Places that are linked in the text, by their link. */
  readonly links: readonly GeneratedLink[];
  readonly frame: readonly GeneratedLink[];
}

/** Sentences in a paragraph. */
const PARAGRAPH = 5;
/** Links of the sidebar ("most read") and footer (other hosts) at boilerplate 1, with home and about about 10 in all. */
const SIDEBAR_LINKS = 5;
const FOOTER_LINKS = 3;
/** Sentences of foreign topics in the sidebar and everyday ones in the footer at boilerplate 1: about 80 words. */
const SIDEBAR_SENTENCES = 3;
const FOOTER_SENTENCES = 2;
/** Articles listed on a home page. */
const HOME_LINKS = 30;
/** Share of a near-duplicate's sentences that are written anew: what a new date, price or advertisement changes on a real copy. */
const CHANGED = 0.04;
/** One page in fifty links to the calendar. */
const CALENDAR_LINKS = 0.02;

const VAGUE_ANCHORS = ['click here', 'here', 'read more', 'this page', 'more', 'see details', 'full story'];
const LEADS = ['See', 'Related:', 'More on this in', 'Compare', 'Continue with', 'Background:', 'Read', 'As told in'];
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

export class Renderer {
  readonly #knobs: Knobs;
  readonly #graph: PageGraph;
  readonly #sites: Sites;
  readonly #vocabularies: readonly Vocabulary[];
  /** Sidebar and footer are the same on every page of a host. */
  readonly #frames = new Map<number, { readonly sidebar: string; readonly footer: string }>();

  constructor(knobs: Knobs, graph: PageGraph, sites: Sites, words: readonly Vocabulary[]) {
    this.#knobs = knobs;
    this.#graph = graph;
    this.#sites = sites;
    this.#vocabularies = words;
  }

  /** Title of a page's main heading. A near-duplicate has the title of the page it repeats. */
  titleOf(node: PageNode): string {
    const source = node.copyOf ?? node;
    const mix = source.kind === 'hub' ? EVERYDAY : { ...EVERYDAY, own: this.#vocabularies[source.topic] ?? null };
    return titleWords(mix, chanceOf(this.#knobs.seed, PURPOSE.title, source.id));
  }

  /** All links of a page, in the order they stand on it. */
  linksOf(node: PageNode): readonly GeneratedLink[] {
    const { frame, links } = this.#pageParts(node);
    return inPageOrder(frame, links);
  }

  pageHtml(node: PageNode): string {
    const source = node.copyOf ?? node;
    const parts = this.#pageParts(node);
    const title = `${parts.title} (no. ${source.id})`;
    // A copy is as long as its original, whatever stands around it on its own host.
    const around = this.#document({ ...parts, host: source.host, frame: this.#frameLinks(source.host) }, title, '');
    const rng = chanceOf(this.#knobs.seed, PURPOSE.text, source.id);
    const mix = this.#mixOf(source, rng);
    const sentences = this.#sentences(mix, this.#knobs.pageBytes - around.length - listLength(parts.links), rng);
    if (source !== node) change(sentences, mix, chanceOf(this.#knobs.seed, PURPOSE.changes, node.id));
    const body = source.kind === 'hub' ? listed(sentences, parts.links) : flowing(sentences, parts.links);
    return this.#document(parts, title, body);
  }

  /** The home or about page of a host, or a month of the calendar. */
  siteHtml(place: Exclude<Place, { kind: 'page' }>): string {
    const parts = this.#siteParts(place);
    const rng = chanceOf(this.#knobs.seed, PURPOSE.site, siteNumber(place));
    const sentences = Array.from({ length: 6 }, () => sentence(EVERYDAY, rng));
    return this.#document(parts, parts.title, listed(sentences, parts.links));
  }

  siteLinks(place: Exclude<Place, { kind: 'page' }>): readonly GeneratedLink[] {
    const { frame, links } = this.#siteParts(place);
    return inPageOrder(frame, links);
  }

  #pageParts(node: PageNode): PageParts {
    const rng = chanceOf(this.#knobs.seed, PURPOSE.anchors, (node.copyOf ?? node).id);
    const links = this.#graph.linksOf(node).map((to) => this.#contentLink(to, rng));
    const toCalendar = this.#knobs.calendarTrap && rng() < CALENDAR_LINKS;
    const extra: GeneratedLink[] = toCalendar
      ? [this.#link({ kind: 'calendar', year: 2024, month: 1 + Math.floor(rng() * 12) }, 'Calendar', 'content')]
      : [];
    return { title: this.titleOf(node), host: node.host, links: [...links, ...extra], frame: this.#frameLinks(node.host) };
  }

  #contentLink(to: PageNode, rng: Rng): GeneratedLink {
    const telling = rng() < this.#knobs.anchorQuality;
    const anchorText = telling ? this.titleOf(to) : pick(VAGUE_ANCHORS, rng);
    return this.#link({ kind: 'page', id: to.id, host: to.host }, anchorText, 'content');
  }

  #siteParts(place: Exclude<Place, { kind: 'page' }>): PageParts {
    if (place.kind === 'calendar') return this.#monthParts(place);
    const site = `Site ${place.host + 1}`;
    const rng = chanceOf(this.#knobs.seed, PURPOSE.site, place.host);
    const links =
      place.kind === 'about' ? [] : sample(this.#graph.openOn(place.host), HOME_LINKS, rng).map((to) => this.#contentLink(to, rng));
    return { title: place.kind === 'home' ? site : `About ${site}`, host: place.host, links, frame: this.#frameLinks(place.host) };
  }

  #monthParts({ year, month }: Place & { kind: 'calendar' }): PageParts {
    const previous = monthOn(year, month, -1);
    const next = monthOn(year, month, 1);
    const links = [
      ...(previous === null ? [] : [this.#link(previous, 'Previous month', 'content')]),
      ...(next === null ? [] : [this.#link(next, 'Next month', 'content')]),
    ];
    return { title: `Events in ${MONTHS[month - 1] ?? ''} ${year}`, host: -1, links, frame: [] };
  }

  #frameLinks(host: number): readonly GeneratedLink[] {
    const amount = this.#knobs.boilerplate;
    if (amount === 0) return [];
    const rng = chanceOf(this.#knobs.seed, PURPOSE.site, -1 - host);
    const most = sample(this.#graph.openOn(host), Math.round(SIDEBAR_LINKS * amount), rng);
    const others = Array.from({ length: Math.round(FOOTER_LINKS * amount) }, () => Math.floor(rng() * this.#knobs.hosts));
    return [
      this.#link({ kind: 'home', host }, 'Home', 'navigation'),
      this.#link({ kind: 'about', host }, 'About us', 'navigation'),
      ...most.map((to) => this.#link({ kind: 'page', id: to.id, host: to.host }, this.titleOf(to), 'sidebar')),
      ...others.map((other) => this.#link({ kind: 'home', host: other }, `Site ${other + 1}`, 'footer')),
    ];
  }

  #link(place: Place, anchorText: string, zone: Zone): GeneratedLink {
    return { url: this.#sites.urlOf(place), anchorText, zone };
  }

  /** Topical share varies from half to one and a half of the knob, so that some pages are plainly on topic and some hardly. */
  #mixOf(node: PageNode, rng: Rng): WordMix {
    const topic = labelOf(node);
    if (topic === null) return EVERYDAY;
    const { topicality, confusion } = this.#knobs;
    const others = this.#vocabularies.filter((_, at) => at !== topic);
    return { own: this.#vocabularies[topic] ?? null, ownShare: Math.min(1, topicality * (0.5 + rng())), others, othersShare: confusion };
  }

  #sentences(mix: WordMix, room: number, rng: Rng): string[] {
    const out: string[] = [];
    for (let length = 0; length < room || out.length < 2; ) {
      const next = sentence(mix, rng);
      length += next.length + 1 + (out.length % PARAGRAPH === 0 ? 9 : 0);
      out.push(next);
    }
    return out;
  }

  #document(parts: PageParts, title: string, body: string): string {
    const frame = this.#frameText(parts.host);
    const zone = (name: Zone) => anchors(parts.frame.filter((link) => link.zone === name));
    const bar = parts.frame.length === 0 ? '' : `<header><nav>${zone('navigation')}</nav></header>\n`;
    const foot =
      parts.frame.length === 0
        ? ''
        : `<aside><h2>Most read</h2>${zone('sidebar')}<p>${frame.sidebar}</p></aside>\n<footer><p>${frame.footer}</p>${zone('footer')}</footer>\n`;
    return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>
<body>
${bar}<main><article><h1>${title}</h1>
${body}</article></main>
${foot}</body></html>
`;
  }

  #frameText(host: number): { readonly sidebar: string; readonly footer: string } {
    const known = this.#frames.get(host);
    if (known !== undefined) return known;
    const rng = chanceOf(this.#knobs.seed, PURPOSE.site, -1_000_000 - host);
    const amount = this.#knobs.boilerplate;
    const foreign: WordMix = { own: pick(this.#vocabularies, rng), ownShare: 0.3, others: this.#vocabularies, othersShare: 0.2 };
    const text = (count: number, mix: WordMix) => Array.from({ length: Math.round(count * amount) }, () => sentence(mix, rng)).join(' ');
    const made = { sidebar: text(SIDEBAR_SENTENCES, foreign), footer: text(FOOTER_SENTENCES, EVERYDAY) };
    this.#frames.set(host, made);
    return made;
  }
}

function siteNumber(place: Exclude<Place, { kind: 'page' }>): number {
  if (place.kind === 'calendar') return 10_000_000 + place.year * 12 + place.month;
  return 2_000_000 + place.host * 2 + (place.kind === 'home' ? 0 : 1);
}

function inPageOrder(frame: readonly GeneratedLink[], content: readonly GeneratedLink[]): readonly GeneratedLink[] {
  const head = frame.filter((link) => link.zone === 'navigation');
  return [...head, ...content, ...frame.filter((link) => link.zone !== 'navigation')];
}

function anchors(links: readonly GeneratedLink[]): string {
  return links.map(anchor).join(' ');
}

function anchor(link: GeneratedLink): string {
  return `<a href="${link.url}">${link.anchorText}</a>`;
}

/** Bytes that links will take in the text, their leads counted at 14. */
function listLength(links: readonly GeneratedLink[]): number {
  return links.reduce((sum, link) => sum + anchor(link).length + 14, 0);
}

/** Paragraphs with the links spread evenly among the sentences. */
function flowing(sentences: readonly string[], links: readonly GeneratedLink[]): string {
  const out: string[] = [];
  let placed = 0;
  for (const [at, text] of sentences.entries()) {
    out.push(at % PARAGRAPH === 0 ? `${at === 0 ? '' : '</p>\n'}<p>${text}` : ` ${text}`);
    const due = Math.round(((at + 1) / sentences.length) * links.length);
    for (const link of links.slice(placed, due)) out.push(` ${lead(link)} ${anchor(link)}.`);
    placed = due;
  }
  return `${out.join('')}</p>\n`;
}

/** A short introduction and a list of the links. */
function listed(sentences: readonly string[], links: readonly GeneratedLink[]): string {
  const items = links.map((link) => `<li>${anchor(link)}</li>\n`).join('');
  return `<p>${sentences.join(' ')}</p>\n<ul>\n${items}</ul>\n`;
}

/** The lead follows from the link, so that it takes no chance of its own. */
function lead(link: GeneratedLink): string {
  return LEADS[(link.url.length + link.anchorText.length * 7) % LEADS.length] ?? '';
}

/** Write a few sentences anew, at least one. */
function change(sentences: string[], mix: WordMix, rng: Rng): void {
  const count = Math.max(1, Math.round(sentences.length * CHANGED));
  for (let n = 0; n < count; n++) sentences[Math.floor(rng() * sentences.length)] = capitalised(sentence(mix, rng));
}

/** At most `count` different items, in drawn order. */
function sample<T>(items: readonly T[], count: number, rng: Rng): readonly T[] {
  const left = [...items];
  const out: T[] = [];
  while (out.length < count && left.length > 0) {
    const at = Math.floor(rng() * left.length);
    out.push(left[at] as T);
    left[at] = left.at(-1) as T;
    left.pop();
  }
  return out;
}
