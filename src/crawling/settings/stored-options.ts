/** The options that a crawl stores, as its user would write them. */
import { basename, isAbsolute } from 'node:path';
import { COMMANDS } from './commands.ts';
import { type DefaultsBasis, flagOf, type Setting } from './setting.ts';
import { SETTINGS } from './settings.ts';

/** A stored value in words that the option accepts. */
export function writtenOption({ kind }: Setting<unknown>, stored: unknown): string {
  if (kind.write && (stored !== null || kind === SETTINGS.patience.kind)) return kind.write(stored);
  if (stored === null) return 'none';
  if (typeof stored === 'boolean') return stored ? 'on' : 'off';
  return [stored].flat().map(String).join(' ');
}

/** Options whose values are not for others: a proxy may be inside a network. */
const PRIVATE: ReadonlySet<string> = new Set(['proxy']);

/**
 * The options of a crawl that have other values than those of a new crawl, by their names on the command line. Of files, the names alone.
 * @param stored the settings in `crawl.json`
 */
export function changedOptions(
  stored: Readonly<Record<string, unknown>> & Pick<DefaultsBasis, 'strategy' | 'delay'>,
): Readonly<Record<string, string>> {
  const changed: Record<string, string> = {};
  for (const [name, setting] of Object.entries<Setting<unknown>>(COMMANDS.crawl)) {
    const { keep } = setting;
    const isDerived = name === 'maxPagesPerHost' && stored['maxSharePerHost'] !== null;
    if (keep === undefined || !(name in stored) || PRIVATE.has(name) || isDerived) continue;
    const value = JSON.stringify(stored[name]);
    const isDefault = [true, false].some((fitsWarmUp) => value === JSON.stringify(keep.begin({ ...stored, fitsWarmUp })));
    if (!isDefault) changed[flagOf(name, setting)] = withoutFolder(writtenOption(setting, stored[name]));
  }
  return changed;
}

function withoutFolder(word: string): string {
  return isAbsolute(word) ? basename(word) : word;
}
