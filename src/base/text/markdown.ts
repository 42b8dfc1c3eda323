/** Markdown that this program writes: escaped text, and tables. */
import { printable } from './printable.ts';

/** Escapes words that would be markup; an underscore inside a word is none. */
export function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*[\]<~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?[a-z0-9]{1,32};)/giu, '\\$&');
}

/** One line of text. Names come from the web and from users: none may end a table cell or a line, or start markup. */
export function markdownLine(text: string): string {
  return escapeMarkdown(printable(text).replace(/\s+/g, ' ')).replace(/[|>]/g, '\\$&');
}

/** A table whose cells are Markdown already. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[], rule = head.map(() => '---')): string {
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A table of numbers: all columns but the first are aligned to the right. */
export function numberTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return markdownTable(
    head,
    rows,
    head.map((_, i) => (i === 0 ? '---' : '---:')),
  );
}
