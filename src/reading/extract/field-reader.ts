import { DataError, messageOf } from '../../base/core/errors.ts';
import type { PageFields } from '../../base/core/types.ts';
import { squeeze } from '../../base/text/squeeze.ts';
import { type LinkBase, resolveLink } from '../../base/web/link-query.ts';
import { type FieldRule, type FieldSelector, fitsPattern } from './field-rules.ts';
import { baseOf, type PagePlace } from './links.ts';
import { FLAG, knownTags } from './tags.ts';
import { tokenize } from './tokenizer.ts';

/** Larger pages get no fields: a DOM of 2 MB takes a quarter of a second, and one with endless nesting takes quadratic time. */
const MAX_PAGE_CHARS = 2 * 1024 * 1024;
const MAX_ELEMENTS = 50_000;
/** Depth of elements, as in browsers. */
const MAX_DEPTH = 512;
/** Limits on the kept values: a description, not an archive. */
const MAX_VALUE_CHARS = 10_000;
const MAX_VALUES = 1_000;
const MAX_FIELD_CHARS = 1_000_000;

/** The parts of the DOM that are used here; linkedom's own types need those of a browser. */
interface DomNode {
  readonly nodeType: number;
  readonly localName?: string;
  readonly data?: string;
  readonly firstChild: DomNode | null;
  readonly nextSibling: DomNode | null;
  readonly parentNode: DomNode | null;
}
interface DomElement extends DomNode {
  getAttribute(name: string): string | null;
}
interface DomDocument extends DomNode {
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement> & { readonly length: number };
}
type Parse = (html: string) => DomDocument;

const TEXT_NODE = 3;
const TAGS = knownTags();
/** Attributes that contain an address. */
const ADDRESSES = new Set(['href', 'src', 'action', 'cite', 'data', 'poster']);

/** Reads fields by rules, from pages that match a rule; other pages cost a comparison of their URL. */
export class FieldReader {
  readonly #rules: readonly FieldRule[];
  readonly #parse: Parse;

  private constructor(rules: readonly FieldRule[], parse: Parse) {
    this.#rules = rules;
    this.#parse = parse;
  }

  /** Loads the DOM. @throws DataError naming file and line of an invalid selector. */
  static async open(rules: readonly FieldRule[]): Promise<FieldReader> {
    const { DOMParser } = await import('linkedom');
    const parser: { parseFromString(html: string, mime: 'text/html'): DomDocument } = new DOMParser();
    const parse: Parse = (html) => parser.parseFromString(html, 'text/html');
    const empty = parse('<!doctype html><html><body><p>text</p></body></html>');
    for (const { fields } of rules) for (const field of fields) refuseBadSelector(field, empty);
    return new FieldReader(rules, parse);
  }

  /**
   * The fields of one page. If several rules match it and name the same field, the first that finds a value provides it. Addresses (`href`, `src`, …)
   * are resolved. Never throws: `warnings` names omitted values.
   */
  read(place: PagePlace, html: string, warnings: string[]): PageFields {
    const rules = this.#rules.filter((rule) => fitsPattern(place.url, rule.url));
    if (rules.length === 0) return {};
    const tooMuch = html.length > MAX_PAGE_CHARS ? `longer than ${MAX_PAGE_CHARS} characters` : moreElementsThan(html, MAX_ELEMENTS);
    if (tooMuch !== null) return without(warnings, `the page is ${tooMuch}`);
    try {
      const document = this.#parse(html);
      if (isDeeperThan(document, MAX_DEPTH)) return without(warnings, `the page is nested deeper than ${MAX_DEPTH}`);
      return new PageReading(document, place, warnings).fields(rules);
    } catch (error) {
      // The DOM is a library: its behaviour with broken pages is unknown.
      return without(warnings, `the DOM failed: ${messageOf(error)}`);
    }
  }
}

function without(warnings: string[], why: string): PageFields {
  warnings.push(`field rules are omitted: ${why}`);
  return {};
}

function refuseBadSelector({ name, select, where }: FieldSelector, empty: DomDocument): void {
  try {
    empty.querySelectorAll(select);
  } catch (error) {
    throw new DataError(`${where}: ${name}: not a CSS selector that can be used: ${select} (${messageOf(error).trim()}); mend the rule`, {
      cause: error,
    });
  }
}

