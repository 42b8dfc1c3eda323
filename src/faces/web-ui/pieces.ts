/** Pieces that several screens have. */
import { type Content, html, type Markup, webLink } from './markup.ts';
import { STRINGS } from './strings.ts';

/** A form that does something: with its token, since only our own pages may send it. */
export function actionForm(formToken: string, path: string, content: Content): Markup {
  return html`<form method="post" action="${path}"><input type="hidden" name="formToken" value="${formToken}">${content}</form>`;
}

/** A button of its own form, with hidden fields. */
export function button(formToken: string, path: string, label: string, fields: Readonly<Record<string, string>> = {}): Markup {
  const hidden = Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  return actionForm(formToken, path, html`${hidden}<button>${label}</button>`);
}

export interface HtmlColumn<Row> {
  readonly head: string;
  readonly cell: (row: Row) => Content;
  /** Numbers stand to the right. */
  readonly isNumber?: true;
}

/** Columns from which a row is a card of its own in a narrow window, each value with its head: a phone has room for five. */
const WIDE = 6;

/** A table with a caption. In a narrow window it scrolls by itself, or each row of many columns is a card. */
export function table<Row>(caption: string, columns: readonly HtmlColumn<Row>[], rows: readonly Row[]): Markup {
  const kind = ({ isNumber }: HtmlColumn<Row>) => isNumber && html` class="number"`;
  const isWide = columns.length >= WIDE;
  const named = ({ head }: HtmlColumn<Row>) => isWide && html` data-head="${head}"`;
  const heads = columns.map((column) => html`<th scope="col"${kind(column)}><span>${column.head}</span></th>`);
  const lines = rows.map(
    (row) => html`<tr>${columns.map((column) => html`<td${kind(column)}${named(column)}>${column.cell(row)}</td>`)}</tr>`,
  );
  return html`<div class="table${isWide && ' wide'}" tabindex="0" role="region" aria-label="${caption}"><table><caption>${caption}</caption><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table></div>`;
}

/** A URL of the crawl: leads to its explanation. Opening it on the web is a link of its own. */
export function urlLink(url: string): Markup {
  return html`<a class="url" href="/why?url=${encodeURIComponent(url)}"><bdi>${url}</bdi></a>`;
}

/** Leads out to the web, telling nothing of where from; null for a URL that is not of the web. */
export function outLink(url: string): Markup | null {
  const href = webLink(url);
  return href === null ? null : html`<a href="${href}" target="_blank" rel="noreferrer noopener">${STRINGS.openPage}</a>`;
}

/** A figure with its name, for the first screen. */
export function figure(name: string, value: Content, beside: Content = null): Markup {
  return html`<div class="figure"><dt>${name}</dt><dd>${value}${beside && html` <small>${beside}</small>`}</dd></div>`;
}

/** A form that asks only: it leads to the screen with other conditions. */
export function filterForm(path: string, fields: Content, label: string = STRINGS.show): Markup {
  return html`<form class="filter" action="${path}">${fields}<button>${label}</button></form>`;
}

/** A control with its name. */
export function field(name: string, control: Markup): Markup {
  return html`<label>${name} ${control}</label>`;
}

export function options(name: string, choices: readonly (readonly [value: string, label: string])[], chosen: string): Markup {
  const list = choices.map(([value, label]) => html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`);
  return html`<select name="${name}">${list}</select>`;
}

export function hidden(name: string, value: string): Markup {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

/** null for a text that is no number. */
export function numberOf(text: string): number | null {
  const number = Number(text);
  return text === '' || !Number.isFinite(number) ? null : number;
}

/** A bar for the eye beside a number. @param share of the longest bar */
export function meter(share: number): Markup {
  return html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="for" width="${(100 * share).toFixed(2)}" height="10"/></svg>`;
}

export function textField(label: string, name: string, value: string): Markup {
  return html`<label>${label}<input name="${name}" value="${value}" autocomplete="off"></label>`;
}

/** A number in [0, 1]; empty for none. */
export function unitField(label: string, name: string, value: number | null): Markup {
  return html`<label>${label}<input name="${name}" value="${value}" type="number" min="0" max="1" step="any" inputmode="decimal"></label>`;
}

/** @param options value and name of each */
export function choiceField(label: string, name: string, value: string, options: readonly (readonly [string, string])[]): Markup {
  const offered = options.some(([one]) => one === value) ? options : [...options, [value, value] as const];
  const rows = offered.map(([one, text]) => html`<option value="${one}"${one === value && html` selected`}>${text}</option>`);
  return html`<label>${label}<select name="${name}">${rows}</select></label>`;
}

/** An address of the page; empty fields are left away. */
export function addressOf(path: string, fields: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== '')).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** A part of a row from one share of it to another. */
export function spanBar(from: number, to: number, kind: 'for' | 'against'): Markup {
  const [x, width] = [100 * Math.min(from, to), 100 * Math.abs(to - from)].map((one) => one.toFixed(2));
  return html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="${kind}" x="${x}" width="${width}" height="10"/></svg>`;
}
