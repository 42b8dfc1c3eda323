/** All mutants of a source file, and where a test that could kill one must come by. */
import { type Change, MUTATORS } from './mutators.ts';
import { isFunction, isNode, type Node, parsed, walk } from './syntax.ts';

/** A file with one change. */
export interface Mutant {
  /** From the root of the repository. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The line as it stands, trimmed. */
  readonly text: string;
  readonly was: string;
  readonly by: string;
  readonly change: Change;
  /** Start of the innermost block it stands in; null at the top of the file, which whoever imports the file runs. */
  readonly block: number | null;
}

export function mutantsOf(file: string, code: string): Mutant[] {
  const found: Mutant[] = [];
  for (const [node, above] of walk(parsed(code), isMutable)) {
    const block = [...above, node].findLast(isBlock)?.start ?? null;
    for (const mutator of MUTATORS[node.type] ?? [])
      for (const change of mutator(node, code, above)) found.push({ file, block, change, ...described(code, change) });
  }
  return found;
}

export function mutated(code: string, { start, end, by }: Change): string {
  return code.slice(0, start) + by + code.slice(end);
}

/** The file with a call of `hit` in every block: `hit` is told the number that `numberOf` gives the block. */
export function instrumented(code: string, hit: string, numberOf: (block: number) => number): string {
  const inserts: (readonly [at: number, text: string])[] = [];
  for (const [node] of walk(parsed(code), () => true)) {
    if (!isBlock(node)) continue;
    const call = `${hit}(${numberOf(node.start)})`;
    if (node.type === 'BlockStatement') inserts.push([node.start + 1, ` ${call};`]);
    const body = node['body'];
    if (isFunction(node) && isNode(body)) inserts.push([body.start, `(${call}, `], [body.end, ')']);
  }
  return inserts.sort(([a], [b]) => b - a).reduce((text, [at, insert]) => text.slice(0, at) + insert + text.slice(at), code);
}

/** A block, or an arrow function whose body is an expression. */
function isBlock(node: Node): boolean {
  const body = node['body'];
  return node.type === 'BlockStatement' || (isFunction(node) && isNode(body) && body.type !== 'BlockStatement');
}

/** Not types, and not what is told in an error or in a log: tests of behaviour do not hold wording. */
function isMutable(node: Node): boolean {
  if (node.type.startsWith('TS') && !/^TS(As|NonNull|Satisfies)Expression$/.test(node.type)) return false;
  if (/^(Import|ExportAll)|Annotation$|^TSType/.test(node.type)) return false;
  if (node.type === 'ThrowStatement') return false;
  if (node.type === 'NewExpression') return !/Error$/.test(nameOf(node['callee']));
  return !(node.type === 'CallExpression' && /Error(From)?$|[lL]og\.(debug|info|warn|error)$/.test(nameOf(node['callee'])));
}

function nameOf(callee: unknown): string {
  if (!isNode(callee)) return '';
  return callee.type === 'MemberExpression' ? `${nameOf(callee['object'])}.${nameOf(callee['property'])}` : String(callee['name'] ?? '');
}

function described(code: string, { start, end, by }: Change): Pick<Mutant, 'line' | 'text' | 'was' | 'by'> {
  const line = code.slice(0, start).split('\n').length;
  const [text = ''] = code.slice(code.lastIndexOf('\n', start - 1) + 1).split('\n');
  return { line, text: text.trim(), was: code.slice(start, end).replaceAll(/\s+/g, ' ').trim(), by };
}
