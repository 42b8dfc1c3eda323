/**
 * Second reader of RSL documents, written from the text of RSL 1.0 alone, with a reader of XML of its own: it knows elements, attributes, name spaces,
 * comments, CDATA and the five entities. A document that is not well-formed states nothing.
 */
import { combined, type Preference, type Preferences, pathLength, pathMatches } from './stated-preferences.ts';

interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: Element[];
  text: string;
}

const RSL = 'https://rslstandard.org/rsl';
/** Types of payment that ask for no money (§3.7). Without the element the licence is free; an element without a type has no default. */
const NO_MONEY = ['free', 'attribution'];
/** Categories of each usage of §3.4.1.1, where `ai-index` is the index of a model's input, and of the drafts of 2025. */
const USAGES: Readonly<Record<string, readonly string[]>> = {
  all: ['train-ai', 'ai-input', 'search', 'mining'],
  'ai-all': ['train-ai', 'ai-input'],
  'ai-train': ['train-ai'],
  'ai-input': ['ai-input'],
  'ai-index': ['ai-input'],
  search: ['search'],
  'train-ai': ['train-ai'],
  'train-genai': ['train-ai'],
  'ai-use': ['ai-input'],
  'ai-summarize': ['ai-input'],
};

/** Preferences that a document states for a page; null if no part is for it. @param xml the document, a character a byte or decoded */
export function licencePreferences(xml: string, page: URL): Preferences | null {
  const root = xmlTree(xml);
  if (root === null) return null;
  const parts = contents(root).filter((part) => part.attributes.has('url'));
  const matching = parts.filter((part) => isFor(part, page));
  const longest = Math.max(0, ...matching.map(lengthOf));
  const chosen = matching.filter((part) => lengthOf(part) === longest);
  return chosen.length === 0 ? null : combined(chosen.map(partPreferences));
}

function contents(element: Element): readonly Element[] {
  return element.name === `${RSL} content` ? [element] : element.children.flatMap(contents);
}

