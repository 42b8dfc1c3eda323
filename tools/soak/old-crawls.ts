/**
 * Crawls that an earlier version made, read and converted by this one: ledger, status and explanations must say all that the earlier version says of them.
 *
 *   npm run check -- old-crawls --base COMMIT [--kills 20]
 *
 * --base clones a commit of version 0.2 into a temporary folder, installs and builds it (a minute; needs the package registry), and makes twenty crawls with
 * it: two webs, ten ways of crawling. --tree FOLDER takes a tree that is built already. Each crawl is read by both versions, then converted by this one,
 * and read again. --kills: a conversion of the largest crawl is killed at so many moments, each time read, and then repeated to its end.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type GeneratedWeb, generateWeb } from '../../datasets/generated-web/web.ts';
import { type RunningWeb, startWebProxy } from '../../datasets/web-proxy.ts';
import { builtCommit } from '../bench/crawl/sides.ts';
import { CLI, pagesAsked, pause } from './crash-bench.ts';

const { values } = parseArgs({ options: { base: { type: 'string' }, tree: { type: 'string' }, kills: { type: 'string', default: '20' } } });
const TOPIC = 'topic-1';
const folder = mkdtempSync(join(tmpdir(), 'forager-old-crawls-'));

interface Printed {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function printed(cli: string, ...args: readonly string[]): Promise<Printed> {
  const child: ChildProcess = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (text) => {
    stdout += String(text);
  });
  child.stderr?.on('data', (text) => {
    stderr += String(text);
  });
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

/** @throws Error when it did not end well */
async function done(cli: string, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await printed(cli, ...args);
  if (code !== 0) throw new Error(`${args.join(' ')}: exit code ${code}, ${stderr.slice(-1000)}`);
  return stdout;
}

interface Bench {
  readonly old: string;
  readonly web: GeneratedWeb;
  readonly server: RunningWeb;
  readonly model: string;
}

type Way = (bench: Bench, dir: string) => Promise<void>;

const crawled = async ({ old, web, server, model }: Bench, dir: string, ...more: readonly string[]): Promise<void> => {
  const asked = ['--topic', model, '--seeds', ...web.seeds(TOPIC, 3), '--proxy', server.proxy, '--delay', '0ms'];
  await done(old, 'crawl', dir, ...(existsSync(join(dir, 'crawl.json')) ? ['--proxy', server.proxy] : asked), ...more);
};

/** The ways of crawling. */
const WAYS: Readonly<Record<string, Way>> = {
  plain: (bench, dir) => crawled(bench, dir, '--max-pages', '120'),
  recorded: (bench, dir) => crawled(bench, dir, '--max-pages', '80', '--record', '--strategy', 'bfs'),
  killed: (bench, dir) => killed(bench, dir),
  resumed: async (bench, dir) => {
    await killed(bench, dir);
    await crawled(bench, dir, '--max-pages', '150');
  },
  revisited: async (bench, dir) => {
    await crawled(bench, dir, '--max-pages', '60');
    await crawled(bench, dir, '--max-pages', '90', '--revisit', '0s');
  },
  relabelled: (bench, dir) => relabelled(bench, dir),
  continued: async (bench, dir) => {
    await relabelled(bench, dir);
    await crawled(bench, dir, '--max-pages', '160');
  },
  'with caps': (bench, dir) => crawled(bench, dir, '--max-pages', '100', '--max-pages-per-host', '9', '--tunnel', '0', '--max-depth', '4'),
  'by rounds': (bench, dir) => crawled(bench, dir, '--max-pages', '100', '--rounds', '2'),
  explored: (bench, dir) => crawled(bench, dir, '--max-pages', '100', '--explore', '10%', '--strategy', 'opic'),
};

