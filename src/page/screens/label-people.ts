/** The people who label, how far they agree, and labels as files: parts of the screen for labels. */
import type { LabelScreen } from '../label-desk.ts';
import { html, type Markup } from '../markup.ts';
import { actionForm, addressOf, table, textField } from '../pieces.ts';
import { deskOf } from '../place.ts';
import { type Asked, get, post, type Route } from '../route.ts';
import { countText, STRINGS, unitText } from '../strings.ts';

const TEXT = STRINGS.label;
const SHOWN = { kind: 'see', path: '/label' } as const;

export const labelPeople: readonly Route[] = [
  get('/label/labels.csv', async ({ place }) => {
    const text = await (await deskOf(place)).ask('csv', null);
    return { kind: 'file', text, type: 'text/csv; charset=utf-8', name: 'labels.csv' };
  }),
  post('/label/import', async ({ place, form }) => {
    await (await deskOf(place)).ask('importText', form.get('labels') ?? '');
    return SHOWN;
  }),
  post('/label/name', async ({ place, form }) => {
    await (await deskOf(place)).ask('name', form.get('name') ?? '');
    return SHOWN;
  }),
];

/** The name of the session, and kappa of every two people. */
export function peopleOf({ name, agreements }: LabelScreen, { formToken }: Asked): Markup {
  const form = actionForm(formToken, '/label/name', html`${textField(TEXT.name, 'name', name ?? '')} <button>${TEXT.setName}</button>`);
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
export function filesOf({ imported, topic }: LabelScreen, { formToken }: Asked): Markup {
  const area = html`<label>${TEXT.pasted}<textarea name="labels" rows="4" spellcheck="false"></textarea></label><button>${TEXT.import}</button>`;
  return html`<section><h2>${TEXT.files}</h2><p><a href="${addressOf('/label/labels.csv', { topic: topic ?? '' })}" download>${TEXT.download}</a></p>${actionForm(formToken, '/label/import', area)}
${imported && html`<p>${TEXT.imported(countText(imported.stored), countText(imported.already), countText(imported.unknown.length))}</p>`}</section>`;
}
