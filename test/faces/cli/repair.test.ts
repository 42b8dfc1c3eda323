/** What is done to the files of a crawl, and what `repair`, `harvest` and the next run make of it. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CorpusRecord } from '../../../src/base/core/types.ts';
import { storedRecordLine } from '../../../src/corpus/records/records.ts';
import { walkWarc } from '../../../src/corpus/records/warc-stream.ts';
import { crawlPaths, readManifest } from '../../../src/crawling/crawl-dir/crawl-directory.ts';
import { frontierOptionsOf } from '../../../src/crawling/crawl-dir/crawl-parts.ts';
import { openLmdbFrontier } from '../../../src/crawling/frontier/frontier.ts';
import { repair } from '../../../src/study/repair/repair-crawl.ts';
import { restoreFrontier } from '../../../src/study/repair/restore-frontier.ts';
import { asOfForager01 } from '../../support/earlier-crawl.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, forager, jsonLines, refused, refusedByProcess } from './forager.ts';
import { type Served, smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb();
const { path } = small;
let served: Served;
let model: string;
/** A crawl of 40 pages, and the same as it was after 20. */
const whole = path('whole');
const earlier = path('earlier');
/** Another crawl of the same topic. */
const other = path('other');
/** One that is recorded, of 40 pages. */
const recorded = path('recorded');

const RECORDS = 'corpus/records.jsonl';
const DATABASE = 'frontier/data.mdb';

function crawlArgs(dir: string, maxPages: number, ...more: string[]): string[] {
  const polite = ['--delay', '0ms', '--proxy', served.proxy, '--concurrency', '2'];
  return ['crawl', dir, '--topic', model, '--seeds', ...small.seeds, '--max-pages', String(maxPages), ...polite, ...more];
}

beforeAll(async () => {
  served = await small.serve();
  model = await trainedOn(small);
  await done(...crawlArgs(whole, 20));
  cpSync(whole, earlier, { recursive: true });
  await done(...crawlArgs(whole, 40));
  await done(...crawlArgs(other, 30, '--strategy', 'bfs'));
  await done(...crawlArgs(recorded, 40, '--record'));
});
afterAll(() => small.close());

let copies = 0;
function copyOf(dir: string): string {
  const copy = path(`copy-${++copies}`);
  cpSync(dir, copy, { recursive: true });
  return copy;
}

/** Ids and texts of the kept pages that a harvest has, sorted. */
async function harvested(dir: string, ...more: string[]): Promise<string[]> {
  const out = path(`out-${++copies}`);
  await done('harvest', dir, '--out', out, '--min-relevance', '0', '--dedupe', 'none', ...more);
  return readFileSync(join(out, 'corpus.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { id, url, text, relevance } = JSON.parse(line) as Record<string, unknown>;
      return `${id} ${url} ${relevance} ${text}`;
    })
    .sort();
}

interface Line {
  readonly url: string;
  readonly state: string;
}

async function ledger(dir: string): Promise<Line[]> {
  return jsonLines<Line>(await done('ledger', dir));
}

async function urlsThat(dir: string, state: string): Promise<string[]> {
  return (await ledger(dir)).flatMap((line) => (line.state === state ? [line.url] : [])).sort();
}

