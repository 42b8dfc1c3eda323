/** The example of docs/reference/library.md runs as it stands. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { virtualSource } from '../../datasets/page-source.ts';
import { startWebProxy } from '../../datasets/web-proxy.ts';

const run = promisify(execFile);
const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const page = readFileSync(join(root, 'docs/reference/library.md'), 'utf8');

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
  const block = /<!-- test: library -->\n```ts\n([\s\S]*?)```/.exec(page)?.[1];
  if (block === undefined) throw new Error('docs/reference/library.md: no block marked <!-- test: library -->');
  return block;
}

/** An empty project that has Forager installed, and examples of moss. */
function newProject(): string {
  const dir = mkdtempSync(join(tmpdir(), 'forager-library-'));
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
