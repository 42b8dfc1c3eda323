/** Pieces that the screens for labels share. */
import type { WeightedWord } from '../topic/passage.ts';
import { LABEL_MODES, type LabelMode, type Measured } from './label-desk.ts';
import { html, type Markup } from './markup.ts';
import { addressOf } from './pieces.ts';
import { STRINGS } from './strings.ts';

const TEXT = STRINGS.label;
/** The smallest contribution of a marked word, as a share of the largest, as in `forager label`. */
const MARKED = 0.25;

/** null without one. */
export function modeOf(text: string | null): LabelMode | null {
  return LABEL_MODES.find((mode) => mode === text) ?? null;
}

const WAYS = { '/label': TEXT.single, '/label/grid': TEXT.grid } as const;

/** Links to the modes, and to the other way of asking. */
export function modes({ mode, topic }: Pick<Measured, 'mode' | 'topic'>, path: keyof typeof WAYS): Markup {
  const at = (to: string, one: string) => addressOf(to, { mode: one, topic: topic ?? '' });
  const link = (one: LabelMode) =>
    html`<li><a href="${at(path, one)}"${one === mode && html` aria-current="true"`}>${TEXT.modes[one]}</a></li>`;
  const ways = Object.entries(WAYS).map(
    ([to, name]) => html`<li><a href="${at(to, '')}"${to === path && html` aria-current="true"`}>${name}</a></li>`,
  );
  return html`<nav class="modes" aria-label="${TEXT.mode}"><ul>${LABEL_MODES.map(link)}</ul></nav>
<nav class="modes" aria-label="${TEXT.way}"><ul>${ways}</ul></nav>`;
}

/** The text with the words that count most, for and against. A line of the page is a paragraph. */
export function marked(text: string, words: readonly WeightedWord[]): Markup {
  const largest = words.reduce((most, { contribution }) => Math.max(most, Math.abs(contribution)), 0);
  const shown = words.filter(({ contribution }) => Math.abs(contribution) >= MARKED * largest);
  let at = 0;
  const parts = shown.map(({ start, end, contribution }) => {
    const before = text.slice(at, start);
    at = end;
    return html`${before}<mark class="${contribution > 0 ? 'for' : 'against'}">${text.slice(start, end)}</mark>`;
  });
  return html`${parts}${text.slice(at)}`;
}
