/** `--config`, `forager config`, and names of options that were. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { done, forager, refused } from './forager.ts';

const dir = mkdtempSync(join(tmpdir(), 'forager-config-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function file(content: string): string {
  const path = join(dir, 'forager.yaml');
  writeFileSync(path, content);
  return path;
}

test.each([
  ['an unknown key', 'max-page: 3\n', ['forager.yaml:1', 'unknown key "max-page"', 'did you mean max-pages?']],
  ['an unknown key of a section', 'crawl:\n  dellay: 1s\n', ['forager.yaml:2', 'unknown key "dellay"', 'did you mean delay?']],
  ['an option of another command', 'crawl:\n  examples: a\n', ['forager.yaml:2', 'unknown key "examples"']],
  ['an unknown key of a section whose name is an option too', 'seeds:\n  topp: 3\n', ['forager.yaml', 'unknown key "topp"']],
  ['a wrong type', 'max-pages: many\n', ['forager.yaml:1: max-pages many: not a whole number']],
  ['an object in place of a value', 'delay: { a: 1 }\n', ['forager.yaml:1: delay: is not a text, number']],
  ['a list for one value', 'strategy: [bfs, dfs]\n', ['forager.yaml:1: strategy: given more than once']],
  [
    'a variable that is not set',
    `proxy: http://u:\${FORAGER_NO_SUCH}@127.0.0.1:1\n`,
    ['forager.yaml:1: proxy: FORAGER_NO_SUCH is not set'],
  ],
  ['no YAML', 'a: [\n', ['forager.yaml:', 'not YAML']],
])('%s is refused in one line, and nothing is written', async (_, content, parts) => {
  const crawl = join(dir, 'crawl');
  await refused(2, parts, 'crawl', crawl, '--config', file(content));
  expect(readdirSync(dir)).toEqual(['forager.yaml']);
});

test('a file that is not there', () => refused(2, ['--config', 'cannot be read'], 'status', dir, '--config', join(dir, 'none.yaml')));

test('forager config tells each value and who said it, and shows no secret of the environment', async () => {
  process.env['FORAGER_TEST_SECRET'] = 'hush';
  const path = file(
    `contact: a@example.org\ncrawl:\n  user-agent: \${FORAGER_TEST_SECRET}\n  proxy: http://u:\${FORAGER_TEST_SECRET}@127.0.0.1:9\n  cookies: true\n`,
  );
  const out = await done('config', 'crawl', join(dir, 'new'), '--config', path, '--max-pages', '5', '--no-traps');
  const rows = new Map(
    out
      .trim()
      .split('\n')
      .map((line) => [line.split(/ {2,}/)[0], line.split(/ {2,}/).slice(1)]),
  );
  expect(rows.get('max-pages')).toEqual(['5', 'command line']);
  expect(rows.get('contact')).toEqual(['a@example.org', `${path}:1`]);
  expect(rows.get('cookies')).toEqual(['true', `${path}:5`]);
  expect(rows.get('traps')?.at(-1)).toBe('command line');
  expect(rows.get('delay')).toEqual(['1s', 'default']);
  expect(out).toContain('{FORAGER_TEST_SECRET}');
  expect(out).not.toContain('hush');
});

test('forager config --schema is JSON Schema; without a command it explains itself', async () => {
  expect(JSON.parse(await done('config', '--schema'))).toMatchObject({ type: 'object', additionalProperties: false });
  expect(await done('config')).toContain('forager config <command>');
  await refused(2, ['no such command', 'crawl'], 'config', 'crwal');
});

test.each([
  [['train', '--rung', 'supervised', '--examples', '/nowhere'], '--rung is now --method supervised'],
  [['seeds', '/nowhere', '--hosts'], '--hosts is now --show hosts'],
  [['harvest', '/nowhere', '--topic', 'peat', '--out', 'x'], '--topic is now --topic-name peat'],
  [['why', '/nowhere', 'http://a.test/', '--topic=peat'], '--topic is now --topic-name peat'],
  [['crawl', '/nowhere/x', '--focus', 'hard'], '--focus is now --tunnel 0'],
  [['crawl', '/nowhere/x', '--gamma', '0.3'], '--gamma 0.3 is no longer an option'],
  [['eval', '--web', 'x', '--topic', 'y', '--judge', 'z', '--seeds', '3'], '--seeds is now --repeats 3'],
  [['eval', '--web', 'x', '--topic', 'y', '--judge', 'z', '--starts', 'http://a.test/'], '--starts is now --seeds http://a.test/'],
])('%j works in this version, with a notice', async (args, notice) => {
  const { stderr } = await forager(...args);
  expect(stderr).toContain(notice);
  expect(stderr).not.toContain('unknown option');
});
