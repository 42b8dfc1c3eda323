/** Node in other versions than that of this process, from the package registry: a package of one file, without install scripts. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = `node-${process.platform}-${process.arch}`;

/** The newest version of a line with long-term support, or that will have it: those of even numbers. */
export function newestEvenNode(): string {
  const versions = JSON.parse(execFileSync('npm', ['view', PACKAGE, 'versions', '--json'], { encoding: 'utf8' })) as readonly string[];
  const even = versions.filter((one) => /^\d*[02468]\.\d+\.\d+$/.test(one));
  const [newest = ''] = even.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  return newest;
}

/** @returns the path of the program */
export function installNode(version: string, folder: string): string {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const args = ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts', `${PACKAGE}@${version}`];
  execFileSync('npm', args, { cwd: folder, stdio: 'inherit' });
  return join(folder, 'node_modules', PACKAGE, 'bin', 'node');
}
