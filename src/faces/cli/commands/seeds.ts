import { EXIT, UsageError } from '../../../base/core/errors.ts';
import { counted, countText } from '../../../base/text/number-text.ts';
import type { CitedHost, CitedPage, FoundSeeds } from '../../app/find-seeds.ts';
import { print, printJson } from '../command.ts';
import { type CommandOptions, command } from '../define.ts';
import { longWork, type Shown } from '../long-work.ts';
import { rateAndEta } from '../progress.ts';
import { onDamagedOf } from '../skip-damaged.ts';

export const seedsCommand = command({
  name: 'seeds',
  positionals: ['dir'],
  summary: 'list hosts and pages that on-topic pages of a crawl cite and the crawl has not visited',
  examples: [
    ['$0 seeds crawls/moss', 'hosts and pages that on-topic pages cite, with examples'],
    ['$0 seeds crawls/moss --show hosts --format urls > more.txt', 'seeds for a crawl of new hosts'],
  ],
  oldNames: [
    { name: 'hosts', hasValue: false, now: () => ['--show', 'hosts'] },
    { name: 'pages', hasValue: false, now: () => ['--show', 'pages'] },
  ],
  run,
});

async function run({
  json,
  skipDamaged,
  show = ['hosts', 'pages'],
  format = 'text',
  ...options
}: CommandOptions<'seeds'>): Promise<number> {
  if (format === 'urls' && json) throw new UsageError('--format urls, --json: exclude each other; omit one of them');
  const { findSeeds } = await import('../../app/find-seeds.ts');
  const shown: Shown<{ readonly done: number; readonly total: number }> = {
    start: { done: 0, total: 0 },
    line: ({ done, total }, ms) => `read ${countText(done)} of ${countText(total)} pages; ${rateAndEta(done, total, ms)}`,
    stopping: 'Stopping.',
  };
  const found = await longWork(shown, (signal, tell) =>
    findSeeds({ ...options, ...onDamagedOf(skipDamaged), signal, onProgress: (done, total) => tell({ done, total }) }),
  );
  if (found === null) return EXIT.interrupted;
  const wanted = { hosts: show.includes('hosts'), pages: show.includes('pages') };
  const asked = { ...found, hosts: wanted.hosts ? found.hosts : [], pages: wanted.pages ? found.pages : [] };
  if (json) printJson(asked);
  else if (format === 'urls') printUrls(asked);
  else describe(found, wanted);
  return EXIT.done;
}

interface Wanted {
  readonly hosts: boolean;
  readonly pages: boolean;
}

function describe({ dir, read, unread, hosts, pages }: FoundSeeds, wanted: Wanted): void {
  const more = unread === 0 ? '' : `; ${counted(unread, 'more is', 'more are')} not in the corpus`;
  print(`${dir}: links of ${counted(read, 'on-topic page')}${more}`);
  if (wanted.hosts) print(hosts.length === 0 ? 'all cited hosts were visited' : 'hosts not visited, by hosts and pages that cite them:');
  if (wanted.hosts) for (const host of hosts) describeHost(host);
  if (wanted.pages) print(pages.length === 0 ? 'all cited pages were visited' : 'pages not visited, by hosts and pages that cite them:');
  if (wanted.pages) for (const page of pages) describePage(page);
}

function describeHost({ host, unvisited, ...cited }: CitedHost): void {
  const reasons = Object.entries(unvisited).sort(([, a], [, b]) => b - a);
  print(`${counts(cited)}  ${host}  (${reasons.map(([why, n]) => `${countText(n)} ${why}`).join(', ')})`);
  printExamples(cited, true);
}

function describePage({ url, state, reason, ...cited }: CitedPage): void {
  print(`${counts(cited)}  ${url}  (${state}${reason === '' ? '' : `: ${reason}`})`);
  printExamples(cited, false);
}

function counts({ hosts, pages }: Pick<CitedPage, 'hosts' | 'pages'>): string {
  return `${countText(hosts).padStart(5)} ${hosts === 1 ? 'host, ' : 'hosts,'} ${countText(pages).padStart(6)} ${pages === 1 ? 'page ' : 'pages'}`;
}

function printExamples({ examples }: Pick<CitedPage, 'examples'>, withTarget: boolean): void {
  for (const { page, anchorText, url } of examples) print(`         "${anchorText}"${withTarget ? ` to ${url}` : ''} on ${page}`);
}

/** Lines for `--seeds` of a crawl: `#` starts a comment. A page of a listed host appears once. */
function printUrls({ dir, hosts, pages }: FoundSeeds): void {
  print(`# cited by on-topic pages of ${dir} and not visited by the crawl`);
  const printed = new Set<string>();
  const one = (url: string, cited: Pick<CitedPage, 'hosts' | 'pages'>, of: string) => {
    if (printed.has(url)) return;
    printed.add(url);
    print(`# ${of}cited by ${counted(cited.pages, 'page')} of ${counted(cited.hosts, 'host')}`);
    print(url);
  };
  for (const host of hosts) one(host.seed, host, `${host.host} is `);
  for (const page of pages) one(page.url, page, '');
}
