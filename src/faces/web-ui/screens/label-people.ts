/** The people who label, how far they agree, and labels as files: parts of the screen for labels. */
import { countText } from '../../../base/text/number-text.ts';
import { person } from '../../../crawling/settings/kinds.ts';
import type { LabelScreen } from '../label-desk.ts';
import { backOf, labelAddress, labelForm, labellerIn } from '../label-pieces.ts';
import { html, type Markup } from '../markup.ts';
import { deskOf } from '../opened-crawl.ts';
import { nameCookie } from '../person.ts';
import { table, textField } from '../pieces.ts';
import { type Asked, get, post, type Route } from '../route.ts';
import { STRINGS, unitText } from '../strings.ts';

const TEXT = STRINGS.label;

export const labelPeople: readonly Route[] = [
  get('/label/labels.csv', async (asked) => {
    const text = await (await deskOf(asked.place)).ask('csv', { by: labellerIn(asked) });
    return { kind: 'file', text, type: 'text/csv; charset=utf-8', name: 'labels.csv' };
  }),
  post('/label/import', async (asked) => {
    await (await deskOf(asked.place)).ask('importText', { by: labellerIn(asked), text: asked.form.get('labels') ?? '' });
    return { kind: 'see', path: backOf(asked) };
  }),
  post('/label/name', async (asked) => {
    const text = (asked.form.get('name') ?? '').trim();
    const name = text === '' ? null : person.read([text], TEXT.name);
    return { kind: 'see', path: backOf(asked), cookie: nameCookie(name) };
  }),
];

/** The name of the person at this browser, and kappa of every two people. */
export function peopleOf({ name, agreements }: LabelScreen, asked: Asked): Markup {
  const form = labelForm(asked, '/label/name', html`${textField(TEXT.name, 'name', name ?? '')} <button>${TEXT.setName}</button>`);
  return html`<section><h2>${TEXT.people}</h2><p><small>${TEXT.aboutName}</small></p>${form}${agreements.length > 0 && agreementsOf(agreements)}</section>`;
}

function agreementsOf(agreements: LabelScreen['agreements']): Markup {
  return table(
    TEXT.agreement,
    [
      { head: TEXT.people, cell: ({ names }) => TEXT.two(...names) },
      { head: TEXT.pages, cell: ({ pages }) => countText(pages), isNumber: true },
      { head: TEXT.equal, cell: ({ yesYes, noNo }) => countText(yesYes + noNo), isNumber: true },
      { head: TEXT.kappa, cell: ({ kappa }) => (kappa === null ? STRINGS.none : unitText(kappa)), isNumber: true },
      {
        head: TEXT.interval,
        cell: ({ kappa, interval: { low, high } }) => (kappa === null ? STRINGS.none : TEXT.between(unitText(low), unitText(high))),
        isNumber: true,
      },
    ],
    agreements,
  );
}

/** Labels out and in. */
export function labelFiles({ imported }: LabelScreen, asked: Asked): Markup {
  const area = html`<label>${TEXT.pasted}<textarea name="labels" rows="4" spellcheck="false"></textarea></label><button>${TEXT.import}</button>`;
  return html`<section><h2>${TEXT.files}</h2><p><a href="${labelAddress(asked, '/label/labels.csv')}" download>${TEXT.download}</a></p>${labelForm(asked, '/label/import', area)}
${imported && html`<p>${TEXT.imported(countText(imported.stored), countText(imported.already), countText(imported.unknown.length))}</p>`}</section>`;
}
