/** How far the sections of tools/bench/harvest.ts are told from the rest of their host by the boilerplate of their pages. */
import { loadBackground } from '../../src/reading/topic/background.ts';
import type { Readings, Way } from './readings.ts';
import { drawn, TARGETS } from './section-targets.ts';
import { type Sides, topicPrecision } from './topic-precision.ts';

/** One section in one run. */
export interface SectionLeak {
  readonly section: string;
  readonly seed: number;
  /** Average precision by each way of reading. */
  readonly precision: ReadonlyMap<Way, number>;
  /** What guessing comes to. */
  readonly chance: number;
  /** Share of pages whose boilerplate names the section: has a word that begins with the name of its folder. */
  readonly named: { readonly onTopic: number; readonly others: number };
}

export interface LeakOptions {
  readonly web: string;
  readonly ways: readonly Way[];
  readonly runs: number;
  readonly progress: (line: string) => void;
}

/** Every section in every run: the runs of `npm run bench -- harvest`, with its training pages and its measured ones. */
export async function sectionLeaks(readings: Readings, { web, ways, runs, progress }: LeakOptions): Promise<SectionLeak[]> {
  const background = await loadBackground();
  const out: SectionLeak[] = [];
  for (const target of TARGETS) {
    for (let seed = 1; seed <= runs; seed++) {
      const { training, measured, onTopic } = drawn(web, target, seed);
      const isWanted = (path: string) => onTopic(`http://${path}`);
      const sides: Sides = { training, onTopic: measured.filter(isWanted), others: measured.filter((path) => !isWanted(path)) };
      const precision = new Map<Way, number>();
      for (const way of ways) precision.set(way, await topicPrecision(sides, way, readings, background));
      const share = (paths: readonly string[]) => namedShare(paths, target.prefix, readings);
      const named = { onTopic: share(sides.onTopic), others: share(sides.others) };
      out.push({ section: target.name, seed, precision, chance: sides.onTopic.length / measured.length, named });
      progress(`section ${target.name}, run ${seed}/${runs}: ${[...precision].map(([way, ap]) => `${way} ${ap.toFixed(3)}`).join(', ')}`);
    }
  }
  return out;
}

function namedShare(paths: readonly string[], prefix: string, readings: Readings): number {
  const folder = prefix.split('/').at(-2)?.toLowerCase() ?? '';
  const wordsOf = (path: string) =>
    readings
      .page(path, 'boilerplate')
      .text.toLowerCase()
      .split(/[^\p{L}]+/u);
  return paths.filter((path) => wordsOf(path).some((word) => word.startsWith(folder))).length / paths.length;
}