async function killed({ old, web, server, model }: Bench, dir: string): Promise<void> {
  const asked = ['--topic', model, '--seeds', ...web.seeds(TOPIC, 3), '--proxy', server.proxy, '--delay', '0ms'];
  const before = server.log.length;
  const child = spawn(process.execPath, [old, 'crawl', dir, ...asked, '--max-pages', '1000'], { stdio: 'ignore' });
  while (pagesAsked(server, before) < 100 && child.exitCode === null) await pause(5);
  child.kill('SIGKILL');
  await once(child, 'close');
}

/** Answers of the web's own labels, then a training: pages change sides, and some wait for another visit. */
async function relabelled(bench: Bench, dir: string): Promise<void> {
  const { old, web } = bench;
  await crawled(bench, dir, '--max-pages', '90');
  const lines = (await done(old, 'ledger', dir, '--state', 'kept', 'off-topic')).trim().split('\n');
  const answers = lines.slice(0, 40).map((line) => {
    const { url } = JSON.parse(line) as { readonly url: string };
    return `${url},${web.page(url)?.topic === TOPIC ? 'y' : 'n'}`;
  });
  writeFileSync(`${dir}.csv`, `url,label\n${answers.join('\n')}\n`);
  await done(old, 'label', 'import', dir, `${dir}.csv`, '--no-retrain');
  await done(old, 'label', 'train', dir, '--even-if-worse');
}

/** What a version says of a crawl, without the name of its folder. */
async function saidOf(cli: string, dir: string): Promise<string> {
  const ledger = await done(cli, 'ledger', dir);
  const urls = ledger
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly url: string }).url);
  const some = urls.filter((_, i) => i % Math.ceil(urls.length / 10) === 0);
  const whys: string[] = [];
  for (const url of some) whys.push(await done(cli, 'why', dir, url, '--json'));
  return [ledger, ...[await done(cli, 'status', dir, '--json'), ...whys].map(oneLine)].join('\n').replaceAll(dir, 'DIR');
}

function oneLine(json: string): string {
  return JSON.stringify(JSON.parse(json));
}

/** Words of older versions by those of this one. */
const RENAMED: Readonly<Record<string, string>> = { 'not-reached': 'waiting' };

/** The first value that an older version says and the other one does not; null if there is none. Fields that came later may be said too. */
function differenceOf(older: string, newer: string): string | null {
  const [before, now] = [valuesIn(older), valuesIn(newer)];
  if (before.length !== now.length) return `${before.length} values, and instead ${now.length}`;
  for (const [i, value] of before.entries()) {
    const place = differing(value, now[i], '');
    if (place !== null)
      return `value ${i}${place}: ${older.split('\n')[i]?.slice(0, 400)}\n  instead  ${newer.split('\n')[i]?.slice(0, 400)}`;
  }
  return null;
}

function valuesIn(lines: string): readonly unknown[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}

/** The busiest hosts: those with as many pages come in another order since 0.2. */
const ORDERED_ANEW = 'topHosts';

