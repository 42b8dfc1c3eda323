/** The Free On-line Dictionary of Computing: its references are the links, its fields (`<networking>`) the labels. */
import type { PackageFiles } from '../package-files.ts';
import { type DictEntry, dictEntries } from './dictd.ts';
import { type EntryWeb, Paths } from './entry.ts';
import { paragraphs } from './html.ts';

interface Article {
  readonly names: readonly string[];
  readonly title: string;
  readonly text: string;
}

/** Fields at the head of a sense, which may have a number. */
const FIELDS = /^(\s*(?:\d+\.\s+)?)<([a-z][a-z ,/-]*)>\s*/gm;
/** An entry that only names another: its words lead there. */
const POINTER = /^\{([^{}]+)\}\.?$/;

/** Entries to which an editor gave a field, those of the first sense as labels. */
export function foldocWeb(source: PackageFiles): EntryWeb {
  const articles = dictEntries(source, 'foldoc').map(articleOf);
  const paths = new Paths();
  const placed = articles.flatMap((article) => {
    const [, , fields] = article.text.matchAll(FIELDS).next().value ?? [];
    return fields === undefined ? [] : [{ ...article, fields, path: paths.take('entry', article.title) }];
  });
  const pathOf = new Map<string, string>();
  for (const { names, title, path } of placed) for (const name of [title, ...names]) pathOf.set(keyOf(name), path);
  for (const { names, text } of articles) {
    const to = pathOf.get(keyOf(POINTER.exec(text.trim())?.[1] ?? ''));
    if (to !== undefined) for (const name of names) if (!pathOf.has(keyOf(name))) pathOf.set(keyOf(name), to);
  }
  const entries = placed.map(({ title, text, fields, path }) => ({
    path,
    title,
    body: paragraphs(text.replaceAll(FIELDS, '$1'), (name) => targetOf(name, path, pathOf)),
    labels: fields.split(',').map((field) => field.trim()),
  }));
  return { entries, others: [] };
}

function targetOf(name: string, self: string, pathOf: ReadonlyMap<string, string>): string | null {
  const to = pathOf.get(keyOf(name)) ?? null;
  return to === self ? null : to;
}

/** The words stand above the first empty line. */
function articleOf({ names, text }: DictEntry): Article {
  const [, head = '', rest = ''] = /^(.*?)\n\s*\n(.*)$/s.exec(text) ?? [];
  return { names, title: head.split('\n')[0]?.trim() ?? '', text: rest };
}

function keyOf(name: string): string {
  return name.replaceAll(/\s+/g, ' ').trim().toLowerCase();
}
