import { hashText } from '../../base/text/hash-text.ts';
import type { ContentModel } from './tokenizer.ts';

/** The HTML element names that the extractor knows, and the flags that an element passes on to everything inside it. */

/** Bits inherited from open elements. A block has the bits at the start of its text. */
export const FLAG = {
  nav: 1,
  /** A page-level header; a header inside an article or main element is part of it. */
  header: 2,
  footer: 4,
  aside: 8,
  hidden: 16,
  form: 32,
  link: 64,
  /** Never shown as text: scripts, styles, templates, drawings. */
  unseen: 128,
  heading: 256,
  pre: 512,
  list: 1024,
  table: 2048,
  /** Text inside `main`, `article` or `role=main`. */
  main: 4096,
  foreign: 8192,
  title: 16384,
  /** A class name or id that often marks boilerplate. A hint, weaker than an element. */
  boilerplateHint: 32768,
  /** A class name or id that often marks the body. */
  body: 65536,
  /** A class name or id that often marks readers' comments below a page; on a forum they are the page. */
  comments: 131072,
  /** A figure, or a class name that often marks a caption. */
  caption: 262144,
  // Other hints of class names and ids; most of them mark special kinds of boilerplate.
  related: 1 << 19,
  signup: 1 << 20,
  social: 1 << 21,
  /** About the author. */
  bio: 1 << 22,
  menu: 1 << 23,
  /** References, credits, notices. */
  note: 1 << 24,
  /** One of many: a card, a row, a result. */
  item: 1 << 25,
  /** Hidden by its state: the attribute `hidden`, a style, or `aria-hidden` at a block. Blocks have `hidden` for it, or nothing: see `unveiled`. */
  veiled: 1 << 26,
  /** Text inside a line, with `aria-hidden`: seen, and not read aloud. */
  quiet: 1 << 27,
  /** A class name for text that is read aloud, and not seen. */
  spoken: 1 << 28,
  /** A class name for signs of an icon font. */
  icon: 1 << 29,
  /** A button that opens the text below it. */
  disclosure: 1 << 30,
} as const;

/** Flags of class names and ids for which the distance to their element is kept. */
export const NEAR_HINTS = [FLAG.signup, FLAG.social, FLAG.bio, FLAG.comments] as const;

/** Flags of class names and ids whose share of the page is a feature. */
export const SHARED_HINTS = [FLAG.related, FLAG.social, FLAG.bio, FLAG.menu, FLAG.comments, FLAG.note, FLAG.item] as const;

/** Flags that class names and ids give. */
export const HINTS = SHARED_HINTS.reduce((all: number, flag) => all | flag, FLAG.boilerplateHint | FLAG.body | FLAG.caption | FLAG.signup);

/** Boilerplate: text that is not the page's own, by element or role. */
export const BOILERPLATE = FLAG.nav | FLAG.header | FLAG.footer | FLAG.aside | FLAG.hidden | FLAG.veiled;

/** Cut of an element in text: `cell` cuts only after a long cell, `break` if doubled, `inline` never. */
export type TagKind = 'block' | 'cell' | 'break' | 'inline';

/** The attributes that are read from an element; `hidden`, `aria-hidden`, `role` and `style` are read from every element. */
export type TagReader = 'none' | 'link' | 'frame' | 'image' | 'meta' | 'linkrel' | 'script' | 'base' | 'html' | 'button';

export interface Tag {
  readonly name: string;
  readonly kind: TagKind;
  /** Has no end tag. */
  readonly isVoid: boolean;
  readonly flags: number;
  readonly reader: TagReader;
  readonly content: ContentModel;
  /** Open elements that this start tag ends if they are innermost. */
  readonly closes: ReadonlySet<string>;
  /** An end tag of an element outside does not reach through this one (HTML Standard 13.2.4.2, "in scope"). */
  readonly isScope: boolean;
  /** Hash of the name. */
  readonly hash: number;
  /** Number of open elements of this name on the current page. */
  open: number;
}

const NONE: ReadonlySet<string> = new Set();
const words = (list: string): string[] => list.split(' ');

const BLOCK = words(
  'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form frameset ' +
    'h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol optgroup option p pre search section select summary ' +
    'table tbody tfoot thead tr caption ul title iframe noframes noscript textarea button listing xmp plaintext',
);
const VOID = new Set(
  words('area base basefont bgsound br col command embed frame hr img input isindex keygen link meta param source track wbr'),
);
const SCOPE = new Set(words('td th table caption template object applet marquee'));

const FLAGS = new Map<string, number>([
  ['nav', FLAG.nav],
  ['menu', FLAG.nav],
  ['header', FLAG.header],
  ['footer', FLAG.footer],
  ['aside', FLAG.aside],
  ['dialog', FLAG.hidden],
  ['noframes', FLAG.hidden],
  ['form', FLAG.form],
  ['select', FLAG.hidden],
  ['datalist', FLAG.hidden],
  ['textarea', FLAG.unseen],
  ['button', FLAG.hidden],
  ['script', FLAG.unseen],
  ['style', FLAG.unseen],
  ['template', FLAG.unseen],
  ['title', FLAG.title | FLAG.unseen],
  // Readings of the words beside them: the words alone are the text.
  ['rt', FLAG.unseen],
  ['rp', FLAG.unseen],
  ['rtc', FLAG.unseen],
  ['iframe', FLAG.unseen],
  ['object', FLAG.hidden],
  ['audio', FLAG.hidden],
  ['video', FLAG.hidden],
  ['canvas', FLAG.hidden],
  ['svg', FLAG.unseen | FLAG.foreign],
  ['math', FLAG.foreign],
  ['annotation', FLAG.unseen],
  ['annotation-xml', FLAG.unseen],
  ['h1', FLAG.heading],
  ['h2', FLAG.heading],
  ['h3', FLAG.heading],
  ['h4', FLAG.heading],
  ['h5', FLAG.heading],
  ['h6', FLAG.heading],
  ['figure', FLAG.caption],
  ['pre', FLAG.pre],
  ['listing', FLAG.pre],
  ['xmp', FLAG.pre],
  ['plaintext', FLAG.pre],
  ['ul', FLAG.list],
  ['ol', FLAG.list],
  ['dl', FLAG.list],
  ['table', FLAG.table],
  ['main', FLAG.main],
  ['article', FLAG.main],
]);