/** @returns the place of the first difference in words; null for none */
function differing(before: unknown, now: unknown, place: string): string | null {
  if (typeof before !== 'object' || before === null || typeof now !== 'object' || now === null) {
    const meant = typeof before === 'string' ? (RENAMED[before] ?? before) : before;
    return meant === now ? null : `${place} is ${JSON.stringify(before)}, and instead ${JSON.stringify(now)}`;
  }
  if (Array.isArray(before) && Array.isArray(now) && before.length !== now.length)
    return `${place} has ${before.length} items, and instead ${now.length}`;
  const [olds, news] = [Object.entries(before), new Map(Object.entries(now))];
  for (const [key, value] of olds) {
    if (key === ORDERED_ANEW) continue;
    const found = differing(value, news.get(RENAMED[key] ?? key), `${place}.${key}`);
    if (found !== null) return found;
  }
  return null;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function checked(old: string, name: string, dir: string): Promise<number> {
  const before = await saidOf(old, dir);
  const faults: string[] = [];
  const compare = async (what: string) => {
    const difference = differenceOf(before, await saidOf(CLI, dir));
    if (difference !== null) faults.push(`${what}: ${difference}`);
  };
  await compare('read');
  await done(CLI, 'compact', dir);
  await compare('converted');
  const verified = await printed(CLI, 'verify', dir);
  if (verified.code !== 0) faults.push(`verify: exit code ${verified.code}, ${verified.stdout}${verified.stderr}`);
  const ledger = before.split('\n').filter((line) => line.startsWith('{"url"')).length;
  say(`| ${name} | ${ledger} | ${faults.length === 0 ? 'the same' : 'DIFFERENT'} |`);
  for (const fault of faults) say(`  ${fault}`);
  return faults.length;
}

/** A conversion is killed at moments that lie evenly over its time. */
async function killedConversions(old: string, dir: string, kills: number): Promise<number> {
  const said = await saidOf(old, dir);
  const work = `${dir}-killed`;
  cpSync(dir, work, { recursive: true });
  const started = performance.now();
  await done(CLI, 'compact', work);
  const whole = performance.now() - started;
  let [faults, converted] = [0, 0];
  for (let i = 0; i < kills; i++) {
    rmSync(work, { recursive: true });
    cpSync(dir, work, { recursive: true });
    const child = spawn(process.execPath, [CLI, 'compact', work], { stdio: 'ignore' });
    const ending = once(child, 'close');
    await pause(whole * (0.4 + (0.6 * i) / kills));
    child.kill('SIGKILL');
    await ending;
    const difference = differenceOf(said, await saidOf(CLI, work));
    await done(CLI, 'compact', work);
    const after = differenceOf(said, await saidOf(CLI, work));
    converted += Number(existsSync(join(work, 'frontier', 'converting')));
    for (const fault of [difference, after]) if (fault !== null) say(`  kill ${i}: ${fault}`);
    faults += Number(difference !== null) + Number(after !== null);
  }
  if (converted > 0) say(`  ${converted} folders were left behind`);
  return faults + converted;
}

async function main(): Promise<number> {
  if (values.base === undefined && values.tree === undefined) throw new Error('give --base COMMIT or --tree FOLDER');
  const tree = values.tree ?? builtCommit(values.base ?? '', join(folder, 'base'));
  const old = join(tree, 'dist', 'bin', 'main.js');
  let faults = 0;
  let largest = { dir: '', bytes: 0 };
  say('| crawl | URLs | by this version |\n| --- | ---: | --- |');
  for (const seed of [1, 2]) {
    const web = generateWeb({ seed, pages: 400, hosts: 20, topics: 2, hubs: 0.05 });
    const examples = join(folder, `examples-${seed}`);
    mkdirSync(examples);
    for (const [i, html] of web.examples(TOPIC, 20).entries()) writeFileSync(join(examples, `${i}.html`), html);
    const model = join(folder, `model-${seed}`);
    await done(old, 'train', examples, '--out', model);
    const server = await startWebProxy(web.source, { latency: 2 });
    try {
      for (const [name, make] of Object.entries(WAYS)) {
        const dir = join(folder, `${name.replaceAll(' ', '-')}-${seed}`);
        await make({ old, web, server, model }, dir);
        const { size } = statSync(join(dir, 'frontier', 'data.mdb'));
        if (size > largest.bytes) {
          cpSync(dir, `${dir}-copy`, { recursive: true });
          largest = { dir: `${dir}-copy`, bytes: size };
        }
        faults += await checked(old, `${name}, web ${seed}`, dir);
      }
    } finally {
      await server.close();
    }
  }
  const kills = Number(values.kills);
  const killedFaults = await killedConversions(old, largest.dir, kills);
  say(`\n${kills} kills of a conversion: ${killedFaults === 0 ? 'each left the crawl as it was, or converted' : `${killedFaults} faults`}`);
  return faults + killedFaults;
}

try {
  process.exitCode = (await main()) === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
