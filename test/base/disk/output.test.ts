import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { thisProcess } from '../../../src/base/disk/lock-owner.ts';
import { isMountPoint } from '../../../src/base/disk/mount-points.ts';
import { endLeftovers, FILE_OUTPUT as FILE, Output, type OutputKind, publishFile, withOutput } from '../../../src/base/disk/output.ts';
import { placeOf, refuseOwned } from '../../../src/base/disk/whose.ts';
import { WorkFolder } from '../../../src/base/disk/work-folder.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'forager-output-')));
let folder = '';
let count = 0;
beforeEach(() => {
  count += 1;
  folder = join(root, String(count));
  mkdirSync(folder);
});
afterAll(() => rmSync(root, { recursive: true }));

const at = (...parts: string[]) => join(folder, ...parts);
/** Each file with its content, each folder, each link. */
function state(dir = folder, prefix = ''): string[] {
  return readdirSync(dir)
    .sort()
    .flatMap((name) => {
      const path = join(dir, name);
      const stat = lstatSync(path);
      if (stat.isSymbolicLink()) return [`${prefix}${name} ->`];
      return stat.isDirectory()
        ? [`${prefix}${name}/`, ...state(path, `${prefix}${name}/`)]
        : [`${prefix}${name}: ${readFileSync(path, 'utf8')}`];
    });
}
function put(path: string, content = 'x'): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** A folder of pages, which a list names. */
const PAGES = {
  name: 'a set of pages',
  form: 'folder',
  earlier: (dir) =>
    existsSync(join(dir, 'list')) ? new Set(['list', 'deep/page', ...readFileSync(join(dir, 'list'), 'utf8').split('\n')]) : null,
} as const satisfies OutputKind;
const pages = (dir: string, content: string, force = false) =>
  withOutput(dir, PAGES, { force }, async (output) => {
    put(join(output.path, 'list'), 'page');
    put(join(output.path, 'page'), content);
    await output.publish();
  });
const file = (path: string, content: string, force = false) => withOutput(path, FILE, { force }, (output) => publishFile(output, content));

/** The lock of a process that has ended. */
function deadLock(work: string): void {
  const owner = {
    ...thisProcess(),
    pid: Number(execFileSync(process.execPath, ['-p', 'process.pid'])),
    started: '1',
    token: 'a',
    host: '',
  };
  put(join(work, 'lock'), `${JSON.stringify({ ...owner, held: 'no', file: '' })}\n0000000000\n`);
}

describe('whose a path is', () => {
  function made(): void {
    put(at('crawl', 'crawl.json'));
    put(at('crawl', 'corpus', 'records.jsonl'));
    put(at('moved', 'corpus', 'commit-1.json'));
    put(at('bare', 'frontier', 'data.mdb'));
    put(at('model', 'model.json'));
    put(at('harvest', 'corpus-card.json'), '{}');
    put(
      at('harvest', 'SHA256SUMS'),
      `${'0'.repeat(64)}  corpus.jsonl\n${'0'.repeat(64)}  data/part.parquet\n${'0'.repeat(64)}  text/index.tsv\n`,
    );
    put(at('harvest', 'text', 'index.tsv'), 'file\turl\nmoss.txt\thttp://a.example/\n');
    symlinkSync(at('crawl', 'corpus'), at('to-corpus'));
    symlinkSync(at('crawl', 'labels.jsonl'), at('to-nothing'));
    symlinkSync('to-nothing', at('to-link'));
  }

  test.each([
    ...['crawl', 'crawl/crawl.json', 'crawl/crawl.json.tmp', 'crawl/labels.jsonl', 'crawl/labelling/any/new', 'crawl/room.json'],
    ...['crawl/models/new', 'crawl/lock', 'crawl/lock.0123456789abcdef.heir', 'crawl/.former/corpus', 'crawl/chosen-seeds.txt'],
    ...['crawl/x/../corpus/y', 'to-corpus', 'to-corpus/new', 'to-nothing', 'to-link', 'moved/corpus/new', 'bare', 'bare/frontier/z'],
    ...[
      'model/weights.bin',
      'harvest/corpus.jsonl',
      'harvest/data',
      'harvest/data/part.parquet',
      'harvest/text/moss.txt',
      'harvest/SHA256SUMS',
    ],
  ])('%s is ours, and refused', (path) => {
    made();
    expect(() => refuseOwned(at(path))).toThrow(/belongs to the (crawl itself|topic model in|harvest in) /);
  });

  test.each([
    'crawl/web.jsonl.gz',
    'crawl/h',
    'model',
    'model/notes',
    'harvest',
    'harvest/notes.txt',
    'harvest/text/mine.txt',
    'moved/new',
    'new/deep',
  ])('%s may be written', (path) => {
    made();
    expect(() => refuseOwned(at(path))).not.toThrow();
  });

  test('a place is found through links, also to what is not there yet', () => {
    made();
    expect(placeOf(at('to-link'))).toBe(at('crawl', 'labels.jsonl'));
    expect(placeOf(at('to-corpus', 'a', 'b'))).toBe(at('crawl', 'corpus', 'a', 'b'));
    symlinkSync(at('round'), at('round'));
    expect(() => placeOf(at('round'))).toThrow('ELOOP');
  });
});

