/** What those who install the package get: `overrides` hold for us alone. `npm run check -- install` installs it and looks. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

interface Manifest {
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, unknown>>;
}
interface Lock {
  readonly version: string;
  readonly packages: Readonly<Record<string, { readonly version: string; readonly dev?: boolean }>>;
}
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const manifest = read('package.json') as Manifest;
const lock = read('package-lock.json') as Lock;
const { packages } = lock;
const ours = { ...manifest.dependencies, ...manifest.optionalDependencies };

/** Names that an override is about, those within another package too. */
function overridden(rules: Readonly<Record<string, unknown>> = {}): string[] {
  return Object.entries(rules).flatMap(([name, rule]) =>
    typeof rule === 'string' ? [name] : overridden(rule as Readonly<Record<string, unknown>>),
  );
}

test('no version that users need rests on an override: it is a dependency of our own', () => {
  for (const name of overridden(manifest.overrides)) {
    const shipped = Object.entries(packages).filter(([path, { dev }]) => path.endsWith(`node_modules/${name}`) && dev !== true);
    for (const [path, { version }] of shipped) expect([path, ours[name]]).toEqual([path, version]);
  }
});

test('the version is that of the lock file and of the newest heading of the changelog, and a package is built before it is packed', () => {
  const [, newest] = /^## \[(\d.*?)\]/m.exec(readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8')) ?? [];
  expect([lock.version, packages['']?.version, newest]).toEqual([manifest.version, manifest.version, manifest.version]);
  expect(manifest.scripts['prepack']).toBe('npm run build');
});

test('each dependency has its row in the table of its weight and purpose, and no other has', () => {
  const page = readFileSync(new URL('../docs/reference/dependencies.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name);
  expect(rows.sort()).toEqual(Object.keys(ours).sort());
});

test('dependencies are pinned to what we are tested with', () => {
  for (const [name, wanted] of Object.entries(ours)) {
    expect(wanted).toMatch(/^\d+\.\d+\.\d+$/);
    expect([name, packages[`node_modules/${name}`]?.version]).toEqual([name, wanted]);
  }
});

test('the command runs the built one, and in a clone that is not built says how to', () => {
  const launcher = fileURLToPath(new URL('../src/faces/cli/forager.mjs', import.meta.url));
  // By itself: npm links what is there, and whoever calls it first must be able to.
  expect(execFileSync(launcher, ['--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/);
  const clone = mkdtempSync(join(tmpdir(), 'forager-clone-'));
  mkdirSync(join(clone, 'src/faces/cli'), { recursive: true });
  cpSync(launcher, join(clone, 'src/faces/cli/forager.mjs'));
  const { status, stderr } = spawnSync(join(clone, 'src/faces/cli/forager.mjs'), ['--version'], { encoding: 'utf8' });
  rmSync(clone, { recursive: true });
  expect([status, stderr]).toEqual([2, 'forager: this clone is not built yet; run: npm run build\n']);
});
