/** Months by their names in the languages of most pages, from the engine's own tables (CLDR): as in a date, alone, and shortened. */

/** Languages that write `day month year`. English is read by its own rules. */
const LANGUAGES = 'de fr es it pt nl sv da nb fi pl cs ru uk hu tr ro el id ca bg sk sl et'.split(' ');
/** Shorter ones are words of other kinds: `set`, `ago`. */
const LEAST_CHARS = 3;

/** null for a name that two languages give to different months. */
let months: ReadonlyMap<string, number | null> | null = null;

/** Number of the month, from 1; null for another word. The first call takes a tenth of a second. */
export function monthNamed(word: string): number | null {
  months ??= namesOfMonths();
  return months.get(plain(word)) ?? null;
}

function namesOfMonths(): Map<string, number | null> {
  const found = new Map<string, number | null>();
  const forms: Intl.DateTimeFormatOptions[] = [{ month: 'long', day: 'numeric' }, { month: 'long' }, { month: 'short', day: 'numeric' }];
  for (const language of LANGUAGES)
    for (const form of forms) {
      const format = new Intl.DateTimeFormat(language, { ...form, timeZone: 'UTC' });
      for (let month = 1; month <= 12; month += 1) {
        const name = plain(format.formatToParts(Date.UTC(2021, month - 1, 3)).find(({ type }) => type === 'month')?.value ?? '');
        if (name.length >= LEAST_CHARS && !/\d/.test(name)) found.set(name, (found.get(name) ?? month) === month ? month : null);
      }
    }
  return found;
}

function plain(word: string): string {
  return word.normalize('NFC').toLowerCase().replace(/\.$/, '');
}
