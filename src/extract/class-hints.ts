import { ownString } from '../core/own-string.ts';
import { hashText } from '../text/hash-text.ts';
import { FLAG } from './tags.ts';

/** Words of class names and ids that mark furniture on many sites. Collected by hand from common themes and content systems. */
const FURNITURE = new Set(
  (
    'nav navbar navigation menu submenu megamenu breadcrumb breadcrumbs crumbs toc footer foot colophon sidebar sidebars rail related recommended recommendations ' +
    'recirc recirculation promo promos promotion share sharing social socials newsletter subscribe subscription signup cookie cookies consent gdpr ' +
    'advert adverts advertisement ad ads advertising sponsor sponsored outbrain taboola modal popup popover overlay lightbox toolbar pagination pager paginate ' +
    'onetrust ot cmp ccpa privacy didomi qc usercentrics truste banner alert notice trending popular upsell masthead topbar skip login signin prevnext hatnote navbox disclaimer copyright tooltip dropdown flyout offcanvas'
  ).split(' '),
);
/** Words that mark the body of a page. */
const BODY = new Set('article content post entry story main body text topic thread message'.split(' '));
const COMMENTS = new Set('comment comments commentlist commenter disqus respond responses reply replies livefyre discussion'.split(' '));
const CAPTION = new Set('caption captions figcaption credit credits photo gallery slideshow'.split(' '));
const BYLINE = new Set(
  'byline author authors bio date dateline timestamp time published meta metadata tag tags category categories kicker eyebrow'.split(' '),
);
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
    for (const word of words) {
      if (FURNITURE.has(word)) flags |= FLAG.furniture;
      if (BODY.has(word)) flags |= FLAG.body;
      if (COMMENTS.has(word)) flags |= FLAG.comments;
      if (CAPTION.has(word)) flags |= FLAG.caption;
      if (BYLINE.has(word)) flags |= FLAG.byline;
    }
  }
  return flags & FLAG.furniture ? flags & ~FLAG.body : flags;
}