describe('an output that is claimed', () => {
  test('has its name when it is whole, and leaves nothing else; folders made for it go with it', async () => {
    await pages(at('a', 'b', 'out'), 'one');
    await file(at('c', 'f'), 'two');
    const whole = ['a/', 'a/b/', 'a/b/out/', 'a/b/out/list: page', 'a/b/out/page: one', 'c/', 'c/f: two'];
    expect(state()).toEqual(whole);
    const output = await Output.claim(at('d', 'e', 'out'), PAGES);
    put(join(output.path, 'page'));
    expect(existsSync(at('d', 'e', 'out'))).toBe(false);
    await output.abandon();
    expect(state()).toEqual(whole);
  });

  test('is refused to a second command, whether it is new, empty, full or a file', async () => {
    mkdirSync(at('empty'));
    await pages(at('full'), 'one');
    for (const [name, kind] of [
      ['new', PAGES],
      ['empty', PAGES],
      ['full', PAGES],
      ['file', FILE],
    ] as const) {
      const first = await Output.claim(at(name), kind, { force: true });
      await expect(Output.claim(at(name), kind, { force: true })).rejects.toMatchObject({ code: 'STORE_LOCKED', exitCode: 3 });
      await first.abandon();
      await (await Output.claim(at(name), kind, { force: true })).abandon();
    }
    expect(state()).toEqual(['empty/', 'full/', 'full/list: page', 'full/page: one']);
  });

  test('replaces an earlier one with force alone, and only if all in it is of the earlier one', async () => {
    await pages(at('out'), 'one');
    await expect(pages(at('out'), 'two')).rejects.toThrow(/already holds a set of pages; .*--force to replace it/);
    await pages(at('out'), 'two', true);
    expect(state()).toEqual(['out/', 'out/list: page', 'out/page: two']);
    for (const [path, named] of [
      ['notes', 'notes'],
      ['deep/notes', 'deep/notes'],
      ['empty/', 'empty'],
      ['.hidden', '.hidden'],
    ] as const) {
      if (path.endsWith('/')) mkdirSync(at('out', path));
      else put(at('out', path), 'mine');
      const before = state();
      await expect(pages(at('out'), 'three', true)).rejects.toThrow(`holds ${named}, which is not of a set of pages`);
      expect(state()).toEqual(before);
      rmSync(at('out', path.split('/')[0] ?? ''), { recursive: true });
    }
    put(at('other', 'thing'));
    await expect(pages(at('other'), 'one', true)).rejects.toThrow('something other than a set of pages (thing)');
    await file(at('f'), 'one');
    await expect(file(at('f'), 'two')).rejects.toThrow('already exists');
    await file(at('f'), 'two', true);
    expect(readFileSync(at('f'), 'utf8')).toBe('two');
  });

  test('keeps a link a link', async () => {
    mkdirSync(at('disk'));
    symlinkSync('disk', at('link'));
    await pages(at('link'), 'one');
    await pages(at('link'), 'two', true);
    symlinkSync('disk/later', at('dangling'));
    await file(at('dangling'), 'three');
    await file(at('dangling'), 'four', true);
    expect(state()).toEqual(['dangling ->', 'disk/', 'disk/later: four', 'disk/list: page', 'disk/page: two', 'link ->'].toSorted());
  });

  test('of another form is refused: a file, a device, a pipe, a folder, a mount point', async () => {
    put(at('plain'));
    execFileSync('mkfifo', [at('pipe')]);
    await expect(pages(at('plain'), 'one', true)).rejects.toThrow('is a file, not a folder');
    await expect(file(at('pipe'), 'one', true)).rejects.toThrow('is a device or pipe');
    await expect(file('/dev/null', 'one', true)).rejects.toThrow('is a device or pipe');
    await expect(file(folder, 'one', true)).rejects.toThrow('is a folder');
    await expect(pages(at('plain', 'below'), 'one')).rejects.toThrow('is a file, not a folder');
    if (existsSync('/proc/self/mountinfo')) await expect(pages('/proc', 'one', true)).rejects.toThrow('is a mount point');
    expect([isMountPoint(folder), isMountPoint(at('gone'))]).toEqual([false, false]);
  });

  test('is not put in place of what somebody else wrote there meanwhile', async () => {
    await pages(at('full'), 'one');
    for (const [name, act] of [
      ['new', () => put(at('new', 'page'), 'theirs')],
      ['full', () => put(at('full', 'notes'), 'theirs')],
      ['full', () => put(at('full', 'page'), 'their own')],
    ] as const) {
      const output = await Output.claim(at(name), PAGES, { force: true }).catch(() => null);
      act();
      await expect(output?.publish()).rejects.toMatchObject({ code: 'STORE_LOCKED' });
      rmSync(at('full', 'notes'), { force: true });
    }
    expect(state()).toEqual(['full/', 'full/list: page', 'full/page: their own', 'new/', 'new/page: theirs']);
  });

  test('that cannot take its place gives the earlier one back', async () => {
    await pages(at('out'), 'one');
    const work = await WorkFolder.take(at('out'), 'out', {});
    // Nothing was written, so the first rename succeeds and the second fails.
    expect(() => work.put()).toThrow('ENOENT');
    await work.release();
    expect(state()).toEqual(['out/', 'out/list: page', 'out/page: one']);
  });
});

