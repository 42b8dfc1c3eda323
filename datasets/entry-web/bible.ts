/** The King James Bible by chapter, and Nave's topics, whose references to verses and to each other are the links. Parts of the canon are the labels. */
import type { PackageFiles } from '../package-files.ts';
import { type Entry, type EntryWeb, Paths } from './entry.ts';
import { linkTo, listOf } from './html.ts';
import { bibleText, lexiconEntries } from './sword.ts';

const BIBLE = 'texts/ztext/engKJV2006eb';
const TOPICS = 'lexdict/zld/nave/nave';

/** Parts of the canon by the OSIS codes of their books, as the King James Bible orders them. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  Law: ['Gen', 'Exod', 'Lev', 'Num', 'Deut'],
  History: ['Josh', 'Judg', 'Ruth', '1Sam', '2Sam', '1Kgs', '2Kgs', '1Chr', '2Chr', 'Ezra', 'Neh', 'Esth'],
  Poetry: ['Job', 'Ps', 'Prov', 'Eccl', 'Song'],
  Prophets: 'Isa Jer Lam Ezek Dan Hos Joel Amos Obad Jonah Mic Nah Hab Zeph Hag Zech Mal'.split(' '),
  Gospels: ['Matt', 'Mark', 'Luke', 'John'],
  Epistles: 'Rom 1Cor 2Cor Gal Eph Phil Col 1Thess 2Thess 1Tim 2Tim Titus Phlm Heb Jas 1Pet 2Pet 1John 2John 3John Jude'.split(' '),
};

interface Chapter {
  /** `Matt.5` */
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

interface Topic {
  readonly name: string;
  readonly path: string;
  readonly tei: string;
}

/** Two hosts: chapters on the web's own, topics on another. */
export function bibleWeb(source: PackageFiles): EntryWeb {
  const chapters = chaptersIn(bibleText(source, BIBLE));
  const paths = new Paths();
  const topics = lexiconEntries(source, TOPICS).flatMap((tei): Topic[] => {
    const [, name] = /<entryFree n="([^"]+)">/.exec(tei) ?? [];
    return name === undefined ? [] : [{ name, path: `http://topics.example${paths.take('topic', name)}`, tei }];
  });
  const known = new Set(chapters.map(({ id }) => id));
  const pathOf = new Map(topics.map(({ name, path }) => [name, path]));
  const referring = new Map<string, Topic[]>();
  for (const topic of topics) for (const id of new Set(chaptersOf(topic.tei))) referring.set(id, [...(referring.get(id) ?? []), topic]);
  return {
    entries: [
      ...chapters.map((one) => chapterPage(one, referring.get(one.id) ?? [])),
      ...topics.map((one) => topicPage(one, known, pathOf)),
    ],
    others: [],
  };
}

function chapterPage({ id, title, text }: Chapter, topics: readonly Topic[]): Entry {
  const book = id.replace(/\..*/, '');
  const labels = Object.keys(PARTS).filter((part) => PARTS[part]?.includes(book));
  const links = topics.map(({ name, path }) => linkTo(path, name));
  return { path: chapterPath(id), title, body: `<p>${text}</p>\n${listOf('Topics', links)}`, labels };
}

function chapterPath(id: string): string {
  return `/chapter/${id}`;
}

/** The text between the beginnings of two chapters; notes and headings left out. */
function chaptersIn(osis: string): Chapter[] {
  const bare = osis.replaceAll(/<(note|title)\b[^>]*>.*?<\/\1>/gs, ' ');
  const names = new Map(
    [...bare.matchAll(/osisID="(\w+)"[^>]*type="book"\/>\s*<milestone n="([^"]*)"/g)].map(([, id = '', name = '']) => [id, name]),
  );
  return bare
    .split(/(?=<chapter\b[^>]*\bsID=)/)
    .slice(1)
    .map((part) => {
      const [, id = ''] = /\bosisID="([^"]*)"/.exec(part) ?? [];
      const [book = '', number = ''] = id.split('.');
      const text = part.split(/<div\b[^>]*type="book"/, 1)[0] ?? '';
      return {
        id,
        title: `${names.get(book) ?? book} ${number}`,
        text: text
          .replaceAll(/<[^>]*>/g, '')
          .replaceAll(/\s+/g, ' ')
          .trim(),
      };
    });
}

const REFERENCE = /<ref osisRef="([^".]+\.\d+)[^"]*">([^<]*)<\/ref>/g;

function chaptersOf(tei: string): string[] {
  return [...tei.matchAll(REFERENCE)].map(([, id = '']) => id);
}

/** The text is XML, so that its signs are escaped already. */
function topicPage({ name, path, tei }: Topic, known: ReadonlySet<string>, pathOf: ReadonlyMap<string, string>): Entry {
  const body = tei
    .replaceAll(REFERENCE, (_, id: string, text: string) => (known.has(id) ? `<a href="${chapterPath(id)}">${text}</a>` : text))
    .replaceAll(/<ref target="Nave:([^"]*)">([^<]*)<\/ref>/g, (_, to: string, text: string) => {
      const target = pathOf.get(to);
      return target === undefined ? text : `<a href="${target}">${text}</a>`;
    })
    .replaceAll(/<lb\/>/g, '<br>')
    .replaceAll(/<(\/?)list>/g, '<$1ul>')
    .replaceAll(/<(\/?)item>/g, '<$1li>')
    .replaceAll(/<\/?(?:entryFree|def|ref)\b[^>]*>/g, '');
  return { path, title: name, body, labels: [] };
}
