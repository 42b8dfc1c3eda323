/** The syntax tree of a source file, as far as mutants need it: Vite's own parser, which Vitest exports. */
import { parseAst } from 'vitest/node';

export interface Node {
  readonly type: string;
  /** UTF-16 units from the start of the file. */
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** @returns the tree's root */
export function parsed(code: string): Node {
  return parseAst(code, { lang: 'ts', astType: 'ts', sourceType: 'module' }) as unknown as Node;
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

/** The nodes directly below, in the order of the text. */
export function children(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter(isNode)
    .sort((a, b) => a.start - b.start);
}

/** The node itself, then all below it that `enters` lets in, each with its ancestors, nearest last. */
export function* walk(
  node: Node,
  enters: (node: Node) => boolean,
  above: readonly Node[] = [],
): Iterable<readonly [Node, readonly Node[]]> {
  if (!enters(node)) return;
  yield [node, above];
  for (const child of children(node)) yield* walk(child, enters, [...above, node]);
}

export function isFunction({ type }: Node): boolean {
  return type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression';
}
