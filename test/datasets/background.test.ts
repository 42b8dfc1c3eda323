import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { hostsOf, type TextGroup, webGroups } from '../../datasets/background/collect.ts';
import { composeBackground } from '../../datasets/background/compose.ts';
import { readCatalogue } from '../../datasets/background/gettext.ts';
import { PageFiles } from '../../datasets/background/pages.ts';
import { pieces, piecesOf } from '../../datasets/background/prose.ts';
import { catalogues, fortunes, htmlPages, jokes, messages, novels } from '../../datasets/background/readers.ts';
import { EXCLUDED_HOSTS } from '../../datasets/background/shares.ts';
import { SOURCES } from '../../datasets/background/sources.ts';
import type { PackageFiles } from '../../datasets/package-files.ts';
import { hashWord, wordsOf } from '../../src/base/text/tokens.ts';
import { wordBucket } from '../../src/reading/topic/features.ts';

const folder = mkdtempSync(join(tmpdir(), 'background-'));
afterAll(() => rmSync(folder, { recursive: true }));

const packageOf = (files: Readonly<Record<string, string | Buffer>>): PackageFiles => ({
  name: 'p',
  version: '1',
  sha256: '',
  files: new Map(Object.entries(files).map(([name, body]) => [name, Buffer.from(body)])),
});
const asIs = (html: Buffer) => ({ title: 't', text: html.toString() });
const sentence = (i: number) => `Sentence number ${i} has words enough to count for ten.`;
const long = Array.from({ length: 700 }, (_, i) => sentence(i));

describe('pieces', () => {
  test('are as long as pages, cut between sentences, and lose at most a short end', () => {
    const parts = pieces(long.join(' '), 1);
    expect(parts.join(' ').split(/\s+/).length).toBeGreaterThan(7000 - 150);
    expect(parts.every((part) => part.startsWith('Sentence') && part.endsWith('ten.'))).toBe(true);
    for (const part of parts) expect(part.split(' ').length).toBeLessThanOrEqual(1510);
    for (const part of parts.slice(0, -1)) expect(part.split(' ').length).toBeGreaterThanOrEqual(300);
    expect(pieces(long.join(' '), 1)).toEqual(parts);
  });

  test('count words of scripts without spaces', () => {
    const parts = pieces('天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。'.repeat(200), 1);
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) expect(wordsOf(part).length).toBeGreaterThanOrEqual(150);
  });

  test('hold what they are made of, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.lorem({ maxCount: 40 })), fc.integer(), (units, seed) => {
        expect(units.join(' ').startsWith(piecesOf(units, seed).join(' '))).toBe(true);
      }),
    );
  });
});

/** A catalogue as msgfmt writes one. */
function catalogue(pairs: readonly (readonly [string, string])[]): Buffer {
  const head = 28;
  const strings = [...pairs.map(([source]) => source), ...pairs.map(([, translation]) => translation)].map((text) => Buffer.from(text));
  const bytes = Buffer.alloc(head + 8 * strings.length);
  [0x950412de, 0, pairs.length, head, head + 8 * pairs.length, 0, 0].forEach((value, i) => {
    bytes.writeUInt32LE(value, 4 * i);
  });
  let at = bytes.length;
  strings.forEach(({ length }, i) => {
    bytes.writeUInt32LE(length, head + 8 * i);
    bytes.writeUInt32LE(at, head + 8 * i + 4);
    at += length + 1;
  });
  return Buffer.concat([bytes, ...strings.flatMap((text) => [text, Buffer.alloc(1)])]);
}

