import { isoDate } from '../../../../base/text/iso-date.ts';
import { normaliseLang } from '../../../../base/text/language.ts';
import { squeeze } from '../../../../base/text/squeeze.ts';
import { type DocumentFacts, NO_DOCUMENT_FACTS } from '../../document-kind.ts';
import { attribute, descendants, textIn, type XmlElement } from '../../xml-tree.ts';

const MAX_AUTHORS = 100;

/** Facts that the metadata of a package file state, in the words of EPUB 2 (attributes) and of EPUB 3 (refinements). */
export function bookFacts(root: XmlElement): DocumentFacts {
  const book = new BookMetadata(root);
  return {
    ...NO_DOCUMENT_FACTS,
    title: book.title,
    authors: book.authors,
    published: book.date('publication') ?? book.date('original-publication') ?? book.date(null) ?? book.date('creation'),
    modified: book.stated('dcterms:modified') ?? book.date('modification'),
    language: normaliseLang(book.values('language')[0]),
    producer: book.producer,
  };
}

class BookMetadata {
  readonly #root: XmlElement;
  readonly #metas: readonly XmlElement[];
  /** Metas by the id that they refine, and by their property. */
  readonly #refinements: ReadonlyMap<string, XmlElement>;

  constructor(root: XmlElement) {
    this.#root = descendants(root, 'metadata')[0] ?? root;
    this.#metas = descendants(this.#root, 'meta');
    // Of two refinements the first counts.
    this.#refinements = new Map(
      [...this.#metas].reverse().map((one) => [`${attribute(one, 'refines')} ${attribute(one, 'property')}`, one] as const),
    );
  }

  values(name: string): readonly string[] {
    return descendants(this.#root, name)
      .map(plain)
      .filter((value) => value !== '');
  }

  get title(): string | null {
    const titles = descendants(this.#root, 'title');
    const main = titles.find((title) => this.#refinement(title, 'title-type') === 'main') ?? titles[0];
    return main === undefined ? null : plain(main) || null;
  }

  /** Creators whose role is to be author, or that have none; if all have other roles, all: an editor's book. */
  get authors(): readonly string[] {
    const creators = descendants(this.#root, 'creator').filter((creator) => plain(creator) !== '');
    const authors = creators.filter((creator) => ['', 'aut'].includes(this.#role(creator)));
    return [...new Set((authors.length > 0 ? authors : creators).map(plain))].slice(0, MAX_AUTHORS);
  }

  /** The program that wrote the file: MARC calls it the book producer, `bkp`. */
  get producer(): string | null {
    const generator = this.#metas.find((meta) => attribute(meta, 'name')?.toLowerCase() === 'generator');
    const stated = generator === undefined ? '' : squeeze(attribute(generator, 'content') ?? textIn(generator));
    const contributor = descendants(this.#root, 'contributor').find((one) => this.#role(one) === 'bkp');
    return stated || (contributor === undefined ? null : plain(contributor)) || null;
  }

  /** The date of an event (EPUB 2); null for that without one. */
  date(event: string | null): string | null {
    const date = descendants(this.#root, 'date').find((one) => (attribute(one, 'event')?.toLowerCase() ?? null) === event);
    return date === undefined ? null : isoDate(plain(date));
  }

  stated(property: string): string | null {
    const meta = this.#metas.find((one) => attribute(one, 'property') === property && attribute(one, 'refines') === null);
    return meta === undefined ? null : isoDate(plain(meta));
  }

  #role(element: XmlElement): string {
    return (attribute(element, 'role') ?? this.#refinement(element, 'role') ?? '').trim().toLowerCase();
  }

  #refinement(element: XmlElement, property: string): string | null {
    const id = attribute(element, 'id');
    if (id === null) return null;
    const meta = this.#refinements.get(`#${id} ${property}`);
    return meta === undefined ? null : plain(meta);
  }
}

function plain(element: XmlElement): string {
  return squeeze(textIn(element));
}
