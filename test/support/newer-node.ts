/** Node 24 or newer, where a machine has it: the recommended versions are tested beside the oldest supported one, which runs the tests. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const OLDEST = 24;
/** Path of the program; the variable goes before the search path. */
export const NEWER_NODE = newerNode(process.env);
if (NEWER_NODE === null) {
  console.log(`Tests on Node ${OLDEST} are omitted: neither NEWER_NODE nor PATH leads to Node ${OLDEST} or newer`);
}

/** @throws Error when `NEWER_NODE` names something else: a test that was asked for is not omitted */
export function newerNode({ NEWER_NODE: named, PATH = '' }: Readonly<Record<string, string | undefined>>): string | null {
  if (named !== undefined) {
    if (isNewer(named)) return named;
    throw new Error(`NEWER_NODE=${named}: is no Node ${OLDEST} or newer`);
  }
  const folders = PATH.split(delimiter).filter((folder) => folder !== '');
  const files = folders.flatMap((folder) => [join(folder, `node${OLDEST}`), join(folder, 'node')]);
  return files.find((file) => existsSync(file) && isNewer(file)) ?? null;
}

function isNewer(file: string): boolean {
  const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' });
  return Number(/^v(\d+)\./.exec(stdout ?? '')?.[1]) >= OLDEST;
}
