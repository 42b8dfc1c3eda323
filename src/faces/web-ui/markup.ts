/** HTML from template literals: every value is text unless it is markup itself, so text of the web can never become markup. */
import { escapeSigns } from '../../base/text/escape-signs.ts';

/** HTML that was made by `html`, or by `raw` from our own constants. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** A value of a template: `false` and `null` give nothing, lists are joined. */
export type Content = Markup | string | number | boolean | null | undefined | readonly Content[];

/**
 * Control characters but line breaks and tabs, which HTML does not allow; and those that change the direction of the text around them (Unicode TR9), so
 * that a title cannot show another host than that of its link.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const HIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Text as HTML, for content and for quoted attributes. */
export function escapedHtml(text: string): string {
  return escapeSigns(text.replace(HIDDEN, '\ufffd')).replaceAll("'", '&#39;');
}

export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return new Markup(parts.map((part, i) => part + (i < values.length ? inserted(values[i]) : '')).join(''));
}

function inserted(value: Content): string {
  if (value === null || value === undefined || typeof value === 'boolean') return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(inserted).join('');
  return escapedHtml(String(value));
}

/** A URL for `href`: of http and https only, since a crawl meets `javascript:` too. null for others. */
export function webLink(url: string): string | null {
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url).href : null;
}
