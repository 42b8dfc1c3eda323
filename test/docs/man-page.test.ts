/** The manual page: every command and option, set by groff without a warning, where the package says that it is. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { currentOf } from '../../src/crawling/settings/setting.ts';
import { CLI_COMMANDS } from '../../src/faces/cli/cli.ts';
import { manPage } from './man-page.ts';

const page = manPage();

test('it has a section for each command, and its options', () => {
  const sections = page.split(/^\.SS "forager /m).slice(1);
  expect(sections.map((section) => section.split(/ [[<]|"/)[0])).toEqual(CLI_COMMANDS.map(({ name }) => name.replaceAll('-', '\\-')));
  CLI_COMMANDS.forEach(({ settings }, at) => {
    const own = sections[at]?.split(/^\.SH /m)[0] ?? '';
    expect(own.match(/^\.TP$/gm)?.length ?? 0).toBe(Object.keys(currentOf(settings)).length);
  });
});

test('the package has it where npm looks, written by the build', () => {
  const { man, scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { man: string; scripts: Record<string, string> };
  expect(readFileSync(man, 'utf8')).toMatch(/^\.\\" Written by npm run build/);
  expect(scripts['build']).toContain('npm run build:docs');
});

const groff = spawnSync('groff', ['-man', '-ww', '-Tutf8'], { encoding: 'utf8', input: page });

test.skipIf(groff.error)('groff sets it without a warning, options and examples in full', () => {
  expect([groff.status, groff.stderr]).toEqual([0, '']);
  // Bold type is a letter over itself, or an escape sequence.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters of the terminal
  const text = groff.stdout.replace(/.\x08|\x1b\[[0-9;]*m/g, '').replace(/\s+/g, ' ');
  for (const part of ['forager crawl <dir>', '--max-pages N', '--no-NAME', 'EXIT STATUS', 'forager train ']) expect(text).toContain(part);
});
