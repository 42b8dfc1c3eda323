/**
 * Pack Forager, install it in an empty directory as its users do, and look at what they got: the versions of package.json, each where Forager loads it
 * from; a command line that answers; a library that can be imported. Needs the package registry; under a minute.
 * Run: npm run check -- install
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { version, dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
};
const folder = mkdtempSync(join(tmpdir(), 'forager-install-'));
const run = (command: string, args: readonly string[]) => execFileSync(command, args, { cwd: folder, encoding: 'utf8' }).trim();

interface Listed {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, Listed>>;
}

/** All versions of a package in what npm lists, wherever it stands. */
function versionsOf(name: string, { dependencies = {} }: Listed): string[] {
  return Object.entries(dependencies).flatMap(([one, listed]) => [
    ...(one === name && listed.version !== undefined ? [listed.version] : []),
    ...versionsOf(name, listed),
  ]);
}

/** @returns what is not as it should be */
function faults(): string[] {
  const tarball = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root, encoding: 'utf8' }).trim();
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', join(folder, tarball)]);
  const listed = JSON.parse(run('npm', ['ls', '--all', '--json'])) as Listed;
  const own = listed.dependencies?.['forager'] ?? {};
  const wrong = Object.entries(dependencies).flatMap(([name, wanted]) => {
    const found = own.dependencies?.[name]?.version;
    return found === wanted ? [] : [`${name}: ${found ?? 'missing'}, not ${wanted}`];
  });
  // What another package loads: every copy counts.
  for (const [name, wanted] of Object.entries(optionalDependencies)) {
    const found = versionsOf(name, listed).filter((one) => one !== wanted);
    if (found.length > 0) wrong.push(`${name}: ${found.join(', ')}, not ${wanted}`);
  }
  const said = run(process.execPath, ['node_modules/forager/dist/cli/main.js', '--version']);
  if (said !== version) wrong.push(`forager --version: ${said}, not ${version}`);
  const imported = run(process.execPath, ['-e', "import('forager').then(({ VERSION, crawl }) => console.log(VERSION, typeof crawl))"]);
  if (imported !== `${version} function`) wrong.push(`import 'forager': ${imported}`);
  return wrong;
}

try {
  const wrong = faults();
  for (const fault of wrong) console.log(`WRONG  ${fault}`);
  console.log(wrong.length === 0 ? 'installed: all versions are ours, command line and library answer' : `${wrong.length} faults`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
