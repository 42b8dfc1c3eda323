/** Options that need another one, and numbers: the same rule on the command line, in its file and in the library. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { messageOf } from '../../../src/base/core/errors.ts';
import { refusePlaceWithoutBucket } from '../../../src/crawling/crawl-dir/crawl-settings.ts';
import { COMMANDS } from '../../../src/crawling/settings/commands.ts';
import { idleOptions, withoutIdle } from '../../../src/crawling/settings/idle-options.ts';
import { readCommandLine, runCommand } from '../../../src/faces/cli/cli.ts';
import { crawl, harvest, mergeCorpora } from '../../../src/faces/library/library.ts';

const dir = mkdtempSync(join(tmpdir(), 'forager-idle-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const HARVEST = ['harvest', join(dir, 'c'), '--out', join(dir, 'h')];
const CRAWL = ['crawl', join(dir, 'c')];

test.each<readonly [words: readonly string[], says: string]>([
  [[...HARVEST, '--csv-text'], '--csv-text has no effect without --format csv; add it, or omit --csv-text'],
  [[...HARVEST, '--csv-bom', '--format', 'jsonl,parquet'], '--csv-bom has no effect without --format csv'],
  [[...HARVEST, '--compression', 'gzip'], '--compression has no effect without --format parquet'],
  [[...HARVEST, '--wacz-text', '--format', 'warc'], '--wacz-text has no effect without --format wacz'],
  [[...HARVEST, '--chunk', '100'], '--chunk has no effect without --format chunks'],
  [[...HARVEST, '--chunk-by', 'sentence', '--format', 'csv'], '--chunk-by has no effect without --format chunks'],
  [[...HARVEST, '--near', '0.9'], '--near has no effect without --dedupe near or --dedupe contained or --split'],
  [[...HARVEST, '--near', '0.9', '--dedupe', 'exact'], '--near has no effect'],
  [[...HARVEST, '--sample-by', 'host'], '--sample-by has no effect without --sample'],
  [[...HARVEST, '--split-by', 'host'], '--split-by has no effect without --split'],
  [[...HARVEST, '--s3-region', 'eu-central-1'], '--s3-region has no effect without --out s3://…'],
  [['corpus', 'merge', 'a', 'b', '--out', join(dir, 'm'), '--csv-text'], '--csv-text has no effect'],
  [[...CRAWL, '--log-level', 'debug'], '--log-level has no effect without --log'],
  [[...CRAWL, '--s3-endpoint', 'http://localhost:9000'], '--s3-endpoint has no effect without --corpus-bucket or --at'],
  [[...CRAWL, '--s3-region', 'eu-central-1'], '--s3-region has no effect without --corpus-bucket or --at'],
  [[...HARVEST, '--s3-endpoint', 'http://localhost:9000', '--format', 'warc'], '--s3-endpoint has no effect without --out s3://…'],
  [[...HARVEST, '--seed-rng', '7'], '--seed-rng has no effect without --per-host or --sample or --split'],
  [['corpus', 'merge', 'a', 'b', '--out', join(dir, 'm'), '--seed-rng', '7'], '--seed-rng has no effect'],
  [['extract', 'page.html', '--links'], '--links has no effect without --format markdown'],
])('an option without effect is refused: %j', async (words, says) => {
  await expect(runCommand(words)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining(says) });
});

test.each([
  ['formats', { formats: ['csv', 'jsonl'], csvText: true, csvBom: true }],
  ['a switch that is off', { csvText: false }],
  ['near with contained', { dedupe: 'contained', near: 0.7 }],
  ['near with a split', { split: [80, 20], near: 0.7 }],
  ['a bucket', { out: 's3://bucket/x', s3Region: 'eu-central-1' }],
])('with the other option it has one: %s', (_, values) => expect(idleOptions(COMMANDS.harvest, values)).toEqual([]));

test('without its idle options, the rest of a file is left', () => {
  expect(withoutIdle(COMMANDS.crawl, { logLevel: 'debug', workers: 2 })).toEqual({ workers: 2 });
});

test.each([
  ['a bucket that the crawl has', { corpusBucket: 's3://bucket/x', at: null }, []],
  ['a database that the crawl has', { corpusBucket: null, at: 'postgres://localhost/db?crawl=x' }, []],
  ['a crawl of one machine', { corpusBucket: null, at: null }, ['s3Endpoint', 's3Region']],
])('settings of a resumed crawl count: %s', (_, kept, idle) => {
  const given = { s3Endpoint: 'http://localhost:9000', s3Region: 'eu' };
  expect(idleOptions(COMMANDS.crawl, given, kept).map(({ name }) => name)).toEqual(idle);
});

test('in a database, the crawl itself must have a bucket', () => {
  const given = { dir: 'c', s3Region: 'eu' };
  expect(() => refusePlaceWithoutBucket({ corpusBucket: null }, given)).toThrow('c: --s3-region has no effect');
  expect(() => refusePlaceWithoutBucket({ corpusBucket: null }, { dir: 'c', s3Endpoint: 'http://a' })).toThrow('omit --s3-endpoint');
  expect(refusePlaceWithoutBucket({ corpusBucket: null }, { dir: 'c' })).toBeUndefined();
  expect(refusePlaceWithoutBucket({ corpusBucket: 's3://bucket/x' }, given)).toBeUndefined();
});

test('each row with a need names options of its commands', () => {
  for (const settings of Object.values(COMMANDS))
    for (const [name, { needs }] of Object.entries(settings) as [string, { needs?: readonly { option: string }[] }][])
      if (needs) expect({ name, known: needs.some(({ option }) => option in settings) }).toEqual({ name, known: true });
});

test('a file serves several calls, so it is told and not refused', async () => {
  const file = join(dir, 'forager.yaml');
  writeFileSync(file, `harvest:\n  dir: ${dir}/c\n  out: ${dir}/h\n  csv-text: true\n`);
  const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const end = await runCommand(['harvest', '--config', file]).catch(messageOf);
  const lines = told.mock.calls.map(([line]) => String(line));
  told.mockRestore();
  expect(lines).toContain(`forager: ${file}:4: --csv-text has no effect without --format csv; add it, or omit --csv-text\n`);
  expect(end).toContain('no crawl');
});

test('the library refuses them too', async () => {
  await expect(harvest({ dir: join(dir, 'c'), out: join(dir, 'h'), csvText: true })).rejects.toThrow('harvest: --csv-text has no effect');
  await expect(mergeCorpora({ corpora: ['a'], out: join(dir, 'm'), near: 0.9 })).rejects.toThrow('mergeCorpora: --near has no effect');
  await expect(crawl({ dir: join(dir, 'c'), s3Region: 'eu' })).rejects.toThrow('crawl: --s3-region has no effect');
  await expect(crawl({ dir: join(dir, 'c'), logLevel: 'debug' })).rejects.toThrow('crawl: --log-level has no effect without --log');
});

const NOT_DECIMAL = ['0x10', '0o17', '0b11', '1e3', '1E2', '+5', ' 5', '5.0', '٣', '1_000', '1,000', 'Infinity', '99999999999999999999'];

test.each(NOT_DECIMAL)('a whole number is decimal digits, not %j', async (word) => {
  await expect(readCommandLine([...CRAWL, `--max-pages=${word}`])).rejects.toMatchObject({ exitCode: 2 });
  const file = join(dir, 'numbers.yaml');
  writeFileSync(file, `crawl:\n  max-pages: ${word}\n`);
  if (!/^[ +]|5\.0/.test(word)) await expect(readCommandLine([...CRAWL, '--config', file])).rejects.toMatchObject({ exitCode: 2 });
});

test.each([
  ['--max-pages', '99999999999999999999', /the most, which is 1,000,000,000,000; write none/],
  ['--max-pages', '9'.repeat(400), /the most/],
  ['--concurrency', '9007199254740993', /more than the most/],
])('%s %s: the maximum is named', async (option, word, message) => {
  await expect(readCommandLine([...CRAWL, option, word])).rejects.toMatchObject({ exitCode: 2, message: expect.stringMatching(message) });
});

test.each([
  ['--min-relevance', ['1e-1', '0x1', '+0.5', '.', '']],
  ['--near', ['5e-1', '0x1']],
])('%s takes digits and a point only', async (option, words) => {
  for (const word of words) await expect(readCommandLine([...HARVEST, `${option}=${word}`])).rejects.toMatchObject({ exitCode: 2 });
  expect((await readCommandLine([...HARVEST, `${option}=0.75`]))?.given.map(({ flag }) => `--${flag}`)).toContain(option);
});

test('a share of visits above all of them is refused where it is read', async () => {
  for (const word of ['200%/5', '0%/5', '2%/0'])
    await expect(readCommandLine([...CRAWL, '--stop-yield', word])).rejects.toThrow('--stop-yield');
});