/** The reading of one page. */
class PageReading {
  readonly #document: DomDocument;
  readonly #base: LinkBase;
  readonly #warnings: string[];
  #left = MAX_FIELD_CHARS;

  constructor(document: DomDocument, place: PagePlace, warnings: string[]) {
    this.#document = document;
    const url = baseOf(place, document.querySelector('base[href]')?.getAttribute('href') ?? null);
    this.#base = { url, charset: place.charset };
    this.#warnings = warnings;
  }

  fields(rules: readonly FieldRule[]): PageFields {
    const found = new Map<string, string | readonly string[]>();
    for (const field of rules.flatMap(({ fields }) => fields)) {
      if (found.has(field.name)) continue;
      const value = this.#valueOf(field);
      if (value !== null) found.set(field.name, value);
    }
    return Object.fromEntries(found);
  }

  #valueOf(field: FieldSelector): string | readonly string[] | null {
    const values: string[] = [];
    for (const element of this.#document.querySelectorAll(field.select)) {
      const value = this.#kept(field, this.#written(element, field.attribute));
      if (value === '') continue;
      if (!field.all) return value;
      if (values.length >= MAX_VALUES) {
        this.#warnings.push(`field ${field.name}: more than ${MAX_VALUES} values; the rest is omitted`);
        break;
      }
      values.push(value);
    }
    return values.length === 0 ? null : values;
  }

  #written(element: DomElement, attribute: string | null): string {
    if (attribute === null) return textWithin(element);
    // Names are lower case in HTML, and as written in SVG.
    const name = attribute.toLowerCase();
    const value = (element.getAttribute(attribute) ?? element.getAttribute(name) ?? '').trim();
    return (ADDRESSES.has(name) && value !== '' ? resolveLink(value, this.#base)?.href : null) ?? value;
  }

  /** The part of a value that may be kept. */
  #kept(field: FieldSelector, value: string): string {
    const most = Math.min(MAX_VALUE_CHARS, this.#left);
    if (value.length > most) this.#warnings.push(`field ${field.name}: a value is cut at ${most} characters`);
    const kept = value.slice(0, most);
    this.#left -= kept.length;
    return kept;
  }
}

/** Text as it is displayed: white space collapsed, a space between blocks and cells, without scripts and the like; at most a little over the cap. */
function textWithin(root: DomNode): string {
  let text = '';
  for (const { node, entering } of walk(root, (inner) => inner !== root && isUnseen(inner))) {
    if (node.nodeType === TEXT_NODE) {
      if (entering) text += node.data ?? '';
    } else if (TAGS.get(node.localName ?? '')?.kind !== 'inline' && TAGS.has(node.localName ?? '')) text += ' ';
    if (text.length > 4 * MAX_VALUE_CHARS) break;
  }
  return squeeze(text);
}

function isUnseen(node: DomNode): boolean {
  return ((TAGS.get(node.localName ?? '')?.flags ?? 0) & FLAG.unseen) !== 0;
}

function isDeeperThan(root: DomNode, most: number): boolean {
  let depth = 0;
  for (const { entering } of walk(root, () => false)) {
    depth += entering ? 1 : -1;
    if (depth > most) return true;
  }
  return false;
}

/** Every node twice, entering and leaving, without recursion; a skipped one not at all. */
function* walk(root: DomNode, skips: (node: DomNode) => boolean): Generator<{ readonly node: DomNode; readonly entering: boolean }> {
  let entering = true;
  for (let node: DomNode = root; ; ) {
    const skipped = entering && skips(node);
    if (entering && !skipped) {
      yield { node, entering };
      if (node.firstChild !== null) {
        node = node.firstChild;
        continue;
      }
    }
    if (!skipped) yield { node, entering: false };
    if (node === root) return;
    entering = node.nextSibling !== null;
    const next = node.nextSibling ?? node.parentNode;
    if (next === null) return;
    node = next;
  }
}

/** Counted by tags, before a DOM is built from them. */
function moreElementsThan(html: string, most: number): string | null {
  let count = 0;
  const nothing = () => undefined;
  tokenize(html, {
    text: nothing,
    startTag: nothing,
    attribute: nothing,
    endTag: nothing,
    isForeign: () => false,
    startTagEnd: () => {
      count += 1;
      return 'data';
    },
  });
  return count > most ? `of more than ${most} elements` : null;
}
