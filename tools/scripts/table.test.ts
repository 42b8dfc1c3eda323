/** What the documents say can be run can be run, and what can be run is in the documents. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scriptsPage } from './page.ts';
import { type Script, TABLES } from './table.ts';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly scripts: Readonly<Record<string, string>> };
const tables: ReadonlyMap<string, readonly Script[]> = new Map(Object.entries(TABLES));
const rows = [...tables].flatMap(([table, own]) => own.map((script) => ({ command: `npm run ${table} -- ${script.name}`, ...script })));

const FOLDERS = ['docs', 'src', 'test', 'tools', 'datasets', 'models'];
const SPEAKING = /\.(md|ts|mjs|py)$/;
const texts = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'tools/mutation/survivors.json'],
  ...FOLDERS.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))).filter(
    (path) => SPEAKING.test(path) && !path.startsWith(join('tools', 'scripts')),
  ),
].map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** Commands that a text names, each with what is wrong with it; null for nothing. */
function commandsIn(text: string): { readonly command: string; readonly fault: string | null }[] {
  return [...text.matchAll(/npm run ([\w:-]+)(?: (?:-- )?(?!-)([\w-]+))?/g)].map(([command, script = '', name]) => ({
    command,
    fault: faultOf(command, script, name),
  }));
}

function faultOf(command: string, script: string, name: string | undefined): string | null {
  if (scripts[script] === undefined) return `package.json has no ${script}`;
  const table = tables.get(script);
  if (table === undefined || name === undefined) return null;
  if (!command.includes(' -- ')) return `npm takes ${name} for its own: ${script} -- ${name}`;
  return table.some((row) => row.name === name) ? null : `${script} has no ${name}`;
}

test('every command that a document, a comment or a message names is there', () => {
  const named = texts.flatMap(({ path, text }) => commandsIn(text).map((one) => ({ path, ...one })));
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ fault }) => fault !== null)).toEqual([]);
});

test('a command that is not there is noticed', () => {
  const wrong =
    'npm run bench:focus; npm run bench -- fokus; npm run bench focus; npm run bench; npm run bench -- focus --seeds 1; npm run docs now';
  expect(commandsIn(wrong).map(({ fault }) => fault)).toEqual([
    'package.json has no bench:focus',
    'bench has no fokus',
    'npm takes focus for its own: bench -- focus',
    null,
    null,
    null,
  ]);
});

test('no name is there twice, and the runner has each table', () => {
  for (const [table, own] of tables) {
    expect(new Set(own.map(({ name }) => name)).size).toBe(own.length);
    expect(scripts[table]).toBe(`node --import tsx tools/scripts/run.ts ${table}`);
  }
});

test('the page of commands is that of the table: npm run docs', () => {
  const page = readFileSync('tools/scripts/README.md', 'utf8');
  expect(page).toBe(scriptsPage());
  for (const { command } of rows) expect(page).toContain(`\`${command}\``);
});

test('CONTRIBUTING.md has at most 9 KB, and names the page of commands', () => {
  const text = readFileSync('CONTRIBUTING.md', 'utf8');
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(9_000);
  expect(text).toContain('tools/scripts/README.md');
});

describe.each(rows)('$command', ({ command, module, help, needs }) => {
  test('is a module that names its command in its heading', () => {
    expect(existsSync(module)).toBe(true);
    const heading = /^\/\*\*[\s\S]*?\*\//.exec(readFileSync(module, 'utf8'))?.[0] ?? '';
    expect(commandsIn(heading).map((one) => one.command)).toContain(command);
  });

  test('has a line of help', () => {
    expect(help).toMatch(/^\S.{8,90}\S$/);
    expect(needs).toMatch(/^(\S.{2,80}\S)?$/);
  });
});
