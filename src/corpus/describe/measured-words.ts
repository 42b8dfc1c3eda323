/** The bias and the stability of a crawl in words, for card and methods. */
import { foragerCommand } from '../../base/text/forager-command.ts';
import { counted, countText, percentText } from '../../base/text/number-text.ts';
import { Blank, type ShellWord } from '../../base/text/shell-line.ts';
import type { Facet } from '../select/facet-names.ts';
import type { BiasFacts, StabilityFacts } from '../select/measured-facts.ts';

/** Properties in words. */
export const FACET_WORDS: Readonly<Record<Facet, string>> = {
  tld: 'top-level domain',
  host: 'host',
  hostSize: 'pages of the host',
  language: 'language',
  year: 'year',
  length: 'length',
  kind: 'kind of document',
};

const CRAWL = new Blank('crawl');

/** Lines about the bias on a card. @param bias undefined: not measured @param now visits of the crawl by now */
export function biasText(bias: BiasFacts | undefined, now: number): string[] {
  if (bias === undefined) return [`bias: not measured (${biasCommand(new Blank('frame'))} measures it, then harvest again)`];
  const { pages, framePages, distances, gaps } = bias;
  return [
    `bias: ${counted(pages, 'page')} of the crawl against ${countText(framePages)} of ${frameText(bias)}, measured ${momentText(bias, now)} with ${biasCommand(bias.frame.name)}`,
    `distance of the shares beyond chance, from 0 to 1, with its 95 % interval: ${distances.map(distanceText).join('; ')}`,
    gaps.length === 0 ? 'no share differs by more than chance' : `shares that differ by more than chance: ${gaps.map(gapText).join('; ')}`,
  ];
}

/** `on 2026-11-28 after 120 of 160 visits`: of a crawl that continued, later pages were not measured. */
function momentText({ at, visited }: Pick<BiasFacts, 'at' | 'visited'>, now: number): string {
  const visits = visited < now ? `${countText(visited)} of ${counted(now, 'visit')}` : counted(visited, 'visit');
  return `on ${at.slice(0, 10)} after ${visits}`;
}

function biasCommand(frame: ShellWord): string {
  return foragerCommand('corpus', 'bias', CRAWL, '--frame', frame);
}

/** The frame with its digest. */
export function frameText({ frame: { kind, name }, frameDigest }: Pick<BiasFacts, 'frame' | 'frameDigest'>): string {
  if (kind === 'random') return 'its random visits';
  if (kind === 'urls') return `the list ${name} (SHA-256 ${frameDigest})`;
  return `the corpus ${name}${frameDigest === null ? '' : ` (version ${frameDigest})`}`;
}

function distanceText({ facet, distance, low, high }: BiasFacts['distances'][number]): string {
  return `${FACET_WORDS[facet]} ${distance.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
}

/** `top-level domain de: none, in the frame 17.2 %` */
export function gapText({ facet, value, corpus, frame }: BiasFacts['gaps'][number]): string {
  return `${FACET_WORDS[facet]} ${value}: ${corpus === 0 ? 'none' : percentText(corpus)}, in the frame ${percentText(frame)}`;
}

/** Lines about the stability on a card, as `biasText`. */
export function stabilityText(stability: StabilityFacts | undefined, now: number): string[] {
  if (stability === undefined)
    return [`stability: not measured (${foragerCommand('stability', CRAWL)} measures it for a crawl with --record, then harvest again)`];
  const { runs, vary, budget, recorded, kept, overlap, terms, hosts } = stability;
  const command = foragerCommand('stability', CRAWL, '--runs', String(runs), '--vary', vary.join(','), '--budget', String(budget));
  return [
    `stability: ${counted(runs, 'run')} of ${counted(budget, 'visit')} on a recording of ${counted(recorded, 'URL')}, other ${vary.join(', ')}, measured ${momentText(stability, now)} with ${command}`,
    `pages kept in all runs: ${countText(kept.inAll)}, in most: ${countText(kept.inMost)}, in some: ${countText(kept.inSome)}; pages that two runs share, of those of either: ${overlap.toFixed(3)}`,
    `rank correlation of the most frequent words: ${terms.toFixed(3)}; of the hosts: ${hosts.toFixed(3)}`,
  ];
}
