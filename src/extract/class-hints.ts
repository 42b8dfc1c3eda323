import { FLAG } from './tags.ts';

/** Words of class names and ids that mark furniture on many sites. Collected by hand from common themes and content systems. */
const FURNITURE = new Set(
  (
    'nav navbar navigation menu submenu megamenu breadcrumb breadcrumbs crumbs toc footer foot colophon sidebar sidebars rail related recommended recommendations ' +
    'recirc recirculation promo promos promotion share sharing social socials newsletter subscribe subscription signup cookie cookies consent gdpr ' +
    'advert adverts advertisement ad ads advertising sponsor sponsored outbrain taboola modal popup popover overlay lightbox toolbar pagination pager paginate ' +
    'trending popular upsell masthead topbar skip login signin prevnext hatnote navbox disclaimer copyright tooltip dropdown flyout offcanvas'
  ).split(' '),
);
/** Words that mark the body of a page. */
const BODY = new Set('article content post entry story main body text topic thread message'.split(' '));
/** A name that begins so tells of a state of the page, not of the element's part in it: `has-sidebar`. */
const STATES = new Set('has no with without is js not hide show'.split(' '));
const MAX_CACHED = 20_000;

/** Flags from class names and ids, remembered by value since a site repeats its few. */
export class ClassHints {
  readonly #known = new Map<string, number>();

  /** @returns `FLAG.furniture`, `FLAG.body` or 0. */
  flags(value: string): number {
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const found = hintOf(value);
    if (this.#known.size >= MAX_CACHED) this.#known.clear();
    this.#known.set(value, found);
    return found;
  }
}

function hintOf(value: string): number {
  let body = 0;
  for (const name of value.split(/\s+/, 40)) {
    const words = name
      .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
      .toLowerCase()
      .split(/[^a-z]+/, 12);
    if (STATES.has(words[0] ?? '')) continue;
    if (words.some((word) => FURNITURE.has(word))) return FLAG.furniture;
    if (words.some((word) => BODY.has(word))) body = FLAG.body;
  }
  return body;
}
