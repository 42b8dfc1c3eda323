/** Options that need another one to have an effect: one rule for the command line, its file and the library. */
import { UsageError } from '../../base/core/errors.ts';
import { flagOf, type Need, type Setting, type Settings } from './setting.ts';

/** An option that was given and has no effect. */
export interface IdleOption {
  readonly name: string;
  /** The option itself, and those of which it needs one, as the command line writes them. */
  readonly flag: string;
  readonly needs: string;
}

/**
 * The given options that have no effect, in the order of the table. A switch that is off needs nothing.
 * @param kept settings of the crawl that is resumed: an option may need one of them. Default: none
 */
export function idleOptions(settings: Settings, options: object, kept: object = {}): IdleOption[] {
  const values: Readonly<Record<string, unknown>> = { ...options };
  const before: Readonly<Record<string, unknown>> = { ...kept };
  return Object.entries(settings).flatMap(([name, setting]): IdleOption[] => {
    const { needs = [] } = setting;
    const given = values[name] !== undefined && values[name] !== false;
    const known = needs.filter(({ option }) => settings[option] !== undefined);
    if (!given || known.length === 0 || known.some((need) => isMet(need, values[need.option] ?? before[need.option]))) return [];
    return [{ name, flag: `--${flagOf(name, setting)}`, needs: known.map((need) => needText(need, settings)).join(' or ') }];
  });
}

/** The values without those that have no effect. @param kept as in `idleOptions` */
export function withoutIdle<V extends object>(settings: Settings, values: V, kept: object = {}): Partial<V> {
  const idle = new Set(idleOptions(settings, values, kept).map(({ name }) => name));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !idle.has(name))) as Partial<V>;
}

/** @param of name of the function, for errors. @param kept as in `idleOptions`. @throws UsageError for an option that has no effect */
export function refuseIdle(of: string, settings: Settings, options: object, kept: object = {}): void {
  const [idle] = idleOptions(settings, options, kept);
  if (idle !== undefined) throw new UsageError(`${of}: ${idleText(idle)}`);
}

/** `--csv-text has no effect without --format csv; add it, or omit --csv-text`. */
export function idleText({ flag, needs }: IdleOption): string {
  return `${flag} has no effect without ${needs}; add it, or omit ${flag}`;
}

function isMet({ is, begins }: Need, value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false;
  const words = [value].flat().map(String);
  if (begins !== undefined) return words.some((word) => word.startsWith(begins));
  return is === undefined || words.some((word) => is.includes(word));
}

function needText({ option, is, begins }: Need, settings: Settings): string {
  const flag = `--${flagOf(option, settings[option] as Setting<unknown>)}`;
  if (begins !== undefined) return `${flag} ${begins}…`;
  return is === undefined ? flag : is.map((word) => `${flag} ${word}`).join(' or ');
}
