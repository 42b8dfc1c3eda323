/** A folder for the models of one run of the tests: what one test file has trained, the others copy. See trained-once.ts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    readonly sharedModels: string;
  }
}

export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'forager-models-'));
  project.provide('sharedModels', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
