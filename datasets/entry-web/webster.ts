/** Webster's dictionary of 1913, as GNU keeps it: its references are the links, its marks of fields (`(Bot.)`) the labels. */
import type { PackageFiles } from '../package-files.ts';
import { dictEntries } from './dictd.ts';
import { type EntryWeb, Paths } from './entry.ts';
import { paragraphs } from './html.ts';

/** Characters of an article, so that pages say something: 9,752 articles with a field have as many. */
const LEAST_CHARS = 450;
/** A field as it stands before a sense; what stands in brackets is no field. */
const MARK = /\(([A-Z][\w."[\]]*(?: (?:&|[A-Z])[\w.]*)*)\)/g;
const SOURCE = /\[(?:1913 Webster|Webster[^\]]*|PJC|WordNet[^\]]*)[^\]]*\]/g;

/** Articles with a field. The label is that of the first sense: "elf" is not of zoology for the owl that is named below. */
export function websterWeb(source: PackageFiles): EntryWeb {
  const paths = new Paths();
  const articles = dictEntries(source, 'gcide')
    .filter(({ text }) => text.length >= LEAST_CHARS && text.search(MARK) >= 0)
    .map(({ names, text }) => ({ names, text, title: headOf(text) }))
    .map((article) => ({ ...article, path: paths.take('word', article.title) }));
  const pathOf = new Map<string, string>();
  for (const { names, title, path } of articles)
    for (const name of [title, ...names]) if (!pathOf.has(keyOf(name))) pathOf.set(keyOf(name), path);
  const entries = articles.map(({ text, title, path }) => ({
    path,
    title,
    body: paragraphs(text.replaceAll(MARK, ' ').replaceAll(SOURCE, ''), (name) => {
      const to = pathOf.get(keyOf(name)) ?? null;
      return to === path ? null : to;
    }),
    labels: fieldsOf(text),
  }));
  return { entries, others: [] };
}

/** The word before its pronunciation between backslashes. */
function headOf(text: string): string {
  return (/^([^\\\n,[]+)/.exec(text)?.[1] ?? '').trim();
}

/** Signs of stress and syllables aside. */
function keyOf(name: string): string {
  return name.replaceAll(/[*"`]/g, '').replaceAll(/\s+/g, ' ').trim().toLowerCase();
}

/** The first paragraph has the first sense, and no other. */
function fieldsOf(text: string): string[] {
  const [first = ''] = text.split(/\n\s*\n|\n\s+2\. /, 1);
  return [...first.matchAll(MARK)].slice(0, 1).map(([, mark = '']) => mark);
}
