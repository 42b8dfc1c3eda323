/** Who trains and who is judged: splits of a labelled set. Pure; the same whatever else is measured. */
import { createHash } from 'node:crypto';
import type { LabelledText, TextSet } from '../../../datasets/topics/text-set.ts';
import { grouped } from '../../../src/base/core/grouped.ts';
import { type Rng, seededRng, shuffled } from '../../../src/base/core/rng.ts';

/** One topic, divided once. Numbers are places in the set's texts. */
export interface Draw {
  readonly set: string;
  readonly topic: string;
  /** From 1. */
  readonly draw: number;
  /** Examples, of each group in turn; the first k of them are the examples of size k. */
  readonly positives: readonly number[];
  /** Unlabelled texts, on topic as often as the training side; none of them among `positives` and `negatives`. */
  readonly pool: readonly number[];
  /** Texts known not to be on topic. */
  readonly negatives: readonly number[];
  readonly test: readonly number[];
  /** Groups that are judged, and the hosts of their pages: what no method may have seen. */
  readonly testGroups: ReadonlySet<string>;
}

/** Number of examples: so many, or all there are up to `MAX_EXAMPLES`. */
export type Size = number | 'all';

/** One training problem. */
export interface Cell {
  readonly draw: Draw;
  readonly given: Given;
  readonly size: Size;
  readonly positives: readonly number[];
  /** The pool, the labelled negatives, or nothing, as the method is given. */
  readonly others: readonly number[];
}

/** What a method is given besides examples. */
export type Given = 'alone' | 'pool' | 'labelled';

export const MAX_POOL = 400;
export const MAX_TEST = 2000;
/** `all` is no more than this: three times as many labelled negatives and the background make 2,000 rows, some seconds of training each. */
export const MAX_EXAMPLES = 300;
/** Labelled negatives of each example. */
export const NEGATIVES_PER_EXAMPLE = 3;
/** Of the training side, for the pool; a third would leave corn 29 examples. */
const POOL_SHARE = 0.3;
/** Of texts without groups and without a split of their own. */
const TRAINING_SHARE = 2 / 3;
/** A genre with fewer texts leaves fewer than thirteen to be judged. */
const MIN_GENRE_TEXTS = 40;

/** Topics of a set that can be divided: labels of two groups or more; in a set without groups, labels of enough texts. Sorted. */
export function topicsOf({ texts }: TextSet): string[] {
  const labels = [...new Set(texts.flatMap((text) => text.labels))].sort();
  return labels.filter((label) => {
    const own = texts.filter((text) => text.labels.includes(label));
    const groups = new Set(own.map(({ group }) => group));
    return groups.has(null) ? own.length >= MIN_GENRE_TEXTS : groups.size > 1;
  });
}

/** The draws of every topic, in order of topic. @param first settings are chosen on draws 1 and 2, so figures of others are those to report */
export function drawsOf(set: TextSet, draws: number, first = 1): Draw[] {
  return topicsOf(set).flatMap((topic) => Array.from({ length: draws }, (_, at) => drawOf(set, topic, first + at)));
}

/** One training problem of a draw; null when it has too few examples. */
export function cellOf(draw: Draw, size: Size, given: Given): Cell | null {
  const count = size === 'all' ? Math.min(draw.positives.length, MAX_EXAMPLES) : size;
  if (draw.positives.length < count) return null;
  const others = { alone: [], pool: draw.pool, labelled: draw.negatives.slice(0, NEGATIVES_PER_EXAMPLE * count) };
  return { draw, given, size, positives: draw.positives.slice(0, count), others: others[given] };
}

