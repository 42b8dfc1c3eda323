/** Programs of Debian's index: a page a package, its dependencies and its maintainer are the links, its section is the label. */
import { grouped } from '../../src/base/core/grouped.ts';
import { escapedHtml } from '../../src/faces/web-ui/markup.ts';
import { fileIn, type PackageFiles } from '../package-files.ts';
import { type Entry, type EntryWeb, Paths } from './entry.ts';
import { linkTo, listOf } from './html.ts';

export const INDEX = 'Packages';
export const DESCRIPTIONS = 'Translation-en';

type Fields = ReadonlyMap<string, string>;

interface Program {
  readonly name: string;
  readonly path: string;
  readonly fields: Fields;
}

/** Fields that name other packages, as the page calls them. */
const RELATIONS = ['Pre-Depends', 'Depends', 'Recommends', 'Suggests', 'Enhances', 'Provides'] as const;

/** Packages that debtags calls a program. Libraries, documentation and data are left out: they follow from the programs. */
export function packagesWeb(source: PackageFiles): EntryWeb {
  const paths = new Paths();
  const programs = stanzas(fileIn(source, INDEX))
    .filter((fields) => /\brole::program\b/.test(fields.get('Tag') ?? ''))
    .map((fields) => ({ name: fields.get('Package') ?? '', fields }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, fields }): Program => ({ name, path: paths.take('package', name), fields }));
  const texts = new Map(stanzas(fileIn(source, DESCRIPTIONS)).map((fields) => [fields.get('Package'), fields.get('Description-en')]));
  const pathOf = new Map(programs.map(({ name, path }) => [name, path]));
  const maintainers = [...grouped(programs, ({ fields }) => nameOf(fields))].map(([title, own]) => pageOf(title, own, paths));
  const pathOfMaintainer = new Map(maintainers.map(({ title, path }) => [title, path]));
  const entries = programs.map((program) => {
    const maintainer = nameOf(program.fields);
    const by = `<p>Maintainer: ${linkTo(pathOfMaintainer.get(maintainer) ?? null, maintainer)}</p>`;
    const body = [describe(texts.get(program.name) ?? program.fields.get('Description') ?? ''), by, ...relationsOf(program, pathOf)];
    return { path: program.path, title: program.name, body: body.join('\n'), labels: [program.fields.get('Section') ?? ''] };
  });
  return { entries, others: maintainers };
}

function pageOf(title: string, own: readonly Program[], paths: Paths): Entry {
  const items = own.map(({ name, path }) => linkTo(path, name));
  return { path: `http://maintainers.example${paths.take('maintainer', title)}`, title, body: listOf('Packages', items), labels: [] };
}

/** Without the address. */
function nameOf(fields: Fields): string {
  return (fields.get('Maintainer') ?? 'nobody').replace(/\s*<[^>]*>/, '').trim();
}

function relationsOf({ fields, name: self }: Program, pathOf: ReadonlyMap<string, string>): string[] {
  return RELATIONS.map((relation) => {
    const names = (fields.get(relation) ?? '').split(/[,|]/).map((part) => part.trim().split(/[\s:(]/, 1)[0] ?? '');
    const others = [...new Set(names)].filter((name) => name !== '' && name !== self);
    return listOf(
      relation,
      others.map((name) => linkTo(pathOf.get(name) ?? null, name)),
    );
  });
}

/** The first line is a summary; lines of a single dot part the paragraphs. */
function describe(text: string): string {
  const [summary = '', ...lines] = text.split('\n').map((line) => line.trim());
  const rest = lines.map((line) => (line === '.' ? '' : line)).join('\n');
  return [summary, ...rest.split(/\n\n+/)].map((paragraph) => `<p>${escapedHtml(paragraph)}</p>`).join('\n');
}

/** Records of a control file, deb822(5). */
export function stanzas(file: Buffer): Fields[] {
  return file
    .toString('utf8')
    .split(/\n\n+/)
    .filter((stanza) => stanza.trim() !== '')
    .map((stanza) => new Map([...stanza.matchAll(/^([\w-]+):[ \t]*(.*(?:\n[ \t].*)*)/gm)].map(([, key = '', value = '']) => [key, value])));
}
