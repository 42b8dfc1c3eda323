/** Markdown of a corpus card: sections, lists, tables and numbers. */
import type { Unit } from '../../base/core/types.ts';
import { markdownLine, markdownTable } from '../../base/text/markdown.ts';

export function rowsOf(counts: Readonly<Partial<Record<string, number>>>): string[][] {
  return Object.entries(counts).map(([name, count]) => [name, String(count ?? 0)]);
}

export function section(title: string, body: string): string {
  return `## ${title}\n\n${body}`;
}

export function list(lines: readonly string[]): string {
  return lines.length === 0 ? 'None.' : lines.map((line) => `- ${markdownLine(line)}`).join('\n');
}

/** A table of texts. */
export function textTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return markdownTable(
    head.map(markdownLine),
    rows.map((cells) => cells.map(markdownLine)),
  );
}

/** Three significant digits. */
export function rounded(threshold: Unit): number {
  return Number(threshold.toPrecision(3));
}

export function dateSpan(first: string, last: string): string {
  return first === last ? first : `${first} to ${last}`;
}
