import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { commandOn } from '../../../src/base/text/forager-command.ts';
import { COMMANDS } from '../../../src/crawling/settings/commands.ts';
import { flagOf, type Settings } from '../../../src/crawling/settings/setting.ts';
import { CLI_COMMANDS as ALL, readCommandLine } from '../../../src/faces/cli/cli.ts';
import { GROUPS } from '../../../src/faces/cli/help.ts';
import { done, forager, refused, refusedByProcess } from './forager.ts';

const dir = mkdtempSync(join(tmpdir(), 'forager-test-'));
const out = join(dir, 'out');
afterAll(() => rmSync(dir, { recursive: true }));

test.each([
  [
    ['crwal', out],
    ['unknown command "crwal"', 'did you mean crawl?'],
  ],
  [
    ['crawl', out, '--max-page', '3'],
    ['--max-page;', 'did you mean --max-pages?', 'forager crawl --help'],
  ],
  [['crawl', out, '--maxPages', '3', '--zzzzz', '1'], ['--zzzzz']],
  [['crawl', out, 'more'], ['unexpected argument "more"']],
  [
    ['ledger', out, '--', 'more'],
    ['unexpected argument "more"', 'forager ledger --help'],
  ],
  [
    ['search', out, '-word'],
    ['if "-word" is one of them', 'forager search … -- "-word"', 'forager search --help'],
  ],
  [['search', '--', out], ['<query> is missing']],
  [[], ['name a command', 'forager --help']],
])('%j is refused with a suggestion', (args, parts) => refusedByProcess(2, parts, ...args));

test.each([
  [['crawl'], 'forager crawl <dir>'],
  [['train'], '--out is missing; see npx forager train --help'],
  [['status'], 'forager status <dir>'],
  [['ledger'], 'forager ledger <dir>'],
  [['why', out], 'forager why <dir> <url>'],
  [['harvest'], 'forager harvest <dir>'],
  [['extract'], 'forager extract <inputs..>'],
  [['judge', out], 'forager judge <model> <input>'],
  [['freeze'], 'forager freeze <dir>'],
  [['freeze', dir], '--out is missing'],
  [['train', dir], '--out is missing'],
  [['harvest', dir], '--out is missing'],
  [['crawl', out, '--max-pages'], '--max-pages: its value is missing'],
])('%j lacks something, which is named', (args, part) => refused(2, [part], ...args));

test.each([
  [
    ['train', '--irrelevant', 'bad', 'good', '--out', out],
    ['no examples', '--irrelevant takes every word up to the next option', 'forager train <examples..> --irrelevant'],
  ],
  [
    ['crawl', '--seeds', 'a', 'b', out],
    ['<dir> is missing', '--seeds takes every word', 'forager crawl <dir> --seeds'],
  ],
  [
    ['ledger', '--state', 'kept', dir],
    ['<dir> is missing', '--state takes every word'],
  ],
  [['crawl', '', '--topic', 'm'], ['dir: is empty']],
  [
    ['crawl', out, '--topic', join(dir, 'nope'), '--seeds', 'http://a.example/'],
    [`${join(dir, 'nope')}: no topic model is here`, 'forager train <examples> --out'],
  ],
  [['judge', join(dir, 'nope'), dir], [`${join(dir, 'nope')}: no topic model is here`]],
  [
    ['extract', 'http://a.example/', '--contact', 'mé@example.org'],
    ['--contact "mé@example.org"', 'ASCII'],
  ],
  [
    ['extract', 'http://a.example/', '--user-agent', 'a\nb'],
    ['--user-agent "a\\nb"', 'ASCII'],
  ],
])('%j says what is wrong and what to write', (args, parts) => refused(2, parts, ...args));

test.each([
  ['crawl', '--max-pages', 'many'],
  ['crawl', '--max-pages', '0'],
  ['crawl', '--max-pages', '1.5'],
  ['crawl', '--delay', 'fast'],
  ['crawl', '--delay', '-1s'],
  ['crawl', '--max-time', 'tomorrow'],
  ['crawl', '--patience', '1 s'],
  ['crawl', '--concurrency', '0'],
  ['crawl', '--max-depth', '-1'],
  ['crawl', '--max-pages-per-host', 'x'],
  ['crawl', '--strategy', 'best'],
  ['crawl', '--focus', 'sharp'],
  ['crawl', '--tunnel', 'deep'],
  ['crawl', '--seed-rng', '1.5'],
  ['harvest', '--min-relevance', '2'],
  ['harvest', '--min-relevance', 'high'],
  ['harvest', '--format', 'pdf'],
  ['harvest', '--dedupe', 'fuzzy'],
  ['ledger', '--state', 'keptt'],
  ['why', '--top', 'all'],
  ['train', '--seed-rng', 'x'],
])('forager %s %s %s is refused, with what may be written', async (command, option, value) => {
  const positionals = command === 'why' ? [dir, 'http://a.example/'] : [dir];
  const needed = command === 'harvest' || command === 'train' ? ['--out', out] : [];
  await refused(2, [`${option} ${value}: `], command, ...positionals, ...needed, option, value);
  expect(existsSync(out)).toBe(false);
});

test('a wrong state comes with the right one', () => refused(2, ['did you mean kept?', 'waiting'], 'ledger', dir, '--state', 'keptt'));
test('an option given twice', () =>
  refused(2, ['--strategy: given more than once'], 'crawl', out, '--strategy', 'bfs', '--strategy', 'dfs'));

