import { type Fingerprint, fingerprint } from '../../base/core/fingerprint.ts';
import type { CanonicalUrl, LinkZone, Outlink } from '../../base/core/types.ts';
import type { LinkResolver } from '../../base/web/link-resolver.ts';
import type { LinkSighting, PageContent } from '../extract/blocks.ts';
import {
  altOf,
  contextOf,
  type FindLinks,
  type FoundLinks,
  type IsSettled,
  MAX_OUTLINKS,
  outlinksOfHead,
  resolverOf,
  TOO_MANY,
} from '../extract/links.ts';
import type { WasmCore } from './wasm-core.ts';

// Numbers of `assembly/`: kinds of addresses, zones; sizes in numbers of 32 bits.
const KIND = { atOrigin: 2, whole: 3, byHost: 4 } as const;
const ZONES: readonly LinkZone[] = ['content', 'navigation', 'footer', 'other'];
const ADDRESS_SIZE = 5;
const CHOICE_SIZE = 4;
const UNWANTED = -2;
const PLACES = 6;
/** An occurrence of a link, as core-parser.ts reads it. */
export const LINK_SIZE = 13;
/** Longest prefix of plain links, in units. */
const MAX_PREFIX = 2048;

/** The memory of the core with the places of two tables, read once: each reading of a view or a global of WebAssembly is a call into the engine. */
interface LinkNumbers {
  readonly ints: Int32Array;
  readonly addresses: number;
  readonly links: number;
}

/** Finds the outlinks of the page in the core: only those that are wanted become strings. Equal to `outlinksOf`. */
export class CoreLinks {
  readonly #core: WasmCore;
  readonly #print: Fingerprint = { hi: 0, lo: 0 };
  /** Sum of the touched numbers: without a use of them, an engine may omit the reads. */
  #touched = 0;
  /** Addresses that are not plain, by their links. */
  readonly #made = new Map<number, CanonicalUrl>();

  constructor(core: WasmCore) {
    this.#core = core;
  }

