/** Sub-topics inside big hosts of the Debian web, labelled by URL prefix, and the pages drawn of one for a run. */
import { underPrefix } from '../../datasets/debian-web/labels.ts';
import { pagesOf, readManifest } from '../../datasets/debian-web/manifest.ts';
import { seededRng, shuffled } from '../../src/base/core/rng.ts';

export interface Target {
  readonly name: string;
  readonly host: string;
  readonly prefix: string;
  /** Visits of a crawl for it. */
  readonly budget: number;
}

export const TARGETS: readonly Target[] = [
  { name: 'cpp', host: 'en.cppreference.com', prefix: 'en.cppreference.com/w/cpp/thread/', budget: 200 },
  { name: 'sage', host: 'doc.sagemath.org', prefix: 'doc.sagemath.org/html/en/reference/combinat/', budget: 200 },
  { name: 'kernel', host: 'docs.kernel.org', prefix: 'docs.kernel.org/networking/', budget: 400 },
  // The settings of the topic model were chosen on sub-topics of the three hosts above, of this one on none.
  { name: 'units', host: 'macaulay2.com', prefix: 'macaulay2.com/doc/Macaulay2/share/doc/Macaulay2/Units/', budget: 200 },
  { name: 'graphs', host: 'macaulay2.com', prefix: 'macaulay2.com/doc/Macaulay2/share/doc/Macaulay2/Graphs/', budget: 150 },
];
export const TRAINING_PAGES = 20;
export const SEEDS = 3;
/** Pages of the host the model is measured on, as in datasets/background/measure.ts. */
export const MEASURED = { onTopic: 100, others: 300 };

/** Pages of one run, by path below the web's folder. */
export interface Draw {
  readonly target: Target;
  readonly seed: number;
  readonly onTopic: (url: string) => boolean;
  readonly training: readonly string[];
  readonly irrelevant: readonly string[];
  /** URLs. */
  readonly seeds: readonly string[];
  readonly measured: readonly string[];
}

/** The run of one seed: training pages, then seeds and measured pages that are none of them. */
export function drawn(web: string, target: Target, seed: number, irrelevantPages = 0): Draw {
  const onTopic = underPrefix(target.prefix);
  const all = readManifest(web)
    .rows.filter(({ host }) => host === target.host)
    .flatMap((row) => pagesOf(web, row));
  const rng = seededRng(seed);
  const wanted = shuffled(all.filter((page) => onTopic(`http://${page}`)).sort(), rng);
  const others = shuffled(all.filter((page) => !onTopic(`http://${page}`)).sort(), rng);
  const irrelevant = others.slice(0, irrelevantPages);
  return {
    target,
    seed,
    onTopic,
    training: wanted.slice(0, TRAINING_PAGES),
    irrelevant,
    seeds: wanted.slice(TRAINING_PAGES, TRAINING_PAGES + SEEDS).map((page) => `http://${page}`),
    measured: [
      ...wanted.slice(TRAINING_PAGES, TRAINING_PAGES + MEASURED.onTopic),
      ...others.slice(irrelevant.length, irrelevant.length + MEASURED.others),
    ],
  };
}