describe('what a killed command left', () => {
  const work = () => at('.out.forager-new');

  test('is ended by the next command: the earlier one comes back, half a new one goes', async () => {
    await pages(at('out'), 'one');
    mkdirSync(work());
    deadLock(work());
    renameSync(at('out'), join(work(), 'old'));
    put(join(work(), 'new', 'page'), 'half');
    await expect(pages(at('out'), 'two')).rejects.toThrow('already holds');
    expect(state()).toEqual(['out/', 'out/list: page', 'out/page: one']);
  });

  test('is removed where it is the beginning of a file under its first name', async () => {
    put(join(work(), 'new.tmp'), 'half');
    deadLock(work());
    await pages(at('out'), 'one');
    expect(state()).toEqual(['out/', 'out/list: page', 'out/page: one']);
  });

  test('is ended by a command that reads, and by one that writes beside it', async () => {
    for (const next of [() => endLeftovers(at('out')), () => file(at('other'), 'x', true)]) {
      put(join(work(), 'old', 'page'), 'one');
      deadLock(work());
      await next();
      expect(state()).toEqual(expect.arrayContaining(['out/', 'out/page: one']));
      expect(existsSync(work())).toBe(false);
      rmSync(at('out'), { recursive: true });
    }
  });

  test('is removed where the new one is in place already', async () => {
    await pages(at('out'), 'new');
    put(join(work(), 'old', 'page'), 'former');
    deadLock(work());
    await endLeftovers(at('out'));
    expect(state()).toEqual(['out/', 'out/list: page', 'out/page: new']);
  });

  test('is kept, and named, where somebody else has put something there', async () => {
    put(at('out', 'page'), 'theirs');
    put(join(work(), 'old', 'page'), 'former');
    put(join(work(), 'new', 'page'), 'half');
    deadLock(work());
    await expect(pages(at('out'), 'x', true)).rejects.toThrow(/has left its former content in .*old; move one/);
    expect(state()).toEqual(expect.arrayContaining(['out/page: theirs', '.out.forager-new/old/page: former']));
  });

  test('is nothing of ours in a folder of that name with other files', async () => {
    put(join(work(), 'notes'), 'mine');
    await expect(pages(at('out'), 'x')).rejects.toThrow('holds something that is not of Forager');
    await endLeftovers(at('out'));
    mkdirSync(at('out.harvest-partial'));
    put(at('two.harvest-partial', 'notes'), 'mine');
    await pages(at('two'), 'x');
    expect(state()).toEqual(expect.arrayContaining(['.out.forager-new/notes: mine', 'two.harvest-partial/notes: mine']));
  });

  test('has a short name also beside a name of 255 bytes', async () => {
    const long = at('ü'.repeat(127));
    await pages(long, 'one');
    await pages(long, 'two', true);
    expect(readFileSync(join(long, 'page'), 'utf8')).toBe('two');
    expect(readdirSync(folder)).toHaveLength(1);
  });
});
