/** dist/docs/api.md: every export of `src/faces/library/index.ts` with its docstring and its type, as the sources have them. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { children, type Node, parsed } from '../../tools/mutation/syntax.ts';

const HEAD = `# Library API

Every export of the package. \`npm run build\` writes this page from the docstrings in \`src/\`. The [library page](../../docs/reference/library.md) gives an overview, and the [guide](../../docs/guides/library.md) has examples.

\`Ms\` is a number of milliseconds, \`EpochMs\` milliseconds since 1970, \`IsoTime\` a time in ISO 8601, \`Unit\` a number in [0, 1], \`CanonicalUrl\` a string.
`;

interface Exported {
  /** As the package calls it. */
  readonly name: string;
  /** As its own file calls it. */
  readonly own: string;
  readonly file: string;
}

interface Documented extends Exported {
  readonly docstring: string;
  /** Declaration without bodies of functions. */
  readonly code: string;
  readonly kind: 'function' | 'class' | 'constant' | 'type';
}

export function apiPage(): string {
  const all = exportsOf('src/faces/library/index.ts').map(documented);
  const of = (kind: Documented['kind']) => all.filter((one) => one.kind === kind).sort((a, b) => a.name.localeCompare(b.name));
  const parts = [
    ['Functions', of('function')],
    ['Classes', of('class')],
    ['Constants', of('constant')],
    ['Types', of('type')],
  ] as const;
  return HEAD + parts.map(([title, members]) => `\n## ${title}\n${members.map(section).join('')}`).join('');
}

function section({ name, docstring, code }: Documented): string {
  return `\n### ${name}\n\n${docstring === '' ? '' : `${docstring}\n\n`}\`\`\`ts\n${code}\n\`\`\`\n`;
}

function exportsOf(index: string): Exported[] {
  const source = readFileSync(index, 'utf8');
  return children(parsed(source)).flatMap((node) => {
    const from = node['source'] as { readonly value: string } | null | undefined;
    if (node.type !== 'ExportNamedDeclaration' || !from) return [];
    const file = join(dirname(index), from.value);
    return (node['specifiers'] as { local: { name: string }; exported: { name: string } }[]).map(({ local, exported }) => ({
      name: exported.name,
      own: local.name,
      file,
    }));
  });
}

const KINDS: Record<string, Documented['kind']> = {
  FunctionDeclaration: 'function',
  ClassDeclaration: 'class',
  VariableDeclaration: 'constant',
};

function documented(one: Exported): Documented {
  const { source, statement, declaration } = declared(one);
  const docstring = docstringBefore(source, statement.start);
  const loaded = loadedBy(one.file, source.slice(statement.start, statement.end));
  if (loaded === null) return { ...one, kind: KINDS[declaration.type] ?? 'type', docstring, code: codeOf(source, statement, declaration) };
  const real = declared(loaded);
  return { ...one, kind: 'function', docstring, code: codeOf(real.source, real.statement, real.declaration) };
}

interface Declared {
  readonly source: string;
  readonly statement: Node;
  readonly declaration: Node;
}

function declared({ file, own }: Pick<Exported, 'file' | 'own'>): Declared {
  const source = readFileSync(file, 'utf8');
  for (const statement of children(parsed(source))) {
    const declaration = statement['declaration'] as Node | undefined;
    if (statement.type === 'ExportNamedDeclaration' && declaration && nameOf(declaration) === own)
      return { source, statement, declaration };
  }
  throw new Error(`${file}: exports no ${own}`);
}

/** The function that a constant of `library.ts` loads with its first call; null for other declarations. */
function loadedBy(file: string, code: string): Pick<Exported, 'file' | 'own'> | null {
  const [, from, own] = /= lazily(?:Each)?\(.*\(await import\('([^']+)'\)\)\.(\w+)/s.exec(code) ?? [];
  return from === undefined || own === undefined ? null : { file: join(dirname(file), from), own };
}

function nameOf(declaration: Node): string {
  const [declared] = (declaration['declarations'] as { id: { name: string } }[] | undefined) ?? [];
  return declared?.id.name ?? (declaration['id'] as { name: string } | undefined)?.name ?? '';
}

/** Tags become sentences of a list. */
function docstringBefore(source: string, at: number): string {
  const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(source.slice(0, at))?.[1] ?? '';
  const text = comment
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .trim();
  const [first = '', ...tags] = text.split(/(?=@(?:param|returns|throws|example)\b)/);
  const items = tags.map((tag) => {
    const [, name = '', rest = ''] = /^@(\w+)\s+([\s\S]*)$/.exec(tag.trim()) ?? [];
    const said = rest.replace(/\s+/g, ' ');
    return name === 'param' ? `- ${said.replace(/^(\S+)/, '`$1`:')}` : `- ${name}: ${said}`;
  });
  return [first.replace(/\s+/g, ' ').trim(), items.join('\n')].filter((part) => part !== '').join('\n\n');
}

function codeOf(source: string, statement: Node, declaration: Node): string {
  if (declaration.type === 'FunctionDeclaration') return `${headOf(source, statement.start, declaration)};`;
  if (declaration.type !== 'ClassDeclaration') return source.slice(statement.start, statement.end);
  const body = declaration['body'] as Node;
  const members = (body['body'] as Node[]).flatMap((member) => memberOf(source, member));
  return `${source.slice(statement.start, body.start)}{\n${members.join('\n')}\n}`;
}

/** Without private members. */
function memberOf(source: string, member: Node): string[] {
  const key = member['key'] as Node | undefined;
  if (!key || key.type === 'PrivateIdentifier' || key.type === 'PrivateName' || member['accessibility'] === 'private') return [];
  const docstring = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.exec(source.slice(0, member.start))?.[0].trim();
  const value = member['value'] as Node | null;
  const head =
    member.type === 'MethodDefinition' && value
      ? `${headOf(source, member.start, value)};`
      : `${source.slice(member.start, member.end).replace(/;?$/, ';')}`;
  return [...(docstring ? [`  ${docstring}`] : []), `  ${head}`];
}

function headOf(source: string, start: number, declared: Node): string {
  const body = declared['body'] as Node | null;
  return source.slice(start, body ? body.start : declared.end).trim();
}
