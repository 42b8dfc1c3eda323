/** Ranked candidates for seeds on the screen, and as a file for `--seeds`. */
import { EXIT } from '../../base/core/errors.ts';
import { counted, countText } from '../../base/text/number-text.ts';
import { type RankedPage, type RankedSeeds, type RankSeedsOptions, type ReadSource, rankSeeds } from '../app/rank-seeds.ts';
import type { RankedHost } from '../app/seed-ranking.ts';
import { ALL_TABLES } from './cited-seeds.ts';
import { print, printJson, warn } from './command.ts';
import type { CommandOptions } from './define.ts';
import { longWork, type Shown } from './long-work.ts';

export async function showRanked(
  options: CommandOptions<'seeds'>,
  sources: Pick<RankSeedsOptions, 'from' | 'archives' | 'dir'>,
): Promise<number> {
  const { topic, top, maxTime, show = ALL_TABLES, format, json } = options;
  const isOfText = sources.archives !== undefined;
  const shown: Shown<number> = {
    start: 0,
    line: (read) => `read ${counted(read, isOfText ? 'page' : 'URL')}`,
    stopping: 'Stopping.',
  };
  const given = { ...(topic !== undefined && { topic }), ...(top !== undefined && { top }), ...(maxTime !== undefined && { maxTime }) };
  const ranked = await longWork(shown, (signal, tell) => rankSeeds({ ...sources, ...given, warn, signal, onProgress: tell }));
  if (ranked === null) return EXIT.interrupted;
  const asked = { ...ranked, hosts: show.includes('hosts') ? ranked.hosts : [], pages: show.includes('pages') ? ranked.pages : [] };
  if (json) printJson(asked);
  else if (format === 'urls') printUrls(asked);
  else describe(asked, isOfText);
  return EXIT.done;
}

function describe({ topic, sources, ranked, visited, hosts, pages }: RankedSeeds, isOfText: boolean): void {
  for (const source of sources) print(sourceText(source, isOfText));
  const known = visited === 0 ? '' : `; ${counted(visited, 'more was', 'more were')} visited by the crawl`;
  print(
    `${counted(ranked, 'URL')} ranked by the ${isOfText ? 'text of their pages' : 'words of title, context and path'} with the model ${topic}${known}`,
  );
  if (hosts.length > 0) print('hosts, by good pages, by the word of the model alone:');
  for (const host of hosts) describeHost(host);
  if (pages.length > 0) print('pages, the best first:');
  for (const page of pages) describePage(page);
}

function sourceText({ path, read, ended, reason }: ReadSource, isOfText: boolean): string {
  const how = { end: '', time: '; the rest is not read, since --max-time is over', damage: `; the rest is not read (${reason})` }[ended];
  return `${path}: ${counted(read, isOfText ? 'page' : 'URL')}${how}`;
}

function describeHost({ host, seed, score, pages, good }: RankedHost): void {
  print(`${countText(good).padStart(7)} of ${countText(pages).padStart(6)}  ${host}  (best ${score.toFixed(2)}: ${seed})`);
}

function describePage({ url, title, score, words }: RankedPage): void {
  print(`  ${score.toFixed(2)}  ${url}`);
  const by = words.length === 0 ? '' : ` by ${words.join(', ')}`;
  if (title !== '' || by !== '') print(`         "${title}"${by}`);
}

/** Lines for `--seeds` of a crawl: `#` starts a comment. A page of a listed host appears once. */
function printUrls({ topic, hosts, pages }: RankedSeeds): void {
  print(`# ranked with the model ${topic}`);
  const printed = new Set<string>();
  const one = (url: string, score: number, of: string) => {
    if (printed.has(url)) return;
    printed.add(url);
    print(`# score ${score.toFixed(2)}${of}`);
    print(url);
  };
  for (const { host, seed, score, good } of hosts) one(seed, score, `; ${counted(good, 'good page')} of ${host}`);
  for (const { url, score } of pages) one(url, score, '');
}
