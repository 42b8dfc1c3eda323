/**
 * Runs a script by its name: `npm run bench -- <name> [its arguments]`, and so `check` and `data`. Without a name, and with --help, their names; with
 * --help behind a name, how to use it: some scripts say so themselves, of the others it is the heading of their file.
 * Exit code: that of the script; 2 for a name that is none.
 */
import { readFileSync } from 'node:fs';
import { nearest } from '../../src/base/text/nearest.ts';
import { exitCodeOf } from './child.ts';
import { type Script, TABLES, type TableName } from './table.ts';

function isTable(name: string): name is TableName {
  return Object.hasOwn(TABLES, name);
}

function listOf(table: TableName): string {
  const width = Math.max(...TABLES[table].map(({ name }) => name.length));
  const rows = TABLES[table].map(({ name, help }) => `  ${name.padEnd(width)}  ${help}`);
  return [`npm run ${table} -- <name> [options]; with --help behind the name, which`, '', ...rows].join('\n');
}

function unknown(table: TableName, name: string): string {
  const names = TABLES[table].map((script) => script.name);
  const meant = nearest(name, names);
  return `npm run ${table} -- ${name}: not one of ${names.join(', ')}${meant ? `; did you mean ${meant}?` : ''}`;
}

/** The comment at the start of its file, without signs of comments. */
function headingOf({ module }: Pick<Script, 'module'>): string {
  const [, heading = ''] = /^\/\*\*([\s\S]*?)\*\//.exec(readFileSync(module, 'utf8')) ?? [];
  return heading.replaceAll(/^ ?\*(?: |$)/gm, '').trim();
}

async function run({ module, needsBuild }: Script, args: readonly string[]): Promise<number> {
  const built = needsBuild && !args.includes('--help') ? await exitCodeOf('npm', ['run', 'build', '--silent']) : 0;
  return built === 0 ? exitCodeOf(process.execPath, ['--import', 'tsx', module, ...args]) : built;
}

/** @returns the exit code */
async function main(table = '', name?: string, ...args: readonly string[]): Promise<number> {
  if (!isTable(table)) throw new Error(`${table}: not one of ${Object.keys(TABLES).join(', ')}`);
  if (name === undefined || name === '--help') {
    console.log(listOf(table));
    return 0;
  }
  const found = TABLES[table].find((script) => script.name === name);
  if (found && !found.ownHelp && args.includes('--help')) {
    console.log(headingOf(found));
    return 0;
  }
  if (found) return run(found, args);
  console.error(unknown(table, name));
  return 2;
}

process.exitCode = await main(...process.argv.slice(2));
