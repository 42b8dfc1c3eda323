/** The user's words for running Forager, so that a printed command can be pasted. */
import { realpathSync } from 'node:fs';
import { basename, delimiter, dirname, relative, resolve } from 'node:path';
import { shellLine } from '../../base/text/shell-line.ts';
import type { Environment } from '../../base/text/written-file.ts';

/** Commands of programs that run the packages of a project, by the start of their `npm_config_user_agent`. */
const RUNNERS: Readonly<Record<string, string>> = {
  npm: 'npx forager',
  pnpm: 'pnpm exec forager',
  yarn: 'yarn forager',
  bun: 'bunx forager',
};

/**
 * `npx forager` (or that of another package manager), `forager` where the search path has it, `node PATH` otherwise.
 * @param script the program as Node was given it
 */
export function programOf(script: string, environment: Environment, cwd = process.cwd()): string {
  const { npm_command: ran, npm_config_user_agent: agent = '', PATH = '' } = environment;
  if (ran !== undefined || isOfPackages(script)) return RUNNERS[agent.split('/', 1)[0] ?? ''] ?? 'npx forager';
  const name = basename(script);
  if (name === 'forager' && PATH.split(delimiter).some((folder) => isSame(resolve(cwd, folder), dirname(script)))) return name;
  const near = relative(cwd, script);
  return shellLine(['node', near.startsWith('..') ? script : near]);
}

/** A link in `node_modules/.bin`: npx finds it. */
function isOfPackages(script: string): boolean {
  return dirname(script).replaceAll('\\', '/').endsWith('/node_modules/.bin');
}

function isSame(a: string, b: string): boolean {
  try {
    return a === b || realpathSync(a) === realpathSync(b);
  } catch {
    return false;
  }
}
