/** The trees of the block model: block-model.ts. A node has a feature (-1 for a leaf), the slot of its left child, and a threshold or the leaf's value. */
const NODE: usize = 16;

/**
 * The log odds of each row of features.
 * @param nodes the trees @param roots slots of their roots, four bytes each @param features rows of f32 @param width features of a row
 * @param out f64 for each row
 */
export function scoreTrees(nodes: usize, roots: usize, trees: i32, features: usize, rows: i32, width: i32, bias: f64, out: usize): void {
  for (let i = 0; i < rows; i++) {
    const row = features + ((<usize>(i * width)) << 2);
    let logit = bias;
    for (let tree = 0; tree < trees; tree++) {
      let node = nodes + ((<usize>load<u32>(roots + ((<usize>tree) << 2))) << 2);
      let feature = load<i32>(node);
      while (feature >= 0) {
        const isRight = load<f32>(row + ((<usize>feature) << 2)) > load<f32>(node, 8);
        node = nodes + ((<usize>load<u32>(node, 4)) << 2) + (isRight ? NODE : 0);
        feature = load<i32>(node);
      }
      logit += <f64>load<f32>(node, 8);
    }
    store<f64>(out + ((<usize>i) << 3), logit);
  }
}
