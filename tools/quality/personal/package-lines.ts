/** Lines of the copyright and changelog files of the Debian packages of this machine. Nothing of them is stored. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const DOC = '/usr/share/doc';
/** Larger changelogs are cut: those of a few packages would be most of the lines. */
const MAX_LINES = 2000;

export type Half = 'tune' | 'report';

/** The half of a package by the hash of its name: rules are tuned on one half alone. */
export function halfOf(name: string): Half {
  return (createHash('sha256').update(name).digest()[0] ?? 0) % 2 === 0 ? 'tune' : 'report';
}

/** Distinct lines of 20 to 300 characters, in the order of packages. */
export function packageLines(half: Half): string[] {
  const lines = new Set<string>();
  for (const name of readdirSync(DOC).sort())
    if (halfOf(name) === half) for (const line of linesOf(join(DOC, name))) if (line.length >= 20 && line.length <= 300) lines.add(line);
  return [...lines];
}

function linesOf(folder: string): string[] {
  if (!statSync(folder).isDirectory()) return [];
  return readdirSync(folder)
    .filter((name) => name === 'copyright' || /^changelog.*\.gz$/.test(name))
    .flatMap((name) => (existsSync(join(folder, name)) ? readLines(join(folder, name)) : []));
}

function readLines(path: string): string[] {
  const bytes = readFileSync(path);
  const text = path.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  return text
    .toString('utf8')
    .split('\n')
    .slice(0, MAX_LINES)
    .map((line) => line.trim());
}
