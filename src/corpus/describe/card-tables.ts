/** Markdown of a corpus card: sections, lists, tables and numbers. */
import type { Unit } from '../../base/core/types.ts';
import { printable } from '../../base/text/printable.ts';

export function rowsOf(counts: Readonly<Partial<Record<string, number>>>): string[][] {
  return Object.entries(counts).map(([name, count]) => [name, String(count ?? 0)]);
}

export function section(title: string, body: string): string {
  return `## ${title}\n\n${body}`;
}

export function list(lines: readonly string[]): string {
  return lines.length === 0 ? 'None.' : lines.map((line) => `- ${cell(line)}`).join('\n');
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Names come from the web and from users: none may end a table cell or a line, or start markup. */
export function cell(text: string): string {
  return printable(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\|<>`[\]]/g, '\\$&');
}

/** Three significant digits. */
export function rounded(threshold: Unit): number {
  return Number(threshold.toPrecision(3));
}

export function dateSpan(first: string, last: string): string {
  return first === last ? first : `${first} to ${last}`;
}
