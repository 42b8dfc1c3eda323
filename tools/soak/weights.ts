/**
 * Megabytes on disk of each dependency that users install: its own, and those of the packages that no other dependency needs, by the lock file and
 * node_modules. The table of docs/reference/dependencies.md.
 * Run: npm run check -- weights
 */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { readonly packages: Readonly<Record<string, Locked>> };
const needsOf = (path: string) => Object.keys({ ...packages[path]?.dependencies, ...packages[path]?.optionalDependencies });
const ours = needsOf('');

/** Where Node finds a package from the folder of another. */
function pathOf(name: string, from: string): string | null {
  const path = join(from, 'node_modules', name);
  if (packages[path] !== undefined) return path;
  return from === '' ? null : pathOf(name, from.slice(0, Math.max(0, from.lastIndexOf('node_modules/') - 1)));
}

/** All packages that the named ones bring, as paths. */
function broughtBy(names: readonly string[]): Set<string> {
  const paths = new Set(names.map((name) => pathOf(name, '')).filter((path) => path !== null));
  for (const path of paths) for (const name of needsOf(path)) paths.add(pathOf(name, path) ?? path);
  return paths;
}

/** Of a package without those that are nested in it. */
function bytesOf(path: string): number {
  if (!existsSync(path)) return 0;
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith('node_modules'));
  return names.reduce((sum, name) => sum + lstatSync(join(path, name)).blocks * 512, lstatSync(path).blocks * 512);
}

const megabytes = (paths: Iterable<string>) => ([...paths].reduce((sum, path) => sum + bytesOf(path), 0) / 2 ** 20).toFixed(1);
console.log('| package | MB with all it needs | MB that leave with it |\n| --- | ---: | ---: |');
for (const name of ours) {
  const others = broughtBy(ours.filter((other) => other !== name));
  const all = broughtBy([name]);
  console.log(`| ${name} | ${megabytes(all)} | ${megabytes([...all].filter((path) => !others.has(path)))} |`);
}
console.log(`| all | ${megabytes(broughtBy(ours))} | |`);
