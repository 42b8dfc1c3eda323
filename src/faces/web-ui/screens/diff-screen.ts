/** Two versions of a page: the words that were added and removed, in the text around them. */
import { countText } from '../../../base/text/number-text.ts';
import type { WordPart } from '../../../corpus/search/word-diff.ts';
import type { HistoryVersion, PageHistory, VersionDiff } from '../../../study/inspect/page-history.ts';
import { html, type Markup } from '../markup.ts';
import { choiceField, filterForm, hidden, urlLink } from '../pieces.ts';
import { get, type Route } from '../route.ts';
import { STRINGS } from '../strings.ts';

const TEXT = STRINGS.versions;
/** Words shown on each side of a difference. */
const CONTEXT = 30;

export const diffScreen: readonly Route[] = [
  get('/diff', async ({ place, query }) => {
    const url = query.get('url')?.trim() ?? '';
    const between = ['from', 'to'].map((name) => query.get(name) ?? '').filter((word) => word !== '');
    const [diff, history] = [await place.reader.ask('versionDiff', { url, between }), await place.reader.ask('history', { url })];
    return { kind: 'screen', title: TEXT.diffTitle, main: screen(diff, history), still: true };
  }),
];

function screen({ url, from, to, title, wordsAdded, wordsRemoved, parts }: VersionDiff, history: PageHistory | null): Markup {
  const offered = versionsIn(history).map(({ version, at }) => [String(version), TEXT.versionOf(String(version), at)] as const);
  const choice = html`${hidden('url', url)}${choiceField(TEXT.from, 'from', String(from.version), offered)}${choiceField(TEXT.to, 'to', String(to.version), offered)}`;
  return html`<h1>${TEXT.diffTitle}</h1><p>${urlLink(url)}</p>${filterForm('/diff', choice)}
<p>${TEXT.words(countText(wordsAdded), countText(wordsRemoved))}</p>
${title && html`<p>${TEXT.titleChanged} ${marked({ kind: 'removed', words: [title.from] })} ${marked({ kind: 'added', words: [title.to] })}</p>`}
<div class="text" tabindex="0" role="region" aria-label="${TEXT.texts}" dir="auto"><p>${wordsAdded + wordsRemoved === 0 ? TEXT.sameText : parts.map((part, i) => shown(part, i === 0, i === parts.length - 1))}</p></div>`;
}

/** The versions of a history, without its absences. */
export function versionsIn(history: PageHistory | null): readonly HistoryVersion[] {
  return (history?.entries ?? []).filter((entry): entry is HistoryVersion => 'words' in entry);
}

function shown(part: WordPart, isFirst: boolean, isLast: boolean): Markup {
  if (part.kind !== 'same') return html`${marked(part)} `;
  const { words } = part;
  const [before, behind] = [isFirst ? 0 : CONTEXT, isLast ? 0 : CONTEXT];
  if (words.length <= before + behind) return html`<bdi>${words.join(' ')}</bdi> `;
  const [head, tail] = [words.slice(0, before), behind === 0 ? [] : words.slice(-behind)];
  const omitted = html`<small>${TEXT.wordsOmitted(countText(words.length - before - behind))}</small>`;
  return html`<bdi>${head.join(' ')}</bdi> ${omitted} <bdi>${tail.join(' ')}</bdi> `;
}

/** Words of one text alone: by their colour, a line, and a word for those who hear the page. */
function marked({ kind, words }: WordPart): Markup {
  const text = html`<bdi>${words.join(' ')}</bdi>`;
  return kind === 'added'
    ? html`<ins class="for"><span class="unseen">${TEXT.added}</span>${text}</ins>`
    : html`<del class="against"><span class="unseen">${TEXT.removed}</span>${text}</del>`;
}
