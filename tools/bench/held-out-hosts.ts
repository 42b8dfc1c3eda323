/** Models of a subject judged on hosts they have not seen; labels are the hosts' subjects (datasets/debian-web/hosts.tsv). */
import { join } from 'node:path';
import { htmlFiles } from '../../datasets/background/pages.ts';
import { subjectOf } from '../../datasets/debian-web/labels.ts';
import { readManifest } from '../../datasets/debian-web/manifest.ts';
import { seededRng, shuffled } from '../../src/base/core/rng.ts';
import type { Unit } from '../../src/base/core/types.ts';
import { detectLanguage } from '../../src/base/text/language.ts';
import { type Background, loadBackground } from '../../src/reading/topic/background.ts';
import { BUCKETS } from '../../src/reading/topic/features.ts';
import { idfTable } from '../../src/reading/topic/weighting.ts';
import { type HostDraw, type HostPages, hostDraws } from './host-draws.ts';
import type { Readings, Way } from './readings.ts';
import { topicPrecision } from './topic-precision.ts';

/** Pages of a host that draws choose from; hosts with fewer than the least are left out. */
const POOL = { most: 50, least: 20 };
/** Of all visible text, whatever the extractor: shorter pages are redirects and frames. As in datasets/background/measure.ts. */
const MIN_WORDS = 30;
/** Of a host, in a background of its own; as in datasets/background/build.ts. */
const SAMPLED = 16;

/** `bundled`: as users have it, its main text found by `slope`. `same`: of pages read in the way in question. */
export const BACKGROUNDS = ['bundled', 'same'] as const;
export type BackgroundName = (typeof BACKGROUNDS)[number];

/** The average precision of one model. */
export interface HeldOut {
  readonly background: BackgroundName;
  readonly examples: number;
  readonly subject: string;
  /** Number of the draw, among those of all subjects. */
  readonly draw: number;
  readonly way: Way;
  readonly precision: Unit;
  /** What guessing comes to: the share of judged pages that are on topic. */
  readonly chance: Unit;
}

export interface HeldOutOptions {
  readonly web: string;
  readonly backgrounds: readonly BackgroundName[];
  readonly ways: readonly Way[];
  readonly examples: readonly number[];
  readonly draws: number;
  readonly judged: number;
  readonly seed: number;
  readonly progress: (line: string) => void;
}

/** All models of all draws. @throws when a subject has too few training pages for `examples`. */
export async function heldOutHosts(readings: Readings, options: HeldOutOptions): Promise<HeldOut[]> {
  const hosts = await pools(readings, options);
  const bundled = await loadBackground();
  const out: HeldOut[] = [];
  for (const examples of options.examples) {
    const draws = hostDraws(hosts, { ...options, examples });
    for (const [at, draw] of draws.entries()) {
      if (draw.training.length < examples) throw new Error(`${draw.subject}: ${draw.training.length} training pages, ${examples} wanted`);
      const found = await judgeDraw(draw, at, readings, bundled, options);
      out.push(...found.map((one) => ({ ...one, examples })));
      const shown = found.map(({ background, way, precision }) => `${background} ${way} ${precision.toFixed(3)}`).join(', ');
      options.progress(`${examples} examples, draw ${at + 1}/${draws.length} ${draw.subject}: ${shown}`);
    }
  }
  return out;
}

async function judgeDraw(
  draw: HostDraw<string>,
  at: number,
  readings: Readings,
  bundled: Background,
  { backgrounds, ways }: HeldOutOptions,
): Promise<Omit<HeldOut, 'examples'>[]> {
  const { subject, onTopic, others } = draw;
  const chance = onTopic.length / (onTopic.length + others.length);
  const out: Omit<HeldOut, 'examples'>[] = [];
  for (const name of backgrounds) {
    for (const way of ways) {
      const background = name === 'same' ? ownBackground(draw.background, way, readings) : partOf(bundled, draw.background);
      const precision = await topicPrecision(draw, way, readings, background);
      out.push({ background: name, subject, draw: at, way, precision, chance });
    }
  }
  return out;
}

async function pools(readings: Readings, { web, seed, progress }: HeldOutOptions): Promise<HostPages<string>[]> {
  const names = [...new Set(readManifest(web).rows.map(({ host }) => host))].sort();
  const out: HostPages<string>[] = [];
  for (const [i, host] of names.entries()) {
    const subject = subjectOf(`http://${host}/`);
    const paths = shuffled(htmlFiles(join(web, host)), seededRng(seed)).map((path) => `${host}/${path}`);
    const pages = await poolOf(paths, readings);
    const takesPart = subject !== null && pages.length >= POOL.least;
    if (takesPart) out.push({ host, subject, pages });
    progress(`host ${i + 1}/${names.length} ${host}: ${pages.length} pages${takesPart ? '' : ', left out'}`);
  }
  return out;
}

/** English pages of a host, different and of some length: by all their visible text, so that no extractor has a say. */
async function poolOf(paths: readonly string[], readings: Readings): Promise<string[]> {
  const pages = new Map<string, string>();
  for (const path of paths) {
    if (pages.size === POOL.most) break;
    const { text } = readings.page(path, 'none');
    if (pages.has(text) || text.split(/\s+/).length < MIN_WORDS) continue;
    if (((await detectLanguage(text)) ?? 'en') === 'en') pages.set(text, path);
  }
  return [...pages.values()];
}

/** The bundled background with pages of these hosts only: it has pages of most hosts that are judged. */
function partOf(bundled: Background, hosts: readonly HostPages<string>[]): Background {
  const names = new Set(hosts.map(({ host }) => host));
  return { ...bundled, sample: bundled.sample.filter(({ host }) => names.has(host)) };
}

function ownBackground(hosts: readonly HostPages<string>[], way: Way, readings: Readings): Background {
  const frequencies = new Int32Array(BUCKETS);
  const paths = hosts.flatMap(({ pages }) => pages);
  for (const path of paths) for (const bucket of readings.counts(path, way).buckets) frequencies[bucket] = (frequencies[bucket] ?? 0) + 1;
  const sample = hosts.flatMap(({ host, pages }) =>
    pages.slice(0, SAMPLED).map((path) => ({ host, language: 'en', counts: readings.counts(path, way) })),
  );
  return { documents: paths.length, idf: idfTable(frequencies, paths.length), languages: new Map([['en', paths.length]]), sample };
}
