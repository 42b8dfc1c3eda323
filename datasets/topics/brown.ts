import { DataError } from '../../src/base/core/errors.ts';
import type { PackageFiles } from '../package-files.ts';
import type { LabelledText } from './text-set.ts';

/** Second letter of a file's name: the genre, as the corpus' manual names it. */
const GENRES: Readonly<Record<string, string>> = {
  a: 'press-reportage',
  b: 'press-editorial',
  c: 'press-reviews',
  d: 'religion',
  e: 'skill-and-hobbies',
  f: 'popular-lore',
  g: 'belles-lettres',
  h: 'government',
  j: 'learned',
  k: 'fiction-general',
  l: 'fiction-mystery',
  m: 'fiction-science',
  n: 'fiction-adventure',
  p: 'fiction-romance',
  r: 'humor',
};
const FILE = /^package\/c([a-r])\d\d$/;

/** Whether the package's file of this name is a text of the corpus. */
export function isBrownFile(name: string): boolean {
  return FILE.test(name);
}

/** 500 American texts of 1961, some 2,000 words each, labelled by genre. @throws DataError when the package has none. */
export function brownTexts(brown: PackageFiles): LabelledText[] {
  const texts = [...brown.files].map(([name, body]): LabelledText => {
    const genre = GENRES[FILE.exec(name)?.[1] ?? ''] ?? 'other';
    return {
      id: name.replace('package/', ''),
      group: null,
      labels: [genre],
      title: '',
      text: untagged(body.toString('latin1')),
      url: null,
      side: null,
    };
  });
  if (texts.length === 0)
    throw new DataError(`package ${brown.name} ${brown.version}: has no text of the corpus; another version may have moved them`);
  return texts.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Every word stands with its part of speech, as `word/tag`; some words have a slash of their own. */
export function untagged(text: string): string {
  return text
    .split(/\s+/)
    .map((token) => (token.includes('/') ? token.slice(0, token.lastIndexOf('/')) : token))
    .map((word) => (word === '``' || word === "''" ? '"' : word))
    .join(' ')
    .trim();
}
