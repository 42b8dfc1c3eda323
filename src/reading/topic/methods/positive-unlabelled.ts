import { REGRESSION, regressionFits } from '../regression.ts';
import { countOf, type PageMethod } from '../training-method.ts';
import { PROTOTYPE_BELOW } from './prototype.ts';

/** Hidden examples among the unlabelled pages are dropped before any fit (`hiddenExamples`). */
export const positiveUnlabelled = {
  name: 'positive-unlabelled',
  help: 'logistic regression of examples against unlabelled pages',
  learnsFrom: 'pages',
  described: `examples in hiding dropped from the unlabelled pages, then ${REGRESSION}`,
  suits: (rows) => countOf(rows, 'irrelevant') === 0 && countOf(rows, 'example') >= PROTOTYPE_BELOW,
  lacks: () => null,
  fit: regressionFits,
} as const satisfies PageMethod;
