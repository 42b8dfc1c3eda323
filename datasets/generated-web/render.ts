/** From a node of the graph to the bytes of its page. Everything drawn here depends on the seed and the page alone. */
import type { Rng } from '../../src/base/core/rng.ts';
import { monthOn } from './calendar.ts';
import { chanceOf, idOf, PURPOSE, pick } from './chance.ts';
import { chosen, type FacetPlace } from './facets.ts';
import { labelOf, type PageGraph, type PageNode } from './graph.ts';
import { anchors, flowing, type GeneratedLink, inPageOrder, listed, listLength, offered, PARAGRAPH, type Zone } from './markup.ts';
import type { Knobs } from './options.ts';
import { capitalised, EVERYDAY, sentence, titleWords, type WordMix } from './sentences.ts';
import type { SessionPlace } from './sessions.ts';
import type { Place, Sites } from './sites.ts';
import { doorsOf, forumTitle, TRAP_LINKS, type TrapLink, trapHomeLinks, trapLinks } from './trap-links.ts';
import type { Vocabulary } from './words.ts';

/** A home, an about page, or a page of a trap. */
type SitePlace = Exclude<Place, { kind: 'page' }>;
/** A list of the shop, or a page of the forum. */
type TrapPage = FacetPlace | SessionPlace;

interface PageParts {
  readonly title: string;
  readonly host: number;
  /** Places that are linked in the text, by their link. */
  readonly links: readonly GeneratedLink[];
  readonly frame: readonly GeneratedLink[];
}

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

const VAGUE_ANCHORS = ['click here', 'here', 'read more', 'this page', 'more', 'see details', 'full story'];
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

  siteHtml(place: SitePlace): string {
    const parts = this.#siteParts(place);
    if (place.kind === 'facet' || place.kind === 'session') return this.#trapHtml(place, parts);
    const rng = chanceOf(this.#knobs.seed, PURPOSE.site, siteNumber(place));
    const sentences = Array.from({ length: 6 }, () => sentence(EVERYDAY, rng));
    return this.#document(parts, parts.title, listed(sentences, parts.links));
  }

  siteLinks(place: SitePlace): readonly GeneratedLink[] {
    const { frame, links } = this.#siteParts(place);
    return inPageOrder(frame, links);
  }

  /** Lists share nine wares in ten, and all when only the order of choices differs; a page of the forum has one text in every session. */
  #trapHtml(place: TrapPage, parts: PageParts): string {
    const { seed, pageBytes } = this.#knobs;
    const rng = chanceOf(seed, PURPOSE.trapText, place.kind === 'facet' ? 0 : place.page);
    // Half of a page, however long the links of this one are, so that they move no word of the text.
    const sentences = this.#sentences(EVERYDAY, pageBytes / 2, rng);
    if (place.kind === 'session') return this.#document(parts, parts.title, listed(sentences, parts.links));
    change(sentences, EVERYDAY, chanceOf(seed, PURPOSE.listChanges, idOf(chosen(place))));
    return this.#document(parts, parts.title, offered(sentences, parts.links));
  }

  #pageParts(node: PageNode): PageParts {
    const rng = chanceOf(this.#knobs.seed, PURPOSE.anchors, (node.copyOf ?? node).id);
    const links = this.#graph.linksOf(node).map((to) => this.#contentLink(to, rng));
    const toCalendar = this.#knobs.calendarTrap && rng() < TRAP_LINKS;
    const extra: GeneratedLink[] = toCalendar
      ? [this.#link({ kind: 'calendar', year: 2024, month: 1 + Math.floor(rng() * 12) }, 'Calendar', 'content')]
      : [];
    const doors = this.#trapLinks(doorsOf(this.#knobs, (node.copyOf ?? node).id));
    return { title: this.titleOf(node), host: node.host, links: [...links, ...extra, ...doors], frame: this.#frameLinks(node.host) };
  }

  #contentLink(to: PageNode, rng: Rng): GeneratedLink {
    const telling = rng() < this.#knobs.anchorQuality;
    const anchorText = telling ? this.titleOf(to) : pick(VAGUE_ANCHORS, rng);
    return this.#link({ kind: 'page', id: to.id, host: to.host }, anchorText, 'content');
  }

  #siteParts(place: SitePlace): PageParts {
    if (place.kind === 'calendar') return this.#monthParts(place);
    if (place.kind === 'facet' || place.kind === 'session') return this.#trapParts(place);
    const site = `Site ${place.host + 1}`;
    const links = place.kind === 'about' ? [] : this.#homeLinks(place.host);
    return { title: place.kind === 'home' ? site : `About ${site}`, host: place.host, links, frame: this.#frameLinks(place.host) };
  }

  #homeLinks(host: number): readonly GeneratedLink[] {
    const trap = this.#sites.trapAt(host);
    if (trap !== null) return this.#trapLinks(trapHomeLinks(trap, this.#knobs.seed));
    const rng = chanceOf(this.#knobs.seed, PURPOSE.site, host);
    return sample(this.#graph.openOn(host), HOME_LINKS, rng).map((to) => this.#contentLink(to, rng));
  }

  #trapParts(place: TrapPage): PageParts {
    const { seed } = this.#knobs;
    const host = this.#sites.hostOf(place.kind);
    const title = place.kind === 'facet' ? 'All products' : forumTitle(place.page, seed);
    return { title, host, links: this.#trapLinks(trapLinks(place, seed)), frame: this.#frameLinks(host) };
  }

  #trapLinks(links: readonly TrapLink[]): readonly GeneratedLink[] {
    return links.map(({ to, anchorText }) => this.#link(to, anchorText, 'content'));
  }

  #monthParts({ year, month }: SitePlace & { kind: 'calendar' }): PageParts {
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

function siteNumber(place: Exclude<SitePlace, TrapPage>): number {
  if (place.kind === 'calendar') return 10_000_000 + place.year * 12 + place.month;
  return 2_000_000 + place.host * 2 + (place.kind === 'home' ? 0 : 1);
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
