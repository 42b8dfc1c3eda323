import { COMPLEX, EXTENDER, foldWord, LAST_CLASS, letterAt, SEPARATOR } from '../../base/text/letters.ts';
import { scanWords } from '../../base/text/tokens.ts';
import { MAX_PHRASE_WORDS, type Phrase, type PhraseWord } from './phrase.ts';

/** The last words of a text, in rings. */
interface Trail {
  readonly text: string;
  /** Number of words so far. */
  count: number;
  /** All of shape [MAX_PHRASE_WORDS]; word number n is in slot n mod MAX_PHRASE_WORDS. */
  readonly hashes: Int32Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/** Phrases by their words from the last to the first: a tree in which every step is one more word to the left. */
interface Branch {
  /** Numbers of the phrases that are complete here. */
  readonly complete: number[];
  /** Branches by the hash of the next word. */
  readonly whole: Map<number, Branch>;
  /** Branches whose next word is a prefix: by its first code unit, then by itself. */
  readonly prefixes: Map<number, Map<string, Branch>>;
}

/**
 * Finds phrases in a text in one pass. Words are compared by hash, and as strings only if all hashes of a phrase agree, so there are no false
 * matches. A phrase with a word of a script without spaces is searched letter by letter instead, in the folded text: the same letters may be cut into
 * other words elsewhere (and are cut into pairs far down a page). So such a phrase is also found inside longer words.
 */
export class PhraseFinder {
  readonly #phrases: readonly Phrase[];
  readonly #root = newBranch();
  readonly #unspaced: number[] = [];

  /** A phrase has at most MAX_PHRASE_WORDS words; one without words is never found. */
  constructor(phrases: readonly Phrase[]) {
    this.#phrases = phrases;
    phrases.forEach(({ words }, place) => {
      if (words.some(({ unspaced }) => unspaced)) this.#unspaced.push(place);
      else if (words.length > 0) words.reduceRight(grown, this.#root).complete.push(place);
    });
  }

  /**
   * 1 for each phrase in `text`, shape [phrases]. O(length of the text) for any number of phrases of whole words; times the number of phrases of a
   * script without spaces, and of phrases that start or end in prefixes with one initial.
   */
  find(text: string): Uint8Array {
    const found = new Uint8Array(this.#phrases.length);
    if (this.#unspaced.length > 0) this.#findUnspaced(foldWord(text), found);
    const { whole, prefixes } = this.#root;
    if (whole.size + prefixes.size === 0) return found;
    const trail = newTrail(text);
    scanWords(text, (hash, start, end) => {
      remember(trail, hash, start, end);
      if (prefixes.size > 0 || whole.has(hash)) this.#follow(this.#root, trail, 1, found);
    });
    return found;
  }

  /** Continues to the left: `back` is 1 at the last word of the trail. */
  #follow(branch: Branch, trail: Trail, back: number, found: Uint8Array): void {
    for (const place of branch.complete) if (found[place] === 0 && this.#agrees(place, trail)) found[place] = 1;
    if (back > trail.count) return;
    const slot = (trail.count - back) % MAX_PHRASE_WORDS;
    const next = branch.whole.get(trail.hashes[slot] ?? 0);
    if (next !== undefined) this.#follow(next, trail, back + 1, found);
    if (branch.prefixes.size === 0) return;
    const candidates = branch.prefixes.get(initialAt(trail, slot));
    if (candidates === undefined) return;
    const word = wordAt(trail, slot);
    for (const [prefix, longer] of candidates) if (word.startsWith(prefix)) this.#follow(longer, trail, back + 1, found);
  }

  /** Are the whole words of a phrase, known by their hashes, the last words of the trail? */
  #agrees(place: number, trail: Trail): boolean {
    const words = this.#phrases[place]?.words ?? [];
    const first = trail.count - words.length;
    return words.every(({ prefix, word }, i) => prefix || wordAt(trail, (first + i) % MAX_PHRASE_WORDS) === word);
  }

  #findUnspaced(folded: string, found: Uint8Array): void {
    for (const place of this.#unspaced) if (holdsRuns(folded, runsOf(this.#phrases[place]?.words ?? []))) found[place] = 1;
  }
}

function newBranch(): Branch {
  return { complete: [], whole: new Map(), prefixes: new Map() };
}

/** The branch of `word` on `branch`; it is added if missing. */
function grown(branch: Branch, { word, hash, prefix }: PhraseWord): Branch {
  if (!prefix) return getOrAdd(branch.whole, hash, newBranch);
  return getOrAdd(
    getOrAdd(branch.prefixes, word.charCodeAt(0), () => new Map<string, Branch>()),
    word,
    newBranch,
  );
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function newTrail(text: string): Trail {
  const ring = () => new Int32Array(MAX_PHRASE_WORDS);
  return { text, count: 0, hashes: ring(), starts: ring(), ends: ring() };
}

function remember(trail: Trail, hash: number, start: number, end: number): void {
  const slot = trail.count++ % MAX_PHRASE_WORDS;
  trail.hashes[slot] = hash;
  trail.starts[slot] = start;
  trail.ends[slot] = end;
}

/** The folded word in a slot. */
function wordAt({ text, starts, ends }: Trail, slot: number): string {
  return foldWord(text.slice(starts[slot], ends[slot]));
}

/** The first code unit of the folded word in a slot; folds the word only if a composing character is near. */
function initialAt(trail: Trail, slot: number): number {
  const [start, end] = [trail.starts[slot] ?? 0, trail.ends[slot] ?? 0];
  const first = letterAt(trail.text, start);
  const second = start + 1 < end ? letterAt(trail.text, start + 1) : SEPARATOR;
  const plain = first > LAST_CLASS && second !== COMPLEX && second !== EXTENDER;
  return plain ? first : wordAt(trail, slot).charCodeAt(0);
}

/** The letters of a phrase between separators. Folding can add separators to a word: `⑴` becomes `(1)`. */
function runsOf(words: readonly PhraseWord[]): string[] {
  const folded = words.map(({ word, joined }) => (joined ? word : ` ${word}`)).join('');
  return folded.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean);
}

/** Are the runs in `folded` in order, with nothing but separators between them? */
function holdsRuns(folded: string, runs: readonly string[]): boolean {
  const [first = '', ...rest] = runs;
  for (let from = folded.indexOf(first); from >= 0; from = folded.indexOf(first, from + 1)) {
    let at = from + first.length;
    const fits = rest.every((run) => {
      while (at < folded.length && letterAt(folded, at) === SEPARATOR) at++;
      const here = folded.startsWith(run, at);
      at += run.length;
      return here;
    });
    if (fits) return true;
  }
  return false;
}
