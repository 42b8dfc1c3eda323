import { ownString } from '../core/own-string.ts';
import { hashText } from '../text/hash-text.ts';
import { FLAG } from './tags.ts';

/** What words of class names and ids mark on many sites. Collected by hand from common themes and content systems; a word may say two things. */
const WORDS: readonly (readonly [flag: number, words: string])[] = [
  [
    FLAG.boilerplateHint,
    'nav navbar navigation menu submenu megamenu breadcrumb breadcrumbs crumbs toc footer foot colophon sidebar sidebars rail related recommended recommendations ' +
      'recirc recirculation promo promos promotion share sharing social socials newsletter subscribe subscription signup cookie cookies consent gdpr ' +
      'advert adverts advertisement ad ads advertising sponsor sponsored outbrain taboola modal popup popover overlay lightbox toolbar pagination pager paginate ' +
      'onetrust ot cmp ccpa privacy didomi qc usercentrics truste banner alert notice trending popular upsell masthead topbar skip login signin prevnext hatnote navbox disclaimer copyright tooltip dropdown flyout offcanvas',
  ],
  [FLAG.body, 'article content post entry story main body text topic thread message'],
  [FLAG.comments, 'comment comments commentlist commenter disqus respond reply replies livefyre discussion'],
  [FLAG.caption, 'caption captions figcaption credit credits photo gallery slideshow'],
  [
    FLAG.related,
    'related recommended recommendations recommend recirc recirculation trending popular upsell outbrain taboola teaser teasers readmore suggested similar ' +
      'also latest carousel slider',
  ],
  [FLAG.signup, 'newsletter subscribe subscription signup login signin modal popup popover overlay lightbox paywall dialog drawer'],
  [FLAG.social, 'share sharing social socials engagement follow tweet twitter instagram facebook embed'],
  [FLAG.bio, 'bio about authorbox profile contributor contributors author authors byline'],
  [
    FLAG.menu,
    'nav navbar navigation menu submenu megamenu breadcrumb breadcrumbs crumbs toc sidebar sidebars rail pagination pager toolbar skip masthead topbar ' +
      'footer foot colophon dropdown tabs tab filter filters facet facets sort',
  ],
  [FLAG.note, 'footnote footnotes reference references citation citations disclaimer copyright notice correction credit credits'],
  [FLAG.item, 'item items card cards product products tile tiles grid row list listing result results entry post posts'],
];
const FLAGS = new Map<string, number>();
for (const [flag, words] of WORDS) for (const word of words.split(' ')) FLAGS.set(word, (FLAGS.get(word) ?? 0) | flag);

/** A name that begins so tells of a state of the page, not of the element's part in it: `has-sidebar`. */
const STATES = new Set('has no with without is js not hide show'.split(' '));
const SPACE = 0x20;
/** Names of a value, and words of a name, that are looked at. */
const MAX_NAMES = 40;
const MAX_WORDS = 12;
const MAX_CACHED = 20_000;
/** Longer values are made by programs, and seldom come twice. */
const MAX_CACHED_CHARS = 400;

/** What a class name or id says. */
export interface Hint {
  /** Some of `HINTS`. */
  readonly flags: number;
  /** Of the value as it stands: elements that are styled alike are alike. */
  readonly hash: number;
}

/** Hints of class names and ids, remembered by value since a site repeats its few. */
export class ClassHints {
  readonly #known = new Map<string, Hint>();

  hint(value: string): Hint {
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const found = { flags: hintOf(value), hash: hashText(value, 0, value.length) };
    if (this.#known.size >= MAX_CACHED) this.#known.clear();
    if (value.length <= MAX_CACHED_CHARS) this.#known.set(ownString(value), found);
    return found;
  }
}

/** Words are runs of letters; in `camelCase` there are two. Without regular expressions, for on some sites every class name is new. */
function hintOf(value: string): number {
  let flags = 0;
  for (let at = 0, names = 0; at < value.length && names < MAX_NAMES; at += 1) {
    if (value.charCodeAt(at) <= SPACE) continue;
    let end = at + 1;
    while (end < value.length && value.charCodeAt(end) > SPACE) end += 1;
    flags |= flagsOfName(value, at, end);
    names += 1;
    at = end;
  }
  return flags & FLAG.boilerplateHint ? flags & ~FLAG.body : flags;
}

function flagsOfName(value: string, start: number, end: number): number {
  let flags = 0;
  let words = 0;
  let wordStart = -1;
  let isLowerBefore = false;
  for (let i = start; i <= end && words < MAX_WORDS; i += 1) {
    const code = i < end ? value.charCodeAt(i) : SPACE;
    const isLower = code >= 0x61 && code <= 0x7a;
    const isUpper = code >= 0x41 && code <= 0x5a;
    if (wordStart >= 0 && (!(isLower || isUpper) || (isUpper && isLowerBefore))) {
      const word = value.slice(wordStart, i).toLowerCase();
      if (wordStart === start && STATES.has(word)) return 0;
      flags |= FLAGS.get(word) ?? 0;
      words += 1;
      wordStart = -1;
    }
    if (wordStart < 0 && (isLower || isUpper)) wordStart = i;
    isLowerBefore = isLower;
  }
  return flags;
}
