/** The personal data of a corpus, in words: for the card and for Croissant. */
import { PERSONAL_KINDS, PERSONAL_WORDS } from '../personal/personal-names.ts';
import { textTable } from './card-tables.ts';
import type { CorpusCard } from './corpus-card.ts';

const METHOD = 'They are found by their form and their check digits, so some are missed. Names of persons are not searched for and stay.';

/** One or more sentences: the kinds that were searched for, and the action. */
export function personalText({ harvest, personal, records }: Pick<CorpusCard, 'harvest' | 'personal' | 'records'>): string {
  const action = harvest.filters.personal ?? 'keep';
  if (action === 'keep') return 'Not searched for: the pages are as their sites published them, and may name persons.';
  const kinds = PERSONAL_KINDS.map((kind) => PERSONAL_WORDS[kind]).join(', ');
  if (action === 'omit') return `Pages with ${kinds} are omitted: ${records.leftOut.personal} pages. ${METHOD}`;
  const pages = personal?.pagesWithAny ?? 0;
  const done = action === 'mask' ? 'replaced by masks such as [mail]' : 'counted and marked, and stay in the texts';
  const urls = personal?.urls ? ` The URLs of ${personal.urls} pages have a mail address, which stays.` : '';
  return `Of ${records.kept} pages, ${pages} have ${kinds}. They are ${done}. ${METHOD}${urls}`;
}

/** Text of the section of the card: the sentences, and a table of the kinds. */
export function personalSection(card: CorpusCard): string {
  const { personal } = card;
  if (personal === undefined) return personalText(card);
  const rows = PERSONAL_KINDS.map((kind) => [PERSONAL_WORDS[kind], String(personal.finds[kind]), String(personal.pages[kind])]);
  return `${personalText(card)}\n\n${textTable(['kind', 'finds', 'pages'], rows)}`;
}
