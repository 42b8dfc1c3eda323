/** Random samples: a limit for each host, and a number of pages in all. */
import type { FilterOptions, FilterRun, HarvestFilter, OmissionGrounds, SampleBy } from '../harvest-filter.ts';
import { chanceOf, PageDraw, type Stratum } from '../page-draw.ts';
import { primarySubtag } from './page-languages.ts';

const DEFAULT_SEED = 1;

export const perHost = {
  name: 'per-host',
  leaves: 'over the limit of its host',
  describe: ({ perHost: limit, rngSeed = DEFAULT_SEED }) =>
    limit === undefined
      ? null
      : `pages of a host: at most ${limit}, drawn at random with seed ${rngSeed}; the column weight has the number each represents`,
  begin: ({ perHost: limit, rngSeed = DEFAULT_SEED }) =>
    limit === undefined
      ? null
      : drawing(rngSeed, 'host', (strata) => strata.map((stratum) => whole(stratum, Math.min(limit, stratum.pages.length)))),
} as const satisfies HarvestFilter;

export const sample = {
  name: 'sample',
  leaves: 'not drawn for the sample',
  describe: ({ sample: size, sampleBy = 'none', rngSeed = DEFAULT_SEED }) =>
    size === undefined
      ? null
      : `sample: ${size} pages drawn at random${sampleBy === 'none' ? '' : `, the same number of each ${sampleBy} where it has so many`}, with seed ${rngSeed}; the column weight has the number each represents`,
  begin: ({ sample: size, sampleBy = 'none', rngSeed = DEFAULT_SEED }: FilterOptions) =>
    size === undefined ? null : drawing(rngSeed, sampleBy, (strata) => allocated(strata, size, rngSeed)),
} as const satisfies HarvestFilter;

/** Number of pages that are drawn of a group, and the number that each of them represents. */
interface Draw {
  readonly stratum: Stratum;
  readonly drawn: number;
  readonly weight: number;
}

function drawing(seed: number, by: SampleBy, allocate: (strata: readonly Stratum[]) => readonly Draw[]): FilterRun {
  const draw = new PageDraw(seed);
  const weights = new Map<string, number>();
  const nameOf = (url: string, lang: string) => (by === 'host' ? new URL(url).host : by === 'language' ? primarySubtag(lang) : '');
  return {
    see({ ordinal, record, lang }) {
      draw.add(ordinal, record.url, nameOf(record.url, lang));
      return null;
    },
    settle(isIn) {
      const out = new Map<number, OmissionGrounds>();
      for (const { stratum, drawn, weight } of allocate(draw.strata(isIn))) {
        weights.set(stratum.name, weight);
        const grounds: OmissionGrounds = by === 'none' ? {} : { [by]: stratum.name };
        for (const page of stratum.pages.slice(drawn)) out.set(page, grounds);
      }
      return out;
    },
    adds: ['weight'],
    present: (page) => ({ ...page, weight: (page.weight ?? 1) * (weights.get(nameOf(page.url, page.lang)) ?? 1) }),
  };
}

/** A group of which that many pages are drawn: each represents the same number. */
function whole(stratum: Stratum, drawn: number): Draw {
  return { stratum, drawn, weight: stratum.pages.length / drawn };
}

/**
 * Equal allocation (Cochran 1977, Sampling Techniques, chapter 5): the same number of pages of each group, all of those that have fewer; pages that do not
 * divide go to the largest. With more groups than pages, one page each of groups drawn at random.
 */
function allocated(strata: readonly Stratum[], size: number, seed: number): Draw[] {
  if (strata.length > size) {
    const inOrder = strata.toSorted((a, b) => chanceOf(seed, a.name) - chanceOf(seed, b.name));
    return inOrder.map((stratum, i) => {
      const drawn = i < size ? 1 : 0;
      return { stratum, drawn, weight: (stratum.pages.length * strata.length) / size };
    });
  }
  let left = size;
  return strata
    .toSorted((a, b) => a.pages.length - b.pages.length)
    .map((stratum, i) => {
      const drawn = Math.min(stratum.pages.length, Math.floor(left / (strata.length - i)));
      left -= drawn;
      return whole(stratum, drawn);
    });
}