function drawOf(set: TextSet, topic: string, draw: number): Draw {
  const rng = rngOf(set.name, topic, String(draw));
  const { texts } = set;
  const onTopic = (at: number) => texts[at]?.labels.includes(topic) ?? false;
  const places = placesOf(set, topic);
  const trains = trainersOf(set, places, topic, draw, rng);
  const [training, judged] = divided(places, (at) => trains(texts[at] as LabelledText, at));
  const [good, bad] = divided(shuffled(training, rng), onTopic);
  const [goodTest, badTest] = divided(shuffled(judged, rng), onTopic);
  const poolSize = Math.min(MAX_POOL, Math.floor(training.length * POOL_SHARE));
  const hidden = Math.round((poolSize * good.length) / training.length);
  const testShare = Math.min(1, MAX_TEST / judged.length);
  return {
    set: set.name,
    topic,
    draw,
    positives: inTurn(good.slice(hidden), (at) => texts[at]?.group ?? ''),
    pool: shuffled([...good.slice(0, hidden), ...bad.slice(0, poolSize - hidden)], rng),
    negatives: bad.slice(poolSize - hidden),
    test: [...goodTest.slice(0, Math.round(testShare * goodTest.length)), ...badTest.slice(0, Math.round(testShare * badTest.length))],
    testGroups: new Set(judged.flatMap((at) => groupsOf(texts[at] as LabelledText))),
  };
}

/** The texts a topic is told from and found in: all of the set, or those of its language where the texts have one. */
function placesOf({ texts }: TextSet, topic: string): number[] {
  const language = texts.find(({ labels }) => labels.includes(topic))?.language;
  return [...texts.keys()].filter((at) => texts[at]?.language === language);
}

/** A text's group, and its host where that is another name: a book's pages are not the only ones of their host. */
function groupsOf({ group, url }: LabelledText): string[] {
  return group === null ? [] : [group, ...(url === null ? [] : [new URL(url).host])];
}

/** Whether a text is on the training side: by the set's own split, by whole groups, or by lot. */
function trainersOf(
  set: TextSet,
  places: readonly number[],
  topic: string,
  draw: number,
  rng: Rng,
): (text: LabelledText, at: number) => boolean {
  if (set.texts.some(({ side }) => side !== null)) return ({ side }) => side === 'training';
  const groups = trainingGroups({ name: set.name, texts: places.flatMap((at) => set.texts[at] ?? []) }, topic, draw, rng);
  const lot = byLot(set, places, topic, rng);
  return ({ group }, at) => (group === null ? lot.has(at) : groups.has(group));
}

/** Half of the topic's groups, the better half where they are odd, and half of the others. With each draw the topic's groups move on by one, so that all come to be judged. */
function trainingGroups({ name, texts }: TextSet, topic: string, draw: number, rng: Rng): ReadonlySet<string> {
  const all = new Set(texts.map(({ group }) => group).filter((group) => group !== null));
  const own = new Set(texts.filter(({ labels }) => labels.includes(topic)).map(({ group }) => group));
  const [mine, others] = divided([...all].sort(), (group) => own.has(group));
  const order = shuffled(mine, rngOf(name, topic));
  const turn = (draw - 1) % Math.max(1, order.length);
  const turned = [...order.slice(turn), ...order.slice(0, turn)].slice(0, Math.ceil(order.length / 2));
  return new Set([...turned, ...shuffled(others, rng).slice(0, Math.floor(others.length / 2))]);
}

/** Two thirds of the topic's texts and two thirds of the others. */
function byLot({ texts }: TextSet, places: readonly number[], topic: string, rng: Rng): ReadonlySet<number> {
  const parts = divided(places, (at) => texts[at]?.labels.includes(topic) ?? false);
  return new Set(parts.flatMap((part) => shuffled(part, rng).slice(0, Math.round(part.length * TRAINING_SHARE))));
}

/** The first of each kind, then the second of each, and so on. */
function inTurn<T>(items: readonly T[], kindOf: (item: T) => string): T[] {
  const kinds = [...grouped(items, kindOf).values()];
  const longest = kinds.reduce((most, { length }) => Math.max(most, length), 0);
  return Array.from({ length: longest }, (_, i) => kinds.flatMap((kind) => kind.slice(i, i + 1))).flat();
}

/** Those that pass, and those that do not. */
function divided<T>(items: readonly T[], passes: (item: T) => boolean): [T[], T[]] {
  const good: T[] = [];
  const bad: T[] = [];
  for (const item of items) (passes(item) ? good : bad).push(item);
  return [good, bad];
}

/** Chance that hangs on names only, so that a topic's draws are the same alone and among others. */
function rngOf(...names: readonly string[]): Rng {
  return seededRng(createHash('sha256').update(names.join('/')).digest().readUInt32LE());
}
