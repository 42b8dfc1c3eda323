/** The examples of docs/guides/library.md: short, of sound types under the strictest options, and run in their order on the web of moss. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { startWebProxy } from '../../datasets/web-proxy.ts';
import { IS_WHOLE } from '../support/extent.ts';
import { NODE, PACKAGE } from '../support/tested-package.ts';
import { MOSS_WEB, writeExamples } from './moss-web.ts';

const run = promisify(execFile);
const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const LONGEST = 20;

interface Example {
  readonly name: string;
  readonly code: string;
}

const examples: Example[] = [
  ...readFileSync(join(root, 'docs/guides/library.md'), 'utf8').matchAll(/<!-- example: (\S+) -->\n```ts\n([\s\S]*?)```/g),
].map(([, name = '', code = '']) => ({ name, code }));
const dir = mkdtempSync(join(tmpdir(), 'forager-examples-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('ten examples, of at most twenty lines', () => {
  expect(examples).toHaveLength(10);
  for (const { name, code } of examples) expect([name, code.trimEnd().split('\n').length <= LONGEST]).toEqual([name, true]);
});

test('their types are sound under strict and exactOptionalPropertyTypes', async () => {
  const project = join(dir, 'types');
  mkdirSync(join(project, 'node_modules/@types'), { recursive: true });
  symlinkSync(PACKAGE, join(project, 'node_modules/forager'));
  symlinkSync(join(root, 'node_modules/@types/node'), join(project, 'node_modules/@types/node'));
  for (const { name, code } of examples) writeFileSync(join(project, `${name}.ts`), code);
  const options = { target: 'es2023', module: 'nodenext', strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
  const compilerOptions = { ...options, noEmitOnError: true, outDir: '../run', types: ['node'], skipLibCheck: !IS_WHOLE };
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const { stdout } = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', project]).catch((error) => error);
  expect(stdout).toBe('');
});

/** The package, but for a proxy to the web of moss, a short delay, and training without word vectors, which take longer than the rest. */
function shim(proxy: string): string {
  const own = (name: string) => JSON.stringify(join(PACKAGE, 'dist', name));
  return `export * from ${own('bin/index.js')};
import { crawl as crawled, train as trained } from ${own('bin/index.js')};
export const train = (options) => trained({ wordVectors: 'none', ...options });
export const crawl = (options) => crawled({ ...options, proxy: '${proxy}', delay: 10 });
`;
}

/** Runs one after another, with a line before each. */
const RUNNER = `for (const name of process.argv.slice(2)) {
  console.log('== ' + name);
  await import('./' + name + '.js');
}
`;

test('they run, one after the other, and print what they are about', async () => {
  const project = join(dir, 'run');
  const packageDir = join(project, 'node_modules/forager');
  mkdirSync(packageDir, { recursive: true });
  writeExamples(project);
  const web = await startWebProxy(MOSS_WEB);
  try {
    writeFileSync(join(packageDir, 'index.mjs'), shim(web.proxy));
    writeFileSync(join(packageDir, 'parts.mjs'), `export * from ${JSON.stringify(join(PACKAGE, 'dist/bin/part-exports.js'))};`);
    writeFileSync(join(packageDir, 'package.json'), '{ "name": "forager", "exports": { ".": "./index.mjs", "./parts": "./parts.mjs" } }');
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(project, 'run.js'), RUNNER);
    const { stdout } = await run(NODE, ['run.js', ...examples.map(({ name }) => name)], { cwd: project });
    const printed = Object.fromEntries(stdout.split(/^== /m).map((part) => [part.split('\n')[0], part.slice(part.indexOf('\n') + 1)]));
    expect(printed['extract']).toBe('Peat en utf-8\nSphagnum moss builds peat in wet bogs.\nhttp://moss.example/ Home\n');
    expect(printed['train']).toMatch(/^6 examples, threshold 0\.\d\d$/m);
    expect(printed['judge']).toMatch(/^relevance 0\.\d\d, on topic: true\nbias -?\d+\.\d\d\n(.+ -?\d\.\d\d\n){5}$/);
    expect(printed['crawl']).toBe('drained: 2 kept of 4 visited\n');
    expect(printed['events']).toMatch(/^http:\/\/moss\.example\/ \d+ bytes: Moss of the bog\nhttp:\/\/moss\.example\/peat \d+ bytes: /);
    expect(printed['stop']).toMatch(/^interrupted false\ndrained true\n$/);
    expect(printed['records']).toMatch(/^http:\/\/moss\.example\/ \d{4}-\d\d-\d\dT.+ 0\.\d\d$/m);
    expect(printed['records']).toMatch(/^\w+ \d+, \w+ \d+, \w+ \d+, \w+ \d+, \w+ \d+$/m);
    expect(printed['ledger']).toMatch(/^failed http-4xx http:\/\/moss\.example\/gone$/m);
    expect(printed['ledger']).toMatch(/^relevance from: \[.*'moss'/m);
    expect(printed['errors']).toMatch(/^USAGE crawls\/none: /);
    expect(printed['parts']).toBe('allow\nrefused\n');
  } finally {
    await web.close();
  }
});
