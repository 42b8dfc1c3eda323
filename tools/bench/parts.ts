/** A bench in several processes: each runs its part and tells its results as lines of JSON. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { DataError } from '../../src/base/core/errors.ts';

/** Run this very script in `count` processes, with `--part 0`, `--part 1` … after its arguments. @param hear is given what each line held. @throws DataError when one fails; the others are stopped */
export async function inParts<T>(count: number, hear: (told: T) => void): Promise<void> {
  const parts = Array.from({ length: count }, (_, part) => startPart(part));
  try {
    await Promise.all(parts.map((part) => finished(part, hear)));
  } finally {
    for (const part of parts) part.kill();
  }
}

function startPart(part: number): ChildProcess {
  const args = [...process.execArgv, ...process.argv.slice(1), '--part', String(part)];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function finished<T>(child: ChildProcess, hear: (told: T) => void): Promise<void> {
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  if (child.stdout !== null) for await (const line of createInterface({ input: child.stdout })) hear(JSON.parse(line) as T);
  if ((await ended) !== 0) throw new DataError('a part of the bench failed; see what it said above');
}
