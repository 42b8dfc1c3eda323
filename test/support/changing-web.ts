/** A web on loopback that changes: planted changes, and noise that is none. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GeneratedWeb } from '../../datasets/generated-web/web.ts';
import type { EpochMs } from '../../src/base/core/types.ts';

export type PlantedKind = 'new' | 'changed' | 'moved' | 'gone';

/** A change of a page, as a watch should report it. */
export interface Planted {
  readonly kind: PlantedKind;
  readonly url: string;
  readonly at: EpochMs;
}

export interface ChangingWeb {
  readonly proxy: string;
  /** Plants a change now. @param text HTML of a new page, or a paragraph of a changed one. @param from the page that links to a new one, in its navigation */
  plant(kind: PlantedKind, url: string, text?: string, from?: string): void;
  readonly planted: readonly Planted[];
  close(): Promise<void>;
}

const NEW_PLACE = '/moved-here';

/**
 * Each page has a clock at its top and a counter of its visitors in its footer, which change with each request. A moved page is at another address, and the old
 * one leads there.
 */
export async function changingWeb(web: GeneratedWeb): Promise<ChangingWeb> {
  const planted: Planted[] = [];
  const [kinds, texts, links] = [new Map<string, PlantedKind>(), new Map<string, string>(), new Map<string, string[]>()];
  let visitors = 1_000_000;
  const server = createServer(({ url = '' }, response) => {
    const { host, pathname } = new URL(url);
    const old = `http://${host}${pathname.replace(NEW_PLACE, '')}`;
    const isNewPlace = pathname.endsWith(NEW_PLACE);
    const kind = kinds.get(old);
    if (kind === 'gone' || (isNewPlace && kind !== 'moved')) return response.writeHead(isNewPlace ? 404 : 410).end();
    if (kind === 'moved' && !isNewPlace) return response.writeHead(301, { location: `${old}${NEW_PLACE}` }).end();
    const found = kind === 'new' ? texts.get(old) : bodyOf(web, host, new URL(old).pathname);
    if (found === undefined) return response.writeHead(404).end();
    visitors += 1;
    const html = kind === 'changed' ? withParagraph(found, texts.get(old) ?? '') : found;
    return response.writeHead(200, { 'content-type': 'text/html' }).end(withNoise(html, visitors, links.get(old) ?? []));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    proxy: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    planted,
    plant: (kind, url, text = '', from = '') => {
      kinds.set(url, kind);
      texts.set(url, text);
      if (kind === 'new') links.set(from, [...(links.get(from) ?? []), url]);
      planted.push({ kind, url, at: Date.now() });
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function bodyOf(web: GeneratedWeb, host: string, path: string): string | undefined {
  const found = web.source.get(host, path);
  return found?.status === 200 ? found.body.toString() : undefined;
}

/** The second paragraph is another one. */
function withParagraph(html: string, text: string): string {
  let nth = 0;
  return html.replace(/<p>[\s\S]*?<\/p>/g, (paragraph) => (nth++ === 1 ? `<p>${text}</p>` : paragraph));
}

function withNoise(html: string, visitors: number, links: readonly string[]): string {
  const clock = `<p>Updated: ${new Date().toISOString().slice(0, 19).replace('T', ' ')}</p>`;
  const latest = `<nav><ul>${['/', ...links].map((url) => `<li><a href="${url}">Latest: a page on the same subject</a></li>`).join('')}</ul></nav>`;
  const footer = `<footer><p>Visitors: ${visitors}. Seen ${visitors % 97} times today.</p></footer>`;
  return html.replace(/<body[^>]*>/, (body) => `${body}${clock}`).replace('</body>', `${latest}${footer}</body>`);
}

/** Share of the reported changes that were planted, and of the planted ones that were reported. Each as `kind url`, told once. */
export function precisionAndRecall(reported: readonly string[], planted: readonly string[]) {
  const [told, true_] = [new Set(reported), new Set(planted)];
  const hits = [...true_].filter((one) => told.has(one)).length;
  return {
    precision: reported.length === 0 ? 1 : hits / reported.length,
    recall: true_.size === 0 ? 1 : hits / true_.size,
    missed: [...true_].filter((one) => !told.has(one)),
    wrong: reported.filter((one, i) => !true_.has(one) || reported.indexOf(one) < i),
  };
}
