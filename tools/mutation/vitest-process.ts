/**
 * Vitest kept open in a process of its own, which the parent ends when a mutant hangs. Asked for one test file, it answers how that went.
 * Its working directory is the scratch copy.
 */
import { createVitest } from 'vitest/node';
import type { Answer, Question } from './test-runs.ts';

const vitest = await createVitest('test', { root: process.cwd(), watch: false, maxWorkers: 1, reporters: [{}] });
await vitest.standalone();
const specifications = new Map((await vitest.globTestSpecifications()).map((one) => [one.moduleId.slice(process.cwd().length + 1), one]));

const known = new Set<unknown>();

process.on('message', async ({ test, changed }: Question) => {
  for (const file of changed) vitest.invalidateFile(file);
  const started = performance.now();
  const answer: Answer = { failure: await failureOf(test), ms: performance.now() - started };
  process.send?.(answer);
});
process.send?.([...specifications.keys()]);

/** Vitest's results are of all runs so far. */
async function failureOf(test: string): Promise<string | null> {
  const specification = specifications.get(test);
  if (!specification) return `${test}: not there`;
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification]);
  const unheard = unhandledErrors.filter((error) => !known.has(error));
  for (const error of unheard) known.add(error);
  const module = testModules.find(({ moduleId }) => moduleId === specification.moduleId);
  const [failed] = [...(module?.children.allTests('failed') ?? [])];
  if (failed) return failed.fullName;
  return module?.ok() === true && unheard.length === 0 ? null : `${test}: ${String(unheard[0] ?? 'does not load')}`;
}
