/** The text of a paragraph, run by run: pieces that look alike become one element, so that no word is cut. */
import { escapeSigns } from '../../base/text/escape-signs.ts';
import { elementHtml, linked } from './document-html.ts';

/** Looks of a run of text, and its link. */
export interface RunStyle {
  readonly href: string | null;
  readonly isStrong: boolean;
  readonly isEmphasized: boolean;
}

export const PLAIN_RUN: RunStyle = { href: null, isStrong: false, isEmphasized: false };

interface Run extends RunStyle {
  html: string;
}

export class InlineHtml {
  readonly #base: string | null;
  readonly #runs: Run[] = [];

  constructor(base: string | null) {
    this.#base = base;
  }

  text(text: string, style: RunStyle): void {
    if (text !== '') this.html(escapeSigns(text), style);
  }

  html(html: string, style: RunStyle): void {
    const last = this.#runs.at(-1);
    if (last !== undefined && isAlike(last, style)) last.html += html;
    else this.#runs.push({ ...style, html });
  }

  finish(): string {
    const { href, html, rest } = this.#runs.reduce(
      ({ href, html, rest }, run) =>
        run.href === href
          ? { href, html: html + shaped(run), rest }
          : { href: run.href, html: shaped(run), rest: rest + linked(html, href, this.#base) },
      { href: null as string | null, html: '', rest: '' },
    );
    return rest + linked(html, href, this.#base);
  }
}

function isAlike(a: RunStyle, b: RunStyle): boolean {
  return a.href === b.href && a.isStrong === b.isStrong && a.isEmphasized === b.isEmphasized;
}

/** Space at the edges stays outside: `<b>word </b>next` is one of the habits of word processors. */
function shaped({ html, isStrong, isEmphasized }: Run): string {
  if (!isStrong && !isEmphasized) return html;
  const content = html.trim();
  const start = html.length - html.trimStart().length;
  const emphasized = isEmphasized ? elementHtml('em', content) : content;
  return html.slice(0, start) + (isStrong ? elementHtml('strong', emphasized) : emphasized) + html.slice(start + content.length);
}
