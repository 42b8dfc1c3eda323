/** Command lines to show: a person pastes them into a POSIX shell, which reads the same words. */
import { html, type Markup } from './markup.ts';

/** Characters that no shell reads as anything else. */
const PLAIN = /^[\w%+,./:=@-]+$/;

/** @param words the command and its arguments */
export function shellLine(words: readonly string[]): string {
  return words.map((word) => (PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}

export function commandLine(words: readonly string[]): Markup {
  return html`<p class="command"><code>${shellLine(words)}</code></p>`;
}
