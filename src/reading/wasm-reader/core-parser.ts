import { squeeze } from '../../base/text/squeeze.ts';
import { ATTRIBUTE_NAMES, attributeValue } from '../extract/attributes.ts';
import type { BlockModel } from '../extract/block-model.ts';
import type { LinkSighting, PageContent } from '../extract/blocks.ts';
import { decoded } from '../extract/character-references.ts';
import { DeclarationReader, NO_REL, relTokens } from '../extract/declarations.ts';
import { type HtmlParser, MAX_BLOCKS, MAX_DEPTH, MAX_SIGHTINGS, MAX_TITLE } from '../extract/html-parser.ts';
import type { FindLinks } from '../extract/links.ts';
import type { TextSpans } from '../extract/markup-sink.ts';
import { ELEMENT_SIZE, PageElements, SHOWN_SIZE } from '../extract/page-elements.ts';
import type { TagReader } from '../extract/tags.ts';
import { CoreContent, nameOfTag } from './core-content.ts';
import { CoreLinks, LINK_SIZE } from './core-links.ts';
import { READERS } from './core-tables.ts';
import type { WasmCore } from './wasm-core.ts';

// Numbers of `assembly/`: events, warnings; sizes in numbers of 32 bits.
const EVENT = { title: 16, script: 17, alt: 18 } as const;
const WARNING = { deep: 1, links: 2, unseen: 4 } as const;
const EVENT_SIZE = 4;
const SPAN_BYTES = 12;
/** Bits of a tag's number in the key of a path of known tags. */
const TAG_BITS = 9;
const MAX_KNOWN_TAGS = 256;
/** Paths that are remembered: a site has some hundred. */
const MAX_PATHS = 2048;

/** Parses HTML in the core. */
export class CoreParser implements HtmlParser {
  readonly #core: WasmCore;
  readonly #declared = new DeclarationReader();
  readonly #paths = new Map<number, string>();

  constructor(core: WasmCore) {
    this.#core = core;
    const links = new CoreLinks(core);
    this.findLinks = (...page) => core.guarded(() => links.find(...page));
  }

  readonly findLinks: FindLinks;
  readonly decodeUtf8 = (bytes: Uint8Array): string => this.#core.guarded(() => this.#core.decodeUtf8(bytes));

