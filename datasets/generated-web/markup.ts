/** Links of a page, and the HTML of texts and links. */

/** Where a link stands on its page. */
export type Zone = 'content' | 'navigation' | 'sidebar' | 'footer';

export interface GeneratedLink {
  readonly url: string;
  readonly anchorText: string;
  readonly zone: Zone;
}

/** Sentences in a paragraph. */
export const PARAGRAPH = 5;

const LEADS = ['See', 'Related:', 'More on this in', 'Compare', 'Continue with', 'Background:', 'Read', 'As told in'];

export function inPageOrder(frame: readonly GeneratedLink[], content: readonly GeneratedLink[]): readonly GeneratedLink[] {
  const head = frame.filter((link) => link.zone === 'navigation');
  return [...head, ...content, ...frame.filter((link) => link.zone !== 'navigation')];
}

export function anchors(links: readonly GeneratedLink[]): string {
  return links.map(anchor).join(' ');
}

function anchor(link: GeneratedLink): string {
  return `<a href="${link.url.replaceAll('&', '&amp;')}">${link.anchorText}</a>`;
}

/** Bytes that links will take in the text, their leads counted at 14. */
export function listLength(links: readonly GeneratedLink[]): number {
  return links.reduce((sum, link) => sum + anchor(link).length + 14, 0);
}

/** Paragraphs with the links spread evenly among the sentences. */
export function flowing(sentences: readonly string[], links: readonly GeneratedLink[]): string {
  const out: string[] = [];
  let placed = 0;
  for (const [at, text] of sentences.entries()) {
    out.push(at % PARAGRAPH === 0 ? `${at === 0 ? '' : '</p>\n'}<p>${text}` : ` ${text}`);
    const due = Math.round(((at + 1) / sentences.length) * links.length);
    for (const link of links.slice(placed, due)) out.push(` ${lead(link)} ${anchor(link)}.`);
    placed = due;
  }
  return `${out.join('')}</p>\n`;
}

/** A short introduction and a list of the links. */
export function listed(sentences: readonly string[], links: readonly GeneratedLink[]): string {
  const items = links.map((link) => `<li>${anchor(link)}</li>\n`).join('');
  return `<p>${sentences.join(' ')}</p>\n<ul>\n${items}</ul>\n`;
}

/** A list of wares, and a list of the links below it. */
export function offered(wares: readonly string[], links: readonly GeneratedLink[]): string {
  const rows = wares.map((text) => `<li>${text}</li>\n`).join('');
  return `<ul>\n${rows}</ul>\n${listed(['Narrow down by:'], links)}`;
}

/** The lead follows from the link, so that it takes no chance of its own. */
function lead(link: GeneratedLink): string {
  return LEADS[(link.url.length + link.anchorText.length * 7) % LEADS.length] ?? '';
}
