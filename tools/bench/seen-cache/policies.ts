/** Caches of URLs, which are numbers here: how many of a stream's occurrences each has at hand (Broder, Najork, Wiener 2003). */
import { seededRng } from '../../../src/base/core/rng.ts';
import { HeapRooms, MaxHeap } from '../../../src/crawling/frontier/heap.ts';

export type Stream = Int32Array;

/** Occurrences that are found in a cache of `size` URLs; those that are not go into it, in the place of another when it is full. */
export type Policy = (stream: Stream, size: number) => number;

/** Of the occurrences before, this share says which URLs a static cache has. They are not counted. */
const STATIC_SHARE = 0.1;

/** Nothing is ever thrown out: every occurrence but the first is a hit. */
const infinite: Policy = (stream) => stream.length - new Set(stream).size;

/** Belady 1966: throws out what is needed again the latest. No cache of the size has more hits; it has to know the future. */
const min: Policy = (stream, size) => {
  const next = nextUses(stream);
  /** By URL the next use it stands under in the heap; an item of another key is stale. */
  const held = new Map<number, number>();
  const latest = new MaxHeap(new HeapRooms('times'));
  let hits = 0;
  for (const [i, url] of stream.entries()) {
    if (held.has(url)) hits += 1;
    else if (held.size === size) {
      while (held.get(latest.topItem) !== latest.topKey) latest.pop();
      held.delete(latest.pop());
    }
    held.set(url, next[i] ?? 0);
    latest.push(next[i] ?? 0, url);
  }
  return hits;
};

/** Of each occurrence when its URL occurs again; beyond the end when it does not, each at a moment of its own. */
function nextUses(stream: Stream): Int32Array {
  const next = new Int32Array(stream.length);
  const seen = new Map<number, number>();
  for (let i = stream.length - 1; i >= 0; i--) {
    const url = stream[i] ?? 0;
    next[i] = seen.get(url) ?? stream.length + i;
    seen.set(url, i);
  }
  return next;
}

/** Throws out what was not asked for the longest. A Map keeps the order of insertion. */
const lru: Policy = (stream, size) => {
  const held = new Map<number, true>();
  let hits = 0;
  for (const url of stream) {
    if (held.delete(url)) hits += 1;
    else if (held.size === size) for (const oldest of held.keys()) if (held.delete(oldest)) break;
    held.set(url, true);
  }
  return hits;
};

/** A hand goes round: it takes the mark from what was asked for since it last came by, and throws out the first without. */
const clock: Policy = (stream, size) => {
  const slots = new Int32Array(size);
  const marks = new Uint8Array(size);
  const places = new Map<number, number>();
  let [hits, hand] = [0, 0];
  for (const url of stream) {
    let place = places.get(url);
    if (place !== undefined) hits += 1;
    else {
      place = places.size;
      if (place === size) {
        for (; marks[hand] === 1; hand = (hand + 1) % size) marks[hand] = 0;
        place = hand;
        hand = (hand + 1) % size;
        places.delete(slots[place] ?? 0);
      }
      slots[place] = url;
      places.set(url, place);
    }
    marks[place] = 1;
  }
  return hits;
};

/** Throws out any. */
const random: Policy = (stream, size) => {
  const rng = seededRng(1);
  const slots = new Int32Array(size);
  const held = new Set<number>();
  let hits = 0;
  for (const url of stream) {
    if (held.has(url)) {
      hits += 1;
      continue;
    }
    const place = held.size < size ? held.size : Math.floor(rng() * size);
    if (held.size === size) held.delete(slots[place] ?? 0);
    slots[place] = url;
    held.add(url);
  }
  return hits;
};

/** Has what occurred the most in the first part of the stream, and nothing else ever; hits of that part are taken to be as many as of the rest. */
const fixed: Policy = (stream, size) => {
  const end = Math.floor(STATIC_SHARE * stream.length);
  const counts = new Map<number, number>();
  for (const url of stream.subarray(0, end)) counts.set(url, (counts.get(url) ?? 0) + 1);
  const held = new Set(
    [...counts]
      .sort(([, a], [, b]) => b - a)
      .slice(0, size)
      .map(([url]) => url),
  );
  const rest = stream.subarray(end);
  return (rest.filter((url) => held.has(url)).length * stream.length) / rest.length;
};

/** By name, the best first if the study holds here too. */
export const POLICIES: ReadonlyMap<string, Policy> = new Map([
  ['infinite', infinite],
  ['MIN', min],
  ['LRU', lru],
  ['CLOCK', clock],
  ['RANDOM', random],
  ['STATIC', fixed],
]);
