/** The package file of a book: its chapters in the order of reading, and its facts (EPUB 3.3 §5, OPF 2.0.1). */
import { squeeze } from '../../../../base/text/squeeze.ts';
import type { DocumentFacts } from '../../document-kind.ts';
import { entryName, type OfficePackage } from '../../office-package.ts';
import { broken } from '../../safe-reading.ts';
import { attribute, childrenNamed, descendants, type XmlElement } from '../../xml-tree.ts';
import { bookFacts } from './book-facts.ts';

export interface BookPackage {
  /** Names of the entries. */
  readonly chapters: readonly string[];
  readonly facts: DocumentFacts;
}

/** XHTML of EPUB 2 and 3, and that of their forerunner OEB. */
const CHAPTER = /^(?:application\/xhtml\+xml|text\/(?:html|x-oeb1-document))$/i;
const CHAPTER_ENDING = /\.x?html?$/i;
/** A book of 10,000 files would be a bomb; dictionaries have up to a few thousand. */
const MAX_CHAPTERS = 10_000;

/** @throws EndOfReading if there is no package file, or no chapter */
export function readPackage(file: OfficePackage): BookPackage {
  const path = packagePath(file);
  const { root } = file.neededXml(path);
  const items = new Map(
    descendants(root, 'item').map((item) => [attribute(item, 'id') ?? '', { item, name: entryName(attribute(item, 'href') ?? '', path) }]),
  );
  const contents = contentsOf(root, path);
  const isChapter = ({ item, name }: Item) => isText(item, name) && !isNavigation(item) && !contents.has(name);
  const spine = descendants(root, 'itemref').flatMap((itemref) => items.get(attribute(itemref, 'idref')?.trim() ?? '') ?? []);
  const inOrder = (spine.some(isChapter) ? spine : [...items.values()]).filter(isChapter).map(({ name }) => name);
  const chapters = [...new Set(inOrder)].slice(0, MAX_CHAPTERS);
  if (chapters.length === 0) throw broken('the package file of the book names no chapter');
  return { chapters, facts: { ...bookFacts(root), cut: inOrder.length > MAX_CHAPTERS } };
}

interface Item {
  readonly item: XmlElement;
  readonly name: string;
}

/** Name of the package file: the one that the container names, else the first that has its ending. */
function packagePath(file: OfficePackage): string {
  const files = descendants(file.optionalXml('META-INF/container.xml'), 'rootfile');
  const paths = files.map((rootfile) => entryName(attribute(rootfile, 'full-path') ?? '', ''));
  const path = paths.find((name) => file.has(name)) ?? file.names.find((name) => /\.opf$/i.test(name));
  if (path === undefined) throw broken('the book has no package file');
  return path;
}

function isText(item: XmlElement, name: string): boolean {
  const type = squeeze(attribute(item, 'media-type') ?? '');
  return type === '' ? CHAPTER_ENDING.test(name) : CHAPTER.test(type);
}

/** Is it the table of contents of EPUB 3? The chapters have its headings. */
function isNavigation(item: XmlElement): boolean {
  return (attribute(item, 'properties') ?? '').split(/\s+/).includes('nav');
}

/** The contents of EPUB 2 that are a page. A book whose only page it is keeps it: the reference is to a place in it. */
function contentsOf(root: XmlElement, path: string): ReadonlySet<string> {
  const references = descendants(root, 'guide').flatMap((guide) => childrenNamed(guide, 'reference'));
  const named = (isToc: boolean) =>
    references
      .filter((reference) => (attribute(reference, 'type')?.trim().toLowerCase() === 'toc') === isToc)
      .map((reference) => attribute(reference, 'href') ?? '');
  const others = new Set(named(false).map((href) => entryName(href, path)));
  return new Set(
    named(true)
      .filter((href) => !href.includes('#'))
      .map((href) => entryName(href, path))
      .filter((name) => !others.has(name)),
  );
}
