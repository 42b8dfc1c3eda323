/** The README says what is so: its library example runs, and its commands and options are those of `--help`. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { virtualSource } from '../datasets/page-source.ts';
import { startWebProxy } from '../datasets/web-proxy.ts';

const run = promisify(execFile);
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const cli = join(root, 'dist/cli/main.js');

/** Network options come with every command that makes requests; the README lists them once. */
const NETWORK = 'Network options';
/** Every command has these. */
const EVERYWHERE = new Set(['help', 'version', 'config']);

const MOSS = [
  'Moss is a small plant without flowers. It grows in cushions on damp stones and drinks water through its leaves.',
  'The spores of a moss ripen in a capsule on a stalk, and the wind carries them from the capsule over the bog.',
  'Sphagnum moss builds peat. Its dead cells hold water, so the bog stays wet and sour and little rots in it.',
  'A carpet of feather moss keeps the forest floor damp. Its stems branch like feathers and lie one over another.',
  'Mosses have no roots. Fine threads called rhizoids hold the cushion of moss to bark, soil or stone.',
  'In the shade of the gorge the liverwort and the moss share the wet rock where the spray of the fall reaches.',
];
const TRAMS = [
  'The tram leaves the depot at six. The driver checks the brakes, and the conductor counts the change in the drawer.',
  'A timetable for the winter hangs at each stop, with the fares of the night lines printed under it in red.',
  'The overhead wire carries the current, and the rails carry it back to the power station by the harbour.',
];

function pageOf(title: string, sentences: readonly string[], links: readonly string[]): string {
  const text = sentences.map((sentence) => `<p>${sentence}</p>`).join('\n');
  const list = links.map((link) => `<p>See also <a href="${link}">${link}</a>.</p>`).join('\n');
  return `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>\n${text}\n${list}</main></html>`;
}

/** The sentences from one on, around: pages of one subject that are not the same. */
function turned(sentences: readonly string[], by: number): string[] {
  return [...sentences.slice(by), ...sentences.slice(0, by)].slice(0, sentences.length - 1);
}

const WEB = virtualSource(
  new Map([
    [
      'moss.example',
      new Map([
        ['/', pageOf('Moss of the bog', turned(MOSS, 0), ['/peat', '/gone', 'http://trams.example/'])],
        ['/peat', pageOf('Moss and peat', turned(MOSS, 2), ['/'])],
      ]),
    ],
    ['trams.example', new Map([['/', pageOf('Trams of the town', TRAMS, ['/'])]])],
  ]),
);

function libraryExample(): string {
  const block = /<!-- test: library -->\n```ts\n([\s\S]*?)```/.exec(readme)?.[1];
  if (block === undefined) throw new Error('README.md: no block marked <!-- test: library -->');
  return block;
}

/** An empty project that has Forager installed, and examples of moss. */
function newProject(): string {
  const dir = mkdtempSync(join(tmpdir(), 'forager-readme-'));
  mkdirSync(join(dir, 'node_modules'));
  symlinkSync(root, join(dir, 'node_modules/forager'));
  mkdirSync(join(dir, 'examples/moss'), { recursive: true });
  for (const at of MOSS.keys()) writeFileSync(join(dir, `examples/moss/${at}.html`), pageOf(`Moss, part ${at}`, turned(MOSS, at), []));
  return dir;
}

test('the library example runs as it stands, but for the proxy', async () => {
  const dir = newProject();
  const web = await startWebProxy(WEB);
  try {
    const marked = /^ *\/\/ proxy: .*$/m;
    const example = libraryExample();
    expect(example).toMatch(marked);
    writeFileSync(join(dir, 'example.mjs'), example.replace(marked, `    proxy: '${web.proxy}', delay: 10,`));
    const { stdout, stderr } = await run(process.execPath, ['example.mjs'], { cwd: dir });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^trained on 6 pages, threshold 0\.\d\d$/m);
    expect(stdout).toMatch(/^on topic: http:\/\/moss\.example\/$/m);
    expect(stdout).toMatch(/^drained: 2 kept of 4 visited$/m);
    expect(stdout).toMatch(/^kept {2}http:\/\/moss\.example\/peat$/m);
    expect(stdout).toMatch(/^off-topic {2}http:\/\/trams\.example\/$/m);
    expect(stdout).toMatch(/^failed http-4xx http:\/\/moss\.example\/gone$/m);
    expect(stdout).toMatch(/feature: 'moss', contribution: 0\.\d/);
    expect(stdout).toMatch(/^corpus of 2 pages$/m);
    expect(existsSync(join(dir, 'corpora/moss/corpus-card.md'))).toBe(true);
  } finally {
    await web.close();
    rmSync(dir, { recursive: true, force: true });
  }
});

/** Long options that a text names. */
function optionsIn(text: string): Set<string> {
  return new Set([...text.matchAll(/(?<![\w-])--([a-z][a-z0-9-]*)/g)].map((match) => match[1] ?? ''));
}

/** Long options that a help text lists, at the beginnings of its lines. */
function optionsOfHelp(help: string): Set<string> {
  const names = [...help.matchAll(/^ +--([a-z][a-z0-9-]*)/gm)].map((match) => match[1] ?? '');
  return new Set(names.filter((name) => !EVERYWHERE.has(name)));
}

async function helpOf(...command: readonly string[]): Promise<string> {
  return (await run(process.execPath, [cli, ...command, '--help'])).stdout;
}

/** Sections of level three under "Commands", by title. */
function commandSections(): Map<string, string> {
  const commands = readme.split(/^## /m).find((section) => section.startsWith('Commands\n')) ?? '';
  return new Map(
    commands
      .split(/^### /m)
      .slice(1)
      .map((section) => [section.slice(0, section.indexOf('\n')), section.slice(section.indexOf('\n'))]),
  );
}

/** Options that a section describes: in a table's first column, or at the beginning of a sentence. */
function describedIn(section: string): Set<string> {
  const rows = [...section.matchAll(/^(?:\| |.*[.] )?`--([a-z0-9-]+)`/gm)].map((match) => match[1] ?? '');
  return new Set(rows);
}

test('the commands of the README are the commands of --help', async () => {
  const told = [...commandSections().keys()].filter((title) => title !== NETWORK).map((title) => title.replaceAll('`', ''));
  const there = [...(await helpOf()).matchAll(/^ {2}(forager [\w-]+(?: [<[][^ ]+)*)/gm)].map((match) => match[1]);
  expect(told).toEqual(there);
});

test('the options of the README are the options of --help, command by command', async () => {
  const sections = commandSections();
  const network = describedIn(sections.get(NETWORK) ?? '');
  expect(network.size).toBeGreaterThan(0);
  const commands = [...sections].filter(([title]) => title !== NETWORK);
  const helps = await Promise.all(commands.map(([title]) => helpOf(title.replaceAll('`', '').split(' ')[1] ?? '')));
  for (const [i, [title, section]] of commands.entries()) {
    const told = [...describedIn(section), ...(section.includes('(#network-options)') ? network : [])];
    expect([title, told.sort()]).toEqual([title, [...optionsOfHelp(helps[i] ?? '')].sort()]);
  }
  const all = new Set([...helps.flatMap((help) => [...optionsOfHelp(help)]), ...EVERYWHERE]);
  expect([...optionsIn(readme)].filter((name) => !all.has(name.replace(/^no-/, '')) && name !== 'no-')).toEqual([]);
});

test('files the README links to exist', () => {
  const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map((match) => match[1] ?? '');
  expect(links.filter((link) => !existsSync(join(root, link)))).toEqual([]);
});
