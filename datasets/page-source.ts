/** One HTTP answer, whole. `headers` have lower-case names and no content-length: the server adds it. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** A web that answers from memory or disk. */
export interface PageSource {
  /**
   * @param host lower-case name, with `:port` where the URL has one
   * @param path path and query as requested, beginning with `/`
   * @returns null when the host is not of this web; a status 404 answer when only the page is missing
   */
  get(host: string, path: string): PageAnswer | null;
}

/** host → path → HTML: pages that exist in memory only. */
export type VirtualPages = ReadonlyMap<string, ReadonlyMap<string, string>>;

const HTML = { 'content-type': 'text/html' };

/** An HTML page with status 200. No charset in the header, so that the page's own meta element counts. */
export function htmlAnswer(html: string | Uint8Array): PageAnswer {
  return { status: 200, headers: HTML, body: typeof html === 'string' ? Buffer.from(html) : html };
}

/** The page for a path that is not there. */
export function notFound(): PageAnswer {
  const body = Buffer.from('<!doctype html><title>404 Not Found</title><h1>Not Found</h1><p>There is no such page on this host.</p>\n');
  return { status: 404, headers: HTML, body };
}

/** The path without its query. */
export function withoutQuery(path: string): string {
  const at = path.indexOf('?');
  return at < 0 ? path : path.slice(0, at);
}

/** Serve virtual pages; queries are ignored. */
export function virtualSource(pages: VirtualPages): PageSource {
  return {
    get(host, path) {
      const site = pages.get(host);
      if (site === undefined) return null;
      const html = site.get(withoutQuery(path));
      return html === undefined ? notFound() : htmlAnswer(html);
    },
  };
}

/** Ask each source in turn; the first that knows the host answers. */
export function firstOf(sources: readonly PageSource[]): PageSource {
  return {
    get(host, path) {
      for (const source of sources) {
        const answer = source.get(host, path);
        if (answer !== null) return answer;
      }
      return null;
    },
  };
}
