import { expect, test } from 'vitest';
import { featureText } from '../../../src/study/inspect/shown-sum.ts';

test.each([
  [{ feature: 'moss', contribution: 1 }, 'moss'],
  [{ feature: 'fen', contribution: 1, unshown: true, near: ['bog', 'mire'] }, 'fen (of no given page; near bog, mire)'],
  [{ feature: 'fen', contribution: -1, unshown: true, near: ['bog'] }, 'fen (of no given page; near bog)'],
  [{ feature: 'fen', contribution: 1, unshown: true }, 'fen (of no given page)'],
] as const)('a feature %j is named %s', (one, text) => expect(featureText(one)).toBe(text));
