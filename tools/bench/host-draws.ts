/** Draws for a topic model that is to know a subject on hosts it has not seen. */
import { type Rng, seededRng, shuffled } from '../../src/base/core/rng.ts';

/** Pages of one host that may be drawn. */
export interface HostPages<Page> {
  readonly host: string;
  readonly subject: string;
  readonly pages: readonly Page[];
}

/** No host gives pages to more than one of training, background and judging. */
export interface HostDraw<Page> {
  readonly subject: string;
  /** Pages of some hosts of the subject, of each host in turn; fewer than asked for where the hosts have fewer. */
  readonly training: readonly Page[];
  /** Half of the hosts of other subjects: what the subject may be told from. */
  readonly background: readonly HostPages<Page>[];
  /** Pages to be judged: of the other hosts of the subject, and of the other half. */
  readonly onTopic: readonly Page[];
  readonly others: readonly Page[];
}

export interface DrawOptions {
  /** Of each subject. */
  readonly draws: number;
  /** Training pages. */
  readonly examples: number;
  /** Pages judged of one host, at the most. */
  readonly judged: number;
  readonly seed: number;
}

/**
 * Draws for every subject with two hosts or more, in order of subject. The larger half of the subject's hosts trains and the rest is
 * judged; with each draw the hosts move on by one, so that all come to be judged.
 */
export function hostDraws<Page>(hosts: readonly HostPages<Page>[], options: DrawOptions): HostDraw<Page>[] {
  const hostsOf = (subject: string) => hosts.filter((host) => host.subject === subject);
  const subjects = [...new Set(hosts.map(({ subject }) => subject))].filter((subject) => hostsOf(subject).length > 1).sort();
  return subjects.flatMap((subject, at) => {
    const order = shuffled(hostsOf(subject), seededRng(options.seed + 1000 * at));
    const others = hosts.filter((host) => host.subject !== subject);
    return Array.from({ length: options.draws }, (_, draw) => {
      const turn = draw % order.length;
      const rng = seededRng(options.seed + 1000 * at + 1 + draw);
      return drawOf(subject, [...order.slice(turn), ...order.slice(0, turn)], others, options, rng);
    });
  });
}

function drawOf<Page>(
  subject: string,
  own: readonly HostPages<Page>[],
  others: readonly HostPages<Page>[],
  { examples, judged }: DrawOptions,
  rng: Rng,
): HostDraw<Page> {
  const trainers = Math.ceil(own.length / 2);
  const dealt = shuffled(others, rng);
  const backing = Math.floor(dealt.length / 2);
  const judgedOf = (some: readonly HostPages<Page>[]) => some.flatMap(({ pages }) => shuffled(pages, rng).slice(0, judged));
  return {
    subject,
    training: inTurn(own.slice(0, trainers).map(({ pages }) => shuffled(pages, rng))).slice(0, examples),
    background: dealt.slice(0, backing),
    onTopic: judgedOf(own.slice(trainers)),
    others: judgedOf(dealt.slice(backing)),
  };
}

/** The first of each list, then the second of each, and so on. */
function inTurn<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = lists.reduce((most, { length }) => Math.max(most, length), 0);
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat();
}
