/** Ontologies in the form of OBO: a term is a page, its relations are the links, and all terms above it are its labels. */

import { escapedHtml } from '../../src/faces/web-ui/markup.ts';
import { fileIn, type PackageFiles } from '../package-files.ts';
import type { Entry, EntryWeb } from './entry.ts';
import { linkTo, listOf } from './html.ts';

interface Term {
  readonly id: string;
  readonly name: string;
  readonly definition: string;
  readonly synonyms: readonly string[];
  /** To the terms above: kind of the relation and id. */
  readonly above: readonly (readonly [relation: string, id: string])[];
}

/** Web of the terms in a file of the package; obsolete ones are left out. */
export function oboWeb(source: PackageFiles, file: string): EntryWeb {
  const terms = new Map(termsIn(fileIn(source, file).toString('utf8')).map((term) => [term.id, term]));
  const below = new Map<string, Term[]>();
  for (const term of terms.values()) for (const [, id] of term.above) below.set(id, [...(below.get(id) ?? []), term]);
  const entries = [...terms.values()].map((term) => entryOf(term, terms, below.get(term.id) ?? []));
  return { entries, others: [] };
}

function entryOf(term: Term, terms: ReadonlyMap<string, Term>, below: readonly Term[]): Entry {
  const up = term.above.flatMap(([relation, id]) => {
    const other = terms.get(id);
    return other === undefined ? [] : [`${escapedHtml(relation)}: ${linkTo(pathOf(other), other.name)}`];
  });
  const body = [
    `<p>${escapedHtml(term.definition)}</p>`,
    listOf('Synonyms', term.synonyms.map(escapedHtml)),
    listOf('Relations', up),
    listOf(
      'Terms below',
      below.map((other) => linkTo(pathOf(other), other.name)),
    ),
  ].join('\n');
  return { path: pathOf(term), title: term.name, body, labels: [...namesAbove(term, terms)] };
}

function pathOf({ id }: Term): string {
  return `/term/${id.replace(':', '_')}`;
}

/** Names of the term and of all above it. */
function namesAbove(term: Term, terms: ReadonlyMap<string, Term>): Set<string> {
  const seen = new Set([term]);
  for (const one of seen) {
    for (const [, id] of one.above) {
      const other = terms.get(id);
      if (other !== undefined) seen.add(other);
    }
  }
  return new Set([...seen].map(({ name }) => name));
}

function termsIn(text: string): Term[] {
  const blocks = text.replaceAll('\r', '').split(/\n\n+/);
  return blocks.filter((block) => block.startsWith('[Term]') && !/^is_obsolete: true/m.test(block)).map(termOf);
}

function termOf(block: string): Term {
  const lines = block.split('\n').map((line) => line.split(/: (.*)/s, 2));
  const values = (tag: string) => lines.flatMap(([key, value = '']) => (key === tag ? [value] : []));
  const kinds = values('is_a').map((value): [string, string] => ['is a', idIn(value)]);
  const others = values('relationship').map((value): [string, string] => {
    const [relation = '', id = ''] = value.split(' ');
    return [relation.replaceAll('_', ' '), id];
  });
  return {
    id: values('id')[0] ?? '',
    name: unescaped(values('name')[0] ?? ''),
    definition: quoted(values('def')[0] ?? ''),
    synonyms: values('synonym').map(quoted),
    above: [...kinds, ...others],
  };
}

function idIn(value: string): string {
  return value.split(' ', 1)[0] ?? '';
}

function quoted(value: string): string {
  return unescaped(/^"((?:[^"\\]|\\.)*)"/s.exec(value)?.[1] ?? '');
}

/** `\n` is a new line; any other sign behind a backslash is itself. */
function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, (_, sign: string) => (sign === 'n' ? ' ' : sign));
}