/** Path of a part, and its host if the address is whole. */
function placeOf(part: Element): { origin: string | null; path: string } {
  const url = part.attributes.get('url')?.trim() ?? '';
  const whole = /^(https?:\/\/[^/?#]*)(.*)$/i.exec(url);
  return whole === null ? { origin: null, path: url } : { origin: (whole[1] ?? '').toLowerCase(), path: whole[2] || '/' };
}

const lengthOf = (part: Element): number => pathLength(placeOf(part).path);

function isFor(part: Element, page: URL): boolean {
  const { origin, path } = placeOf(part);
  return (origin === null || origin === page.origin) && path.startsWith('/') && pathMatches(path, page.pathname + page.search);
}

/**
 * Licences of a part are offers: a refusal of one is a refusal, else a free permit of one permits. A list of permits refuses the rest, and so does a
 * licence to be paid for, or to be asked for at the server of the part (§3.3: even if it is free).
 */
function partPreferences(part: Element): Preferences {
  const licences = part.children.filter((child) => child.name === `${RSL} license`);
  const refused = new Set(licences.flatMap((licence) => usages(licence, 'prohibits')));
  const free = licences.filter((licence) => !part.attributes.has('server') && asksNoMoney(licence));
  const permitted = new Set(free.flatMap((licence) => usages(licence, 'permits')));
  const closed = licences.some((licence) => !free.includes(licence) || listed(licence, 'permits').length > 0);
  const result: Record<string, Preference> = {};
  for (const category of USAGES['all'] ?? []) {
    if (refused.has(category)) result[category] = 'disallow';
    else if (permitted.has(category)) result[category] = 'allow';
    else if (closed) result[category] = 'disallow';
  }
  return result;
}

/** Of several payments, any that costs money counts. */
function asksNoMoney(licence: Element): boolean {
  const payments = licence.children.filter((child) => child.name === `${RSL} payment`);
  return payments.every((payment) => NO_MONEY.includes(payment.attributes.get('type') ?? ''));
}

function listed(licence: Element, list: 'permits' | 'prohibits'): readonly Element[] {
  return licence.children.filter((child) => child.name === `${RSL} ${list}` && child.attributes.get('type') === 'usage');
}

function usages(licence: Element, list: 'permits' | 'prohibits'): readonly string[] {
  return listed(licence, list).flatMap((element) => element.text.split(/[\s,]+/).flatMap((word) => USAGES[word] ?? []));
}

const TAG = /^<(\/?)([^\s/>=]+)((?:\s+[^\s/>=]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/;
const SKIPPED = /^(?:<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!DOCTYPE[^[>]*>)/;
const CDATA = /^<!\[CDATA\[([\s\S]*?)\]\]>/;

interface Open {
  readonly element: Element;
  readonly tag: string;
  readonly spaces: ReadonlyMap<string, string>;
}

/** The tree of a document; null if it is not well-formed. */
function xmlTree(xml: string): Element | null {
  const document: Element = { name: '', attributes: new Map(), children: [], text: '' };
  const open: Open[] = [{ element: document, tag: '', spaces: new Map() }];
  let rest = xml.replace(/^\ufeff/, '');
  while (rest !== '') {
    const taken = step(rest, open);
    if (taken === 0) return null;
    rest = rest.slice(taken);
  }
  return open.length === 1 && document.children.length === 1 && document.text.trim() === '' ? document : null;
}

/** Takes the next piece of a document. @returns its length; 0 if it breaks a rule */
function step(rest: string, open: Open[]): number {
  const top = open.at(-1);
  if (top === undefined) return 0;
  if (!rest.startsWith('<')) return addText(top.element, /^[^<]+/.exec(rest)?.[0] ?? '');
  const skipped = SKIPPED.exec(rest)?.[0];
  if (skipped !== undefined) return skipped.length;
  const cdata = CDATA.exec(rest);
  if (cdata !== null) {
    top.element.text += cdata[1] ?? '';
    return cdata[0].length;
  }
  const tag = TAG.exec(rest);
  return tag === null ? 0 : addTag(tag, top, open);
}

function addText(element: Element, raw: string): number {
  const text = plain(raw);
  if (text === null) return 0;
  element.text += text;
  return raw.length;
}

function addTag(tag: RegExpExecArray, top: Open, open: Open[]): number {
  const [whole, close, name = '', written = '', single] = tag;
  if (close === '/') {
    open.pop();
    return top.tag === name && open.length > 0 ? whole.length : 0;
  }
  const attributes = attributesOf(written);
  if (attributes === null) return 0;
  const spaces = new Map(top.spaces);
  for (const [key, value] of attributes) if (/^xmlns(:|$)/.test(key)) spaces.set(key.slice(6), value);
  const [local = '', prefix = ''] = name.split(':').reverse();
  const element: Element = { name: `${spaces.get(prefix) ?? ''} ${local}`, attributes, children: [], text: '' };
  top.element.children.push(element);
  if (single === '') open.push({ element, tag: name, spaces });
  return whole.length;
}

function attributesOf(written: string): ReadonlyMap<string, string> | null {
  const found = new Map<string, string>();
  for (const [, name = '', double, quoted] of written.matchAll(/([^\s/>=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    const value = plain(double ?? quoted ?? '');
    if (value === null || found.has(name)) return null;
    found.set(name, value);
  }
  return found;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Text with its references resolved; null if one is unknown. */
function plain(text: string): string | null {
  let isBroken = false;
  const resolved = text.replace(/&(?:#(\d+)|#x([0-9a-fA-F]+)|(\w+));|&/g, (_, decimal?: string, hex?: string, name?: string) => {
    if (decimal !== undefined || hex !== undefined)
      return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal));
    const sign = ENTITIES[name ?? ''];
    isBroken ||= sign === undefined;
    return sign ?? '';
  });
  return isBroken ? null : resolved;
}
