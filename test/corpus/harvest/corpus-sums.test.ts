/** Readers of a corpus ask the sums beside it. */
import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checksumsIn } from '../../../src/corpus/describe/descriptions/checksums.ts';
import { refuseChangedFiles, refuseChangedInput } from '../../../src/corpus/harvest/corpus-sums.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'forager-sums-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const CONTENT = {
  'corpus-card.json': '{}\n',
  'corpus.jsonl': '{"id":1}\n{"id":2}\n',
  'corpus-00000.warc.gz': 'pages',
  'text/index.tsv': 'name\n',
};
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const sumsOf = (files: Readonly<Record<string, string>>) => {
  const lines = Object.entries(files)
    .map(([name, text]) => `${sha256(text)}  ${name}\n`)
    .join('');
  return `${lines}# SHA-256 of the lines above: ${sha256(lines)}\n`;
};
function written(): void {
  const { 'text/index.tsv': _, ...here } = CONTENT;
  for (const [name, text] of Object.entries(here)) writeFileSync(join(dir, name), text);
  writeFileSync(join(dir, 'SHA256SUMS'), sumsOf(here));
}
const flip = (path: string) => {
  const bytes = readFileSync(path);
  bytes[3] = (bytes[3] ?? 0) ^ 1;
  writeFileSync(path, bytes);
};
const whole = (name: string) => name.endsWith('.jsonl');
const sizes = new Map(Object.entries(CONTENT).map(([name, text]) => [name, text.length]));
const asked = () => refuseChangedFiles(dir, sizes, whole, (name) => name.endsWith('.gz'));

test('a corpus as it was written is read', async () => {
  written();
  await expect(asked()).resolves.toBeUndefined();
  await expect(refuseChangedInput(dir, whole)).resolves.toBeUndefined();
  await expect(refuseChangedInput(join(dir, 'corpus.jsonl'), whole)).resolves.toBeUndefined();
});

test.each([
  ['a flipped bit', () => flip(join(dir, 'corpus.jsonl')), 'another SHA-256'],
  ['a line less', () => writeFileSync(join(dir, 'corpus.jsonl'), '{"id":1}\n'), 'has 9 bytes and had 18'],
  ['a line more', () => appendFileSync(join(dir, 'corpus.jsonl'), '{"id":3}\n'), 'has 27 bytes and had 18'],
  ['no file', () => rmSync(join(dir, 'corpus.jsonl')), 'is missing'],
  ['a short archive', () => writeFileSync(join(dir, 'corpus-00000.warc.gz'), 'page'), 'has 4 bytes and had 5'],
  ['a lost archive', () => rmSync(join(dir, 'corpus-00000.warc.gz')), 'is missing'],
  ['a changed list', () => appendFileSync(join(dir, 'SHA256SUMS'), 'x'), 'its checksum is wrong'],
])('%s is damage', async (_, damage, why) => {
  written();
  damage();
  await expect(asked()).rejects.toMatchObject({ code: 'STORE_CORRUPT', exitCode: 3, message: expect.stringContaining(why) });
});

test('the pages of a damaged corpus are no input, from its folder or from its file', async () => {
  written();
  flip(join(dir, 'corpus.jsonl'));
  for (const input of [dir, join(dir, 'corpus.jsonl')]) await expect(refuseChangedInput(input, whole)).rejects.toThrow('another SHA-256');
  // A folder of one's own may have a list of that name.
  rmSync(join(dir, 'corpus-card.json'));
  writeFileSync(join(dir, 'SHA256SUMS'), `${'0'.repeat(64)}  ./corpus.jsonl\n`);
  await expect(refuseChangedInput(dir, whole)).resolves.toBeUndefined();
});

test.each(['../outside.jsonl', '/etc/passwd', 'a/../../b', 'a\\..\\b', 'nul.jsonl'])(
  'a list that names %s is no list of a corpus',
  (name) =>
    expect(() => checksumsIn(sumsOf({ 'corpus.jsonl': 'x', [name]: 'y' }), 'SHA256SUMS')).toThrow('names a file outside of its folder'),
);
