/** Two sides by turns on the same web: what a change, or another Node, makes of a whole crawl. */
import { loadavg } from 'node:os';
import { median } from '../../quality/median.ts';
import type { RoomTime } from '../profile.ts';
import { type Measured, measured, roomTimes, type Side } from './sides.ts';
import { type SiteFacts, trainedModel } from './site.ts';

export interface Sides {
  readonly base: Side;
  readonly here: Side;
}

export interface PairPlan {
  readonly pages: number;
  readonly pairs: number;
  readonly profiled: boolean;
  /** For models and crawls. */
  readonly folder: string;
}

/** Runs pairs and says each as soon as it is there. @returns pages per CPU-second here, divided by those of the base, of each pair */
export async function runPairs(sides: Sides, site: SiteFacts, plan: PairPlan, say: (line: string) => void): Promise<readonly number[]> {
  const names = ['base', 'here'] as const;
  const crawlOf = (name: keyof Sides) => ({ topic: trainedModel(site, plan.folder, name, sides[name].tree, sides[name].node), ...plan });
  const crawls = { base: crawlOf('base'), here: crawlOf('here') };
  say(
    '| pair | pages | kept | base pages/CPU-s | here pages/CPU-s | here / base | load |\n| ---: | --- | --- | ---: | ---: | ---: | ---: |',
  );
  const ratios: number[] = [];
  for (let pair = 1; pair <= plan.pairs; pair++) {
    const runs = new Map<keyof Sides, Measured>();
    // What comes second may find the machine warmer: each side does so by turns.
    for (const name of pair % 2 === 1 ? names : names.toReversed()) runs.set(name, await measured(sides[name], site, crawls[name]));
    const both = names.flatMap((name) => runs.get(name) ?? []);
    const [base = Number.NaN, here = Number.NaN] = both.map(rateOf);
    ratios.push(here / base);
    const counts = (of: (run: Measured) => number) => [...new Set(both.map(of))].join(', ');
    const cells = [
      pair,
      counts(({ pages }) => pages),
      counts(({ kept }) => kept),
      base.toFixed(0),
      here.toFixed(0),
      (here / base).toFixed(3),
    ];
    say(`| ${cells.join(' | ')} | ${loadavg()[0]?.toFixed(1)} |`);
  }
  const sorted = ratios.toSorted((a, b) => a - b);
  say(
    `\nhere / base, median of pairs (${ratios.length}): ${median(ratios).toFixed(3)} (${sorted[0]?.toFixed(3)} to ${sorted.at(-1)?.toFixed(3)})\n`,
  );
  if (plan.profiled) {
    const base = await roomTimes(sides.base, site, crawls.base);
    for (const line of roomRows(base, await roomTimes(sides.here, site, crawls.here))) say(line);
  }
  return ratios;
}

export function rateOf({ pages, cpuSeconds }: Measured): number {
  return pages / cpuSeconds;
}

/** A table of busy microseconds a page by room on both sides, with their sums; most of the base first. */
export function roomRows(base: readonly RoomTime[], here: readonly RoomTime[]): readonly string[] {
  const rooms = [...new Set([...base, ...here].map(({ room }) => room))];
  const timeOf = (times: readonly RoomTime[], room: string) => times.find((time) => time.room === room)?.micros ?? 0;
  const row = (name: string, before: number, after: number) =>
    `| ${name} | ${before.toFixed(0)} | ${after.toFixed(0)} | ${after > before ? '+' : ''}${(after - before).toFixed(0)} |`;
  const sum = (times: readonly RoomTime[]) => times.reduce((total, { micros }) => total + micros, 0);
  return [
    'Busy time of all threads by room, one crawl of each under the sampling profiler. It goes by the clock: on a busy machine, waiting for a processor counts too.\n',
    '| room | base µs/page | here µs/page | difference |\n| --- | ---: | ---: | ---: |',
    ...rooms.map((room) => row(room, timeOf(base, room), timeOf(here, room))),
    `${row('all', sum(base), sum(here))}\n`,
  ];
}
