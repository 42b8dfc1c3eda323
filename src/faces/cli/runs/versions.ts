import { EXIT } from '../../../base/core/errors.ts';
import { counted, countText } from '../../../base/text/number-text.ts';
import type { HistoryEntry, HistoryVersion, PageHistory } from '../../../study/inspect/page-history.ts';
import { print, printJson } from '../command.ts';
import type { CommandOptions } from '../define.ts';

export async function runVersions({ dir, url, json }: CommandOptions<'versions'>): Promise<number> {
  const { pageHistory } = await import('../../app/page-past.ts');
  const history = await pageHistory(dir, url);
  if (json) printJson(history);
  else for (const line of linesOf(history)) print(line);
  return EXIT.done;
}

function* linesOf({ url, lastSeen, entries }: PageHistory): Generator<string> {
  const versions = entries.filter((entry): entry is HistoryVersion => 'words' in entry).length;
  yield url;
  yield `${counted(versions, 'version')}, last seen ${lastSeen}`;
  const rows = [['version', 'time', 'state', 'words', 'record'], ...entries.map(cellsOf)];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows)
    yield row
      .map((cell, i) => (i === 0 ? cell.padStart(widths[0] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
}

function cellsOf(entry: HistoryEntry): string[] {
  if (!('words' in entry)) return ['', entry.at, stateText(entry), '', ''];
  const { version, at, words, wordsAdded, wordsRemoved, recordId } = entry;
  const change = wordsAdded === null ? '' : ` (+${countText(wordsAdded)} -${countText(wordsRemoved ?? 0)})`;
  return [String(version), at, stateText(entry), `${countText(words)}${change}`, recordId];
}

/** `kept`, `off topic now`, `gone (HTTP 404)`, `moved to https://example.org/new`. */
function stateText(entry: HistoryEntry): string {
  if (entry.state === 'off-topic') return 'off topic now';
  if ('words' in entry) return entry.state;
  if (entry.state === 'moved' && entry.to !== null) return `moved to ${entry.to}`;
  return entry.state === 'gone' && entry.status !== null ? `gone (HTTP ${entry.status})` : entry.state;
}
