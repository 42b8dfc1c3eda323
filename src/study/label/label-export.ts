/** Labels as CSV, in the form that `readLabels` reads: URL first, answer last. Pure. */
import { csvCell, guarded } from '../../base/text/table-cells.ts';
import type { LabelEntry } from './label-log.ts';
import { DECISION } from './label-queue.ts';

const COLUMNS = ['url', 'name', 'queue', 'relevance', 'model', 'at', 'answer'] as const;

/** The last answer of each person to each page, and the last decision, oldest first, with a head line. */
export function labelsCsv(entries: readonly LabelEntry[]): string {
  const last = new Map<string, LabelEntry>();
  for (const entry of entries) {
    const key = entry.queue === DECISION ? `${DECISION} ${entry.url}` : ` ${entry.name ?? ''} ${entry.url}`;
    last.delete(key);
    last.set(key, entry);
  }
  const rows = [...last.values()].map(({ url, name = '', queue, relevance, modelId, at, answer }) => [
    ...[url, name, queue, relevance.toFixed(6), modelId, at, answer],
  ]);
  return [COLUMNS, ...rows].map((cells) => `${cells.map((cell) => (cell === '' ? '' : csvCell(guarded(cell)))).join(',')}\n`).join('');
}
