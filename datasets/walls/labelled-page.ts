/** A page with the label of a person: is it a wall, and which one? */
import type { PageWall } from '../../src/base/core/types.ts';

export type WallLabel = PageWall | 'page';

/** `tuned`: rules were changed with a look at it. `held`: it was written or labelled after the last change of a rule. */
export type WallHalf = 'tuned' | 'held';

export interface LabelledPage {
  readonly name: string;
  readonly label: WallLabel;
  readonly half: WallHalf;
  readonly url: string;
  readonly html: string;
}

/** Name → HTML, or HTML with an address of its own. */
export type PagesByName = Readonly<Record<string, string | readonly [html: string, url: string]>>;

const ADDRESS = 'https://www.example.com/item/4';

export function labelled(label: WallLabel, half: WallHalf, pages: PagesByName): LabelledPage[] {
  return Object.entries(pages).map(([name, given]) => {
    const [html, url] = typeof given === 'string' ? [given, ADDRESS] : given;
    return { name, label, half, url, html };
  });
}

/** A whole document. */
export function documentOf(title: string, body: string, lang = 'en', head = ''): string {
  return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`;
}

const SENTENCES = [
  'The mill at the lower bridge ground corn for seven villages until the flood of 1903 took its wheel.',
  'Reed is cut in January, when the ice carries the cutters, and dries in stooks along the dike until March.',
  'Of the twelve lock keepers only two kept a diary, and both of them wrote about the height of the water.',
  'Peat was dug by hand, turned twice in the wind, and carried home in carts before the autumn rain.',
  'The heron colony moved across the lake after the old alders fell, and has nested in the pines since then.',
] as const;

/** Paragraphs of prose. */
export function prose(paragraphs: number): string {
  return Array.from(
    { length: paragraphs },
    (_, i) => `<p>${SENTENCES[i % SENTENCES.length]} ${SENTENCES[(i + 2) % SENTENCES.length]}</p>`,
  ).join('');
}

/** A navigation with links. */
export function navigation(links: number): string {
  return `<nav><ul>${Array.from({ length: links }, (_, i) => `<li><a href="/part/${i}">Part ${i + 1} of the archive</a></li>`).join('')}</ul></nav>`;
}
