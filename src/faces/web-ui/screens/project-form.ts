/** The form that begins a project. */

import { commandLine } from '../command-line.ts';
import { html, type Markup } from '../markup.ts';
import { actionForm, textField } from '../pieces.ts';
import { type ProjectFields, projectCommand } from '../project-answers.ts';
import { STRINGS } from '../strings.ts';

const TEXT = STRINGS.start;

export interface ProjectForm {
  readonly fields: ProjectFields;
  /** Show the command of these answers. */
  readonly isAsked: boolean;
  /** Is there a project already? */
  readonly replaces: boolean;
  readonly formToken: string;
}

export function projectForm({ fields, isAsked, replaces, formToken }: ProjectForm): Markup {
  const { examples, keywords, ownSeeds, seeds, scope, documents, maxPages } = fields;
  const content = html`<div class="fields">
${required(TEXT.subject, 'subject', fields.subject, TEXT.subjectHint)}
${required(TEXT.contact, 'contact', fields.contact, TEXT.contactHint)}
${area(TEXT.examples, 'examples', examples, TEXT.examplesHint)}
${hinted(textField(TEXT.keywords, 'keywords', keywords), TEXT.keywordsHint)}
${check(TEXT.ownSeeds, 'ownSeeds', ownSeeds)}
${area(TEXT.seeds, 'seeds', seeds, TEXT.seedsHint)}
${hinted(textField(TEXT.scope, 'scope', scope), TEXT.scopeHint)}
${hinted(textField(TEXT.documents, 'documents', documents), TEXT.documentsHint)}
${hinted(textField(TEXT.maxPages, 'maxPages', maxPages), TEXT.maxPagesHint)}
${network(fields)}</div>
${isAsked && html`<p>${TEXT.does}</p>${commandLine(projectCommand(fields, replaces))}`}
<div class="actions"><button class="main" formaction="/start/project">${TEXT.write}</button> <button>${TEXT.show}</button></div>
<p><small>${TEXT.writes}</small></p>`;
  return actionForm(formToken, '/start/command', content);
}

/** The answers that are in the file. */
export function projectSummary({ examples, keywords, seeds, scope, documents, maxPages, contact }: ProjectFields): Markup {
  const rows = [
    [TEXT.examples, examples],
    [TEXT.keywords, keywords],
    [TEXT.seeds, seeds],
    [TEXT.scope, scope === '' ? TEXT.everywhere : scope],
    [TEXT.documents, documents],
    [TEXT.maxPages, maxPages],
    [TEXT.contact, contact],
  ].filter(([, value]) => value !== '');
  return html`<dl class="answers-given">${rows.map(([name, value]) => html`<dt>${name}</dt><dd><bdi>${value}</bdi></dd>`)}</dl>`;
}

/** Fields about requests: most crawls need none of them. */
function network({ delay, userAgent, proxy, allowPrivate }: ProjectFields): Markup {
  const isSet = [delay, userAgent, proxy, allowPrivate].some((value) => value !== '');
  return html`<details${isSet && html` open`}><summary>${TEXT.network}</summary>
${textField(TEXT.delay, 'delay', delay)}${textField(TEXT.userAgent, 'userAgent', userAgent)}${textField(TEXT.proxy, 'proxy', proxy)}
${check(TEXT.allowPrivate, 'allowPrivate', allowPrivate)}</details>`;
}

function check(label: string, name: string, value: string): Markup {
  return html`<label class="check"><input type="checkbox" name="${name}" value="on"${value !== '' && html` checked`}> ${label}</label>`;
}

function required(label: string, name: string, value: string, hint: string): Markup {
  return hinted(html`<label>${label}<input name="${name}" value="${value}" autocomplete="off" required></label>`, hint);
}

function area(label: string, name: string, value: string, hint: string): Markup {
  return hinted(html`<label>${label}<textarea name="${name}" rows="5" autocomplete="off">${value}</textarea></label>`, hint);
}

function hinted(control: Markup, hint: string): Markup {
  return html`<div class="field">${control}<small>${hint}</small></div>`;
}
