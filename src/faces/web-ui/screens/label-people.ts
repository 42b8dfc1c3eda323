/** The people who label, how far they agree, and labels as files: parts of the screen for labels. */
import { countText } from '../../../base/text/number-text.ts';
import { agreementText } from '../../../corpus/describe/coding-words.ts';
import { person } from '../../../crawling/settings/kinds.ts';
import type { CoderDisagreement } from '../../../study/label/coder-answers.ts';
import type { LabelScreen } from '../label-desk.ts';
import { backOf, labelAddress, labelForm, labellerIn } from '../label-pieces.ts';
import { html, type Markup } from '../markup.ts';
import { deskOf } from '../opened-crawl.ts';
import { nameCookie } from '../person.ts';
import { hidden, outLink, textField, urlLink } from '../pieces.ts';
import { type Asked, get, post, type Route } from '../route.ts';
import { STRINGS } from '../strings.ts';

const TEXT = STRINGS.label;
/** Disagreements that a person decides at one sitting. */
const SHOWN = 50;
const DECISIONS = ['y', 'n', 'skip'] as const;

export const labelPeople: readonly Route[] = [
  get('/label/labels.csv', async (asked) => {
    const text = await (await deskOf(asked.place)).ask('csv', { by: labellerIn(asked) });
    return { kind: 'file', text, type: 'text/csv; charset=utf-8', name: 'labels.csv' };
  }),
  post('/label/import', async (asked) => {
    await (await deskOf(asked.place)).ask('importText', { by: labellerIn(asked), text: asked.form.get('labels') ?? '' });
    return { kind: 'see', path: backOf(asked) };
  }),
  post('/label/decide', async (asked) => {
    const answer = DECISIONS.find((one) => one === asked.form.get('answer'));
    const url = asked.form.get('url') ?? '';
    if (answer !== undefined) await (await deskOf(asked.place)).ask('decide', { by: labellerIn(asked), url, answer });
    return { kind: 'see', path: backOf(asked) };
  }),
  post('/label/name', async (asked) => {
    const text = (asked.form.get('name') ?? '').trim();
    const name = text === '' ? null : person.read([text], TEXT.name);
    return { kind: 'see', path: backOf(asked), cookie: nameCookie(name) };
  }),
];

/** The name of the person at this browser, the agreement of the people, and the pages that they answered differently. */
export function peopleOf({ name, coded, differing }: LabelScreen, asked: Asked): Markup {
  const form = labelForm(asked, '/label/name', html`${textField(TEXT.name, 'name', name ?? '')} <button>${TEXT.setName}</button>`);
  return html`<section><h2>${TEXT.people}</h2><p><small>${TEXT.aboutName}</small></p>${form}
${coded && agreementText(coded).map((line) => html`<p class="agreement">${line}.</p>`)}${differing.length > 0 && disagreementsOf(differing, asked)}</section>`;
}

/** One button decides; a decision can be changed, or undone as an answer. */
function disagreementsOf(disagreements: LabelScreen['differing'], asked: Asked): Markup {
  const shown = disagreements.slice(0, SHOWN);
  const more = disagreements.length - shown.length;
  const items = shown.map((one) => html`<li>${differingPage(one, asked)}</li>`);
  const undo = labelForm(asked, '/label/undo', html`<button>${TEXT.undoLast}</button>`);
  return html`<h3>${TEXT.differing}</h3><p><small>${TEXT.aboutDecisions}</small></p><ul class="differing">${items}</ul>
${more > 0 && html`<p>${TEXT.moreDiffering(countText(more))}</p>`}${undo}`;
}

function differingPage({ url, answers, decision, isOpen }: CoderDisagreement, asked: Asked): Markup {
  const given = answers.map(({ name, answer }) => `${name} ${answer}`).join(', ');
  return html`${urlLink(url)} <small>${outLink(url)}</small><p>${given}. ${TEXT.decision} ${decision === null ? TEXT.open : decisionOf(decision, isOpen)}.</p>
<div class="answers">${decideForms(url, asked)}</div>`;
}

function decisionOf({ name, answer }: CoderDisagreement['decision'] & {}, isOpen: boolean): string {
  const decided = `${answer}${name === null ? '' : `, ${name}`}`;
  return isOpen ? TEXT.again(decided) : decided;
}

function decideForms(url: string, asked: Asked): Markup[] {
  return DECISIONS.map((answer) =>
    labelForm(asked, '/label/decide', html`${hidden('url', url)}${hidden('answer', answer)}<button>${TEXT.decisions[answer]}</button>`),
  );
}

/** Labels out and in. */
export function labelFiles({ imported }: LabelScreen, asked: Asked): Markup {
  const area = html`<label>${TEXT.pasted}<textarea name="labels" rows="4" spellcheck="false"></textarea></label><button>${TEXT.import}</button>`;
  return html`<section><h2>${TEXT.files}</h2><p><a href="${labelAddress(asked, '/label/labels.csv')}" download>${TEXT.download}</a></p>${labelForm(asked, '/label/import', area)}
${imported && html`<p>${TEXT.imported(countText(imported.stored), countText(imported.already), countText(imported.unknown.length))}</p>`}</section>`;
}
