/** Readers of packages that hold prose: what is in a package, as texts as long as pages. */
import { z } from 'zod';
import { DataError, messageOf } from '../../src/base/core/errors.ts';
import type { JudgedWords } from '../../src/base/core/parts/reading.ts';
import { primaryLang } from '../../src/base/text/language.ts';
import type { PackageFiles } from '../package-files.ts';
import { readCatalogue } from './gettext.ts';
import { pieces, piecesOf } from './prose.ts';

/** A text as a page would have it. */
export interface GenericText extends JudgedWords {
  /** ISO 639-1 where the package says it; null to have it detected. */
  readonly language: string | null;
}

/** Title, main text and other text of a page of HTML. */
export type ReadHtml = (html: Buffer) => JudgedWords;
export type PackageReader = (source: PackageFiles, readHtml: ReadHtml) => GenericText[];

const SEED = 20_251_122;
/** Main texts longer than this are books in one page, and are cut. Characters. */
const LONG_PAGE = 20_000;

/** Pages of HTML, in the language they are found to be in. Long ones are cut. */
export const htmlPages: PackageReader = ({ files }, readHtml) =>
  sorted(files).flatMap(([, body]) => {
    const page = readHtml(body);
    const texts = page.text.length > LONG_PAGE ? pieces(page.text, SEED) : [page.text];
    return texts.map((text) => ({ ...page, text, language: null }));
  });

/** Files of running text in one language. Where several say the same (as by symbolic links), the first counts. */
export function plainTexts(language: string): PackageReader {
  return ({ files }) =>
    sorted(files).flatMap(([, body]) => pieces(body.toString('utf8'), SEED).map((text) => ({ title: '', text, language })));
}

/** Files named for their language, of paragraphs about one thing or another. */
export function namedTexts(pattern: RegExp): PackageReader {
  return ({ files }) =>
    sorted(files).flatMap(([name, body]) => {
      const language = languageIn(name, pattern);
      return language === null ? [] : pieces(body.toString('utf8'), SEED).map((text) => ({ title: '', text, language }));
    });
}

/** Fortune cookies: sayings, jokes and verses with a line of `%` between them; files hold sayings of a kind. */
export function fortunes(language: string): PackageReader {
  return ({ files }) =>
    sorted(files).flatMap(([, body]) => {
      const sayings = body
        .toString('utf8')
        .replaceAll(ANSI_COLOUR, '')
        .split(/^%+\s*$/m);
      return piecesOf(sayings, SEED).map((text) => ({ title: '', text, language }));
    });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours begin with ESC
const ANSI_COLOUR = /\u001b\[[\d;]*m/g;

/**
 * Translated catalogues of gettext, named by language; messages shorter than `least` characters (buttons, names) are left out. Catalogues are in the order of their English
 * sources, so a piece mixes sentences of all the work. The first catalogue also gives the English.
 */
export function catalogues(pattern: RegExp, least: number): PackageReader {
  return ({ files }) => {
    const named = sorted(files).map(([name, body]) => ({ language: languageIn(name, pattern), messages: readCatalogue(body, name) }));
    const largest = [...named].sort((a, b) => b.messages.length - a.messages.length)[0]?.messages ?? [];
    const english = { language: 'en', texts: largest.map(({ source }) => source) };
    const translated = named.map(({ language, messages }) => ({ language, texts: messages.map(({ translation }) => translation) }));
    return [english, ...translated].flatMap(({ language, texts }) =>
      language === null || (language === 'en' && texts !== english.texts) ? [] : messagePieces(texts, least, language),
    );
  };
}

function messagePieces(messages: readonly string[], least: number, language: string): GenericText[] {
  const plain = messages.map((message) => message.replaceAll(MARKUP, ' '));
  // A Chinese sentence has about a third of the characters of an English one.
  const enough = language === 'zh' || language === 'ja' || language === 'ko' ? least / 3 : least;
  const long = plain.filter((message) => message.length >= enough);
  return piecesOf([...new Set(long)], SEED).map((text) => ({ title: '', text, language }));
}

/** Tags, places for values of printf, and keyboard accelerators. */
const MARKUP = /<[^<>]{0,80}>|%(?:\d+\$)?[-+ #\d.]*[a-z]|_(?=\p{L})/gu;

/** The novels PHP's Faker cuts sentences from: a string each in `Provider/<locale>/Text.php`. */
export const novels: PackageReader = ({ files }) => {
  const seen = new Set<string>();
  return sorted(files).flatMap(([name, body]) => {
    const source = body.toString('utf8');
    const text = /<<<'EOT'\n([\s\S]*?)\nEOT;/.exec(source)?.[1] ?? '';
    if (seen.has(text)) return [];
    seen.add(text);
    const title = /^\s*\*\s*Title:\s*(.+)$/m.exec(source)?.[1]?.trim() ?? '';
    const language = languageIn(name, /\/([a-z]{2}_[A-Z]{2})\/Text\.php$/);
    return pieces(text, SEED).map((piece) => ({ title, text: piece, language }));
  });
};

/** Short messages of telephones, one string literal a line. */
export const messages: PackageReader = ({ files }) =>
  sorted(files).flatMap(([, body]) => {
    const literals = [...body.toString('utf8').matchAll(/^\s*\[?\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*[,\]]?/gm)];
    const texts = literals.map(([, single, double]) => (single ?? double ?? '').replaceAll(/\\(.)/g, '$1'));
    return piecesOf(texts, SEED).map((text) => ({ title: '', text, language: 'en' }));
  });

const jokesSchema = z.array(z.object({ body: z.string() }));

/** A list of objects with a `body` each. @throws DataError when it is none. */
export const jokes: PackageReader = ({ name, version, files }) =>
  sorted(files).flatMap(([file, body]) => {
    try {
      const bodies = jokesSchema.parse(JSON.parse(body.toString('utf8'))).map((joke) => joke.body);
      return piecesOf(bodies, SEED).map((text) => ({ title: '', text, language: 'en' }));
    } catch (error) {
      throw new DataError(
        `package ${name} ${version}: ${file} is no list of jokes (${messageOf(error)}); another version may have changed it`,
        {
          cause: error,
        },
      );
    }
  });

function sorted(files: PackageFiles['files']): [string, Buffer][] {
  return [...files].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The language a file is named for, its script and country left out: `nb` and `nn` are `no`, as language detection has it. */
function languageIn(name: string, pattern: RegExp): string | null {
  const tag = pattern.exec(name)?.[1] ?? '';
  if (tag.includes('@')) return null;
  const language = primaryLang(tag);
  return language === 'nb' || language === 'nn' ? 'no' : language;
}
