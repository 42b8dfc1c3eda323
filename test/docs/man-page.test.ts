import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/cli.ts';
import { manPage } from './man-page.ts';

const page = readFileSync('docs/forager.1', 'utf8');

test('docs/forager.1 is what npm run docs writes', () => {
  expect(page).toBe(manPage());
  expect(page.match(/^\.SS /gm)).toHaveLength(COMMANDS.length);
  expect((JSON.parse(readFileSync('package.json', 'utf8')) as { man: string }).man).toBe('docs/forager.1');
});

const groff = spawnSync('groff', ['-man', '-ww', '-Tutf8', 'docs/forager.1'], { encoding: 'utf8' });

test.skipIf(groff.error)('groff sets it without a warning, options and examples in full', () => {
  expect([groff.status, groff.stderr]).toEqual([0, '']);
  // Bold type is a letter over itself, or an escape sequence.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters of the terminal
  const text = groff.stdout.replace(/.\x08|\x1b\[[0-9;]*m/g, '').replace(/\s+/g, ' ');
  for (const part of ['forager crawl <dir>', '--max-pages N', '--no-NAME', 'EXIT STATUS', 'forager train ']) expect(text).toContain(part);
});
