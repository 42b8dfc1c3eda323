/** Data that is built in parts, with a manifest of what each was built from. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataError, EnvironmentError, messageOf } from '../src/base/core/errors.ts';

/**
 * Builds each part. One that cannot be built does not stop the others: it is named in the error at the end.
 * @param what the parts are, in the plural @param build returns the line to say @throws EnvironmentError when parts could not be built
 */
export async function buildEach<T extends { readonly name: string }>(
  what: string,
  parts: readonly T[],
  build: (part: T) => Promise<string>,
  say: (line: string) => void,
): Promise<void> {
  const failures: string[] = [];
  for (const part of parts) {
    try {
      say(`${part.name}: ${await build(part)}`);
    } catch (error) {
      if (!(error instanceof EnvironmentError || error instanceof DataError)) throw error;
      failures.push(part.name);
      say(`${part.name}: ${messageOf(error)}`);
    }
  }
  if (failures.length > 0) throw new EnvironmentError(`${what} not built: ${failures.join(', ')}; see the lines above`);
}

/** What was built at `out`, by name; nothing when nothing was. @throws DataError when the manifest is damaged */
export function readBuilt<T>(out: string): Readonly<Record<string, T>> {
  const file = manifestFile(out);
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, T>;
  } catch (error) {
    throw new DataError(`${file}: not a manifest; delete the folder and build again`, { cause: error });
  }
}

/** Writes the manifest with this part, whole or not at all. */
export function addBuilt<T>(out: string, name: string, built: T): void {
  const file = manifestFile(out);
  writeFileSync(`${file}.tmp`, `${JSON.stringify({ ...readBuilt<T>(out), [name]: built }, null, 1)}\n`);
  renameSync(`${file}.tmp`, file);
}

function manifestFile(out: string): string {
  return join(out, 'manifest.json');
}
