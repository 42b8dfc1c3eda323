import { EXIT } from '../../base/core/errors.ts';
import { counted, countText } from '../../base/text/number-text.ts';
import { type CitedHost, type CitedPage, type FoundSeeds, findSeeds } from '../app/find-seeds.ts';
import { print, printJson } from './command.ts';
import type { CommandOptions } from './define.ts';
import { longWork, type Shown } from './long-work.ts';
import { rateAndEta } from './progress.ts';
import { onDamagedOf } from './skip-damaged.ts';

/** Hosts and pages that on-topic pages of a crawl cite. */
export async function showCited({ dir, at, top, json, skipDamaged, show = ALL_TABLES, format }: CitedOptions): Promise<number> {
  const shown: Shown<{ readonly done: number; readonly total: number }> = {
    start: { done: 0, total: 0 },
    line: ({ done, total }, ms) => `read ${countText(done)} of ${countText(total)} pages; ${rateAndEta(done, total, ms)}`,
    stopping: 'Stopping.',
  };
  const found = await longWork(shown, (signal, tell) =>
    findSeeds({
      ...{ dir, ...(at !== undefined && { at }), ...(top !== undefined && { top }) },
      ...{ ...onDamagedOf(skipDamaged), signal, onProgress: (done, total) => tell({ done, total }) },
    }),
  );
  if (found === null) return EXIT.interrupted;
  const wanted = { hosts: show.includes('hosts'), pages: show.includes('pages') };
  const asked = { ...found, hosts: wanted.hosts ? found.hosts : [], pages: wanted.pages ? found.pages : [] };
  if (json) printJson(asked);
  else if (format === 'urls') printUrls(asked);
  else describe(found, wanted);
  return EXIT.done;
}

type CitedOptions = CommandOptions<'seeds'> & { readonly dir: string };

export const ALL_TABLES: readonly ('hosts' | 'pages')[] = ['hosts', 'pages'];

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
