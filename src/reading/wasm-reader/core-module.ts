/** The compiled core and its functions. Sources: `assembly/`; addresses are in bytes. */

import { readFileSync } from 'node:fs';
import { InvariantError } from '../../base/core/errors.ts';
import { packageFile } from '../../base/core/package-files.ts';

/** The questions of the core to its host. Addresses are of UTF-16 units; the four bytes before an answer are its number of units. */
export interface HostFunctions {
  lowerCase(from: number, end: number): number;
  decodeText(from: number, end: number): number;
  decodeAttribute(from: number, end: number): number;
  fillLetters(unit: number): void;
  complexWord(from: number, start: number, at: number): number;
  isPlainOrigin(from: number, end: number): boolean;
  /** Places of a text in units of the page's text. */
  inTitle(start: number, end: number): number;
}

interface Global {
  readonly value: number;
}

/** Exports of `assembly/core-exports.ts`. */
export interface CoreExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  keep(bytes: number): number;
  take(bytes: number): number;
  // Tables, filled once.
  readonly ENDS: Global;
  readonly KINDS: Global;
  readonly LETTERS: Global;
  readonly SUBLINEAR: Global;
  addName(space: number, from: number, end: number, value: number): void;
  addTag(from: number, end: number): number;
  endTags(): void;
  tagsAt(): number;
  firstLettersAt(): number;
  wantedAt(): number;
  nearHintsAt(): number;
  shapesAt(): number;
  setHints(boilerplate: number, body: number, veiled: number, quiet: number): void;
  setDiv(tag: number): void;
  setSightFlags(heading: number, veiled: number, quiet: number, spoken: number, icon: number, disclosure: number): void;
  setVeilFlags(pre: number, veiled: number, hidden: number, disclosure: number, uncounted: number): void;
  setPageFlags(unseen: number, foreign: number, title: number, hidden: number, hints: number, header: number, main: number): void;
  setBuckets(...ranges: readonly number[]): void;
  // A page decoded, parsed.
  release(): void;
  decodeUtf8(bytes: number, end: number, units: number): number;
  begin(length: number): number;
  takePlain(length: number): number;
  parse(): void;
  readonly html: Global;
  readonly scratch: Global;
  readonly text: Global;
  textLength(): number;
  narrowText(): number;
  readonly allBits: Global;
  readonly blocks: Global;
  readonly blockCount: Global;
  readonly isFull: Global;
  readonly lineNotes: Global;
  readonly lineNoteCount: Global;
  readonly blanks: Global;
  readonly blankCount: Global;
  readonly gaps: Global;
  readonly parents: Global;
  readonly nodeCount: Global;
  readonly links: Global;
  readonly linkCount: Global;
  readonly events: Global;
  readonly eventsEnd: Global;
  readonly headingStart: Global;
  readonly headingEnd: Global;
  readonly warnings: Global;
  readonly signs: Global;
  readonly lastTag: Global;
  readonly elements: Global;
  readonly elementCount: Global;
  readonly shown: Global;
  readonly shownCount: Global;
  readonly spans: Global;
  readonly spansEnd: Global;
  readonly contents: Global;
  readonly contentsEnd: Global;
  readonly foreigns: Global;
  readonly foreignsEnd: Global;
  // Its main text chosen.
  readonly WEIGHTS: Global;
  setSlopeFlags(boilerplate: number, hint: number, body: number, hidden: number, pre: number, main: number, list: number): void;
  readonly ROW_FLAGS: Global;
  readonly TAG_SIGNS: Global;
  setRowFlags(hints: number, heading: number): void;
  setChoiceFlags(table: number): void;
  rateBlocks(trees: number, count: number, bias: number, title: number, titleLength: number): void;
  readonly logits: Global;
  readonly probabilities: Global;
  bestExpectedF1(): number;
  chooseBlocks(threshold: number, hidden: number, gap: number): number;
  // Its links.
  readonly PLAIN: Global;
  setLineFlags(list: number, main: number): void;
  setZoneFlags(navigation: number, footer: number): void;
  resolveLinks(prefixes: number, origin: number, folder: number): void;
  readonly addresses: Global;
  putAddress(link: number, high: number, low: number, isNone: boolean): void;
  tellDistinct(pageHigh: number, pageLow: number, most: number): void;
  readonly distinct: Global;
  readonly distinctCount: Global;
  readonly linkEnd: Global;
  isDistinct(high: number, low: number): number;
  takeChoices(): number;
  chooseLinks(roles: number): void;
  placeLinks(at: number): number;
  // Its words, and those of other texts.
  readWords(more: number): void;
  readOther(from: number, length: number): number;
  readonly wordCount: Global;
  readonly isUnspaced: Global;
  readonly folded: Global;
  // Judged.
  startCount(): void;
  addBlocks(roles: number, role: number, pageWords: number): void;
  addTitle(from: number, to: number): void;
  addUrl(from: number, to: number): void;
  setMeaning(table: number, step: number): void;
  logit(model: number, bias: number): number;
  reset(): void;
  takeLinks(count: number): number;
  findWords(at: number, count: number, pageWords: number): void;
  judgeLinks(at: number, count: number, withAnchor: boolean, model: number, bias: number): void;
  simhash(roles: number, role: number, pageWords: number): number;
  readonly SALTS: Global;
  setFeatureMask(mask: number): void;
  hashLinks(at: number, count: number, urls: number, length: number): void;
  readonly hashes: Global;
  readonly hashEnds: Global;
  readonly simhashLow: Global;
  readonly simhashHigh: Global;
}

/** The part of the engine's interface that is used; the types of Node 20 omit it. */
interface Engine {
  validate(bytes: Uint8Array): boolean;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}
const engine = (globalThis as unknown as { readonly WebAssembly: Engine }).WebAssembly;

/** Two builds of one source, the fast one first: engines without SIMD (WebAssembly 2.0 §2.2.2) take the second. */
const MODULES = ['dist/wasm-reader.wasm', 'dist/wasm-reader-scalar.wasm'] as const;

let compiled: object | undefined;

/** @throws InvariantError if the module is not there */
function coreModule(): object {
  compiled ??= new engine.Module(moduleBytes());
  return compiled;
}

function moduleBytes(): Uint8Array {
  const [fast, scalar] = MODULES;
  const bytes = moduleAt(packageFile(fast));
  return engine.validate(bytes) ? bytes : moduleAt(packageFile(scalar));
}

function moduleAt(url: URL): Uint8Array {
  try {
    return readFileSync(url);
  } catch (error) {
    throw new InvariantError(`${url.pathname}: the WebAssembly reader is not there; in a clone, run npm run build`, { cause: error });
  }
}

/** A core with a memory of its own. About 1 ms. @throws InvariantError if the module is not there */
export function newCore(host: HostFunctions): CoreExports {
  return new engine.Instance(coreModule(), { 'host-functions': { ...host } }).exports as CoreExports;
}
