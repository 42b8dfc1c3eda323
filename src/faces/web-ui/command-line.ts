/** A command that the person may paste into a shell. */
import { html, type Markup } from './markup.ts';

/** @param line as `foragerCommand` or `shellLine` writes it */
export function commandLine(line: string): Markup {
  return html`<p class="command"><code>${line}</code></p>`;
}
