import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { answersBy } from '../../../src/faces/app/answer-command.ts';
import { HANGS } from '../../support/cpu-time.ts';

const dir = mkdtempSync(join(tmpdir(), 'forager-answers-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const PAGES = [1, 2, 3].map((id) => ({ id, url: `http://a.test/${id}`, title: `Page ${id}`, text: 'some text\nand more' }));
const NEVER = new AbortController().signal;

/** A program of Node as a command. */
function program(name: string, source: string): string {
  const path = join(dir, `${name}.mjs`);
  writeFileSync(path, source);
  return `"${process.execPath}" "${path}"`;
}

const READ = `let input = ''; for await (const chunk of process.stdin) input += chunk; const pages = input.trimEnd().split('\\n').map((line) => JSON.parse(line));`;

test('the program gets one JSON line a page, and its answers come back by id, in any of the words for labels', async () => {
  const log = join(dir, 'got.json');
  const source = `import { writeFileSync } from 'node:fs'; ${READ} writeFileSync(${JSON.stringify(log)}, JSON.stringify(pages));
    console.log(JSON.stringify({ id: 3, label: 'skip' })); console.log(JSON.stringify({ id: 1, label: true })); console.log(''); console.log(JSON.stringify({ id: 2, label: 0, why: 'x' }));`;
  const { answers, failure, ignored } = await answersBy(program('good', source), PAGES, NEVER);
  expect({ failure, ignored, answers: [...answers].sort(([a], [b]) => a - b) }).toEqual({
    failure: null,
    ignored: 0,
    answers: [
      [1, 'y'],
      [2, 'n'],
      [3, 'skip'],
    ],
  });
  expect(JSON.parse(readFileSync(log, 'utf8'))).toEqual(PAGES);
});

test('other ids, other words and lines that are no JSON are counted and ignored; of two answers the later counts', async () => {
  const lines = ['{"id":9,"label":"y"}', '{"id":1,"label":"perhaps"}', 'thinking…', '{"id":2,"label":"y"}', '{"id":2,"label":"n"}', '[]'];
  const { answers, ignored } = await answersBy(program('odd', `console.log(${JSON.stringify(lines.join('\n'))})`), PAGES, NEVER);
  expect([...answers]).toEqual([[2, 'n']]);
  expect(ignored).toBe(4);
});

test('a program that fails, or that does not exist: the answers so far count, and the failure names its last line', async () => {
  const source = `console.log('{"id":1,"label":"y"}'); console.error('first'); console.error('no model here'); process.exitCode = 3;`;
  const { answers, failure } = await answersBy(program('fails', source), PAGES, NEVER);
  expect([...answers]).toEqual([[1, 'y']]);
  expect(failure).toBe('exit code 3: no model here');
  expect((await answersBy(join(dir, 'nothing-here'), PAGES, NEVER)).failure).toMatch(/^exit code 127/);
});

test('a program that hangs is killed with its children after the time, and one that floods after a megabyte', async () => {
  const source = `import { spawn } from 'node:child_process'; console.log('{"id":1,"label":"y"}'); spawn(process.execPath, [${JSON.stringify(join(dir, 'child.mjs'))}], { stdio: 'inherit' }); setInterval(() => {}, 1000);`;
  // It inherits the output, which ends with the last process that has it.
  writeFileSync(join(dir, 'child.mjs'), 'setInterval(() => {}, 1000);');
  const hung = await answersBy(program('hangs', source), PAGES, NEVER, 3000);
  expect(hung.failure).toBe('it took longer than 3 s');
  expect([...hung.answers]).toEqual([[1, 'y']]);
  const flood = `const line = '{"id":1,"label":"n"}\\n'.repeat(1000); for (;;) if (!process.stdout.write(line)) await new Promise((go) => process.stdout.once('drain', go));`;
  expect((await answersBy(program('floods', flood), PAGES, NEVER)).failure).toBe('it wrote more than 1048576 bytes');
});

test('the end of the crawl ends the program', async () => {
  const stop = new AbortController();
  const answering = answersBy(program('waits', 'setInterval(() => {}, 1000);'), PAGES, stop.signal);
  stop.abort();
  await vi.waitFor(async () => expect((await answering).failure).toBe('the crawl ended'), { timeout: HANGS });
  expect((await answersBy(program('late', 'setInterval(() => {}, 1000);'), PAGES, stop.signal)).failure).toBe('the crawl ended');
});
