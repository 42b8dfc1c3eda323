import { ownString } from '../core/own-string.ts';
import { hashText } from '../text/hash-text.ts';
import { FLAG } from './tags.ts';

/** What words of class names and ids mark on many sites. Collected by hand from common themes and content systems; a word may say two things. */
const WORDS: readonly (readonly [flag: number, words: string])[] = [
  [
    FLAG.furniture,
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
const MAX_CACHED = 20_000;
/** Longer values are made by programs, and seldom come twice. */
const MAX_CACHED_CHARS = 200;

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

function hintOf(value: string): number {
  let flags = 0;
  for (const name of value.split(/\s+/, 40)) {
    const words = name
      .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
      .toLowerCase()
      .split(/[^a-z]+/, 12);
    if (STATES.has(words[0] ?? '')) continue;
    for (const word of words) flags |= FLAGS.get(word) ?? 0;
  }
  return flags & FLAG.furniture ? flags & ~FLAG.body : flags;
}
