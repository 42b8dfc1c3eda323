/** The sizes on the page of dependencies are those that its command prints; file systems differ in the blocks of small files. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const TOLERATED = 0.05;
const page = readFileSync('docs/reference/dependencies.md', 'utf8');
const rowsOf = (table: string) =>
  new Map([...table.matchAll(/^\| `?([@\w/-]+)`? \| ([\d.]+) \|/gm)].map(([, name = '', size]) => [name, Number(size)]));

test('docs/reference/dependencies.md has the sizes of npm run check -- weights', () => {
  const printed = rowsOf(execFileSync(process.execPath, ['--import', 'tsx', 'tools/soak/weights.ts'], { encoding: 'utf8' }));
  const written = rowsOf(page);
  const total = Number(/: (\d+) MB of dependencies/.exec(page)?.[1]);
  expect(page).toContain('`npm run check -- weights` prints the sizes below');
  expect(written.size).toBeGreaterThan(10);
  for (const [name, size] of [...written, ['all', total] as const])
    expect(Math.abs(size - (printed.get(name) ?? Number.NaN)), `${name}: ${size} MB here, ${printed.get(name)} printed`).toBeLessThan(
      Math.max(0.2, TOLERATED * size),
    );
});
