/** The tables of the core. They come from the modules that do the same in JavaScript, so that names, classes and ranges are not written twice. */

import { LETTERS } from '../../base/text/letters.ts';
import { PLAIN } from '../../base/web/link-resolver.ts';
import { ATTRIBUTE_NAMES, FIRST_LETTERS, ROLES, WANTED_PLACES } from '../extract/attributes.ts';
import { HINT, SEMANTIC, tagSigns } from '../extract/block-features.ts';
import { CLASSES } from '../extract/character-classes.ts';
import { CLASS_WORDS } from '../extract/class-hints.ts';
import { STYLE_PROPERTIES, STYLE_VALUES } from '../extract/inline-style.ts';
import { edgeOfTag, keepsOfTag } from '../extract/line-edges.ts';
import { SLOPE_WEIGHTS } from '../extract/tag-density.ts';
import {
  BOILERPLATE,
  FLAG,
  HINTS,
  knownTags,
  LABELS,
  NEAR_HINTS,
  NOT_COUNTED,
  PROSE,
  SHARED_HINTS,
  TABLE_PARTS,
  type Tag,
  type TagKind,
  type TagReader,
  WORD_TAGS,
} from '../extract/tags.ts';
import { CONTENT_MODELS, ENDS } from '../extract/tokenizer.ts';
import { FEATURE_MASK, type LinkFeatureKind, SALT } from '../links/link-features.ts';
import {
  BIGRAM_BASE,
  CHARACTER_BASE,
  MAX_TITLE_WORDS,
  MAX_URL_WORDS,
  MAX_WORDS,
  sublinear,
  TITLE_BASE,
  TITLE_BUCKETS,
  URL_BASE,
  URL_BUCKETS,
  WORD_BUCKETS,
} from '../topic/features.ts';
import type { CoreMemory } from './core-memory.ts';

// In the order of their numbers in `assembly/`.
const KINDS: readonly TagKind[] = ['inline', 'block', 'cell', 'break'];
export const READERS: readonly TagReader[] = ['none', 'link', 'frame', 'image', 'meta', 'linkrel', 'script', 'base', 'html', 'button'];
/** Tags that the parser tells from others of their kind. */
const SPECIAL: Readonly<Record<string, number>> = {
  h1: 1,
  title: 2,
  body: 3,
  html: 3,
  button: 4,
  ...Object.fromEntries([...LABELS].map((name) => [name, 5])),
  ...Object.fromEntries([...PROSE].map((name) => [name, 6])),
};
/** Spaces of names; those of tags have the plain hash. */
const SPACE = { attribute: 1, word: 2, role: 3, styleProperty: 4, styleValue: 5, wordTag: 6 } as const;
/** The value of a word that describes a state of the page. */
const STATE = 1 << 30;

/** Bytes of a tag: its numbers; its flags; its edge and the white space that it keeps; 32 bytes with a bit for each tag that it closes. */
const TAG_FLAGS_AT = 8;
const TAG_EDGE_AT = 28;
const TAG_CLOSES_AT = 32;

/** Bytes of one element in `TAG_SIGNS` of `assembly/block-rows.ts`. */
const TAG_SIGNS = 8;

export const KNOWN_TAGS: readonly Tag[] = [...knownTags().values()];

