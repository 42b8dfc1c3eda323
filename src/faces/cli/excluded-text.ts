import { EXCLUDED } from '../../base/core/reason.ts';
import { type ExcludedPages, excludedText } from '../../base/text/excluded-pages.ts';
import { commandOn } from '../../base/text/forager-command.ts';

/** The pages that NOT excluded, and how to read their list; no line without any. */
export function excludedLines(dir: string, excluded: ExcludedPages): string[] {
  const text = excludedText(excluded);
  return text === null ? [] : [`${text}: ${commandOn('ledger', dir, '--reason', EXCLUDED)}`];
}
