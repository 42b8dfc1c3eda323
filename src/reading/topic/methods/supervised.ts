import { REGRESSION, regressionFits } from '../regression.ts';
import { countOf, type PageMethod } from '../training-method.ts';

export const supervised = {
  name: 'supervised',
  help: 'logistic regression of examples against irrelevant pages',
  learnsFrom: 'pages',
  described: REGRESSION,
  suits: (rows) => countOf(rows, 'irrelevant') > 0,
  lacks: (rows) => (countOf(rows, 'irrelevant') === 0 ? 'needs irrelevant pages; give some with --irrelevant, or omit --method' : null),
  fit: regressionFits,
} as const satisfies PageMethod;
