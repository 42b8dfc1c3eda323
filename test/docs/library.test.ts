/** The example of docs/reference/library.md runs as it stands. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { startWebProxy } from '../../datasets/web-proxy.ts';
import { wholeTest } from '../support/whole-test.ts';
import { MOSS_WEB, writeExamples } from './moss-web.ts';

const run = promisify(execFile);
const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const page = readFileSync(join(root, 'docs/reference/library.md'), 'utf8');

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
  writeExamples(dir);
  return dir;
}

wholeTest('the library example runs as it stands, but for the proxy', async () => {
  const dir = newProject();
  const web = await startWebProxy(MOSS_WEB);
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
