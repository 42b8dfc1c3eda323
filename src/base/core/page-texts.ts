import type { PageTexts } from './types.ts';

/** The texts of a page, from anything that has them. */
export function pageTexts({ title, text, otherText = '', lang }: PageTexts): PageTexts {
  return { title, text, ...(otherText !== '' && { otherText }), lang };
}