describe('catalogues of gettext', () => {
  test('give messages without header, context and plurals', () => {
    const file = catalogue([
      ['', 'Language: de'],
      ['menu\u0004Open', 'Öffnen'],
      ['one\0many', 'eins\0viele'],
    ]);
    expect(readCatalogue(file, 'x.mo')).toEqual([
      { source: 'Open', translation: 'Öffnen' },
      { source: 'one', translation: 'eins' },
    ]);
  });

  test('that are damaged are named', () => {
    expect(() => readCatalogue(Buffer.from('no'), 'x.mo')).toThrow(/^x\.mo: not a little-endian catalogue/);
    expect(() => readCatalogue(catalogue([['a', 'b']]).subarray(0, 30), 'x.mo')).toThrow(/^x\.mo: is cut off/);
  });

  test('are read in each language and once in English, long messages only, without markup', () => {
    const texts = (language: string) => [
      ...long.map((text) => [`${text}`, `<b>${language}</b> ${text} %1$s`] as const),
      ['Yes', 'Ja'] as const,
    ];
    const read = catalogues(/\/([^/]+)\/x\.mo$/, 30)(
      packageOf({
        'l/de/x.mo': catalogue(texts('de')),
        'l/en_GB/x.mo': catalogue(texts('en')),
        'l/sr@latin/x.mo': catalogue(texts('sr')),
        'l/nb_NO/x.mo': catalogue(texts('nb')),
      }),
      asIs,
    );
    expect([...new Set(read.map(({ language }) => language))]).toEqual(['en', 'de', 'no']);
    const all = (language: string) =>
      read
        .filter((text) => text.language === language)
        .map(({ text }) => text)
        .join(' ');
    expect(all('en')).toContain(sentence(0));
    expect(all('en')).not.toMatch(/Yes|<b>/);
    expect(all('de')).toMatch(/^de Sentence number 0 /);
    expect(all('de')).not.toMatch(/Ja|<|%/);
  });
});

describe('readers', () => {
  test('fortunes are joined, without colours', () => {
    const read = fortunes('zh')(packageOf({ f: long.map((text) => `\u001b[36m${text}\u001b[m`).join('\n%\n') }), asIs);
    expect(read.length).toBeGreaterThan(3);
    expect(read[0]).toMatchObject({ language: 'zh', title: '' });
    expect(read[0]?.text).toMatch(/^Sentence number 0 .* Sentence number 1 /);
    expect(read.some(({ text }) => text.includes('%') || text.includes('\u001b'))).toBe(false);
  });

  test('novels are found in their code, each once, by language and title', () => {
    const code = (text: string) => `<?php\n/**\n * Title: A Novel\n */\nprotected static $baseText = <<<'EOT'\n${text}\nEOT;\n`;
    const files = {
      'Provider/de_DE/Text.php': code(long.join(' ')),
      'Provider/de_CH/Text.php': code(long.join(' ')),
      'Provider/it_IT/Text.php': '<?php',
    };
    const read = novels(packageOf(files), asIs);
    expect(read.map(({ text }) => text)).toEqual(pieces(long.join(' '), 20_251_122));
    expect(read[0]).toMatchObject({ language: 'de', title: 'A Novel' });
  });

  test('messages and jokes are read from their lists, nothing is run', () => {
    const literals = long.map((text, i) => (i % 2 === 0 ? `  '${text} It\\'s',` : `  "${text}",`));
    expect(messages(packageOf({ 'a.js': `module.exports=\n[ 'One',\n${literals.join('\n')}\n];` }), asIs)[0]?.text).toMatch(
      /^One Sentence number 0 .*ten\. It's Sentence number 1 /,
    );
    expect(jokes(packageOf({ 'a.json': JSON.stringify(long.map((body) => ({ body }))) }), asIs).length).toBeGreaterThan(3);
    expect(() => jokes(packageOf({ 'a.json': '{}' }), asIs)).toThrow(/^package p 1: a\.json is no list of jokes/);
  });

  test('pages are kept whole unless they are books', () => {
    const read = htmlPages(packageOf({ 'b.html': 'short', 'a.html': long.join(' ') }), asIs);
    expect(read.at(-1)).toEqual({ title: 't', text: 'short', language: null });
    expect(read.length).toBeGreaterThan(3);
  });
});

test('no source is what the bench judges, and each says its licence', () => {
  for (const { name, licence, registry, version } of SOURCES) {
    expect(name).not.toMatch(/brown|weka|spam|reuters/);
    expect(licence).not.toBe('');
    expect(version === null).toBe(registry === 'debian');
  }
});

