/** HTML of the webs of entries. */
import { escapedHtml } from '../../src/faces/web-ui/markup.ts';

/** Path of the page that a reference names; null when there is none. */
export type TargetOf = (reference: string) => string | null;

export function linkTo(path: string | null, text: string): string {
  return path === null ? escapedHtml(text) : `<a href="${path}">${escapedHtml(text)}</a>`;
}

/** Paragraphs of a text whose references stand in braces, as dictionaries of dictd write them. */
export function paragraphs(text: string, targetOf: TargetOf): string {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p>${withLinks(paragraph, targetOf)}</p>`)
    .join('\n');
}

function withLinks(text: string, targetOf: TargetOf): string {
  return text
    .split(/\{([^{}]*)\}/)
    .map((piece, i) => (i % 2 === 0 ? escapedHtml(piece) : linkTo(targetOf(piece), piece)))
    .join('');
}

/** A heading and a list below it; nothing for an empty list. @param items HTML */
export function listOf(heading: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `<h2>${escapedHtml(heading)}</h2>\n<ul>\n${items.map((item) => `<li>${item}</li>`).join('\n')}\n</ul>`;
}