  parse(html: string): PageContent {
    return this.#core.guarded(() => {
      this.#core.parse(html);
      const content = this.#content(html);
      this.#core.content = content;
      return content;
    });
  }

  spans(): TextSpans {
    const { core, ints, bytes } = this.#core.memory;
    const from = core.spans.value >> 2;
    const count = (core.spansEnd.value - core.spans.value) / SPAN_BYTES;
    return {
      starts: Int32Array.from({ length: count }, (_, i) => ints[from + 3 * i] as number),
      blocks: Int32Array.from({ length: count }, (_, i) => ints[from + 3 * i + 1] as number),
      keeps: Uint8Array.from({ length: count }, (_, i) => ints[from + 3 * i + 2] as number),
      contents: Uint8Array.from(bytes.subarray(core.contents.value, core.contentsEnd.value)),
      foreigns: Uint8Array.from(bytes.subarray(core.foreigns.value, core.foreignsEnd.value)),
    };
  }

  elements(html: string): PageElements {
    const { core, ints } = this.#core.memory;
    const rowsAt = core.elements.value >> 2;
    const shownAt = core.shown.value >> 2;
    return new PageElements(
      html,
      ints.slice(rowsAt, rowsAt + ELEMENT_SIZE * core.elementCount.value),
      ints.slice(shownAt, shownAt + SHOWN_SIZE * core.shownCount.value),
    );
  }

  rolesBy(model: BlockModel, page: PageContent): Uint8Array | null {
    if (this.#core.content !== page || !(page instanceof CoreContent)) return null;
    try {
      return this.#core.rolesBy(model, page);
    } catch {
      // After a trap, JavaScript decides about the same page.
      page.keep();
      this.#core.renew();
      return null;
    }
  }

  #content(html: string): CoreContent {
    const { core } = this.#core.memory;
    const text = this.#text();
    const links = this.#links(html);
    const title = this.#declarations(html, links);
    const { headingStart, headingEnd } = core;
    const read = {
      links,
      text,
      title: squeeze(title),
      heading: headingEnd.value < 0 ? '' : squeeze(text.slice(headingStart.value, headingEnd.value).slice(0, MAX_TITLE)),
      warnings: this.#warnings(),
      signs: core.signs.value,
    };
    return new CoreContent(this.#core, read, this.#declared.finish());
  }

  /** Text of the page, as `TextBuffer.text`: a one-byte string if all units are under 256. */
  #text(): string {
    const { memory } = this.#core;
    const { text, allBits } = memory.core;
    const length = memory.core.textLength();
    if (allBits.value >= 256) return memory.textAt(text.value, length);
    const at = memory.core.narrowText();
    return memory.bytes.toString('latin1', at, at + length);
  }

  #links(html: string): LinkSighting[] {
    const { core, ints } = this.#core.memory;
    const links: LinkSighting[] = [];
    let at = core.links.value >> 2;
    for (let left = core.linkCount.value; left > 0; left -= 1, at += LINK_SIZE) {
      const rel = ints[at + 9] as number;
      const alt = ints[at + 11] as number;
      links.push({
        href: attributeValue(html, ints[at] as number, ints[at + 1] as number),
        start: ints[at + 2] as number,
        end: ints[at + 3] as number,
        block: ints[at + 4] as number,
        flags: ints[at + 5] as number,
        tagPath: this.#path(ints[at + 6] as number, ints[at + 7] as number, ints[at + 8] as number),
        rel: rel < 0 ? NO_REL : relTokens(attributeValue(html, rel, ints[at + 10] as number)),
        imageAlt: alt < 0 ? '' : attributeValue(html, alt, ints[at + 12] as number),
      });
    }
    return links;
  }

  /** The names of a link's tag and of the two innermost around it; -1 for none. */
  #path(own: number, inner: number, outer: number): string {
    const key = own | ((inner + 1) << TAG_BITS) | ((outer + 1) << (2 * TAG_BITS));
    const areKnown = own < MAX_KNOWN_TAGS && inner < MAX_KNOWN_TAGS && outer < MAX_KNOWN_TAGS;
    const known = areKnown ? this.#paths.get(key) : undefined;
    if (known !== undefined) return known;
    const path = [outer, inner, own].flatMap((tag) => (tag < 0 ? [] : [nameOfTag(this.#core, tag)])).join('>');
    if (areKnown) {
      if (this.#paths.size >= MAX_PATHS) this.#paths.clear();
      this.#paths.set(key, path);
    }
    return path;
  }

  /** Reads declarations and the alternative texts of links. @returns the title as written */
  #declarations(html: string, links: readonly LinkSighting[]): string {
    const { core, ints } = this.#core.memory;
    const declared = this.#declared;
    declared.start();
    let title = '';
    const end = core.eventsEnd.value >> 2;
    for (let at = core.events.value >> 2; at < end; ) {
      const kind = ints[at] as number;
      if (kind < EVENT.title) {
        const tag = new TellingTag(html, ints, at + 1);
        declared.read(READERS[kind] as TagReader, tag);
        at = tag.end;
        continue;
      }
      const from = ints[at + 1] as number;
      const to = ints[at + 2] as number;
      if (kind === EVENT.script) declared.unseenText(html, from, to);
      else if (kind === EVENT.alt) addAlt(links[ints[at + 3] as number] as LinkSighting, attributeValue(html, from, to));
      else if (title.length < MAX_TITLE) title += decoded(html.slice(from, Math.min(to, from + MAX_TITLE)));
      at += EVENT_SIZE;
    }
    return title;
  }

  #warnings(): string[] {
    const { core } = this.#core.memory;
    const seen = core.warnings.value;
    const last = core.lastTag.value;
    return [
      ...(seen & WARNING.deep ? [`elements nested deeper than ${MAX_DEPTH} read as flat`] : []),
      ...(seen & WARNING.links ? [`more than ${MAX_SIGHTINGS} links; the rest is omitted`] : []),
      ...(seen & WARNING.unseen ? [`the page ends inside <${last < 0 ? '?' : nameOfTag(this.#core, last)}>`] : []),
      ...(core.isFull.value ? [`more than ${MAX_BLOCKS} blocks; the rest reads as one`] : []),
    ];
  }
}

/** The attributes of a start tag among the events: a bit for each place in `ATTRIBUTE_NAMES`, then start and end of each value. */
class TellingTag {
  readonly #html: string;
  readonly #ints: Int32Array;
  readonly #at: number;
  readonly #present: number;

  constructor(html: string, ints: Int32Array, at: number) {
    this.#html = html;
    this.#ints = ints;
    this.#at = at;
    this.#present = ints[at] as number;
  }

  /** Start of the next event. */
  get end(): number {
    return this.#at + 1 + 2 * bitsOf(this.#present);
  }

  get(name: string): string | null {
    const place = ATTRIBUTE_NAMES.indexOf(name);
    if (((this.#present >>> place) & 1) === 0) return null;
    const at = this.#at + 1 + 2 * bitsOf(this.#present & ((1 << place) - 1));
    return attributeValue(this.#html, this.#ints[at] as number, this.#ints[at + 1] as number);
  }
}

function bitsOf(mask: number): number {
  let count = 0;
  for (let left = mask; left !== 0; left &= left - 1) count += 1;
  return count;
}

/** An image of a link: its text is the link's, too. */
function addAlt(link: LinkSighting, alt: string): void {
  if (alt === '' || link.imageAlt.length > MAX_TITLE) return;
  link.imageAlt = link.imageAlt === '' ? alt : `${link.imageAlt} ${alt}`;
}
