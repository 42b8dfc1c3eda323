/** Printed commands work where the user is: each way of running Forager has its own name for it. */
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { programOf } from '../../../src/faces/cli/program-name.ts';

const home = mkdtempSync(join(tmpdir(), 'program-'));
const made = (...parts: readonly string[]) => {
  const folder = join(home, ...parts);
  mkdirSync(folder, { recursive: true });
  return folder;
};
const bin = made('usr', 'bin');
const main = join(made('clone', 'dist', 'bin'), 'main.js');
writeFileSync(main, '');
symlinkSync(main, join(bin, 'forager'));
const project = made('project', 'texts');
const local = join(made('project', 'node_modules', '.bin'), 'forager');

test.each([
  ['npx', local, { npm_command: 'exec', npm_config_user_agent: 'npm/10.8.2 node/v20.20.2 linux x64' }, 'npx forager'],
  ['a script of npm', main, { npm_command: 'run-script', npm_config_user_agent: 'npm/10.8.2 node/v20.20.2' }, 'npx forager'],
  ['pnpm', local, { npm_command: 'exec', npm_config_user_agent: 'pnpm/9.1.0 npm/? node/v20' }, 'pnpm exec forager'],
  ['yarn', local, { npm_config_user_agent: 'yarn/4.1.0 npm/? node/v20' }, 'yarn forager'],
  ['bun', local, { npm_config_user_agent: 'bun/1.1.0' }, 'bunx forager'],
  ['a path in the packages of the project', local, {}, 'npx forager'],
  ['the search path', join(bin, 'forager'), { PATH: `/nowhere:${bin}` }, 'forager'],
  ['a link that is not on the search path', join(bin, 'forager'), { PATH: '/nowhere' }, `node ${join(bin, 'forager')}`],
])('%s', (_, script, environment, name) => {
  expect(programOf(script, environment, project)).toBe(name);
});

test('node with a path: as seen from here, quoted where a shell needs it', () => {
  expect(programOf(main, {}, join(home, 'clone'))).toBe('node dist/bin/main.js');
  const spaced = made('my clone');
  expect(programOf(join(spaced, 'main.js'), {}, home)).toBe("node 'my clone/main.js'");
  expect(programOf(main, {}, project)).toBe(`node ${main}`);
});
