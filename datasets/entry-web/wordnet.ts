/** WordNet's nouns: a page is a set of synonyms with three kinds or more below it, its relations are the links, and its lexicographers' file is the label. */

import { escapedHtml } from '../../src/faces/web-ui/markup.ts';
import { fileIn, type PackageFiles } from '../package-files.ts';
import type { Entry, EntryWeb } from './entry.ts';
import { linkTo, listOf } from './html.ts';

export const WORDNET_NOUNS = 'usr/share/wordnet/data.noun';
/** Those with fewer are named on the page above them, with their explanation. */
const LEAST_KINDS = 3;

/** Files of the lexicographers by number, lexnames(5). */
const FILES: Readonly<Record<string, string>> = {
  '04': 'act',
  '05': 'animal',
  '06': 'artifact',
  '07': 'attribute',
  '08': 'body',
  '09': 'cognition',
  '10': 'communication',
  '11': 'event',
  '12': 'feeling',
  '13': 'food',
  '14': 'group',
  '15': 'location',
  '16': 'motive',
  '17': 'object',
  '18': 'person',
  '19': 'phenomenon',
  '20': 'plant',
  '21': 'possession',
  '22': 'process',
  '23': 'quantity',
  '24': 'relation',
  '25': 'shape',
  '26': 'state',
  '27': 'substance',
  '28': 'time',
};

/** Relations to other nouns by their sign, wndb(5), as the page calls them. */
const RELATIONS: Readonly<Record<string, string>> = {
  '@': 'Broader',
  '@i': 'Broader',
  '~': 'Narrower',
  '~i': 'Narrower',
  '#p': 'Part of',
  '%p': 'Parts',
  '#m': 'Member of',
  '%m': 'Members',
  '#s': 'Substance of',
  '%s': 'Substances',
  '!': 'Opposite',
  '=': 'Attribute',
};

interface Synset {
  readonly id: string;
  readonly file: string;
  readonly words: readonly string[];
  readonly gloss: string;
  readonly relations: readonly (readonly [sign: string, id: string])[];
}

export function wordnetWeb(source: PackageFiles): EntryWeb {
  const lines = fileIn(source, WORDNET_NOUNS).toString('utf8').split('\n');
  const all = new Map(lines.filter((line) => /^\d/.test(line)).map((line) => [line.slice(0, 8), synsetOf(line)]));
  const entries = [...all.values()].filter(hasPage).sort(byWord);
  return { entries: entries.map((synset) => entryOf(synset, all)), others: [] };
}

function hasPage({ relations }: Synset): boolean {
  return relations.filter(([sign]) => sign.startsWith('~')).length >= LEAST_KINDS;
}

function byWord(a: Synset, b: Synset): number {
  return titleOf(a) < titleOf(b) ? -1 : 1;
}

/** `offset file type words… relations… | gloss`, wndb(5). */
function synsetOf(line: string): Synset {
  const [data = '', gloss = ''] = line.split(' | ', 2);
  const [id = '', file = '', , count = '', ...fields] = data.split(' ');
  const wordsEnd = 2 * Number.parseInt(count, 16);
  const words = fields.slice(0, wordsEnd).filter((_, i) => i % 2 === 0);
  const pointers = Array.from({ length: Number(fields[wordsEnd]) }, (_, i) => fields.slice(wordsEnd + 1 + 4 * i, wordsEnd + 5 + 4 * i));
  const relations = pointers.flatMap(([sign = '', to = '', type]): [string, string][] => (type === 'n' ? [[sign, to]] : []));
  return { id, file, words: words.map((word) => word.replaceAll('_', ' ')), gloss: gloss.trim(), relations };
}

function entryOf(synset: Synset, all: ReadonlyMap<string, Synset>): Entry {
  const lists = [...new Set(Object.values(RELATIONS))].map((heading) => {
    const others = synset.relations.flatMap(([sign, id]) => (RELATIONS[sign] === heading ? [all.get(id)] : []));
    return listOf(
      heading,
      others.flatMap((other) => (other === undefined ? [] : [itemOf(other)])),
    );
  });
  return {
    path: pathOf(synset),
    title: titleOf(synset),
    body: [`<p>${escapedHtml(synset.gloss)}</p>`, ...lists].join('\n'),
    labels: [FILES[synset.file] ?? 'tops'],
  };
}

/** A set that has no page is explained where it is named. */
function itemOf(synset: Synset): string {
  return hasPage(synset) ? linkTo(pathOf(synset), titleOf(synset)) : escapedHtml(`${titleOf(synset)}: ${synset.gloss}`);
}

function titleOf({ words }: Synset): string {
  return words.join(', ');
}

function pathOf({ id }: Synset): string {
  return `/synset/${id}`;
}
