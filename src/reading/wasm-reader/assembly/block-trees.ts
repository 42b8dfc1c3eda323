/** The trees of the block model: block-model.ts. A node has a feature (-1 for a leaf), the slot of its left child, and a threshold or the leaf's value. */
import { ROW_BYTES } from './block-rows';

/** Rows that go down a tree together: the steps of one wait for memory, those of others fill the time. */
export const ROWS: i32 = 4;

function next(nodes: usize, node: usize, feature: i32, row: usize): usize {
  const isRight = load<f32>(row + ((<usize>feature) << 2)) > load<f32>(node, 8);
  const child = nodes + ((<usize>load<u32>(node, 4)) << 2) + ((<usize>isRight) << 4);
  return select(node, child, feature < 0);
}

/**
 * The log odds of `ROWS` rows of features.
 * @param nodes the trees @param roots slots of their roots, four bytes each @param rows four bytes before them are readable @param out f64 for each row
 */
export function scoreRows(nodes: usize, roots: usize, trees: i32, bias: f64, rows: usize, out: usize): void {
  const row1 = rows + ROW_BYTES;
  const row2 = row1 + ROW_BYTES;
  const row3 = row2 + ROW_BYTES;
  let logit0 = bias;
  let logit1 = bias;
  let logit2 = bias;
  let logit3 = bias;
  for (let tree = 0; tree < trees; tree++) {
    const root = nodes + ((<usize>load<u32>(roots + ((<usize>tree) << 2))) << 2);
    let node0 = root;
    let node1 = root;
    let node2 = root;
    let node3 = root;
    for (;;) {
      const feature0 = load<i32>(node0);
      const feature1 = load<i32>(node1);
      const feature2 = load<i32>(node2);
      const feature3 = load<i32>(node3);
      if ((feature0 & feature1 & feature2 & feature3) < 0) break;
      node0 = next(nodes, node0, feature0, rows);
      node1 = next(nodes, node1, feature1, row1);
      node2 = next(nodes, node2, feature2, row2);
      node3 = next(nodes, node3, feature3, row3);
    }
    logit0 += <f64>load<f32>(node0, 8);
    logit1 += <f64>load<f32>(node1, 8);
    logit2 += <f64>load<f32>(node2, 8);
    logit3 += <f64>load<f32>(node3, 8);
  }
  store<f64>(out, logit0);
  store<f64>(out, logit1, 8);
  store<f64>(out, logit2, 16);
  store<f64>(out, logit3, 24);
}
