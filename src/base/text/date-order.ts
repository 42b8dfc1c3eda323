/** The order of day and month in dates of numbers, by the language of a page and the country of its host. */

/** `dmy`: 3/5/2021 is a day in May. `mdy`: it is one in March. */
export type DateOrder = 'dmy' | 'mdy';

/** Domains of the United States other than the code of the country. */
const AMERICAN: ReadonlySet<string> = new Set(['gov', 'mil', 'edu']);
/** Codes of countries whose domains are sold as words to everybody: they say nothing. */
const SOLD: ReadonlySet<string> = new Set(
  'ac ai am as bz cc cd co cx dj eu fm gg gl gs im io la ly me ms mu nu pm pw re sc sh so st tk tl to tv vc vu ws'.split(' '),
);

/**
 * The order by language and host; null if neither tells, or if they disagree. English alone does not tell, nor do languages that write the year
 * first.
 * @param lang BCP 47; null if unknown
 * @param host a host name
 */
export function dateOrder(lang: string | null, host: string): DateOrder | null {
  const byLang = lang === null || !/[a-z]{2}/i.test(lang) ? null : orderOfLanguage(lang);
  const byHost = orderOfHost(host);
  return byLang === null || byHost === null || byLang === byHost ? (byLang ?? byHost) : null;
}

function orderOfLanguage(lang: string): DateOrder | null {
  return lang.toLowerCase() === 'en' ? null : orderOfLocale(lang);
}

function orderOfHost(host: string): DateOrder | null {
  const top = host.slice(host.lastIndexOf('.') + 1).toLowerCase();
  if (AMERICAN.has(top)) return 'mdy';
  if (!/^[a-z]{2}$/.test(top) || SOLD.has(top)) return null;
  // For a country that the tables lack in English, the engine takes the order of the United States.
  const order = orderOfLocale(`en-${top === 'uk' ? 'GB' : top}`);
  return order === 'dmy' || top === 'us' ? order : null;
}

/** Orders that were asked for, by locale: the engine takes long for one. */
const KNOWN = new Map<string, DateOrder | null>();
const MOST_KNOWN = 1_000;

function orderOfLocale(locale: string): DateOrder | null {
  const known = KNOWN.get(locale);
  if (known !== undefined) return known;
  if (KNOWN.size >= MOST_KNOWN) KNOWN.clear();
  const order = orderInTables(locale);
  KNOWN.set(locale, order);
  return order;
}

/** Order in the engine's tables (CLDR); null for an unknown locale. */
function orderInTables(locale: string): DateOrder | null {
  try {
    const parts = new Intl.DateTimeFormat(locale, { timeZone: 'UTC' }).formatToParts(0);
    const order = parts.flatMap(({ type }) => (type === 'day' || type === 'month' || type === 'year' ? type.charAt(0) : [])).join('');
    return order === 'dmy' || order === 'mdy' ? order : null;
  } catch {
    // No language tag.
    return null;
  }
}