const READERS = new Map<string, TagReader>([
  ['a', 'link'],
  ['area', 'link'],
  ['frame', 'frame'],
  ['iframe', 'frame'],
  ['img', 'image'],
  ['meta', 'meta'],
  ['link', 'linkrel'],
  ['script', 'script'],
  ['base', 'base'],
  ['html', 'html'],
  ['button', 'button'],
]);

/** Elements whose content is not markup (HTML Standard §13.2.6.4.7); without scripts, `noscript` is read like any other. */
const CONTENT = new Map<string, ContentModel>([
  ['title', 'rcdata'],
  ['textarea', 'rcdata'],
  ['script', 'script'],
  ['style', 'raw'],
  ['xmp', 'raw'],
  ['iframe', 'raw'],
  ['noembed', 'raw'],
  ['noframes', 'raw'],
  ['plaintext', 'plaintext'],
]);

/** Start tags that imply the end of the innermost open element (HTML Standard 13.1.2.4, optional tags). */
const CLOSES = new Map<string, string>([
  ['li', 'li p'],
  ['dt', 'dt dd p'],
  ['dd', 'dt dd p'],
  ['tr', 'td th tr p'],
  ['td', 'td th p'],
  ['th', 'td th p'],
  ['thead', 'td th tr tbody p'],
  ['tbody', 'td th tr tbody thead p'],
  ['tfoot', 'td th tr tbody thead p'],
  ['option', 'option'],
  ['optgroup', 'option optgroup'],
  ['body', 'head'],
  ['rb', 'rb rt rp rtc'],
  ['rt', 'rb rt rp'],
  ['rp', 'rb rt rp'],
  ['rtc', 'rb rt rp rtc'],
]);
const ENDS_PARAGRAPH = new Set(
  words(
    'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header ' +
      'hgroup hr listing main menu nav ol p plaintext pre search section summary table ul xmp',
  ),
);

function closesOf(name: string): ReadonlySet<string> {
  const list = CLOSES.get(name);
  if (list !== undefined) return new Set(words(list));
  if (/^h[1-6]$/.test(name)) return new Set(words('p h1 h2 h3 h4 h5 h6'));
  return ENDS_PARAGRAPH.has(name) ? new Set(['p']) : NONE;
}

function kindOf(name: string): TagKind {
  if (name === 'td' || name === 'th') return 'cell';
  if (name === 'br') return 'break';
  return BLOCK.includes(name) ? 'block' : 'inline';
}

/** A tag with any name; unknown names are inline, as in browsers. */
export function makeTag(name: string): Tag {
  return {
    name,
    kind: kindOf(name),
    isVoid: VOID.has(name),
    flags: FLAGS.get(name) ?? 0,
    reader: READERS.get(name) ?? 'none',
    content: CONTENT.get(name) ?? 'data',
    closes: closesOf(name),
    isScope: SCOPE.has(name),
    hash: hashText(name, 0, name.length),
    open: 0,
  };
}

/** All element names with a meaning here; others are created when they occur. */
export function knownTags(): Map<string, Tag> {
  const names = [
    ...BLOCK,
    ...VOID,
    ...SCOPE,
    ...FLAGS.keys(),
    ...READERS.keys(),
    ...CONTENT.keys(),
    ...words('a b i em strong span font code small sub sup u ruby rb'),
  ];
  return new Map(names.map((name) => [name, makeTag(name)]));
}

/** Elements that a button may fill: the text of the button is theirs. Headings have a flag. */
export const LABELS: ReadonlySet<string> = new Set(['dt', 'summary', 'legend', 'th']);
/** Elements of sentences: a button may begin one. */
export const PROSE: ReadonlySet<string> = new Set(['p', 'dd', 'blockquote']);
/** Tags of words; a comment, an image or another button is none. */
export const WORD_TAGS: ReadonlySet<string> = new Set('a abbr b cite code dfn em i mark q small span strong sub sup u'.split(' '));
/** Parts of a table, beyond which an end tag looks for no start tag. */
export const TABLE_PARTS = new Set(['table', 'td', 'th', 'tr', 'tbody', 'thead', 'tfoot', 'caption', 'body', 'html']);

/** Blocks with these flags are no words of the page. */
export const NOT_COUNTED = (BOILERPLATE & ~FLAG.veiled) | FLAG.disclosure;

/** An element at this distance is no longer near. */
export const FAR = 7;

/** @param rank in `NEAR_HINTS` @returns 7 for the innermost element itself, one less for each element outwards, 0 if none is near. */
export function nearness(near: number, rank: number): number {
  return (near >>> (3 * rank)) & FAR;
}