test.each(['train', 'crawl', 'status', 'ledger', 'why', 'harvest', 'extract', 'judge', 'freeze', 'eval'])(
  'forager %s --help ends with an example',
  async (name) => {
    const help = await done(name, '--help');
    expect(help).toContain(`forager ${name}`);
    expect(help).toMatch(new RegExp(`Examples:\\s+(.*\\| )?npx forager ${name} `));
  },
);

test('the help of crawl has each option once, in groups, ten of them first', async () => {
  const help = await done('crawl', '--help');
  const settings: Settings = COMMANDS.crawl;
  const flags = Object.entries(settings).flatMap(([name, setting]) => (name === 'dir' ? [] : [`--${flagOf(name, setting)}`]));
  const shown = [...help.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, flag]) => flag);
  expect(shown.toSorted()).toEqual([...flags, '--config', '--help', '--take-over', '--version'].toSorted());
  const [, first = ''] = /^Most used options:\n([\s\S]*?)\n\n/m.exec(help) ?? [];
  expect(first.match(/^ {2}--/gm)).toHaveLength(10);
  expect(help).not.toContain('Other options');
  expect(help).toMatch(/--max-pages <n> +number of URLs/);
  expect(help).toMatch(/--topic <value>\.\. +topic model/);
  expect(help).toMatch(/--cookies {2,}keep cookies/);
});

test.each(['crawl', 'harvest', 'extract'])('the help of %s is at most 110 columns wide but for examples; -h is the same', async (name) => {
  const help = await done(name, '--help');
  expect(help.split('\n').filter((line) => line.length > 110 && !line.startsWith('  npx forager '))).toEqual([]);
  expect(await done(name, '-h')).toBe(help);
});

test('each action of corpus shows, accepts and reads its own options alone', async () => {
  const flagsIn = (help: string) =>
    [...help.matchAll(/^ {2}--([\w-]+)/gm)]
      .map(([, flag = '']) => flag)
      .filter((flag) => !['config', 'help', 'take-over', 'version'].includes(flag));
  const ofDiff = ['from', 'to', 'skip-damaged', 'json'];
  const help = await done('corpus', 'diff', '--help');
  expect(flagsIn(help)).toEqual(ofDiff);
  expect(help).toContain('forager corpus diff <corpora..> [options]');
  expect(help).not.toContain('corpus merge');
  const ofMerge = flagsIn(await done('corpus', 'merge', '--help'));
  const ofBias = flagsIn(await done('corpus', 'bias', '--help'));
  expect([...new Set([...ofDiff, ...ofMerge, ...ofBias])].sort()).toEqual(flagsIn(await done('corpus', '--help')).sort());
  expect(await done('corpus', '--help')).toMatch(/^Options of merge:\n {2}--out[\s\S]*^Other options:\n {2}--skip-damaged/m);
  const settings: Settings = COMMANDS.corpus;
  for (const flag of ofMerge.filter((one) => !ofDiff.includes(one))) {
    const kind = Object.entries(settings).find(([name, setting]) => flagOf(name, setting) === flag)?.[1].kind;
    const word = kind?.shape === 'switch' ? [] : ['1'];
    await refused(2, [`--${flag}: corpus diff does not read it; omit it`], 'corpus', 'diff', dir, dir, `--${flag}`, ...word);
  }
  const file = join(dir, 'forager.yaml');
  writeFileSync(file, 'corpus:\n  out: x\n  skip-damaged: true\nlang: en\n');
  const shown = await done('config', 'corpus', 'diff', dir, dir, '--config', file);
  expect(shown.match(/^\S+/gm)).toEqual(['action', 'corpora', ...ofDiff]);
  expect(shown).toContain('forager.yaml:3');
});

test.each([
  ['harvest', '--split <parts>'],
  ['harvest', '--near <n>'],
  ['crawl', '--delay <time>'],
  ['crawl', '--explore <share>'],
  ['crawl', '--min-free <size>'],
  ['crawl', '--patience <time>'],
  ['crawl', '--max-pages <n>'],
  ['crawl', '--strategy <value>'],
])('the help of %s says what a value is: %s', async (command, part) => {
  expect(await done(command, '--help')).toContain(`  ${part} `);
});

test('a word that is no command is not helped, nor is --help behind --', async () => {
  await refused(2, ['unknown command "crwl"; did you mean crawl?'], 'crwl', '--help');
  await refused(2, ['--help: no such file or folder'], 'extract', '--', '--help');
});

test('each command is in one group of the help', () => {
  const grouped = GROUPS.flatMap(([, names]) => names);
  expect([...grouped].sort()).toEqual([...ALL.map(({ name }) => name), 'config'].sort());
});

test('forager --help names every command and the exit codes; --version is a version', async () => {
  const help = await done('--help');
  for (const name of ['crawl', 'status', 'ledger', 'why', 'label', 'harvest', 'extract', 'judge'])
    expect(help).toContain(`forager ${name} <`);
  expect(help).toContain('forager train [examples..]');
  expect(help).toContain('130 interrupted');
  expect((await forager('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('printed commands name the file of options that named the crawl, until the next line names one itself', async () => {
  const file = join(dir, 'forager.yaml');
  writeFileSync(file, `crawl:\n  dir: ${out}\n`);
  await readCommandLine(['status', '--config', file]);
  expect(commandOn('verify', out)).toBe(`npx forager verify --config ${file}`);
  await readCommandLine(['status', out]);
  expect(commandOn('verify', out)).toBe(`npx forager verify ${out}`);
});
