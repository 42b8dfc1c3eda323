import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { tarMembers } from '../../datasets/debian-web/tar.ts';
import { buildParallelText } from '../../datasets/parallel-text/builder.ts';
import { plainText } from '../../datasets/parallel-text/plain-text.ts';
import { readPo } from '../../datasets/parallel-text/po-file.ts';
import { readEntries } from '../../datasets/parallel-text/store.ts';
import { DataError, EnvironmentError, UsageError } from '../../src/base/core/errors.ts';
import { seededRng } from '../../src/base/core/rng.ts';
import { alignTexts } from '../../src/corpus/align/aligned-text.ts';
import { countBeads, f1Of, goldPages } from '../../tools/bench/align/gold.ts';

const folder = mkdtempSync(join(tmpdir(), 'parallel-text-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PO = `msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

#. type: Plain text
#: ../man/tool.8.xml:3 other.xml:4
msgid "Read "
"the \\"file\\"."
msgstr "Lire le « fichier »."

#, fuzzy
#: tool.8.xml:9
msgid "Old"
msgstr "Vieux"

msgid "Not yet"
msgstr ""

msgid "One file"
msgid_plural "Files"
msgstr[0] "Un fichier"
msgstr[1] "Des fichiers"

#~ msgid "Gone"
#~ msgstr "Parti"
`;

test('a catalogue has the finished entries with the file that has them first', () => {
  expect(readPo(PO)).toEqual([{ file: 'tool.8.xml', source: 'Read the "file".', translation: 'Lire le « fichier ».' }]);
  expect(readPo(PO.replaceAll('\n', '\r\n'))).toEqual(readPo(PO));
});

describe('markup of manuals is dropped', () => {
  test.each([
    ['POD', 'See B<dpkg-I<deb>>(1), L<the page|https://a.example/> and E<lt>fileE<gt>. X<index>', 'See dpkg-deb(1), the page and <file>.'],
    ['man', '\\fBapt\\fR \\-\\-yes isn\\(aqt', "apt --yes isn't"],
    ['DocBook', 'Run <command>a &amp; b</command>\n  of &d-i;', 'Run a & b of d-i'],
  ])('%s', (_name, marked, plain) => expect(plainText(marked).replaceAll(/ +/g, ' ')).toBe(plain));
});

test('a manual is built from its source archive', async () => {
  const source = join(folder, 'tool-1.0', 'po');
  mkdirSync(source, { recursive: true });
  const entries = Array.from(
    { length: 250 },
    (_, i) => `#: page${i % 2}.xml:${i}\nmsgid "Entry ${i} here."\nmsgstr "Voici B<l'entrée> ${i}."\n`,
  );
  writeFileSync(join(source, 'fr.po'), entries.join('\n'));
  writeFileSync(join(source, 'de.po'), entries.slice(0, 20).join('\n'));
  execFileSync('tar', ['--create', '--xz', '--file', join(folder, 'tool_1.0.orig.tar.xz'), '--directory', folder, 'tool-1.0']);
  const tool = { name: 'tool', licence: 'MIT', catalogues: /\/po\/(\w+)\.po$/, use: 'report' } as const;
  const out = join(folder, 'out');
  const { tool: built } = await buildParallelText({ manuals: [tool], out, packages: folder });
  expect(built).toMatchObject({ origin: 'tool 1.0', use: 'report', languages: { fr: { entries: 250, pages: 2 } } });
  expect(Object.keys(built?.languages ?? {})).toEqual(['fr']);
  expect(readEntries(out, 'tool.fr').slice(124, 126)).toEqual([
    { page: 'page0.xml', left: 'Entry 248 here.', right: "Voici l'entrée 248." },
    { page: 'page1.xml', left: 'Entry 1 here.', right: "Voici l'entrée 1." },
  ]);
  expect(() => readEntries(out, 'tool.de')).toThrow(UsageError);
  writeFileSync(join(out, 'bad.fr.jsonl'), '{"page":1}\n');
  expect(() => readEntries(out, 'bad.fr')).toThrow(DataError);
  writeFileSync(join(folder, 'broken_1.0.tar.xz'), 'not an archive');
  await expect(buildParallelText({ manuals: [{ ...tool, name: 'broken' }], out, packages: folder })).rejects.toThrow(EnvironmentError);
});

test('an archive in the form of Unix V7 is read, and one with a wrong checksum is not', async () => {
  mkdirSync(join(folder, 'v7'));
  writeFileSync(join(folder, 'v7', 'a.po'), 'text');
  const archive = execFileSync('tar', ['--create', '--format=v7', '--directory', folder, 'v7/a.po']);
  const names = async (bytes: Buffer): Promise<string[]> => {
    const found: string[] = [];
    for await (const member of tarMembers(
      (async function* () {
        yield bytes;
      })(),
      () => true,
    ))
      found.push(member.name);
    return found;
  };
  expect(await names(archive)).toEqual(['v7/a.po']);
  archive[0] = 0x77;
  await expect(names(archive)).rejects.toThrow(DataError);
});

describe('gold beads of entries', () => {
  const entries = [
    { page: 'a', left: 'One here. Two here.', right: 'Un ici. Deux ici.' },
    { page: 'a', left: 'Three here, and more of it. It is 4.', right: 'Trois ici, et plus ; ce sont 4.' },
    { page: 'a', left: 'A long one. A short. The end.', right: 'Une longue et une courte. La fin.' },
    { page: 'b', left: 'Another page.', right: 'Une autre page.' },
  ];
  const [page] = goldPages(entries, 'paragraphs', ['en', 'fr'], seededRng(1));

  test('equal numbers are 1-1, a single sentence is one bead, others do not count', () => {
    const { left, right } = page ?? { left: '', right: '' };
    const alignment = alignTexts({ text: left, lang: 'en' }, { text: right, lang: 'fr' });
    expect([alignment.left.length, alignment.right.length]).toEqual([7, 5]);
    const beads = (ranges: readonly (readonly [number, number, number, number])[]) =>
      ranges.map(([a, b, c, d]) => ({ left: [a, b] as const, right: [c, d] as const, score: 1 }));
    const good = beads([
      [0, 1, 0, 1],
      [1, 2, 1, 2],
      [2, 4, 2, 3],
      [4, 6, 3, 4],
      [6, 7, 4, 5],
    ]);
    expect(page && countBeads(page, { ...alignment, beads: good })).toEqual({ right: 3, found: 3, gold: 3 });
    const bad = beads([
      [0, 2, 0, 1],
      [2, 4, 1, 3],
      [4, 7, 3, 5],
    ]);
    const counts = page && countBeads(page, { ...alignment, beads: bad });
    expect(counts).toEqual({ right: 0, found: 2, gold: 3 });
    expect(f1Of({ right: 2, found: 4, gold: 4 })).toBe(0.5);
  });

  test('a fifth of the paragraphs of the right text is deleted', () => {
    const many = Array.from({ length: 50 }, (_, i) => ({ page: 'a', left: `Left ${i}.`, right: `Right ${i}.` }));
    const [deleted] = goldPages(many, 'deleted', ['en', 'fr'], seededRng(1));
    expect(deleted?.left.match(/Left/g)).toHaveLength(50);
    expect(deleted?.right.match(/Right/g)).toHaveLength(40);
  });
});