  /**
   * null for a page with a refresh, whose target comes before all links, and for a page that the core has not parsed. A page with the declarations
   * of its header is another object with the same links.
   */
  readonly find: FindLinks = (page, place, roles, warnings, isSettled) => {
    if (page.links !== this.#core.content?.links || page.metas.some(({ name }) => name === 'http-equiv:refresh')) return null;
    const pageUrl = place.url;
    const resolver = resolverOf(page, place);
    const { core } = this.#core.memory;
    this.#resolve(page.links, resolver);
    const { hi, lo } = fingerprint(pageUrl, this.#print);
    core.tellDistinct(hi, lo, MAX_OUTLINKS);
    if (core.linkEnd.value < page.links.length) warnings.push(TOO_MANY);
    const found = this.#found(page, resolver, roles, isSettled);
    const known = (url: CanonicalUrl) => this.#isKnown(url, pageUrl);
    found.outlinks.push(...outlinksOfHead(page, resolver, core.distinctCount.value, known, isSettled));
    this.#made.clear();
    return found;
  };

  #isKnown(url: CanonicalUrl, pageUrl: CanonicalUrl): boolean {
    const { hi, lo } = fingerprint(url, this.#print);
    return url === pageUrl || this.#core.memory.core.isDistinct(hi, lo) !== 0;
  }

  /** Leaves the fingerprint of the address of each link in the core. */
  #resolve(links: readonly LinkSighting[], resolver: LinkResolver): void {
    const { memory } = this.#core;
    const { core } = memory;
    const [origin, folder] = [prefixOf(resolver.origin), prefixOf(resolver.folder)];
    const prefixes = `${origin ?? ''}${folder ?? ''}`;
    const at = core.take(2 * prefixes.length);
    memory.putText(at, prefixes);
    core.resolveLinks(at, origin?.length ?? -1, folder?.length ?? -1);
    const { ints } = memory;
    for (let i = 0, kind = core.addresses.value >> 2; i < links.length; i++, kind += ADDRESS_SIZE) {
      if (ints[kind] !== KIND.byHost) continue;
      const url = resolver.resolve((links[i] as LinkSighting).href);
      if (url !== null) this.#made.set(i, url);
      const { hi, lo } = fingerprint(url ?? '', this.#print);
      core.putAddress(i, hi, lo, url === null);
    }
  }

  #found(page: PageContent, resolver: LinkResolver, roles: Uint8Array, isSettled: IsSettled | undefined): FoundLinks {
    const { memory } = this.#core;
    const { core } = memory;
    const choices = core.takeChoices() >> 2;
    if (isSettled) this.#skipSettled(choices, isSettled);
    const at = core.take(roles.length);
    memory.bytes.set(roles, at);
    core.chooseLinks(at);
    const placesAt = core.take(4 * PLACES * core.distinctCount.value);
    const count = core.placeLinks(placesAt);
    const { ints } = memory;
    const places = ints.slice(placesAt >> 2, (placesAt >> 2) + PLACES * count);
    const outlinks: Outlink[] = [];
    const numbers = { ints, addresses: core.addresses.value >> 2, links: core.links.value >> 2 };
    const end = choices + CHOICE_SIZE * core.distinctCount.value;
    for (let choice = choices, place = 0; choice < end; choice += CHOICE_SIZE) {
      if ((ints[choice] as number) < 0) continue;
      outlinks.push(this.#outlink(page, resolver, numbers, choice, places, place));
      place += PLACES;
    }
    return { outlinks, places };
  }

  #skipSettled(choices: number, isSettled: IsSettled): void {
    const { core, ints } = this.#core.memory;
    const [addresses, distinct] = [core.addresses.value >> 2, core.distinct.value >> 2];
    const print = this.#print;
    const count = core.distinctCount.value;
    if (isSettled.touch)
      for (let i = 0; i < count; i++)
        this.#touched ^= isSettled.touch((ints[addresses + ADDRESS_SIZE * (ints[distinct + i] as number) + 3] as number) >>> 0);
    for (let i = 0; i < count; i++) {
      const address = addresses + ADDRESS_SIZE * (ints[distinct + i] as number);
      print.hi = (ints[address + 2] as number) >>> 0;
      print.lo = (ints[address + 3] as number) >>> 0;
      if (isSettled(print)) ints[choices + CHOICE_SIZE * i] = UNWANTED;
    }
  }

  #outlink(
    { links, text }: PageContent,
    resolver: LinkResolver,
    numbers: LinkNumbers,
    choice: number,
    places: Int32Array,
    place: number,
  ): Outlink {
    const { ints } = numbers;
    const link = ints[choice] as number;
    const { href, imageAlt, tagPath, rel } = links[link] as LinkSighting;
    const anchor = text.slice(ints[choice + 2], ints[choice + 3]);
    return {
      url: this.#url(link, href, resolver, numbers),
      anchorText: anchor.includes('\n') ? anchor.replaceAll('\n', ' ') : anchor,
      context: contextOf(
        text,
        places[place + 2] as number,
        places[place] as number,
        places[place + 4] as number,
        places[place + 5] as number,
      ),
      imageAlt: altOf(imageAlt),
      zone: ZONES[ints[choice + 1] as number] as LinkZone,
      tagPath,
      rel,
    };
  }

  #url(link: number, href: string, { origin, folder }: LinkResolver, { ints, addresses, links }: LinkNumbers): CanonicalUrl {
    const at = addresses + ADDRESS_SIZE * link;
    const kind = ints[at];
    if (kind === KIND.byHost) return this.#made.get(link) as CanonicalUrl;
    const end = (ints[at + 1] as number) - (ints[links + LINK_SIZE * link] as number);
    const path = end < href.length ? href.slice(0, end) : href;
    return (kind === KIND.whole ? path : `${(kind === KIND.atOrigin ? origin : folder) as string}${path}`) as CanonicalUrl;
  }
}

/** Longer ones leave no room for a path. */
function prefixOf(prefix: string | null): string | null {
  return prefix !== null && prefix.length <= MAX_PREFIX ? prefix : null;
}
