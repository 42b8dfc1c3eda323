/** What the looks at a soaked crawl say. */
import type { Bytes, Ms } from '../../src/base/core/types.ts';
import type { Look, SoakEnd } from './soak-crawl.ts';
import { type Line, lineThrough, meansBy, median, type Point } from './soak-trend.ts';

const MB: Bytes = 2 ** 20;
const MINUTE: Ms = 60_000;
const HOUR: Ms = 60 * MINUTE;
/** After the web has slowed down, until what it asks for comes at that pace. */
const SETTLING: Ms = MINUTE;
/** The soak's own: fault M1 of the field notes asks for less than this in an hour. */
const MOST_GROWTH = 1;
/** A kept page is remembered by its digest and its URL (crawling/crawl/kept-payloads.ts): two strings of 64 and some 30 characters, and their place in a map. */
const KEPT_PAGE: Bytes = 250;
/** Connections, timers and requests come and go: medians may differ by so many, or by a tenth. */
const FLUCTUATION = 3;

type Say = (line: string) => void;

/** Print tables and lines. @param warmAt when the web slowed down. @returns whether all is well */
export function soakReport(looks: readonly Look[], warmAt: Ms, end: SoakEnd, say: Say): boolean {
  table(looks, say);
  const warm = looks.filter(({ at }) => at >= warmAt + SETTLING);
  const faults = [...growth(looks, warm, say), ...leaks(warm, end, say)];
  if (end.stopReason !== 'max-time') faults.push(`the crawl ended by ${end.stopReason}`);
  for (const fault of faults) say(`FAULT ${fault}`);
  if (faults.length === 0) say('memory is flat, nothing leaked');
  return faults.length === 0;
}

const COLUMNS: readonly (readonly [string, (look: Look) => string])[] = [
  ['min', ({ at }) => (at / MINUTE).toFixed(0)],
  ['visited', ({ visited }) => String(visited)],
  ['kept', ({ kept }) => String(kept)],
  ['discovered', ({ discovered }) => String(discovered)],
  ['resident', ({ rss }) => mb(rss)],
  ['own', ({ own }) => mb(own)],
  ['mapped', ({ mapped }) => mb(mapped)],
  ['heap', ({ heap }) => mb(heap)],
  ['committed', ({ committed }) => mb(committed)],
  ['external', ({ external }) => mb(external)],
  ['buffers', ({ buffers }) => mb(buffers)],
  ['descriptors', ({ descriptors }) => String(descriptors)],
  ['threads', ({ threads }) => String(threads)],
  ['timers', ({ timers }) => String(timers)],
  ['handles', ({ handles }) => String(handles)],
];

/** A line a minute; memory in MB. */
function table(looks: readonly Look[], say: Say): void {
  say(COLUMNS.map(([name]) => name).join('  '));
  let minute = -1;
  for (const look of looks) {
    if (Math.floor(look.at / MINUTE) === minute) continue;
    minute = Math.floor(look.at / MINUTE);
    say(COLUMNS.map(([name, of]) => of(look).padStart(name.length)).join('  '));
  }
}

/** Memory by URLs found, and by hours once it is warm. @returns what grows beyond what is accounted for */
function growth(looks: readonly Look[], warm: readonly Look[], say: Say): string[] {
  const byUrl = lineThrough(whileFinding(looks).map((look) => ({ x: look.discovered / 1000, y: live(look) / 1024 })));
  say(`1,000 URLs found take ${byUrl.slope.toFixed(0)} ± ${byUrl.margin.toFixed(0)} KB of the main thread's memory, with what else begins`);
  const [first, last] = [warm[0], warm.at(-1)];
  if (!first || !last) return ['too short: no look once it was warm'];
  const kept = last.kept - first.kept;
  const accounted = (kept * KEPT_PAGE * (HOUR / (last.at - first.at))) / MB;
  const limit = MOST_GROWTH + accounted;
  say(
    `once warm: ${((last.at - first.at) / MINUTE).toFixed(1)} min, ${last.visited - first.visited} pages, ${kept} kept; at ${KEPT_PAGE} bytes each these account for ${accounted.toFixed(1)} MB an hour`,
  );
  const lines = { resident: lineOf(warm, ({ rss }) => rss), mapped: lineOf(warm, ({ mapped }) => mapped) };
  const judged = { own: lineOf(warm, ({ own }) => own), 'live in the main thread': lineOf(warm, live) };
  for (const [name, line] of Object.entries({ ...lines, ...judged })) say(`${name}: ${textOf(line)}`);
  // V8 keeps room between live objects as it likes; a leak shows in what lives, or in all else.
  say(
    `of own, the heap that V8 keeps for the main thread: ${textOf(lineOf(warm, ({ committed }) => committed))}; all else: ${textOf(lineOf(warm, ({ own, committed }) => own - committed))}`,
  );
  // `mapped` are pages of the database as the system has them in its cache: not the crawl's to keep small, nor lost to anybody.
  return Object.entries(judged).flatMap(([name, line]) => {
    if (!Number.isFinite(line.margin)) return [`${name}: too short to tell`];
    return line.slope - line.margin > limit ? [`${name}: ${textOf(line)}, more than ${limit.toFixed(1)}`] : [];
  });
}

/** Up to the look at which nearly all URLs are known. */
function whileFinding(looks: readonly Look[]): readonly Look[] {
  const all = looks.at(-1)?.discovered ?? 0;
  return looks.slice(0, looks.findIndex(({ discovered }) => discovered > 0.95 * all) + 1);
}

function live({ heap, external }: Look): Bytes {
  return heap + external;
}

/** MB an hour, through the means of minutes. */
function lineOf(looks: readonly Look[], of: (look: Look) => Bytes): Line {
  const points: readonly Point[] = looks.map((look) => ({ x: look.at / HOUR, y: of(look) / MB }));
  return lineThrough(meansBy(MINUTE / HOUR, points));
}

function textOf({ slope, margin }: Line): string {
  return `${slope >= 0 ? '+' : ''}${slope.toFixed(1)} ± ${margin.toFixed(1)} MB an hour`;
}

const COUNTED = ['descriptors', 'threads', 'timers', 'handles'] as const;

/** @returns what grew while it ran, and what was left when it had ended */
function leaks(warm: readonly Look[], { before, after }: SoakEnd, say: Say): string[] {
  const half = Math.floor(warm.length / 2);
  return COUNTED.flatMap((what) => {
    const early = median(warm.slice(0, half).map((look) => look[what]));
    const late = median(warm.slice(half).map((look) => look[what]));
    say(`${what}: ${before[what]} before; ${early}, later ${late} while it ran; ${after[what]} after`);
    const grew = late - early > Math.max(FLUCTUATION, early / 10) ? [`${what} grew from ${early} to ${late}`] : [];
    return after[what] > before[what] ? [...grew, `${after[what] - before[what]} ${what} were not let go at the end`] : grew;
  });
}

function mb(bytes: Bytes): string {
  return (bytes / MB).toFixed(1);
}
