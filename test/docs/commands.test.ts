/** The commands and options that README and docs name are those of the command line, and their examples can be read by it. */
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/crawling/settings/commands.ts';
import { flagOf } from '../../src/crawling/settings/setting.ts';
import { readCommandLine } from '../../src/faces/cli/cli.ts';
import { done } from '../faces/cli/forager.ts';
import { commandLinesOf, optionsIn, userDocuments } from './documents.ts';

const documents = userDocuments();
const commandPage = documents.find(({ path }) => path === 'docs/reference/commands.md')?.text ?? '';
const examples = documents.flatMap(commandLinesOf);

/** Of every command, and of npm and Node in the same documents. */
const OTHERS = new Set(['config', 'take-over', 'help', 'version', 'schema', 'name', 'no-name']);

test('the page of commands has the commands of --help, in its order', async () => {
  const told = [...commandPage.matchAll(/^\| `(forager [^`]+)` \|/gm)].map((match) => match[1]);
  const there = [...(await done('--help')).matchAll(/^ {2}npx (forager [\w-]+(?: [a-z][\w-]*)?(?: [<[][^ \n]+)*)/gm)].map(
    (match) => match[1],
  );
  expect(told).toEqual(there);
});

test('every option that is named exists', () => {
  const known = new Set(
    Object.values(COMMANDS).flatMap((settings) => Object.entries(settings).map(([name, setting]) => flagOf(name, setting))),
  );
  const unknown = documents.flatMap(({ path, text }) => optionsIn(withoutOtherPrograms(text)).map((name) => ({ path, name })));
  const isKnown = (name: string) => known.has(name) || known.has(name.replace(/^no-/, '')) || OTHERS.has(name);
  expect(unknown.filter(({ name }) => !isKnown(name))).toEqual([]);
});

/** Options of npm's scripts, Docker, curl and Node are no options of ours. */
function withoutOtherPrograms(text: string): string {
  return text
    .replace(/npm run [^`\n]*/g, '')
    .replace(/docker \w+ [^`\n]*?(?=forager [a-z]|`|$)/gm, '')
    .replace(/NODE_OPTIONS=\S*/g, '')
    .replace(/--gamma/g, '');
}

test('there are examples of every command', () => {
  expect(examples.length).toBeGreaterThan(50);
  const told = new Set(examples.flatMap(({ words }) => [words[0], words.slice(0, 2).join(' ')]));
  expect(Object.keys(COMMANDS).filter((name) => !told.has(name))).toEqual([]);
});

test('command lines are code: none is a line of prose', () => {
  const bare = documents.flatMap(({ path, text }) => {
    const prose = text.replace(/^```[\s\S]*?^```/gm, '');
    return [...prose.matchAll(/^(?:\$ )?(?:npx|npm (?:ci|run|install|pack)|node|docker|export [A-Z]) ?.*$/gm)].map(
      ([line]) => `${path}: ${line}`,
    );
  });
  expect(bare).toEqual([]);
});

/** Without the file of options, which is the reader's own; null of those that have all in it. */
function wordsToRead(words: readonly string[]): readonly string[] | null {
  const own = words[0] === 'config' ? words.slice(1) : words;
  const config = own.indexOf('--config');
  const rest = config < 0 ? own : [...own.slice(0, config), ...own.slice(config + 2)];
  return rest.length < 2 || own.includes('--schema') ? null : rest;
}

test.each(examples.filter(({ words }) => wordsToRead(words) !== null))('$at', async ({ words }) => {
  await expect(readCommandLine(wordsToRead(words) ?? [])).resolves.not.toBeNull();
});
