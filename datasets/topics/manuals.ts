/** Translated manuals of the Debian web, labelled by subject; each language is a problem of its own. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DataError, EnvironmentError } from '../../src/base/core/errors.ts';
import { seededRng, shuffled } from '../../src/base/core/rng.ts';
import { detectLanguage } from '../../src/base/text/language.ts';
import { DEFAULT_MAIN_TEXT_METHOD } from '../../src/reading/extract/text-method-names.ts';
import { htmlFiles, PageFiles } from '../background/pages.ts';
import { distinctTexts, type LabelledText } from './text-set.ts';

/** One manual in one language. */
export interface Book {
  /** ISO 639-1. */
  readonly language: string;
  readonly subject: string;
  readonly host: string;
  /** Path of its folder on the host, between slashes. */
  readonly folder: string;
  /** What the names of its pages end in; '' for all pages below the folder. */
  readonly ending: string;
}

/** Pages of one book: no subject is one big manual. */
const PAGES_PER_BOOK = 80;
/** Shorter pages are redirects, contents and empty stubs. Characters; a third of that in scripts where a character is about a syllable or a word. */
const MIN_CHARS = 300;
const DENSE = new Set(['zh', 'ja']);
const SEED = 20_251_123;
const TABLE = fileURLToPath(new URL('manuals.tsv', import.meta.url));

/** The books of manuals.tsv. @throws DataError with file and line. */
export function bookTable(text: string = readFileSync(TABLE, 'utf8'), file = 'manuals.tsv'): Book[] {
  return text
    .split('\n')
    .map((line, at) => ({ line, at: at + 1 }))
    .filter(({ line }) => line.trim() !== '' && !line.startsWith('#'))
    .map(({ line, at }) => bookOf(line, `${file}:${at}`));
}

function bookOf(line: string, where: string): Book {
  const [language = '', subject = '', host = '', pages = ''] = line.split('\t');
  const [, folder = '', ending = ''] = /^(\/(?:[^*]*\/)?)(?:\*([^*/]+))?$/.exec(pages) ?? [];
  if (folder === '')
    throw new DataError(`${where}: a row has language, subject, host and pages, separated by tabs; pages are /folder/ or /folder/*.ending`);
  return { language, subject, host, folder, ending };
}

/**
 * Pages of the books that a built Debian web holds, in the language of their book by detection, for translations are often unfinished. A text's group is its book, its label
 * `<language>:<subject>`.
 * @throws EnvironmentError when there is no web, or a book is not in it.
 */
export async function manualTexts(
  web: string,
  progress: (line: string) => void,
  books: readonly Book[] = bookTable(),
): Promise<LabelledText[]> {
  if (!existsSync(join(web, 'manifest.json')))
    throw new EnvironmentError(`no Debian web in ${web}: run npm run data -- web-build first, or say with --web where it is`);
  const files = new PageFiles(web, DEFAULT_MAIN_TEXT_METHOD);
  const out: LabelledText[] = [];
  for (const book of books) {
    const texts = await textsOf(files, book);
    progress(`${book.language} ${groupOf(book)}: ${texts.length} pages on ${book.subject}`);
    out.push(...texts);
  }
  return out;
}

function groupOf({ host, folder, ending }: Book): string {
  return `${host}${folder}${ending === '' ? '' : `*${ending}`}`;
}

async function textsOf(files: PageFiles, book: Book): Promise<readonly LabelledText[]> {
  const { language, subject, host } = book;
  const group = groupOf(book);
  let kept: readonly LabelledText[] = [];
  for (const path of shuffled(pathsOf(files.root, book), seededRng(SEED))) {
    if (kept.length === PAGES_PER_BOOK) break;
    const { url, title, text } = files.read(host, path);
    if (text.length < (DENSE.has(language) ? MIN_CHARS / 3 : MIN_CHARS) || (await detectLanguage(text)) !== language) continue;
    const id = `${host}/${path}`;
    kept = distinctTexts([...kept, { id, group, labels: [`${language}:${subject}`], title, text, url, side: null, language }]);
  }
  return kept;
}

/** Paths of the book's pages, below its host. @throws EnvironmentError when there are none. */
function pathsOf(web: string, { host, folder, ending }: Book): string[] {
  const root = join(web, host, folder);
  const names = existsSync(root) ? htmlFiles(root) : [];
  const own = names.filter((name) => ending === '' || (basename(name).endsWith(ending) && dirname(name) === '.'));
  if (own.length === 0)
    throw new EnvironmentError(`${root}: no pages; build the web with all rows of hosts.tsv (npm run data -- web-build)`);
  return own.map((name) => join(folder.slice(1), name));
}
