/** Printed commands, pasted into a shell: it reads the words that were meant. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { commandOn, foragerCommand, outWords, showAs } from '../../../src/base/text/forager-command.ts';
import { Blank, optionWords, pathWord, shellLine } from '../../../src/base/text/shell-line.ts';

const SHELLS = ['/bin/sh', '/bin/bash', '/bin/zsh', '/bin/dash'].filter(existsSync);
const WORDS = [
  'crawls/moss',
  'crawls/Umweltgeschichte – Flüsse 🌊',
  "it's",
  '"quoted"',
  '$HOME and $(HOME) and ${HOME'.concat('}'),
  '`id` $(id)',
  'two\nlines',
  'back\\slash',
  'tab\there \u001b[31mred\u001b[0m',
  "bidi \u202egnp.exe and 'quotes' \\ $x",
  'percent %s %b',
  '#comment',
  '~',
  '*.html?',
  '=ls',
  '!history!',
  'a;b&c|d>e<f(g){h}[i]',
  "http://site.example/a'; rm -rf ~ #?q=*&r=1",
  '',
];

afterEach(() => showAs('npx forager', null));

test.each(SHELLS)('%s reads the words that were meant', (shell) => {
  const line = shellLine(['printf', '%s\\0', ...WORDS]);
  const read = execFileSync(shell, ['-c', line], { encoding: 'utf8' }).split('\0').slice(0, -1);
  expect(read).toEqual(WORDS);
});

test('nothing that a terminal would obey or hide is in a line', () => {
  expect(shellLine(WORDS).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
});

test('a path or value that begins as an option is none', () => {
  expect(shellLine(['forager', 'status', pathWord('-rf')])).toBe('forager status ./-rf');
  expect(shellLine(optionWords('--subject', '-moss peat'))).toBe("'--subject=-moss peat'");
  expect(shellLine(optionWords('--examples', 'a b', '-c'))).toBe("--examples 'a b' ./-c");
});

test('a blank is for the reader to fill in; a text of the same look is quoted', () => {
  expect(shellLine([new Blank('folder'), '<folder>'])).toBe("<folder> '<folder>'");
});

test('commands have the name by which Forager runs, and the file of options that names the crawl', () => {
  expect(foragerCommand('train', '--help')).toBe('npx forager train --help');
  showAs('node dist/bin/main.js');
  expect(commandOn('label audit', 'c d', '--count', '3')).toBe("node dist/bin/main.js label audit 'c d' --count 3");
  const places: Readonly<Record<string, string>> = { label: 'c', 'label audit': 'c', harvest: 'c' };
  showAs('forager', {
    file: 'my moss.yaml',
    placeOf: (command) => places[command] ?? null,
    has: (command, option) => command === 'harvest' && option === 'out',
  });
  expect(commandOn('label audit', 'c', '--count', '3')).toBe("forager label audit --config 'my moss.yaml' --count 3");
  expect(commandOn('label', 'other')).toBe('forager label other');
  expect(commandOn('verify', 'c')).toBe('forager verify c');
  expect(commandOn('harvest', 'c', ...outWords('harvest', 'c'))).toBe("forager harvest --config 'my moss.yaml'");
  expect(commandOn('harvest', 'd', ...outWords('harvest', 'd'))).toBe('forager harvest d --out <folder>');
});
