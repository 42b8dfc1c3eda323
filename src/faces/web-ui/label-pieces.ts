/** Pieces that the screens for labels share. */
import type { WeightedWord } from '../../reading/topic/passage.ts';
import { LABEL_MODES, type Labeller, type LabelMode } from './label-desk.ts';
import { type Content, html, type Markup } from './markup.ts';
import { actionForm, addressOf, hidden } from './pieces.ts';
import type { Asked } from './route.ts';
import { STRINGS } from './strings.ts';

const TEXT = STRINGS.label;
/** The smallest contribution of a marked word, as a share of the largest, as in `forager label`. */
const MARKED = 0.25;

/** Mode in the address, or in the form that was sent from there: each tab has its own. Default: teach. */
export function modeIn({ query, form }: Pick<Asked, 'query' | 'form'>): LabelMode {
  const given = query.get('mode') ?? form.get('mode');
  return LABEL_MODES.find((mode) => mode === given) ?? 'teach';
}

/** Topic that the screen is about, in a crawl of several; null in a crawl of one. Each tab has its own, like the mode. */
export function topicIn({ query, form }: Pick<Asked, 'query' | 'form'>): string | null {
  return query.get('topic') ?? form.get('topic');
}

export function labellerIn(asked: Pick<Asked, 'query' | 'form' | 'person'>): Labeller {
  return { ...asked.person, mode: modeIn(asked), topic: topicIn(asked) };
}

const WAYS = { '/label': TEXT.single, '/label/grid': TEXT.grid } as const;

/** Address to which a form of these screens leads back. */
export function backOf(asked: Pick<Asked, 'query' | 'form'>): string {
  return labelAddress(asked, asked.form.get('back') === 'grid' ? '/label/grid' : '/label');
}

/** Address of a screen, with the topic of the current screen. @param mode default: that of the current screen */
export function labelAddress(asked: Pick<Asked, 'query' | 'form'>, path: string, mode = modeIn(asked)): string {
  return addressOf(path, { mode: mode === 'teach' ? '' : mode, topic: topicIn(asked) ?? '' });
}

/** A form of these screens: it keeps mode and topic. */
export function labelForm(asked: Pick<Asked, 'query' | 'form' | 'formToken'>, path: string, content: Content): Markup {
  const topic = topicIn(asked);
  return actionForm(asked.formToken, path, html`${hidden('mode', modeIn(asked))}${topic !== null && hidden('topic', topic)}${content}`);
}

/** Links to the modes, and to the other way of asking. */
export function modes(asked: Pick<Asked, 'query' | 'form'>, path: keyof typeof WAYS): Markup {
  const link = (one: LabelMode) =>
    html`<li><a href="${labelAddress(asked, path, one)}"${one === modeIn(asked) && html` aria-current="true"`}>${TEXT.modes[one]}</a></li>`;
  const ways = Object.entries(WAYS).map(
    ([to, name]) => html`<li><a href="${labelAddress(asked, to)}"${to === path && html` aria-current="true"`}>${name}</a></li>`,
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
