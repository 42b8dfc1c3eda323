/** The table of settings: what follows from it is the same whichever way an option comes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { COMMANDS } from '../../../src/crawling/settings/commands.ts';
import { configSchema } from '../../../src/crawling/settings/config-file.ts';
import { keptSchemaOf, keptSettings } from '../../../src/crawling/settings/derive.ts';
import { currentOf, flagOf, type KeptOf, type OptionsOf, type Setting, type Settings } from '../../../src/crawling/settings/setting.ts';
import { SETTINGS } from '../../../src/crawling/settings/settings.ts';
import { changedOptions } from '../../../src/crawling/settings/stored-options.ts';
import { readCommandLine } from '../../../src/faces/cli/cli.ts';
import { runs } from '../../support/extent.ts';

const folder = mkdtempSync(join(tmpdir(), 'forager-settings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CRAWL: Settings = COMMANDS.crawl;
const KEPT = Object.entries(CRAWL).filter(([, { keep }]) => keep);

/** Words that a setting takes, and another choice of them; by what its value is. */
const WORDS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  stopYield: [['2%/500'], ['none'], ['10%/50']],
  refresh: [['age'], ['freshness']],
  revisitBudget: [['2000/day'], ['5%/day'], ['10%'], ['3.5/hour']],
  stopRecall: [['80%'], ['none'], ['95.5%']],
  archiveDate: [['2004'], ['2004-05-01']],
  judgeBand: [['.2...8'], ['0..0.5'], ['none']],
  maxSharePerHost: [['20%'], ['none'], ['2.5%']],
  ask: [['15@80,15@240'], ['none'], ['3@20']],
  scope: [['host:a.test'], ['domain:b.test', 'not:prefix:http://b.test/x']],
  strategy: [['apprentice'], ['bfs'], ['opic']],
  patience: [['off'], ['auto'], ['5s']],
  explore: [['2%'], ['0%'], ['12.5%']],
  delay: [['0'], ['1s'], ['1500ms']],
  delayFactor: [['0'], ['1'], ['2.5']],
  optOut: [['none'], ['/a/list.txt']],
  hosts: [['none'], ['/a/hosts.yaml']],
  signKey: [['none'], ['/a/forager.key']],
  signAgent: [['none'], ['https://crawler.example.org']],
  contact: [['a@example.org'], ['https://example.org/bot']],
  proxy: [['none'], ['http://127.0.0.1:3128']],
  render: [['never'], ['auto'], ['always']],
  rngSeed: [['1'], ['2']],
  topic: [['models/moss'], ['models/moss', 'models/peat']],
  seeds: [['http://a.test/'], ['http://a.test/', 'seeds.txt']],
  maxTime: [['90s'], ['2h'], ['none']],
  revisit: [['30d'], ['1h']],
  documents: [['pdf'], ['pdf,epub'], ['all'], ['none']],
  alternates: [['fr'], ['fr,zh-Hant'], ['all'], ['none']],
  obey: [['tdm'], ['rsl,content-usage'], ['none']],
  sitemaps: [['auto'], ['always'], ['never'], ['off']],
  minFree: [['0'], ['1GB'], ['500MB/30m']],
  logLevel: [['debug'], ['warn']],
  unpark: [['all'], ['a', 'b']],
  corpusBucket: [['s3://corpora/moss'], ['s3://corpora/peat']],
  s3Endpoint: [['http://localhost:9000'], ['https://store.example/s3']],
};

/** Choices of words for a setting of the crawl. */
function wordsFor(name: string, { kind }: Setting<unknown>): readonly (readonly string[])[] {
  if (kind.shape === 'switch') return [['on'], ['off']];
  return WORDS[name] ?? (kind.measure !== null ? [['1'], ['7']] : [['text'], ['another']]);
}

const read = (setting: Setting<unknown>, words: readonly string[]) => setting.kind.read(words, 'test');
const BEGUN = { strategy: 'apprentice', delay: 1000, fitsWarmUp: false } as const;
/** Words by setting, of those that are said. */
type Said = Readonly<Record<string, readonly string[]>>;
type Options = Partial<OptionsOf<typeof COMMANDS.crawl>>;
type Kept = KeptOf<typeof COMMANDS.crawl>;
const kept = (options: Options, found: Kept | null = null) =>
  keptSettings(COMMANDS.crawl, 'crawls/moss', options, found, { ...BEGUN, ...found });
const schema = z.strictObject(keptSchemaOf(COMMANDS.crawl));
/** As crawl.json gives it back. */
const stored = (one: Kept) => schema.parse(JSON.parse(JSON.stringify(one))) as Kept;

