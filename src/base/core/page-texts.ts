import type { PageTexts } from './types.ts';

/** The texts of a page, from anything that has them. */
export function pageTexts({ title, text, otherText = '', lang, document }: PageTexts): PageTexts {
  return { title, text, ...(otherText !== '' && { otherText }), lang, ...(document && { document: { kind: document.kind } }) };
}
