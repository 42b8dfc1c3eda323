/**
 * Pack Forager, install it in an empty directory as its users do, and look at what they got: the versions of package.json, each where Forager loads it
 * from; no install script run; a library that can be imported; a command line that trains, crawls a generated web and harvests; the tutorial and the ten
 * examples of the library. All on the oldest Node we support and on the newest of an even line. Needs the package registry; about two minutes.
 * Run: npm run check -- install
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installNode, newestEvenNode } from './installed-node.ts';
import { runWholeWay } from './installed-run.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { version, engines, dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
  engines: { node: string };
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

/** Build and pack, as a publisher does, and install without what developers need. */
function install(): void {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root, stdio: 'ignore' });
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--omit=dev', join(folder, tarball)]);
}

/** @returns what is not as it should be of what was installed */
function faultsOfInstall(): string[] {
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
  return wrong;
}

/** @returns what does not work on a Node */
async function faultsOn(nodeVersion: string): Promise<string[]> {
  const node = installNode(nodeVersion, join(folder, `node-${nodeVersion}`));
  const began = performance.now();
  const wrong: string[] = [];
  const imported = run(node, ['-e', "import('forager').then(({ VERSION, crawl }) => console.log(VERSION, typeof crawl))"]);
  if (imported !== `${version} function`) wrong.push(`import 'forager': ${imported}`);
  const { said, kept, onTopic } = await runWholeWay(node, folder, join(folder, `run-${nodeVersion}`));
  if (said !== version) wrong.push(`forager --version: ${said}, not ${version}`);
  if (kept === 0 || onTopic < kept / 2) wrong.push(`harvest: ${kept} pages, ${onTopic} of them on topic`);
  wrong.push(...faultsOfDocs(node));
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `Node ${nodeVersion}: ${wrong.length === 0 ? 'pass' : 'FAIL'}, ${seconds.toFixed(0)} s, ${onTopic} of ${kept} harvested pages on topic`,
  );
  return wrong.map((fault) => `Node ${nodeVersion}: ${fault}`);
}

/** The tutorial and the examples of the library, run by their tests from the installed package. @returns what those tests print when they fail */
function faultsOfDocs(node: string): string[] {
  const env = { ...process.env, FORAGER_NODE: node, FORAGER_PACKAGE: join(folder, 'node_modules/forager') };
  const files = ['test/docs/tutorial.test.ts', 'test/docs/examples.test.ts'];
  const { status, stdout } = spawnSync('npx', ['vitest', 'run', ...files], { cwd: root, env, encoding: 'utf8' });
  return status === 0 ? [] : [`tutorial or examples: ${stdout}`];
}

/** Megabytes of the disk that a folder takes, as `du` counts. */
function megabytesOf(path: string): number {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return names.reduce((sum, name) => sum + lstatSync(join(path, name)).blocks * 512, 0) / 2 ** 20;
}

try {
  install();
  console.log(`installed: ${megabytesOf(join(folder, 'node_modules')).toFixed(0)} MB`);
  const wrong = faultsOfInstall();
  const oldest = `${engines.node.replace('>=', '')}.0`;
  for (const nodeVersion of [oldest, newestEvenNode()]) wrong.push(...(await faultsOn(nodeVersion)));
  for (const fault of wrong) console.log(`WRONG  ${fault}`);
  console.log(wrong.length === 0 ? 'all versions are ours, command line and library work' : `${wrong.length} faults`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
