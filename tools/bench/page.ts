/**
 * What the page costs.
 *
 * `watchers`: pages per CPU-second of a crawl with a page that five tabs watch, beside the same crawl without one at the same time. The time is that of all processes
 * of the crawl. It needs bash.
 *
 * `screens`: the time of each screen on a crawl of a million discovered URLs, which takes some minutes to make (`--folder` keeps it).
 *
 * `tab`: memory of a tab on the overview of a running crawl with news each second; needs Debian's chromium.
 *
 *   npm run bench -- page watchers [--pages 20000] [--pairs 5] [--watchers 5]
 *   npm run bench -- page screens [--discovered 1000000] [--rounds 7] [--folder <where the crawl stays>]
 *   npm run bench -- page tab [--minutes 30]
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureScreens } from './page/screens.ts';
import { measureTab } from './page/tab.ts';
import { measureWatchers } from './page/watchers.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string', default: '20000' },
    pairs: { type: 'string', default: '5' },
    watchers: { type: 'string', default: '5' },
    discovered: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '7' },
    folder: { type: 'string' },
    minutes: { type: 'string', default: '30' },
  },
});

async function run(part: string, folder: string): Promise<void> {
  const { pages, pairs, watchers, discovered, rounds, minutes } = values;
  if (part === 'watchers') await measureWatchers(folder, { pages: Number(pages), pairs: Number(pairs), watchers: Number(watchers) });
  else if (part === 'screens') await measureScreens(folder, Number(discovered), Number(rounds));
  else if (part === 'tab') await measureTab(folder, Number(minutes));
  else throw new Error(`${part}: not one of watchers, screens, tab`);
}

const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'forager-page-bench-'));
mkdirSync(folder, { recursive: true });
try {
  for (const part of positionals.length > 0 ? positionals : ['watchers', 'screens', 'tab']) await run(part, folder);
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}
