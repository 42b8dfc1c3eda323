import { jsonOf } from '../../select/json-line.ts';
import { CARD_FILE, cardMarkdown } from '../card-markdown.ts';
import type { Description } from '../description.ts';

export const cardPage = {
  file: 'corpus-card.md',
  help: 'the corpus card, for people',
  content: ({ card }) => cardMarkdown(card),
} as const satisfies Description;

export const cardData = {
  file: CARD_FILE,
  help: 'the corpus card, for programs',
  content: ({ card }) => `${jsonOf(card, 2)}\n`,
} as const satisfies Description;