/** Fills the tables of a new core. About 1 ms. */
export function fillTables(memory: CoreMemory): void {
  const { core } = memory;
  memory.bytes.set(CLASSES, core.KINDS.value);
  memory.bytes.set(ENDS, core.ENDS.value);
  memory.bytes.set(PLAIN, core.PLAIN.value);
  memory.units(core.LETTERS.value, LETTERS.length).set(LETTERS);
  addTags(memory);
  for (const [place, name] of ATTRIBUTE_NAMES.entries()) addName(memory, SPACE.attribute, name, place);
  addShapes(memory);
  for (const [word, flags] of CLASS_WORDS) addName(memory, SPACE.word, word, flags === 'state' ? STATE : flags);
  for (const [role, flags] of ROLES) addName(memory, SPACE.role, role, flags);
  for (const [name, number] of STYLE_PROPERTIES) addName(memory, SPACE.styleProperty, name, number);
  for (const [name, number] of STYLE_VALUES) addName(memory, SPACE.styleValue, name, number);
  for (const name of WORD_TAGS) addName(memory, SPACE.wordTag, name, 0);
  core.endTags();
  memory.putInts(
    core.wantedAt(),
    READERS.map((reader) => WANTED_PLACES[reader] ?? 0),
  );
  memory.putInts(
    core.firstLettersAt(),
    READERS.map((reader) => FIRST_LETTERS[reader] ?? 0),
  );
  memory.putInts(core.nearHintsAt(), NEAR_HINTS);
  core.setHints(FLAG.boilerplateHint, FLAG.body, FLAG.veiled, FLAG.quiet);
  core.setPageFlags(FLAG.unseen, FLAG.foreign, FLAG.title, FLAG.hidden, HINTS, FLAG.header, FLAG.main);
  core.setSightFlags(FLAG.heading, FLAG.veiled, FLAG.quiet, FLAG.spoken, FLAG.icon, FLAG.disclosure);
  core.setVeilFlags(FLAG.pre, FLAG.veiled, FLAG.hidden, FLAG.disclosure, NOT_COUNTED);
  core.setDiv(KNOWN_TAGS.findIndex(({ name }) => name === 'div'));
  core.setLineFlags(FLAG.list, FLAG.main);
  core.setZoneFlags(FLAG.nav | FLAG.header, FLAG.footer);
  fillBlockTables(memory);
  core.setBuckets(
    WORD_BUCKETS - 1,
    BIGRAM_BASE,
    CHARACTER_BASE,
    TITLE_BASE,
    TITLE_BUCKETS - 1,
    URL_BASE,
    URL_BUCKETS - 1,
    MAX_WORDS,
    MAX_TITLE_WORDS,
    MAX_URL_WORDS,
  );
  memory.putInts(
    core.SALTS.value,
    HASHED_KINDS.map((kind) => SALT[kind]),
  );
  core.setFeatureMask(FEATURE_MASK);
  memory.doubles(core.SUBLINEAR.value, MAX_WORDS + 1).set(Float64Array.from({ length: MAX_WORDS + 1 }, (_, tf) => sublinear(tf)));
}

/** Tables for the choice of main text. */
function fillBlockTables(memory: CoreMemory): void {
  const { core } = memory;
  const weights = Object.values(SLOPE_WEIGHTS);
  memory.doubles(core.WEIGHTS.value, weights.length).set(weights);
  core.setSlopeFlags(BOILERPLATE, FLAG.boilerplateHint, FLAG.body, FLAG.hidden, FLAG.pre, FLAG.main, FLAG.list);
  core.setRowFlags(HINTS, FLAG.heading);
  core.setChoiceFlags(FLAG.table);
  memory.putInts(core.ROW_FLAGS.value, [...SHARED_HINTS, ...SEMANTIC, ...HINT]);
  for (const [i, tag] of ['', ...KNOWN_TAGS.map(({ name }) => name)].entries()) {
    const { item, level, definition, caption, generic } = tagSigns(tag);
    const others = [tag === 'p', tag === 'dt', tag === 'h1'].map(Number);
    memory.bytes.set([item, level, definition, caption, generic, ...others], core.TAG_SIGNS.value + TAG_SIGNS * i);
  }
}

/** Kinds of link features, in the order of their numbers in `assembly/`. */
const HASHED_KINDS: readonly LinkFeatureKind[] = ['anchor', 'anchor2', 'context', 'url', 'dir', 'ext', 'host'];

function addTags(memory: CoreMemory): void {
  const places = new Map(KNOWN_TAGS.map(({ name }, place) => [name, place]));
  for (const tag of KNOWN_TAGS) {
    const at = memory.core.addTag(...memory.keepText(tag.name));
    const numbers = [
      KINDS.indexOf(tag.kind),
      Number(tag.isVoid),
      READERS.indexOf(tag.reader),
      CONTENT_MODELS.indexOf(tag.content),
      Number(tag.isScope),
      Number(TABLE_PARTS.has(tag.name)),
      SPECIAL[tag.name] ?? 0,
      Number(tag.closes.size > 0),
    ];
    memory.bytes.set(numbers, at);
    memory.putInts(at + TAG_FLAGS_AT, [tag.flags]);
    memory.bytes.set([edgeOfTag(tag.name), keepsOfTag(tag)], at + TAG_EDGE_AT);
    const closed = new Uint8Array(32);
    for (const name of tag.closes) {
      const place = places.get(name) ?? 0;
      closed[place >> 3] = (closed[place >> 3] as number) | (1 << (place & 7));
    }
    memory.bytes.set(closed, at + TAG_CLOSES_AT);
  }
}

function addShapes(memory: CoreMemory): void {
  const shapes = new Array<number>(26).fill(0);
  for (const [word] of CLASS_WORDS) {
    const letter = word.charCodeAt(0) - 97;
    shapes[letter] = (shapes[letter] as number) | (1 << word.length);
  }
  memory.putInts(memory.core.shapesAt(), shapes);
}

function addName(memory: CoreMemory, space: number, name: string, value: number): void {
  memory.core.addName(space, ...memory.keepText(name), value);
}
