/** A step of a frontier, with its number and texts. */
import type { LogEntry } from './log-entry.ts';
import { unpackTexts } from './stored-texts.ts';

/** A step with the number that its view gave to its discovery, URL or host, and the texts of its page in their stored form. */
export interface LoggedStep {
  readonly key: number;
  readonly entry: LogEntry;
  /** null without any. */
  readonly texts: Uint8Array | null;
}

/** The entry with the texts of its page. @throws Error of any kind for texts that `packTexts` did not make */
export function withTexts({ entry, texts }: LoggedStep): LogEntry {
  if (entry.kind !== 'fate' || texts === null) return entry;
  return { ...entry, stored: { ...entry.stored, fate: { ...entry.stored.fate, page: unpackTexts(texts, true) } } };
}