test.each(KEPT)('%s: a resumed crawl has what it had, and takes what is said anew, on and off', (name, setting) => {
  for (const first of wordsFor(name, setting)) {
    const begun = stored(kept({ [name]: read(setting, first) }));
    expect(kept({}, begun)).toEqual(begun);
    for (const then of wordsFor(name, setting)) {
      const again = () => kept({ [name]: read(setting, then) }, begun);
      const isOther = JSON.stringify(then) !== JSON.stringify(first);
      if (setting.keep?.how === 'fixed' && isOther) expect(again).toThrow(`was started with --${flagOf(name, setting)}`);
      else
        expect(again()).toEqual({
          ...begun,
          [name]: setting.keep?.store(read(setting, then), BEGUN, (begun as Readonly<Record<string, unknown>>)[name]),
        });
    }
  }
});

test('any settings at once: what is kept passes through crawl.json, and later runs change only what they name', () => {
  const choice = fc.record(Object.fromEntries(KEPT.map(([name, setting]) => [name, fc.constantFrom(...wordsFor(name, setting))])), {
    requiredKeys: [],
  });
  const valuesOf = (words: Said): Options =>
    Object.fromEntries(Object.entries(words).map(([name, said]) => [name, read(CRAWL[name] as Setting<unknown>, said)]));
  const { strategy: _, rngSeed: __, warmUp: ___, corpusBucket: ____, archiveDate: _____, ...changes } = SETTINGS;
  fc.assert(
    fc.property(choice as fc.Arbitrary<Said>, choice as fc.Arbitrary<Said>, (first, later) => {
      const graph = ['opic'].includes(first['strategy']?.[0] ?? '');
      fc.pre(!(graph && [first, later].some((one) => one['record']?.[0] === 'off')));
      const begun = stored(kept({ ...valuesOf(first) }));
      const free = Object.fromEntries(Object.entries(later).filter(([name]) => name in changes));
      const now = stored(kept(valuesOf(free), begun)) as Readonly<Record<string, unknown>>;
      for (const [name, value] of Object.entries(begun)) if (!(name in free)) expect(now[name]).toEqual(value);
    }),
  );
});

test('the command line and a file say the same, whatever options and in whichever section', async () => {
  const named = Object.entries(CRAWL).filter(([name]) => name !== 'dir');
  const words = fc.record(Object.fromEntries(named.map(([name, setting]) => [name, fc.constantFrom(...wordsFor(name, setting))])), {
    requiredKeys: [],
  });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(words as fc.Arbitrary<Said>, fc.boolean(), fc.boolean(), async (said, inSection, written) => {
      const options = Object.entries(said).map(([name, list]) => [flagOf(name, CRAWL[name] ?? {}), list] as const);
      const line = options.flatMap(([flag, list]) => [`--${flag}`, ...list]);
      const content = Object.fromEntries(
        Object.entries(said).map(([name, list]) => [flagOf(name, CRAWL[name] ?? {}), yamlOf(list, written, CRAWL[name])]),
      );
      const file = join(folder, `${count++}.yaml`);
      writeFileSync(file, stringify(inSection ? { crawl: content } : content));
      const [byLine, byFile] = [
        await readCommandLine(['crawl', 'crawls/moss', ...line]),
        await readCommandLine(['crawl', 'crawls/moss', '--config', file]),
      ];
      expect(byFile?.values).toEqual(byLine?.values);
      expect(byLine?.values).toHaveProperty('dir', 'crawls/moss');
      expect(Object.keys(byLine?.values ?? {})).toHaveLength(options.length + 1);
    }),
    { numRuns: runs(60) },
  );
});

/** A value as people write it: a list of one as itself, a switch as on or true, a number as a number. */
function yamlOf([first = '', ...more]: readonly string[], written: boolean, setting: Setting<unknown> | undefined): unknown {
  if (more.length > 0) return [first, ...more];
  if (!written) return first;
  if (setting?.kind.shape === 'switch') return first === 'on';
  return /^\d+(\.\d+)?$/.test(first) ? Number(first) : first;
}

test('the command line holds before the section, the section before the top, and positionals may stand in the file', async () => {
  const file = join(folder, 'order.yaml');
  writeFileSync(
    file,
    'max-pages: 1\ndelay: 3s\ncontact: a@b.test\ncrawl:\n  dir: crawls/file\n  max-pages: 2\n  delay: 2s\nseeds: [http://a.test/]\n',
  );
  const line = await readCommandLine(['crawl', '--config', file, '--max-pages', '3']);
  expect(line?.values).toEqual({ dir: 'crawls/file', maxPages: 3, delay: 2000, contact: 'a@b.test', seeds: ['http://a.test/'] });
  const train = await readCommandLine(['train', 'good', '--out', 'm', '--config', file]);
  expect(train?.values).toEqual({ examples: ['good'], out: 'm', delay: 3000, contact: 'a@b.test' });
});