/** Flip one bit in the middle of the given text in a file. */
function flip(file: string, text: string): void {
  const bytes = readFileSync(file);
  const at = bytes.indexOf(text) + (text.length >> 1);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

describe('a frontier that is not that of the corpus', () => {
  wholeTest.each([
    ['empty', 'is empty, but the crawl', (dir: string) => truncateSync(join(dir, DATABASE), 0)],
    ['missing', 'is missing, but the crawl', (dir: string) => rmSync(join(dir, DATABASE))],
    ['an older copy', 'the frontier is an older copy', (dir: string) => cpSync(join(earlier, DATABASE), join(dir, DATABASE))],
    ["another crawl's", 'is the frontier of crawl', (dir: string) => cpSync(join(other, DATABASE), join(dir, DATABASE))],
    ['damaged', 'damaged', (dir: string) => truncateSync(join(dir, DATABASE), 8192)],
  ])('%s: nothing is cut, and repair gives it all kept pages', async (_, why, damage) => {
    const dir = copyOf(whole);
    const before = await harvested(dir);
    damage(dir);
    const files = readdirSync(join(dir, 'corpus')).map((name) => readFileSync(join(dir, 'corpus', name)));
    await refusedByProcess(3, [why, `forager repair ${dir}`], ...crawlArgs(dir, 50));
    await refusedByProcess(3, [why, `forager repair ${dir}`], 'harvest', dir, '--out', path('never'));
    expect(readdirSync(join(dir, 'corpus')).map((name) => readFileSync(join(dir, 'corpus', name)))).toEqual(files);

    expect(await done('repair', dir)).not.toMatch(/make it again|rebuild it|forager repair/);
    expect(await harvested(dir)).toEqual(before);
    expect(await urlsThat(dir, 'kept')).toEqual(before.map((line) => line.split(' ')[1]).sort());
    await done(...crawlArgs(dir, 60));
    expect((await harvested(dir)).filter((line) => before.includes(line))).toEqual(before);
  });

  test('the frontier of a recorded crawl is made again with all its visits', async () => {
    const dir = copyOf(recorded);
    rmSync(join(dir, DATABASE));
    await done('repair', dir);
    const fates = async (of: string) =>
      (await ledger(of)).filter(({ state }) => !['waiting', 'parked'].includes(state)).map(({ url, state }) => `${url} ${state}`);
    const [again, before] = [
      new Set(await fates(dir)),
      (await fates(recorded)).filter((line) => !/robots\.txt|tdmrep|sitemap|refused$/.test(line)),
    ];
    expect(before.length).toBeGreaterThan(35);
    expect(before.filter((line) => !again.has(line))).toEqual([]);
  });

  test('repair --cut goes back to an older frontier, and keeps what it cuts', async () => {
    const dir = copyOf(whole);
    cpSync(join(earlier, DATABASE), join(dir, DATABASE));
    const all = readFileSync(join(dir, RECORDS));
    const told = await done('repair', dir, '--cut');
    expect(told).toContain('  the corpus was cut to the last commit of the frontier\n');
    expect(told).toMatch(/^ {2}\d files with [\d,]+ bytes were saved in \S+\/corpus\/cut-\S+:$/m);
    expect(told).toMatch(/^ {4}records\.jsonl\.from-\d+ {2}[\d,]+ bytes$/m);
    expect(await harvested(dir)).toEqual(await harvested(earlier));
    const [aside = ''] = readdirSync(join(dir, 'corpus')).filter((name) => name.startsWith('cut-'));
    const [tail = ''] = readdirSync(join(dir, 'corpus', aside)).filter((name) => name.startsWith('records.jsonl.from-'));
    expect(Buffer.concat([readFileSync(join(dir, RECORDS)), readFileSync(join(dir, 'corpus', aside, tail))])).toEqual(all);
    await done(...crawlArgs(dir, 40));
    expect(await urlsThat(dir, 'kept')).toEqual((await harvested(dir)).map((line) => line.split(' ')[1]).sort());
  });
});

describe('damaged records', () => {
  test('a records.jsonl that lost lines is not harvested as whole; with --skip-damaged the card counts them', async () => {
    const dir = copyOf(whole);
    const before = await harvested(dir);
    const lines = readFileSync(join(dir, RECORDS), 'utf8').split('\n');
    const url = (JSON.parse(lines[2] ?? '') as Line).url;
    writeFileSync(join(dir, RECORDS), [...lines.slice(0, 2), ...lines.slice(3)].join('\n'));
    await refused(3, ['records.jsonl', 'were committed', '--skip-damaged'], 'harvest', dir, '--out', path('lost'));
    const left = await harvested(dir, '--skip-damaged');
    expect(left).toEqual(before.filter((line) => line.split(' ')[1] !== url));
    const card = JSON.parse(readFileSync(path(`out-${copies}`, 'corpus-card.json'), 'utf8')) as { damaged: object };
    expect(card.damaged).toEqual({ records: 1, warc: 0 });
    expect(readFileSync(path(`out-${copies}`, 'corpus-card.md'), 'utf8')).toContain('LOST');

    expect(await done('repair', dir)).toContain('1 record was written again');
    expect(await harvested(dir)).toEqual(before);
  });

  test('a corpus whose records are all lost does not say that the crawl has kept none', async () => {
    const dir = copyOf(whole);
    const count = (await harvested(dir)).length;
    writeFileSync(join(dir, RECORDS), '');
    const said = [dir, `the ${count} pages of the crawl are damaged`, 'restore'];
    await refused(3, said, 'harvest', dir, '--skip-damaged', '--out', path('none-left'));
  });

  test('a flipped bit in a record is named, and mended from the WARC record', async () => {
    const dir = copyOf(whole);
    const before = await harvested(dir);
    const [, line = ''] = readFileSync(join(dir, RECORDS), 'utf8').split('\n');
    const { url, payloadSha256 } = JSON.parse(line) as { url: string; payloadSha256: string };
    flip(join(dir, RECORDS), payloadSha256);
    await refused(3, ['records.jsonl:2', 'checksum is wrong', url, '--skip-damaged'], 'harvest', dir, '--out', path('flipped'));
    await refused(3, ['records.jsonl:2'], 'why', dir, url);
    expect(await harvested(dir, '--skip-damaged')).toHaveLength(before.length - 1);
    await done('repair', dir);
    expect(await harvested(dir)).toEqual(before);
    const kept = readdirSync(join(dir, 'corpus')).find((name) => name.startsWith('cut-')) ?? '';
    expect(existsSync(join(dir, 'corpus', kept, 'records.jsonl'))).toBe(true);
  });

  wholeTest('a page of which nothing is left waits to be asked for again', async () => {
    const dir = copyOf(whole);
    const kept = await urlsThat(dir, 'kept');
    const warc = join(dir, 'corpus', 'forager-00000.warc.gz');
    const lines = readFileSync(join(dir, RECORDS), 'utf8').split('\n');
    const { url } = JSON.parse(lines.at(-2) ?? '') as Line;
    writeFileSync(join(dir, RECORDS), `${lines.slice(0, -2).join('\n')}\n`);
    truncateSync(warc, readFileSync(warc).length - 4000);
    await refusedByProcess(3, ['were committed', 'forager repair'], ...crawlArgs(dir, 50));
    expect(await done('repair', dir)).toContain('LOST: 1 kept page');
    expect(await urlsThat(dir, 'kept')).toEqual(kept.filter((one) => one !== url));
    expect(await urlsThat(dir, 'waiting')).toContain(url);
    await done(...crawlArgs(dir, 41));
  });

  wholeTest('WARC records behind a damaged one are harvested with --skip-damaged', async () => {
    const dir = copyOf(whole);
    const warc = join(dir, 'corpus', 'forager-00000.warc.gz');
    const bytes = readFileSync(warc);
    bytes.fill(0, 3000, 3100);
    writeFileSync(warc, bytes);
    await refused(3, ['forager-00000.warc.gz', 'damaged at byte'], 'harvest', dir, '--out', path('hole'), '--format', 'warc');
    await refused(3, ['forager-00000.warc.gz'], 'seeds', dir);
    await done('seeds', dir, '--skip-damaged');
    const skipping = await forager('harvest', dir, '--out', path('named'), '--format', 'jsonl,warc', '--skip-damaged');
    const named = [...skipping.stderr.matchAll(/^forager: skipped: (\S+): its WARC record is damaged or missing$/gm)].map(([, url]) => url);
    expect(skipping.stderr).toMatch(/^forager: skipped: \S+\.warc\.gz: damaged at byte \d+ \([^)]+\)$/m);
    expect(skipping.stderr).not.toContain('what stands before');
    await harvested(dir, '--format', 'jsonl,warc', '--skip-damaged');
    const card = JSON.parse(readFileSync(path(`out-${copies}`, 'corpus-card.json'), 'utf8')) as {
      damaged: { warc: number };
      records: { kept: number };
    };
    expect(card.damaged.warc).toBeGreaterThan(0);
    expect(named.length).toBe(card.damaged.warc);
    expect(await urlsThat(dir, 'kept')).toEqual(expect.arrayContaining(named));
    expect(card.damaged.warc).toBeLessThan(card.records.kept / 2);
  });
});

