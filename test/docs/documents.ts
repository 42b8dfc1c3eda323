/** The Markdown documents of the repository, their links, headings and code. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export interface Document {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** Those of the root and of its folders that people read, with those that `npm run build` writes. */
export function allDocuments(): Document[] {
  const inRoot = readdirSync('.').filter((name) => name.endsWith('.md'));
  const below = ['docs', 'models', 'src', 'datasets', 'test', 'dist/docs']
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.md'))
        .map((name) => join(folder, name)),
    );
  return [...inRoot, ...below].sort().map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

/** README and docs: what users read. */
export function userDocuments(): Document[] {
  return allDocuments().filter(({ path }) => path === 'README.md' || path.startsWith('docs/'));
}

/** Those that lead to a file of ours: the file, from the root, and the heading, or ''. */
export interface LocalLink {
  readonly from: string;
  readonly file: string;
  readonly heading: string;
}

export function localLinksOf({ path, text }: Document): LocalLink[] {
  const prose = text
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/^ {4}.*$/gm, '')
    .replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, file = '', heading = '']) => ({
    from: path,
    file: file === '' ? path : normalize(join(dirname(path), file)),
    heading,
  }));
}

/** Anchors of the headings, as GitHub makes them. */
export function anchorsOf(text: string): Set<string> {
  const headings = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** Command lines of `forager` in blocks of code, as words; comments, pipes and what they are written to are left away. */
export function commandLinesOf({ path, text }: Document): { readonly at: string; readonly words: readonly string[] }[] {
  return codeOf(text).flatMap((line) => {
    const [, command] = /(?:^|\$ |\| )npx forager (.*)$/.exec(line) ?? [];
    return command === undefined ? [] : [{ at: `${path}: ${line.trim()}`, words: wordsOfShell(command) }];
  });
}

function codeOf(text: string): string[] {
  const fenced = [...text.matchAll(/^```\w*\n([\s\S]*?)^```/gm)].flatMap(([, code = '']) => code.split('\n'));
  return [...fenced, ...[...text.matchAll(/^ {4}(.*)$/gm)].map(([, line = '']) => line)];
}

function wordsOfShell(command: string): string[] {
  const words = [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
  const end = words.findIndex((word) => ['#', '|', '>', '…'].includes(word));
  return end < 0 ? words : words.slice(0, end);
}

/** Long options that a text names. */
export function optionsIn(text: string): string[] {
  return [...text.matchAll(/(?<![\w-])--([a-z][a-z0-9-]*)/g)].map((match) => match[1] ?? '');
}
