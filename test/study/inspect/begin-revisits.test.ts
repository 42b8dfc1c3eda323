import { expect, test } from 'vitest';
import { KeptResponses } from '../../../src/corpus/records/stored-responses.ts';
import { beginRevisits } from '../../../src/study/inspect/revisit-counts.ts';

test('a continuous crawl that goes on with a new model has its responses, and reads no file again', async () => {
  const plan = { target: 'age', budget: { kind: 'a-day', count: 1 } } as const;
  const known = new KeptResponses(new Map());
  const plans: unknown[] = [];
  const never = () => {
    throw new Error('reads the crawl');
  };
  const frontier = {
    revisit: never,
    refresh: (one: unknown) => void plans.push(one),
    committedOffsets: never,
    settled: never,
    revisits: never,
  };
  const choice = { plan, isShared: false, known };
  expect(await beginRevisits(frontier, {} as never, choice, 0, new AbortController().signal, undefined)).toBe(known);
  expect(plans).toEqual([plan]);
});
