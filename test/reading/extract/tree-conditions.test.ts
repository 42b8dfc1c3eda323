import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InvariantError } from '../../../src/base/core/errors.ts';
import { treeConditions } from '../../../src/reading/extract/tree-conditions.ts';

type Drawn = { readonly value: number } | { readonly feature: number; readonly threshold: number; readonly sides: readonly [Drawn, Drawn] };
type Columns = Record<'feature' | 'threshold' | 'left' | 'right' | 'value', number[]>;

const FEATURES = 4;
const float = fc.integer({ min: -8, max: 8 }).map((n) => n / 2);
const { tree } = fc.letrec<{ tree: Drawn }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.record({ value: float }),
    fc.record({ feature: fc.nat(FEATURES - 1), threshold: float, sides: fc.tuple(tie('tree'), tie('tree')) }),
  ),
}));

function columnsOf(root: Drawn): Columns {
  const columns: Columns = { feature: [], threshold: [], left: [], right: [], value: [] };
  add(root);
  return columns;

  function add(node: Drawn): number {
    const at = columns.feature.push('value' in node ? -1 : node.feature) - 1;
    columns.threshold[at] = 'value' in node ? 0 : node.threshold;
    columns.value[at] = 'value' in node ? node.value : 0;
    columns.left[at] = 'value' in node ? -1 : add(node.sides[0]);
    columns.right[at] = 'value' in node ? -1 : add(node.sides[1]);
    return at;
  }
}

function walked(node: Drawn, row: readonly number[]): number {
  if ('value' in node) return node.value;
  return walked(node.sides[(row[node.feature] ?? 0) > node.threshold ? 1 : 0], row);
}

/** The sum of the values of the leaves that remain. */
function scored(table: Int32Array, row: readonly number[]): number {
  const floats = new Float32Array(table.buffer);
  let sum = 0;
  for (let at = 0; at < table.length; ) {
    const leaves = at + 2 + 3 * (table[at] as number);
    let remaining = -1;
    for (let condition = at + 2; condition < leaves; condition += 3)
      if ((row[table[condition] as number] as number) > (floats[condition + 1] as number)) remaining &= ~(table[condition + 2] as number);
    sum += floats[leaves + 31 - Math.clz32(remaining & -remaining)] as number;
    at = leaves + (table[at + 1] as number);
  }
  return sum;
}

test('the conditions of trees lead to the leaves that a walk reaches', () => {
  const row = fc.array(float, { minLength: FEATURES, maxLength: FEATURES });
  fc.assert(
    fc.property(fc.array(tree, { maxLength: 3 }), row, (trees, values) => {
      const sum = trees.reduce((total, one) => total + walked(one, values), 0);
      expect(scored(treeConditions(trees.map(columnsOf)), values)).toBe(sum);
    }),
  );
});

test('a condition excludes the leaves on its left', () => {
  const inner: Drawn = { feature: 2, threshold: 0, sides: [{ value: 3 }, { value: 5 }] };
  const table = treeConditions([columnsOf({ feature: 1, threshold: 0, sides: [inner, { value: 7 }] })]);
  expect([table[0], table[1]]).toEqual([2, 3]);
  expect(new Map([2, 5].map((at) => [table[at], table[at + 2]]))).toEqual(
    new Map([
      [1, 0b011],
      [2, 0b001],
    ]),
  );
});

test('a tree has at most 32 leaves', () => {
  const chain = (leaves: number): Drawn =>
    leaves === 1 ? { value: leaves } : { feature: 0, threshold: leaves, sides: [{ value: leaves }, chain(leaves - 1)] };
  expect(scored(treeConditions([columnsOf(chain(32))]), [100])).toBe(1);
  expect(() => treeConditions([columnsOf(chain(33))])).toThrow(InvariantError);
});