test('a crawl of Forager 0.1 goes on, and is held against its frontier from then on', async () => {
  const dir = copyOf(whole);
  const before = await harvested(dir);
  await asOfForager01(dir);
  expect(await harvested(dir)).toEqual(before);
  await done(...crawlArgs(dir, 45));
  expect(JSON.parse(readFileSync(join(dir, 'crawl.json'), 'utf8'))).toMatchObject({ id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(await done('repair', dir)).toContain('nothing is damaged');
  const earlierFrontier = readFileSync(join(earlier, DATABASE));
  writeFileSync(join(dir, DATABASE), earlierFrontier);
  await refusedByProcess(3, ['is the frontier of crawl', 'forager repair'], ...crawlArgs(dir, 50));
});

test('repair is refused where there is no crawl, and while one runs', async () => {
  await refused(2, ['no crawl is here'], 'repair', path('nowhere'));
});

test('a crawl.json that is an older copy is refused, whatever reads it', async () => {
  const dir = copyOf(whole);
  cpSync(join(earlier, 'crawl.json'), join(dir, 'crawl.json'));
  const why = ['names 1 runs of the crawl, but the frontier knows 2', 'older copy'];
  await refused(3, why, 'harvest', dir, '--out', path('of-earlier'));
  await refusedByProcess(3, why, ...crawlArgs(dir, 50));
  await refusedByProcess(3, why, 'repair', dir);
});

test('a crawl that has lost its crawl.json is not begun anew in its place', async () => {
  const dir = copyOf(whole);
  rmSync(join(dir, 'crawl.json'));
  const records = readFileSync(join(dir, RECORDS));
  await refusedByProcess(3, ['crawl.json: is missing', 'files of a crawl are here'], ...crawlArgs(dir, 50));
  expect(readFileSync(join(dir, RECORDS))).toEqual(records);
});

wholeTest.each([
  ['of which none ends at the committed byte', 1, 'no record ends at byte'],
  ['of which one ends at the committed byte', 0, 'the frontier does not know its record of'],
])("another crawl's records, %s, are not cut, and not taken over by repair", async (_, beyond, why) => {
  const dir = copyOf(whole);
  const before = await harvested(dir);
  const foreign = recordsEndingAt(readFileSync(join(dir, RECORDS)).length + beyond);
  writeFileSync(join(dir, RECORDS), foreign);
  await refusedByProcess(3, ['is not the file that was committed', why, 'forager repair'], ...crawlArgs(dir, 50));
  expect(readFileSync(join(dir, RECORDS))).toEqual(foreign);
  await done('repair', dir);
  expect(await harvested(dir)).toEqual(before);
});

/** Records of another crawl: the first is lengthened so that its line ends at byte `end`. */
function recordsEndingAt(end: number): Buffer {
  const foreign = readFileSync(join(recorded, RECORDS));
  const first = { ...(JSON.parse(foreign.toString('utf8', 0, foreign.indexOf(10))) as CorpusRecord), crc32: undefined, text: '' };
  const text = 'x'.repeat(end - storedRecordLine(first).length);
  return Buffer.concat([storedRecordLine({ ...first, text }), foreign]);
}

wholeTest('a recording that has lost its first line, and a records.jsonl that is gone: repair makes both again', async () => {
  const dir = copyOf(recorded);
  const before = await harvested(dir);
  const visits = join(dir, 'corpus', 'visits.jsonl.gz');
  const bytes = readFileSync(visits);
  bytes[20] = (bytes[20] ?? 0) ^ 0xff;
  writeFileSync(visits, bytes);
  rmSync(join(dir, RECORDS));
  await done('repair', dir);
  expect(await harvested(dir)).toEqual(before);
  await done(...crawlArgs(dir, 45));
});

/** Zero a WARC record: its page is kept, and its text is in records.jsonl. @returns the URL */
async function withoutResponse(dir: string): Promise<string> {
  const file = join(dir, 'corpus', 'forager-00000.warc.gz');
  const bytes = readFileSync(file);
  const [response] = await responsesOf(file);
  if (!response) throw new Error('no response');
  writeFileSync(file, bytes.fill(0, response.start + 20, response.end - 20));
  return response.url;
}

async function responsesOf(file: string): Promise<{ url: string; start: number; end: number }[]> {
  const found: { url: string; start: number; end: number }[] = [];
  for await (const { fields, start, end } of walkWarc(file, () => false))
    if (fields.get('warc-type') === 'response') found.push({ url: fields.get('warc-target-uri') ?? '', start, end });
  return found;
}

describe('a kept page whose WARC record alone is lost', () => {
  wholeTest('repair keeps its text and says how it is fetched again; after that verify finds nothing', async () => {
    const dir = copyOf(whole);
    const before = await harvested(dir);
    const url = await withoutResponse(dir);
    const said = await done('repair', dir);
    expect(said).toContain('LOST: the WARC record of 1 kept page');
    expect(said).toContain(`forager repair ${dir} --refetch`);
    expect(await harvested(dir)).toEqual(before);
    expect(await done('repair', dir)).toContain('nothing was changed');
    const { code, stdout } = await forager('verify', dir);
    expect({ code, stdout }).toEqual({
      code: 3,
      stdout: expect.stringMatching(new RegExp(`of ${url}, and no WARC file has its response`)),
    });

    await done('repair', dir, '--refetch');
    expect(await urlsThat(dir, 'waiting')).toContain(url);
    expect(await done('verify', dir)).toContain('nothing is damaged');
    await done(...crawlArgs(dir, 200));
    expect(await urlsThat(dir, 'kept')).toContain(url);
    expect(await done('verify', dir)).toContain('nothing is damaged');
  });

  wholeTest('crawl --revisit fetches it again, and keeps it anew', async () => {
    const dir = copyOf(whole);
    const url = await withoutResponse(dir);
    await done(...crawlArgs(dir, 40, '--revisit', '0s', '--skip-damaged'));
    const [again] = (await responsesOf(join(dir, 'corpus', 'forager-00000.warc.gz')).catch(() => [])).filter((one) => one.url === url);
    expect(again).toBeUndefined(); // behind the damage
    await done('repair', dir);
    expect((await responsesOf(join(dir, 'corpus', 'forager-00000.warc.gz'))).filter((one) => one.url === url)).toHaveLength(1);
    expect(await done('verify', dir)).toContain('1 earlier version');
  });
});

describe('versions of pages that were asked for again', () => {
  wholeTest.each([
    ['older', (dir: string) => cpSync(join(whole, DATABASE), join(dir, DATABASE))],
    ['lost', (dir: string) => rmSync(join(dir, DATABASE))],
  ] as const)('a frontier that is %s is given the newest version of each page', async (_, damage) => {
    const dir = copyOf(whole);
    await withoutResponse(dir);
    await done('repair', dir);
    await done(...crawlArgs(dir, 40, '--revisit', '0s'));
    const before = await harvested(dir);
    expect(before).not.toEqual(await harvested(whole));
    damage(dir);
    await done('repair', dir);
    expect(await harvested(dir)).toEqual(before);
    expect(await done('verify', dir)).toContain('nothing is damaged');
  });

  wholeTest('where the newest is lost, the one before it is in force again', async () => {
    const dir = copyOf(whole);
    await withoutResponse(dir);
    await done('repair', dir);
    await done(...crawlArgs(dir, 40, '--revisit', '0s'));
    const lines = readFileSync(join(dir, RECORDS), 'utf8').trimEnd().split('\n');
    writeFileSync(join(dir, RECORDS), `${lines.slice(0, -1).join('\n')}\n`);
    const file = join(dir, 'corpus', 'forager-00000.warc.gz');
    const { start = 0 } = (await responsesOf(file)).at(-1) ?? {};
    truncateSync(file, start);
    await done('repair', dir);
    expect(await harvested(dir)).toEqual(await harvested(whole));
  });
});

describe('files of two crawls', () => {
  test("another crawl's WARC file in place of its own is refused by name; repair goes on without it", async () => {
    const dir = copyOf(whole);
    const [own, foreign] = [whole, recorded].map((one) => join(one, 'corpus', 'forager-00000.warc.gz')) as [string, string];
    const warc = join(dir, 'corpus', 'forager-00000.warc.gz');
    writeFileSync(warc, Buffer.concat([readFileSync(foreign), readFileSync(foreign)]));
    expect(readFileSync(warc).length).toBeGreaterThan(readFileSync(own).length);
    const why = [warc, `is of crawl ${readManifest(recorded).id}, and this is crawl ${readManifest(dir).id}`];
    await refusedByProcess(3, why, ...crawlArgs(dir, 50));
    await refusedByProcess(3, why, 'repair', dir);
    rmSync(warc);
    expect(await done('repair', dir)).toContain('LOST: the WARC records of');
    expect(await harvested(dir)).toEqual(await harvested(whole));
  });

  wholeTest("another crawl's records.jsonl is not taken over where the frontier is lost: both sides are named", async () => {
    const dir = copyOf(whole);
    const before = await harvested(dir);
    cpSync(join(recorded, RECORDS), join(dir, RECORDS));
    rmSync(join(dir, DATABASE));
    const why = [join(dir, RECORDS), 'forager-00000.warc.gz', 'of different crawls'];
    await refusedByProcess(3, why, 'repair', dir);
    rmSync(join(dir, RECORDS));
    await done('repair', dir);
    expect(await harvested(dir)).toEqual(before);
  });
});

wholeTest('ended between two of its commits: no crawl goes on, and repair does what was left', async () => {
  const dir = copyOf(whole);
  const before = await harvested(dir);
  cpSync(join(earlier, DATABASE), join(dir, DATABASE));
  const [manifest, paths] = [readManifest(dir), crawlPaths(dir)];
  const frontier = openLmdbFrontier(paths.frontier, frontierOptionsOf(manifest), null);
  const first = frontier.lastCommit()?.number ?? 0;
  let commits = 0;
  const mayWrite = () => {
    if (++commits === 3) throw new Error('killed');
  };
  const options = { isNew: false, mayWrite, commitEvery: 2 };
  await expect(restoreFrontier(frontier, manifest, paths, options)).rejects.toThrow('killed');
  expect(frontier.lastCommit()?.number).toBe(first + 2);
  await frontier.close();

  await refusedByProcess(3, [`forager repair ${dir}`], ...crawlArgs(dir, 50));
  await done('repair', dir);
  expect(await harvested(dir)).toEqual(before);
  expect(await done('verify', dir)).toContain('nothing is damaged');
});

test('a repair that has lost its lock writes nothing', async () => {
  const dir = copyOf(whole);
  flip(join(dir, RECORDS), 'fetchedAt');
  const records = readFileSync(join(dir, RECORDS));
  const onProgress = (step: string) => {
    if (step === 'checking') rmSync(join(dir, 'lock'));
  };
  await expect(repair({ dir, onProgress })).rejects.toThrow('the lock of this process is gone');
  expect(readFileSync(join(dir, RECORDS))).toEqual(records);
  expect(readdirSync(join(dir, 'corpus')).filter((name) => name.startsWith('cut-'))).toEqual([]);
});
