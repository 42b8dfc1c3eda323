/** A folder for what test files of one run share: models that one of them has trained (trained-once.ts), an empty database (postgres-server.ts). */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
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
  // PostgreSQL runs as nobody.
  chmodSync(folder, 0o755);
  process.env['SHARED_BY_TESTS'] = folder;
  project.provide('sharedModels', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
