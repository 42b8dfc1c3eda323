/** A crawl that is put to sleep in its midst (SIGSTOP; a laptop that is closed) for longer than any request may take. */
import type { RunningWeb } from '../../datasets/web-proxy.ts';
import type { Ms } from '../../src/base/core/types.ts';
import { politenessOf, summed } from '../../test/support/politeness.ts';
import { differencesFrom } from './compare-crawls.ts';
import { type CheckReport, CONCURRENCY, type CrashBench, ended, pagesAsked, pause, requireDone, startCli } from './crash-bench.ts';

/** A request has 30 s in all (crawling/fetch/http-fetcher.ts). */
const ASLEEP: Ms = 35_000;
const DELAY: Ms = 200;
/** Requests are under way whenever the crawl is stopped. */
const LATENCY: Ms = 100;
/** A host does not rest longer for the answer that took as long as the sleep. */
const MANNERS = ['--delay', `${DELAY}ms`, '--delay-factor', '0', '--record'];

/** What comes of the requests under way: their answers come while it sleeps, or their connections break. */
export type Meanwhile = 'answered' | 'broken';

export async function putToSleep(bench: CrashBench, dir: string, meanwhile: Meanwhile): Promise<CheckReport> {
  const first = await bench.serve(LATENCY);
  const servers = [first];
  try {
    const crawl = startCli(bench.crawlArgs(dir, first, MANNERS));
    const done = ended(crawl);
    while (pagesAsked(first, 0) < bench.needed / 3 && crawl.exitCode === null) await pause(5);
    crawl.kill('SIGSTOP');
    if (meanwhile === 'broken') servers.push(await restarted(bench, first));
    await pause(ASLEEP);
    crawl.kill('SIGCONT');
    requireDone(await done);
    return await report(bench, dir, servers, meanwhile);
  } finally {
    await servers.at(-1)?.close();
  }
}

/** On the same port, with connections of the one before cut. */
async function restarted(bench: CrashBench, server: RunningWeb): Promise<RunningWeb> {
  await server.close();
  return bench.serve(LATENCY, server.port);
}

async function report(bench: CrashBench, dir: string, servers: readonly RunningWeb[], meanwhile: Meanwhile): Promise<CheckReport> {
  const log = servers.flatMap((server) => server.log);
  const { overlaps, short, leastGap } = summed(politenessOf(log, () => DELAY));
  const again = servers.reduce((sum, server) => sum + pagesAsked(server, 0), -bench.needed);
  const [least, most] = meanwhile === 'broken' ? [1, CONCURRENCY] : [0, CONCURRENCY];
  const differences = [
    ...(await differencesFrom(bench.alone, dir)),
    ...(again < least || again > most ? [`${again} pages were asked for again, of ${CONCURRENCY} at most that were under way`] : []),
    ...(overlaps + short > 0 ? [`${overlaps} requests of one host at once, ${short} within its delay of ${DELAY} ms`] : []),
  ];
  return { differences, said: `${ASLEEP / 1000} s asleep; ${again} pages asked for again, least gap of a host ${Math.round(leastGap)} ms` };
}
