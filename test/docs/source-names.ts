/** The names in the sources, and the first words of their docstrings. */
import { readFileSync } from 'node:fs';
import { parsed, walk } from '../../tools/mutation/syntax.ts';
import { roomsOfSource, sourceFiles } from './source-prose.ts';

/** A module of `src/`. */
export interface Source {
  readonly path: string;
  /** Wing and room, such as `base/core`; '' for the modules above the wings. */
  readonly room: string;
  readonly code: string;
}

/** A name, docstring or export that breaks a rule. */
export interface Fault {
  readonly path: string;
  /** Of the file, from 1. */
  readonly line: number;
  readonly text: string;
}

/** First words that leave the noun out, so that the reader has to look for it elsewhere. "Whether …" names a fact that is true or false. */
const BARE = new Set(
  (
    'of in by for from with without at on to as between before after until since under over per among against during beside through above below like into ' +
    'onto within beyond behind inside outside it its they them their he she we this that these those what which who whose whom how when where why if ' +
    'unless because while though and or but not so there here'
  ).split(' '),
);

/** Phrases that the style sheet avoids in prose with the words around them; a name has them alone. */
const IN_NAMES_ALONE = ['told', 'pass over', 'passing over'];

/** Keys of reports and cards that users have stored or read as JSON. They keep their name; so does the option of an old version. */
const STORED_NAMES = new Set(['leftOut', 'inForce', 'putAside', 'rung']);

export function sources(): Source[] {
  return roomsOfSource().flatMap((room) => sourceFiles(`src/${room}`).map((path) => ({ path, room, code: readFileSync(path, 'utf8') })));
}

/** The words of a name in lower case: `leftOutPath` is `left out path`, and so is `left-out-path`. */
export function wordsOfName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/[#_$.-]/g, ' ')
    .toLowerCase();
}

/** Names of a module and in it that hold a phrase to avoid, each once. A key in quotes is a stored form, no name. */
export function avoidedNames({ path, code }: Source, phrases: readonly string[]): Fault[] {
  const avoided = new RegExp(` (?:${[...phrases, ...IN_NAMES_ALONE].join('|')}) `);
  const isAvoided = (name: string) => !STORED_NAMES.has(name) && avoided.test(` ${wordsOfName(name)} `);
  const ofFile = isAvoided(path.split('/').at(-1) ?? '') ? [{ path, line: 1, text: path }] : [];
  // Few modules have such a word at all, and only theirs is a tree worth its time.
  if (!(withoutComments(code).match(/[\w$]+/g) ?? []).some(isAvoided)) return ofFile;
  const places = new Map<string, number>();
  for (const { name, start } of identifiers(code)) if (isAvoided(name) && !places.has(name)) places.set(name, start);
  return [...ofFile, ...[...places].map(([text, start]) => ({ path, line: lineAt(code, start), text }))];
}

/** Docstrings whose first word is a preposition, a pronoun, a conjunction or an adverb of place, or that begin with "The same". */
export function bareDocstrings({ path, code }: Source): Fault[] {
  return [...code.matchAll(/(?<=^|[\s({,])\/\*\*\s+(?:\*\s+)?([^\s*@][^\n]*)/g)].flatMap((match) => {
    const text = (match[1] ?? '').replace(/\s*\*\/.*$/, '');
    const [first = '', second = ''] = text.toLowerCase().split(/[^\p{L}\p{N}'`-]+/u);
    const isBare = BARE.has(first) || (first === 'the' && second === 'same');
    return isBare ? [{ path, line: lineAt(code, match.index), text }] : [];
  });
}

/**
 * Names that several modules export with meanings of their own, by name. Twins are one meaning: the assembly repeats names of the JavaScript reading, and
 * the library those of the functions that it loads.
 */
export function namesOfSeveralMeanings(all: readonly Source[]): Map<string, readonly Fault[]> {
  const places = new Map<string, Fault[]>();
  for (const source of all.filter(({ path }) => !isTwin(path)))
    for (const fault of exportsOf(source)) places.set(fault.text, [...(places.get(fault.text) ?? []), fault]);
  return new Map([...places].filter(([, faults]) => new Set(faults.map(({ path }) => path)).size > 1));
}

function isTwin(path: string): boolean {
  return path.startsWith('src/reading/wasm-reader/assembly/') || path === 'src/faces/library/library.ts';
}

/** Names that a module declares and exports; those that it passes on are not among them. Each declaration begins a line, as the formatter has it. */
export function exportsOf({ path, code }: Pick<Source, 'path' | 'code'>): Fault[] {
  const declarations = code.matchAll(/^export (?:abstract |async )*(?:function\*?|const|let|class|interface|type) ([\w$]+)/gm);
  return [...declarations].map((match) => ({ path, line: lineAt(code, match.index), text: match[1] ?? '' }));
}

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

function* identifiers(code: string): Iterable<{ name: string; start: number }> {
  for (const [{ type, start, name }] of walk(parsed(code), () => true))
    if ((type === 'Identifier' || type === 'PrivateIdentifier') && typeof name === 'string') yield { name, start };
}

function lineAt(code: string, offset: number): number {
  return code.slice(0, offset).split('\n').length;
}
