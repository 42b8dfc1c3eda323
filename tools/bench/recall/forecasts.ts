/** Can a crawl tell from its known pages and its curve so far how many visits a recall takes, and how many bytes of kept text? */
import type { Rng } from '../../../src/base/core/rng.ts';
import type { CanonicalUrl, Unit } from '../../../src/base/core/types.ts';
import { type Crawl, visitsAt } from './crawls.ts';

const TARGETS = [0.8, 0.9];
/** Shares of the known pages that are kept when the forecast is made. */
const MOMENTS = [0.3, 0.5, 0.7];
const SIZES = [30, 60, 100];
/** A forecast is right within this share of what was left. */
const WITHIN = 0.3;

/** The curve so far. */
interface Now {
  readonly visits: number;
  readonly kept: number;
  /** Share of the known pages that is kept. */
  readonly recall: Unit;
  /** Pages kept after so many visits. */
  readonly keptAfter: (visits: number) => number;
}

/** Visits in all until a recall. */
type Forecast = (now: Now, target: Unit) => number;

/** Pages still to keep, at the yield of the last fifth of the visits. */
const recentYield: Forecast = ({ visits, kept, recall, keptAfter }, target) => {
  const since = Math.floor(0.8 * visits);
  const rate = Math.max((kept - keptAfter(since)) / (visits - since), 1 / visits);
  return visits + Math.max(0, (target / recall - 1) * kept) / rate;
};

/** 1 − exp(−t/τ), through the present. */
const exponential: Forecast = ({ visits, recall }, target) => (visits * Math.log(1 - target)) / Math.log(1 - Math.min(recall, 0.99));

/** 1 − exp(−(t/τ)^β), through the present and the half of the visits. */
const weibull: Forecast = ({ visits, kept, recall, keptAfter }, target) => {
  const hazard = (share: Unit) => -Math.log(1 - Math.min(share, 0.99));
  const half = hazard((recall * Math.max(1, keptAfter(Math.floor(visits / 2)))) / kept);
  const beta = Math.min(3, Math.max(0.3, Math.log(hazard(recall) / half) / Math.log(2)));
  return visits * (hazard(target) / hazard(recall)) ** (1 / beta);
};

const median: Forecast = (now, target) => [recentYield, exponential, weibull].map((one) => one(now, target)).sort((a, b) => a - b)[1] ?? 0;

const METHODS: Readonly<Record<string, Forecast>> = {
  'recent yield': recentYield,
  exponential,
  Weibull: weibull,
  'median of these': median,
};

/** Bytes of kept text, by the recall alone: they do not depend on the visits between. */
const DISK = 'disk: kept text by the recall';

interface Outcome {
  readonly method: string;
  readonly target: Unit;
  readonly moment: Unit;
  readonly size: number;
  /** Forecast of the visits or bytes left, as a multiple of those that were left; and the same of all. */
  readonly ofLeft: number;
  readonly ofAll: number;
}

export class Forecasts {
  readonly #outcomes: Outcome[] = [];

  /** @param draw known pages of a size */
  add(crawl: Crawl, rng: Rng, draw: (crawl: Crawl, count: number, rng: Rng) => readonly CanonicalUrl[]): void {
    const kept = [...crawl.allKeptAt.values()].sort((a, b) => a - b);
    const bytes = bytesOf(crawl);
    for (const size of SIZES.filter((count) => 2 * count <= crawl.keptAt.size)) {
      const known = draw(crawl, size, rng).map((url) => crawl.keptAt.get(url) ?? Number.POSITIVE_INFINITY);
      for (const moment of MOMENTS) this.#at(crawl, { kept, bytes }, known, moment);
    }
  }

  #at(crawl: Crawl, { kept, bytes }: Curves, known: readonly number[], moment: Unit): void {
    const visits = [...known].sort((a, b) => a - b)[Math.ceil(moment * known.length) - 1];
    if (visits === undefined || visits === Number.POSITIVE_INFINITY) return;
    const keptAfter = (count: number) => kept.filter((place) => place <= count).length;
    const recall = known.filter((place) => place <= visits).length / known.length;
    const now = { visits, kept: keptAfter(visits), recall, keptAfter };
    for (const target of TARGETS) {
      const actual = visitsAt(crawl, target);
      if (actual === null || actual <= visits) continue;
      for (const [method, forecast] of Object.entries(METHODS)) {
        this.#outcomes.push({ method, target, moment, size: known.length, ...ratios(forecast(now, target), visits, actual) });
      }
      const [stored, least] = [bytesAfter(bytes, visits), bytesAfter(bytes, actual)];
      const disk = ratios(stored * Math.max(1, target / recall), stored, least);
      if (least > stored) this.#outcomes.push({ method: DISK, target, moment, size: known.length, ...disk });
    }
  }

  *lines(): Generator<string> {
    yield `\n| forecast by | recall | known pages | made at | forecasts | median of those left | within 30 % of those left | of all |`;
    yield '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |';
    for (const method of [...Object.keys(METHODS), DISK])
      for (const target of TARGETS)
        for (const size of SIZES)
          for (const moment of MOMENTS) {
            const own = this.#outcomes.filter(
              (one) => one.method === method && one.target === target && one.size === size && one.moment === moment,
            );
            if (own.length > 0) yield `| ${method} | ${target} | ${size} | ${moment} | ${own.length} | ${figuresOf(own)} |`;
          }
  }
}

/** Kept pages by their visit, and the bytes of text of each: shapes [pages] and [pages, 2]. */
interface Curves {
  readonly kept: readonly number[];
  readonly bytes: readonly (readonly [place: number, bytes: number])[];
}

function bytesOf({ allKeptAt, trial: { web } }: Crawl): Curves['bytes'] {
  return Array.from(allKeptAt, ([url, place]) => {
    const visit = web.visit(web.indexOf(url));
    return [place, visit.kind === 'page' ? Buffer.byteLength(visit.content.text) : 0] as const;
  });
}

function bytesAfter(bytes: Curves['bytes'], visits: number): number {
  return bytes.reduce((sum, [place, one]) => (place <= visits ? sum + one : sum), 0);
}

function ratios(told: number, now: number, actual: number): Pick<Outcome, 'ofLeft' | 'ofAll'> {
  return { ofLeft: (told - now) / (actual - now), ofAll: told / actual };
}

function figuresOf(outcomes: readonly Outcome[]): string {
  const right = (ratios: readonly number[]) =>
    `${((100 * ratios.filter((ratio) => Math.abs(ratio - 1) <= WITHIN).length) / ratios.length).toFixed(0)} %`;
  const left = outcomes.map(({ ofLeft }) => ofLeft).sort((a, b) => a - b);
  return `${left[Math.floor(left.length / 2)]?.toFixed(2)} | ${right(left)} | ${right(outcomes.map(({ ofAll }) => ofAll))}`;
}
