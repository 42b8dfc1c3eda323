/** What is changed in a source file, by type of node. One change is one mutant. */
import { isNode, type Node } from './syntax.ts';

/** A change of the text from `start` to `end`. */
export interface Change {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

type Mutator = (node: Node, code: string, above: readonly Node[]) => Iterable<Change>;

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '&': ['|'],
  '|': ['&'],
  '^': ['&'],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
  '&&': ['||'],
  '||': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
  '*=': ['/='],
  '/=': ['*='],
  '|=': ['&='],
  '&=': ['|='],
  '??=': ['='],
  '||=': ['='],
};

/** Methods that stand for one another. */
const TWINS: Readonly<Record<string, string>> = {
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  indexOf: 'lastIndexOf',
  lastIndexOf: 'indexOf',
};

/** Methods whose result has the type of what they are called on. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...[
    'filter',
    'sort',
    'reverse',
    'toSorted',
    'toReversed',
    'slice',
    'subarray',
    'trim',
    'trimEnd',
    'toLowerCase',
    'toUpperCase',
    'normalize',
    'replace',
  ],
  'replaceAll',
]);

/** Calls whose string is a code, not words for people. */
const BY_CODE: ReadonlySet<string> = new Set(['has', 'get', 'includes', 'startsWith', 'endsWith', 'indexOf']);

/** Below this a number counts something; above, it is a size, where one more or less is no difference of behaviour. */
const MOST_COUNTED = 16;

export const MUTATORS: Readonly<Record<string, readonly Mutator[]>> = {
  BinaryExpression: [operator, code],
  LogicalExpression: [operator, withoutFallback],
  AssignmentExpression: [operator],
  UpdateExpression: [upOrDown],
  UnaryExpression: [withoutSign],
  IfStatement: [decided],
  ConditionalExpression: [decided],
  WhileStatement: [neverEntered],
  ExpressionStatement: [leftOut],
  ContinueStatement: [leftOut],
  BreakStatement: [leftOutOfLoop],
  ReturnStatement: [returnsNothing],
  AwaitExpression: [notAwaited],
  MemberExpression: [notOptional, twin],
  CallExpression: [notOptional, methodLeftOut, code],
  ArrayExpression: [emptied],
  Literal: [boolean, number, expression],
};

function* operator(node: Node, text: string): Iterable<Change> {
  const [left, right] = [node['left'], node['right']];
  if (!isNode(left) || !isNode(right)) return;
  if (String(node['operator']).startsWith('+') && (isText(left) || isText(right))) return;
  const sign = String(node['operator']);
  const start = text.indexOf(sign, left.end);
  for (const by of OPERATORS[sign] ?? []) yield { start, end: start + sign.length, by };
}

function isText(node: Node): boolean {
  if (node.type === 'BinaryExpression') return [node['left'], node['right']].some((side) => isNode(side) && isText(side));
  return node.type === 'TemplateLiteral' || typeof node['value'] === 'string';
}

/** `a ?? b` to `a`. */
function* withoutFallback(node: Node): Iterable<Change> {
  const left = node['left'];
  if (node['operator'] === '??' && isNode(left)) yield { start: left.end, end: node.end, by: '' };
}

function* upOrDown(node: Node, text: string): Iterable<Change> {
  const sign = String(node['operator']);
  const start = node['prefix'] === true ? node.start : text.lastIndexOf(sign, node.end);
  yield { start, end: start + 2, by: sign === '++' ? '--' : '++' };
}

function* withoutSign(node: Node): Iterable<Change> {
  if (node['operator'] === '!' || node['operator'] === '-') yield { start: node.start, end: node.start + 1, by: '' };
}

function* decided(node: Node): Iterable<Change> {
  const test = node['test'];
  if (isNode(test)) for (const by of ['true', 'false']) yield { start: test.start, end: test.end, by };
}

/** Always entered would be a hang, which says nothing of the tests. */
function* neverEntered(node: Node): Iterable<Change> {
  const test = node['test'];
  if (isNode(test)) yield { start: test.start, end: test.end, by: 'false' };
}

function* leftOut(node: Node): Iterable<Change> {
  const inner = node['expression'];
  const isSuper = isNode(inner) && inner.type === 'CallExpression' && isNode(inner['callee']) && inner['callee'].type === 'Super';
  if (!isSuper) yield { start: node.start, end: node.end, by: ';' };
}

