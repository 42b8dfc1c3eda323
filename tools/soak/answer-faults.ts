/** Are the answers that a page confirmed in the label file of its crawl? */
import type { CanonicalUrl } from '../../src/base/core/types.ts';
import { hostNameOf } from '../../src/base/web/url.ts';
import type { CrawlPaths } from '../../src/crawling/crawl-dir/crawl-directory.ts';
import { openCrawl } from '../../src/crawling/crawl-dir/open-crawl.ts';
import { pagesOf, textDigest } from '../../src/study/label/judged-pages.ts';
import { type LabelEntry, LabelLog } from '../../src/study/label/label-log.ts';
import type { Memory } from './page-answers.ts';

/** @returns what is wrong, in words. What was sent and not confirmed may be there or not: from now on it is what the file says. */
export async function answerFaults(paths: CrawlPaths, memory: Memory): Promise<string[]> {
  const { entries, state } = LabelLog.open(paths.labels, undefined, () => undefined);
  for (const [url, answer] of memory.sent) if (state.answers.get(url) === answer) memory.confirmed.set(url, answer);
  const inDoubt = memory.sentHost;
  memory.forget();
  const lost = [...memory.confirmed].flatMap(([url, answer]) =>
    state.answers.get(url) === answer ? [] : [`${url}: ${answer} was confirmed, and ${state.answers.get(url) ?? 'nothing'} is stored`],
  );
  return [...lost, ...strangers(entries, memory), ...hostFaults(entries, memory, inDoubt), ...(await textFaults(paths, entries))];
}

/** Answers that nobody gave. */
function strangers(entries: readonly LabelEntry[], { confirmed }: Memory): string[] {
  return entries.flatMap(({ url, queue }) => (queue === 'place' || confirmed.has(url) ? [] : [`${url}: nobody answered it`]));
}

function hostFaults(entries: readonly LabelEntry[], { ofHosts }: Memory, inDoubt: string | null): string[] {
  const stored = new Map<string, number>();
  for (const { url, queue } of entries) {
    const host = hostNameOf(url as CanonicalUrl);
    if (queue === 'place') stored.set(host, (stored.get(host) ?? 0) + 1);
  }
  if (inDoubt !== null) ofHosts.set(inDoubt, Math.max(ofHosts.get(inDoubt) ?? 0, stored.get(inDoubt) ?? 0));
  const hosts = [...new Set([...stored.keys(), ...ofHosts.keys()])];
  return hosts.flatMap((host) => {
    const [have, expected] = [stored.get(host) ?? 0, ofHosts.get(host) ?? 0];
    return have === expected ? [] : [`${host}: ${expected} pages were answered with it, and ${have} are stored`];
  });
}

/** Each answer names the text that the crawl has of its page. */
async function textFaults(paths: CrawlPaths, entries: readonly LabelEntry[]): Promise<string[]> {
  const crawl = openCrawl(paths.dir);
  try {
    const digests = new Map<string, string>();
    for await (const page of pagesOf(paths, crawl, new Set(entries.map(({ url }) => url as CanonicalUrl))))
      digests.set(page.url, textDigest(page));
    return entries.flatMap(({ url, sha256 }) => (digests.get(url) === sha256 ? [] : [`${url}: its answer is about another text`]));
  } finally {
    await crawl.close();
  }
}
