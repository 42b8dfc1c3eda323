/** The months of the calendar host: each links to the one before it and the one after it. */

export interface CalendarPlace {
  readonly kind: 'calendar';
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
}

/** The calendar has years enough to be endless for any crawl; the page after the last month is a 404. */
const LAST_YEAR = 999_999;

/** The month `step` months on; null outside the years 1 to 999999. */
export function monthOn(year: number, month: number, step: number): CalendarPlace | null {
  const months = year * 12 + month - 1 + step;
  const place = { kind: 'calendar', year: Math.floor(months / 12), month: (months % 12) + 1 } as const;
  return place.year < 1 || place.year > LAST_YEAR ? null : place;
}

export function calendarPath({ year, month }: CalendarPlace): string {
  return `/calendar/${year}/${String(month).padStart(2, '0')}`;
}

/** The month at a path; null when there is none. */
export function calendarPlace(path: string): CalendarPlace | null {
  const match = /^\/calendar\/([1-9]\d{0,5})\/(0[1-9]|1[0-2])$/.exec(path);
  return match === null ? null : { kind: 'calendar', year: Number(match[1]), month: Number(match[2]) };
}
