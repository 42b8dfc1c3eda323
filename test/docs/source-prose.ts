/** The words of TypeScript sources: comments, and what a user is shown (help texts, messages), as blocks of prose. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isNode, type Node, parsed, walk } from '../../tools/mutation/syntax.ts';
import { type Block, wordsOf } from './prose.ts';

/** A text of fewer words is a name, a key or a part of another. */
const LEAST_WORDS = 4;

/** Every room of the sources, as a path below `src`. */
export function roomsOfSource(): string[] {
  const folders = (path: string) => readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders('src')
    .flatMap((wing) => folders(join('src', wing.name)).map((room) => `${wing.name}/${room.name}`))
    .sort();
}

export function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
    .sort();
}

export interface SourceProse {
  readonly comments: readonly Block[];
  /** String and template literals of four words or more; an expression within stands as one word. */
  readonly messages: readonly Block[];
}

export function proseOfSource(path: string): SourceProse {
  const code = readFileSync(path, 'utf8');
  const literals = [...walk(parsed(code), () => true)].map(([node]) => node).filter(isLiteral);
  return { comments: commentsOf(code, literals), messages: literals.flatMap(messageOf) };
}

function isLiteral(node: Node): boolean {
  return node.type === 'Literal' || node.type === 'TemplateLiteral';
}

function messageOf(node: Node): Block[] {
  const text = node.type === 'TemplateLiteral' ? templateText(node) : typeof node['value'] === 'string' ? node['value'] : '';
  return text
    .split('\n')
    .map((line) => line.replace(/`[^`]*`/g, 'CODE').trim())
    .filter((line) => wordsOf(line) >= LEAST_WORDS && /[a-z]{2} [a-z]{2}/.test(line))
    .map((line) => ({ kind: 'item', text: line }));
}

function templateText(node: Node): string {
  const quasis = Array.isArray(node['quasis']) ? node['quasis'].filter(isNode) : [];
  return quasis.map((quasi) => (quasi['value'] as { cooked?: string }).cooked ?? '').join('CODE');
}

function commentsOf(code: string, literals: readonly Node[]): Block[] {
  // Two slashes in a string begin no comment.
  const bare = [...code];
  for (const { start, end } of literals) for (let i = start; i < end; i++) if (bare[i] !== '\n') bare[i] = '_';
  const text = bare.length === code.length ? bare.join('') : code;
  const found: Block[] = [];
  for (const [comment] of text.matchAll(/\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n?)+|\/\/.*$/gm)) found.push(...blocksOfComment(comment));
  return found;
}

function blocksOfComment(comment: string): Block[] {
  if (/biome-ignore|@ts-|#!/.test(comment)) return [];
  const lines = comment.split('\n').map((line) => line.replace(/^\s*(?:\/\*\*?|\*\/|\*|\/\/)/, '').replace(/\*\/\s*$/, ''));
  // Four spaces are code, as in Markdown; a list, a blank line and a tag begin another block.
  const prose = lines.filter((line) => !/^ {4,}/.test(line)).join('\n');
  return prose
    .split(/\n\s*\n|\n(?=\s*[-*] )|(?=@(?:param|returns|throws|typeParam|see)\b)/)
    .map((part) =>
      part
        .replace(/^@(?:param \S+|\w+)/, '')
        .replace(/`[^`]*`/g, 'CODE')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((part) => wordsOf(part) >= LEAST_WORDS)
    .map((part) => ({ kind: 'item', text: part }));
}