function* leftOutOfLoop(node: Node, _text: string, above: readonly Node[]): Iterable<Change> {
  if (above.at(-1)?.type !== 'SwitchCase') yield* leftOut(node);
}

function* returnsNothing(node: Node): Iterable<Change> {
  const value = node['argument'];
  if (!isNode(value) || value['value'] === null) return;
  yield { start: value.start, end: value.end, by: 'null' };
  yield { start: value.start, end: value.end, by: 'undefined' };
}

function* notAwaited(node: Node): Iterable<Change> {
  yield { start: node.start, end: node.start + 'await'.length, by: '' };
}

/** `a?.b` to what the compiler makes of `a!.b`, so that types do not stand in the way. */
function* notOptional(node: Node, text: string): Iterable<Change> {
  const inner = node['object'] ?? node['callee'];
  if (node['optional'] !== true || !isNode(inner)) return;
  const start = text.indexOf('?.', inner.end);
  const isDot = node.type === 'MemberExpression' && node['computed'] !== true;
  yield { start, end: start + 2, by: isDot ? '!.' : '!' };
}

function* twin(node: Node): Iterable<Change> {
  const name = node['property'];
  const by = isNode(name) && node['computed'] !== true ? TWINS[String(name['name'])] : undefined;
  if (isNode(name) && by !== undefined) yield { start: name.start, end: name.end, by };
}

function* methodLeftOut(node: Node): Iterable<Change> {
  const callee = node['callee'];
  if (!isNode(callee) || callee.type !== 'MemberExpression' || !isNode(callee['object'])) return;
  if (LEFT_OUT.has(propertyOf(callee))) yield { start: callee['object'].end, end: node.end, by: '' };
}

function propertyOf(member: Node): string {
  const name = member['property'];
  return isNode(name) ? String(name['name']) : '';
}

/** Strings that something is compared with or looked up by. */
function* code(node: Node): Iterable<Change> {
  const callee = node['callee'];
  const isLookup = isNode(callee) && callee.type === 'MemberExpression' && BY_CODE.has(propertyOf(callee));
  const isCompared = node.type === 'BinaryExpression' && /^[!=]==$/.test(String(node['operator']));
  const sides = isCompared ? [node['left'], node['right']] : isLookup ? [node['arguments']].flat() : [];
  for (const side of sides)
    if (isNode(side) && side.type === 'Literal' && isWord(side['value'])) yield { start: side.start, end: side.end, by: "'~'" };
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function* emptied(node: Node): Iterable<Change> {
  if ([node['elements']].flat().length > 0) yield { start: node.start, end: node.end, by: '[]' };
}

function* boolean(node: Node): Iterable<Change> {
  if (typeof node['value'] === 'boolean') yield { start: node.start, end: node.end, by: String(!node['value']) };
}

function* number(node: Node, _text: string, above: readonly Node[]): Iterable<Change> {
  const value = node['value'];
  if (typeof value !== 'number' || above.at(-1)?.type === 'UnaryExpression' || isForTheTypes(node, above.at(-1))) return;
  const isCount = Number.isInteger(value) && value <= MOST_COUNTED;
  for (const other of isCount ? [value + 1, value - 1] : [value * 2, value / 2])
    yield { start: node.start, end: node.end, by: String(other) };
}

/** The `0` of `column[slot] ?? 0`: the compiler asks for it where the index is always within the column. */
function isForTheTypes(node: Node, parent: Node | undefined): boolean {
  const left = parent?.['left'];
  return parent?.['operator'] === '??' && parent['right'] === node && isNode(left) && left['computed'] === true;
}

/** A regular expression that no longer asks for start, end, or case. */
function* expression(node: Node): Iterable<Change> {
  const regex = node['regex'];
  if (typeof regex !== 'object' || regex === null) return;
  const { pattern, flags } = regex as { pattern: string; flags: string };
  const changed = [pattern.replace(/^\^/, ''), pattern.replace(/(?<!\\)\$$/, '')].filter((other) => other !== pattern && other !== '');
  for (const other of changed) yield { start: node.start, end: node.end, by: `/${other}/${flags}` };
  if (flags.includes('i')) yield { start: node.start, end: node.end, by: `/${pattern}/${flags.replace('i', '')}` };
}