describe('a web', () => {
  const page = (text: string) => `<html><head><title>Page</title></head><body><article><p>${text}</p></article></body></html>`;
  const german = 'Das Brot wird aus Mehl, Wasser und Salz gebacken, und der Teig muss über Nacht ruhen, damit er aufgeht. '.repeat(8);
  const english = 'The bread is baked from flour, water and salt, and the dough has to rest over night for it to rise well. '.repeat(8);
  const pages: Readonly<Record<string, string>> = {
    'a.example/1.html': page(`${english} One.`),
    'a.example/2.html': page(`${english} Two.`),
    'a.example/same.html': page(`${english} Two.`),
    'a.example/3.html': page(`${english} Three.`),
    'a.example/de.html': page(german),
    'a.example/short.html': page('Nothing here.'),
    'www.sqlite.org/1.html': page(english),
  };
  for (const [name, html] of Object.entries(pages)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), html);
  }

  test('is read by host and language, each text once, no more than its share', async () => {
    expect(hostsOf(folder, EXCLUDED_HOSTS)).toEqual(['a.example']);
    const shares = { english: { counted: 2, sampled: 1 }, other: { counted: 5, sampled: 5 } };
    const groups = await webGroups(new PageFiles(folder, 'none'), 'a.example', shares);
    expect(groups.map(({ language, texts, sampled }) => [language, texts.length, sampled]).sort()).toEqual([
      ['de', 1, 1],
      ['en', 2, 1],
    ]);
    expect(new Set(groups.flatMap(({ texts }) => texts.map(({ text }) => text))).size).toBe(3);
  });
});

describe('a background', () => {
  const words = (prefix: string) => Array.from({ length: 80 }, (_, i) => `${prefix}${i}`).join(' ');
  const group = (host: string, language: string, count: number, sampled: number): TextGroup => ({
    host,
    language,
    sampled,
    texts: Array.from({ length: count }, (_, i) => ({ title: '', text: `common ${words(`${host}${language}${i}x`)}` })),
  });

  test('joins groups of one host and language, samples each share, and leaves out what is hardly text', () => {
    const thin: TextGroup = { host: 'thin', language: 'en', sampled: 1, texts: [{ title: '', text: 'few words' }] };
    const { background, hosts } = composeBackground([group('b', 'de', 3, 1), group('a', 'en', 4, 2), thin, group('b', 'de', 2, 2)]);
    expect(hosts).toEqual([
      { host: 'a', language: 'en', documents: 4, sampled: 2 },
      { host: 'b', language: 'de', documents: 5, sampled: 3 },
    ]);
    expect(background.documents).toBe(9);
    expect(background.sample.map(({ host, language }) => `${host} ${language}`)).toEqual(['a en', 'a en', 'b de', 'b de', 'b de']);
  });
});

test('a common word of a language is common, though few pages are in that language; of too few pages nothing is concluded', () => {
  const filler = (name: string) => Array.from({ length: 80 }, (_, i) => `${name}x${i}`).join(' ');
  const group = (language: string, pages: number, word: string): TextGroup => ({
    host: language,
    language,
    sampled: 0,
    texts: Array.from({ length: pages }, (_, i) => ({
      title: '',
      text: `${word} ${i === 0 ? `${language}rare` : ''} ${filler(language + i)}`,
    })),
  });
  const { background } = composeBackground([group('en', 400, 'the'), group('de', 40, 'der'), group('pt', 39, 'uma')]);
  const idfOf = (word: string) => (background.idf.codes[wordBucket(hashWord(word))] ?? 0) * background.idf.step;
  expect(idfOf('der')).toBeCloseTo(1, 1);
  expect(idfOf('the')).toBeCloseTo(1, 1);
  expect(idfOf('uma')).toBeGreaterThan(3);
  expect(idfOf('derare')).toBeGreaterThan(5);
});

test('the README lists every source', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../datasets/background/README.md'), 'utf8');
  expect(SOURCES.filter(({ name }) => !readme.includes(`\`${name}\``)).map(({ name }) => name)).toEqual([]);
});