test.each([
  ['--cookies', true],
  ['--cookies=on', true],
  ['--cookies=off', false],
  ['--no-cookies', false],
])('a switch: %s', async (word, value) => {
  expect((await readCommandLine(['crawl', word, 'crawls/moss']))?.values).toEqual({ dir: 'crawls/moss', cookies: value });
});

test('a browser without its sandbox is one switch, on the command line as in a file', async () => {
  expect((await readCommandLine(['crawl', '--no-sandbox', 'crawls/moss']))?.values).toEqual({ dir: 'crawls/moss', sandbox: false });
  const file = join(folder, 'sandbox.yaml');
  writeFileSync(file, 'crawl:\n  dir: crawls/moss\n  render: auto\n  sandbox: off\n');
  expect((await readCommandLine(['crawl', '--config', file]))?.values).toEqual({ dir: 'crawls/moss', render: 'auto', sandbox: false });
});

test.each([
  [['--page', '--max-pages', '3', 'crawls/moss'], '9465'],
  [['crawls/moss', '--max-pages', '3', '--page'], '9465'],
  [['crawls/moss', '--max-pages', '3', '--page', '127.0.0.1:0'], '127.0.0.1:0'],
  [['--max-pages', '3', '--page=9000', 'crawls/moss'], '9000'],
])('a page without a port of its own: %j', async (words, page) => {
  expect((await readCommandLine(['crawl', ...words]))?.values).toEqual({ dir: 'crawls/moss', maxPages: 3, page });
});

test('an option that needs a value is refused without one', async () => {
  await expect(readCommandLine(['crawl', 'crawls/moss', '--metrics', '--page'])).rejects.toThrow('--metrics: its value is missing');
});

test('a switch and its state are two words, and both at once are refused', async () => {
  expect((await readCommandLine(['crawl', '--cookies', 'off', 'crawls/moss']))?.values).toEqual({ dir: 'crawls/moss', cookies: false });
  await expect(readCommandLine(['crawl', 'crawls/moss', '--cookies', '--no-cookies'])).rejects.toThrow(
    '--cookies, --no-cookies: exclude each other',
  );
});

test('an option is one thing in all commands that have it', () => {
  // What is written out (a file, a folder) and its format are of the command, and so is who judges. A watch is `--every` so long, a labelling every so many answers.
  const own = new Set([
    'format',
    'formats',
    'every',
    'judge',
    'topic',
    'url',
    'start',
    'keyword',
    'outputDir',
    'inputs',
    'input',
    'model',
    'shell',
    'others',
    'corpus',
    'corpora',
    'action',
    'file',
    'place',
    'from',
    'to',
    'between',
    'query',
    'urls',
    'hostNames',
    'ids',
    'purge',
    'reason',
  ]);
  for (const settings of Object.values(COMMANDS))
    for (const [name, setting] of Object.entries(currentOf(settings))) {
      if (own.has(name)) continue;
      expect(SETTINGS).toHaveProperty(name);
      expect(setting.kind).toBe((SETTINGS as Settings)[name]?.kind);
    }
});

test('the schema of a file has every option of every command, and refuses what is none', () => {
  const { properties } = configSchema() as { properties: Record<string, { properties?: object; oneOf?: { properties?: object }[] }> };
  for (const [name, settings] of Object.entries(COMMANDS)) {
    const section = properties[name]?.properties ?? properties[name]?.oneOf?.[1]?.properties ?? {};
    const flags = Object.entries(settings as Settings).map(([key, setting]) => flagOf(key, setting));
    expect(Object.keys(section).sort()).toEqual(flags.sort());
    for (const flag of flags) expect(properties).toHaveProperty(flag);
  }
});

test('the options of a crawl that differ from a new crawl without any, without folders and without its proxy', () => {
  const begun = keptSettings(COMMANDS.crawl, 'c', {}, null, BEGUN);
  expect(changedOptions(begun)).toEqual({});
  const given = {
    maxDepth: 3,
    tunnel: Number.POSITIVE_INFINITY,
    documents: ['pdf', 'epub'],
    hosts: '/home/ada/hosts.yaml',
    explore: 0.02,
    record: true,
  };
  const stored = keptSettings(
    COMMANDS.crawl,
    'c',
    { ...given, proxy: 'http://inside.example:3128' } as Partial<OptionsOf<typeof COMMANDS.crawl>>,
    begun,
    BEGUN,
  );
  expect(changedOptions(stored)).toEqual({
    'max-depth': '3',
    tunnel: 'none',
    documents: 'pdf,epub',
    hosts: 'hosts.yaml',
    explore: '2%',
    record: 'on',
  });
  // A limit that follows from a share of the budget is not given.
  expect(changedOptions({ ...begun, maxSharePerHost: 0.2, maxPagesPerHost: 40 })).toEqual({ 'max-share-per-host': '20%' });
});
