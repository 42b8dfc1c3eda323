/** The form of a harvest: it shows the command first, and the button that does the same. */

import { CrawlerError } from '../../../base/core/errors.ts';
import { sentence } from '../../../base/text/sentence.ts';
import { OUTPUT_FORMATS } from '../../../corpus/formats/output-formats.ts';
import { acceptedWords } from '../../../crawling/settings/kinds.ts';
import { SETTINGS } from '../../../crawling/settings/settings.ts';
import type { HarvestChoice } from '../background-work.ts';
import { commandLine } from '../command-line.ts';
import { DEFAULT_FORMAT, dedupeOf, defaultName, harvestChoice, harvestCommandText, isAsked, placeOfHarvests } from '../harvest-choice.ts';
import { html, type Markup } from '../markup.ts';
import { actionForm, field, filterForm, hidden, options } from '../pieces.ts';
import type { Asked } from '../route.ts';
import { STRINGS } from '../strings.ts';

const TEXT = STRINGS.corpus;
const FIELDS = ['name', 'format', 'least', 'languages', 'dedupe'] as const;
const { kind, help } = SETTINGS.dedupe;

export function harvestForm({ place: { dir, jobs }, query, formToken }: Asked): Markup {
  const fields = isAsked(query) ? query : new URLSearchParams({ name: defaultName(dir), format: DEFAULT_FORMAT });
  const isFree = jobs.last('harvest')?.state !== 'running';
  return html`<section><h2>${TEXT.harvest}</h2>${choices(fields)}
<p><small>${sentence(help)} ${TEXT.beside(placeOfHarvests(dir))}</small></p>${isFree && order(dir, fields, formToken)}</section>`;
}

function choices(fields: URLSearchParams): Markup {
  const value = (name: string) => fields.get(name) ?? '';
  const chosen = fields.getAll('format');
  const formats = OUTPUT_FORMATS.map(
    ({ name, help }) =>
      html`<label class="check"><input type="checkbox" name="format" value="${name}"${chosen.includes(name) && html` checked`}><span>${name} <small>${help}</small></span></label>`,
  );
  return filterForm(
    '/corpus',
    [
      field(TEXT.folder, html`<input name="name" required value="${value('name')}">`),
      html`<fieldset class="explained"><legend>${TEXT.formats}</legend>${formats}</fieldset>`,
      field(TEXT.least, html`<input name="least" inputmode="decimal" value="${value('least')}" placeholder="${TEXT.all}">`),
      field(
        TEXT.dedupe,
        options(
          'dedupe',
          acceptedWords(kind).map((word) => [word, word]),
          dedupeOf(fields),
        ),
      ),
      field(TEXT.languages, html`<input name="languages" value="${value('languages')}" placeholder="${TEXT.anyLanguage}">`),
    ],
    TEXT.prepare,
  );
}

/** The command, and the button; or the fault of the fields. */
function order(dir: string, fields: URLSearchParams, formToken: string): Markup {
  let choice: HarvestChoice;
  try {
    choice = harvestChoice(dir, fields);
  } catch (error) {
    if (!(error instanceof CrawlerError)) throw error;
    return html`<p class="warning" role="alert">${error.message}</p>`;
  }
  const kept = FIELDS.flatMap((name) => fields.getAll(name).map((value) => hidden(name, value)));
  return html`<p>${TEXT.does}</p>${commandLine(harvestCommandText(dir, choice))}${actionForm(formToken, '/corpus/harvest', html`${kept}<button class="main">${TEXT.run}</button>`)}`;
}
